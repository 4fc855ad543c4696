"""Errors on their way to the client, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memory_core.errors import Cancelled, MemoryCoreError, refusal_of

if TYPE_CHECKING:
    from memory_core.refactor.referrers import Refusal
    from server.state import Root

NOT_INITIALIZED = types.ErrorCodes.ServerNotInitialized.value
INVALID_REQUEST = types.ErrorCodes.InvalidRequest.value
METHOD_NOT_FOUND = types.ErrorCodes.MethodNotFound.value
PARSE_ERROR = types.ErrorCodes.ParseError.value
INTERNAL_ERROR = types.ErrorCodes.InternalError.value
INVALID_PARAMS = types.ErrorCodes.InvalidParams.value
REQUEST_CANCELLED = types.LSPErrorCodes.RequestCancelled.value
REQUEST_FAILED = types.LSPErrorCodes.RequestFailed.value


def invalid_params(message: str) -> JsonRpcException:
    return JsonRpcException(message, code=INVALID_PARAMS)


def request_failed(message: str) -> JsonRpcException:
    return JsonRpcException(message, code=REQUEST_FAILED)


def no_snapshot(root: Root) -> JsonRpcException:
    """What a client is told where the records of a root cannot be asked about: why they never will, or not yet."""
    return request_failed(root.problem or "The records are still being read: try again in a moment.")


def refused(refusal: Refusal) -> JsonRpcException:
    """What a client is told of a change that the core refuses: why, and where what stands in the way is."""
    return request_failed(refusal.told)


def cancelled(message: str = "Cancelled.") -> JsonRpcException:
    return JsonRpcException(message, code=REQUEST_CANCELLED)


def of_core(error: MemoryCoreError) -> JsonRpcException:
    """What a client is told of an error that Omoide raised on purpose: its message as it is."""
    return cancelled(str(error) or "Cancelled.") if isinstance(error, Cancelled) else request_failed(str(error))


def reason_of(error: BaseException) -> str | None:
    """Why something could not be done, for people: what Omoide raised on purpose as it is, what the operating system
    refused with its file. None of everything else, which is a fault of ours."""
    if isinstance(error, MemoryCoreError):
        return str(error)
    return refusal_of(error) if isinstance(error, OSError) else None


def for_client(error: BaseException | None) -> BaseException | None:
    """The same error, as a JsonRpcException where it can be said what stands in the way: no handler need see to it."""
    if isinstance(error, MemoryCoreError):
        return of_core(error)
    reason = reason_of(error) if error else None
    return request_failed(reason) if reason else error
