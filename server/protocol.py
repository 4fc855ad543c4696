"""pygls' protocol with the gaps closed that matter to an editor: order of life, cancelling, malformed messages.

Each override names what pygls 2.1 does otherwise. Knows no feature.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any

from cattrs import BaseValidationError, transform_error
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method

from server import errors
from server.convert.columns import Encoding

# The token of the request being served, for a command: pygls hands commands their arguments only.
work_done_token: ContextVar[types.ProgressToken | None] = ContextVar("work_done_token", default=None)


class Protocol(LanguageServerProtocol):
    """The protocol of this server. `on_cancel_request` and `on_cancel_progress` learn of every cancellation, since a
    command that runs on is told nothing by pygls."""

    started = False

    def agreed_encoding(self) -> Encoding:
        """The code unit that was agreed on with the client. No property: pygls reads all of those too early."""
        return Encoding(str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding)))

    def on_cancel_request(self, msg_id: str | int) -> None:
        """Called with the id of a request that the client gave up."""

    def on_cancel_progress(self, token: types.ProgressToken) -> None:
        """Called with the token of a progress that a person stopped."""

    @property
    def stopping(self) -> bool:
        """Whether `shutdown` was asked for."""
        return bool(self._shutdown)

    def structure_message(self, data: dict[str, Any]) -> Any:
        # pygls structures every object of a message that has a key `jsonrpc`, so that a nested one, in the arguments
        # of a command say, makes the request vanish. Only the whole message is one: see handle_message.
        return data

    def handle_message(self, message: Any) -> None:
        if not isinstance(message, dict):
            self._send_response(None, error=_response_error(errors.INVALID_REQUEST, "A message must be an object."))  # type: ignore[arg-type]
            return
        method, msg_id = message.get("method"), message.get("id")
        refusal = self._refusal(method)
        if method and refusal:
            if msg_id is not None:
                self._send_response(msg_id, error=refusal)
            return
        try:
            structured = super().structure_message(message)
        except JsonRpcException as error:
            # pygls logs it and leaves the client waiting for ever.
            if method and msg_id is not None:
                text = f"The parameters of {method} cannot be read: {_reason(error)}"
                self._send_response(msg_id, error=_response_error(errors.INVALID_PARAMS, text))
            return
        super().handle_message(structured)

    def _refusal(self, method: str | None) -> types.ResponseError | None:
        """Why a request cannot be served now: pygls answers null before `initialize`, and nothing after `shutdown`."""
        if method == types.INITIALIZE and not self.started:
            self.started = True
            return None
        if method == types.EXIT:
            return None
        if not self.started:
            return _response_error(errors.NOT_INITIALIZED, "Send `initialize` first.")
        if self._shutdown or method == types.INITIALIZE:
            return _response_error(errors.INVALID_REQUEST, "The server is shutting down or already initialized.")
        return None

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        if msg_id in self._request_futures:  # an answered request may still be given up; pygls warns of that
            super()._handle_cancel_notification(msg_id)
            self.on_cancel_request(msg_id)

    def _handle_response(
        self, msg_id: str | int, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():  # given up meanwhile; pygls would fail on the late answer
            del self._request_futures[msg_id]
            return
        super()._handle_response(msg_id, result, error)

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        refusal = None if future.cancelled() else future.exception()
        if isinstance(refusal, JsonRpcException):  # said on purpose; pygls would log it with a traceback
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=refusal.to_response_error())
            return
        super()._send_handler_result(future, msg_id=msg_id)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        yield self.fm.features[types.SHUTDOWN], args, None
        # A copy: ending one request can remove another, over which pygls stumbles.
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != self.msg_id and not future.done():
                future.cancel()
        self._shutdown = True

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Generator[Any, Any, Any]:
        work_done_token.set(params.work_done_token)
        return (yield from super().lsp_workspace__execute_command(params))

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        self.on_cancel_progress(params.token)

    # Open texts are kept in `state`, as values; pygls would keep a second copy, whose lines are wrong.

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


def _reason(error: JsonRpcException) -> str:
    cause = error.__cause__
    return "; ".join(transform_error(cause)) if isinstance(cause, BaseValidationError) else str(cause or error)


def _response_error(code: int, message: str) -> types.ResponseError:
    return types.ResponseError(code=code, message=message)
