"""pygls' protocol with the gaps closed that matter to an editor: order of life, cancelling, malformed messages.

Each override names what pygls 2.1 does otherwise. Knows no feature.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCResponseMessage

from server import errors
from server.convert import lenient
from server.convert.columns import Encoding
from server.convert.plain import Encoded, Plain
from server.messages import document_of, flaw_of_call, is_id, nested_deeper
from server.told import unlinked
from server.trace import Trace

log = logging.getLogger(__name__)
_MOST_REFRESHES = 16  # of one kind that a client has not answered yet
T = TypeVar("T")

_DEEPEST = 200  # levels; no message of the protocol comes near, and answering one of 900 ends in a RecursionError

# The token of the request being served, for a command: pygls hands commands their arguments only.
work_done_token: ContextVar[types.ProgressToken | None] = ContextVar("work_done_token", default=None)


class Protocol(LanguageServerProtocol):
    """The protocol of this server. `on_cancel_request` and `on_cancel_progress` learn of every cancellation, since a
    command that runs on is told nothing by pygls."""

    started = False
    diagnostic_provider: types.DiagnosticOptions | None = None

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._numbers = itertools.count(1)
        self._plain_answers: set[str | int] = set()
        self._refreshes: dict[str, list[Future[Any]]] = {}
        self.tracing = Trace(lambda params: self.notify(types.LOG_TRACE, params))

    def agreed_encoding(self) -> Encoding:
        """The code unit that was agreed on with the client. No property: pygls reads all of those too early."""
        return Encoding(str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding)))

    def on_cancel_request(self, msg_id: str | int) -> None:
        """Called with the id of a request that the client gave up."""

    def on_cancel_progress(self, token: types.ProgressToken) -> None:
        """Called with the token of a progress that a person stopped."""

    def on_lost_change(self, uri: str) -> None:
        """Called with the document that a change was of which could not be read."""

    @property
    def stopping(self) -> bool:
        """Whether `shutdown` was asked for."""
        return bool(self._shutdown)

    def handle_message(self, message: Any) -> None:
        """Serve a message as it was parsed. Every request is answered, whatever is wrong with it."""
        if not isinstance(message, dict):
            self.refuse(None, errors.INVALID_REQUEST, "A message must be an object.")
        elif nested_deeper(message, _DEEPEST):
            self._refuse_deep(message)
        elif "method" in message:
            self._handle_call(message, message["method"])
        elif "id" not in message:
            self.refuse(None, errors.INVALID_REQUEST, "A message must have a `method` or an `id`.")
        elif not self._shutdown and is_id(message["id"]) and message["id"] in self._request_futures:
            self._handle_answer(message)

    def _refuse_deep(self, message: dict[str, Any]) -> None:
        """To answer a message is to write parts of it again, at which Python gives up some way down."""
        reason = f"The message is nested deeper than {_DEEPEST} levels."
        if "id" not in message:
            log.warning("A message was ignored: %s", reason)
            self._note_loss(message)
        elif "method" in message:
            self.refuse(message["id"], errors.INVALID_PARAMS, reason)
        else:
            error = {"code": errors.INVALID_PARAMS, "message": reason}
            self.handle_message({"jsonrpc": self.VERSION, "id": message["id"], "error": error})

    def refuse(self, msg_id: Any, code: int, message: str) -> None:
        """Answer a request by an error; `msg_id` None where the request's own could not be read."""
        # As plain data: lsprotocol leaves an id of null out, which JSON-RPC demands.
        self.tracing.answered(msg_id if is_id(msg_id) else None, message)
        error = {"code": code, "message": unlinked(message)}
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id if is_id(msg_id) else None, "error": error})

    def refuse_given_up(self, message: dict[str, Any]) -> bool:
        """Answer a request that was given up before it was begun; False where it must be served all the same."""
        if message.get("method") in (types.INITIALIZE, types.SHUTDOWN):
            return False
        self.refuse(message["id"], errors.REQUEST_CANCELLED, "Cancelled.")
        return True

    async def settle(self, seconds: float) -> None:
        """Wait a moment for the answers that are under way."""
        deadline = time.monotonic() + seconds
        waiting = self._request_futures
        while time.monotonic() < deadline and not all(it.done() for it in waiting.values()):  # noqa: ASYNC110 - many
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)  # what is done is sent in the loop's next rounds

    def ask(self, method: str, params: Any) -> Future[Any]:
        """Send the client a request of our own making; its result comes as plain data. pygls makes objects of it, whose
        attributes whoever answers could choose."""
        msg_id = f"{method}/{next(self._numbers)}"
        self._plain_answers.add(msg_id)
        return self.send_request(method, params, msg_id=msg_id)

    def withdraw(self, request: Future[Any]) -> None:
        """Give a request of ours up: the client is told, and its late answer is dropped."""
        for msg_id, future in list(self._request_futures.items()):
            if future is request and not future.done():
                self.notify(types.CANCEL_REQUEST, types.CancelParams(msg_id))
                future.cancel()
                # A client that never answers would leave it here for ever; a late answer is of no request of ours.
                del self._request_futures[msg_id]
                self._result_types.pop(msg_id, None)
                self._plain_answers.discard(msg_id)

    def keep_few(self, kind: str, request: Future[Any]) -> None:
        """Of requests of one kind whose answers say nothing, as those to draw something again, the newest are waited
        for: a client that never answers would have all of them kept."""
        waiting = [it for it in self._refreshes.get(kind, ()) if not it.done()] + [request]
        for old in waiting[:-_MOST_REFRESHES]:
            self.withdraw(old)
        self._refreshes[kind] = waiting[-_MOST_REFRESHES:]

    async def answer_to(self, request: Future[T]) -> asyncio.Future[T]:
        """A request of ours, answered or failed. It is withdrawn where whoever waits for it is cancelled."""
        answer = asyncio.wrap_future(request)
        try:
            await asyncio.wait({answer})
        finally:
            if not answer.done():
                self.withdraw(request)
        return answer

    def is_given_up(self, msg_id: str | int) -> bool:
        """Whether a request that came in was given up or answered since."""
        return self._shutdown or msg_id not in self._request_futures

    def _handle_call(self, message: dict[str, Any], method: Any) -> None:
        self.tracing.came(message)
        refusal = self._refusal(message, method)
        if refusal:
            code, reason = refusal
            if "id" in message:
                self.refuse(message["id"], code, reason)
            elif code not in (errors.METHOD_NOT_FOUND, errors.NOT_INITIALIZED):
                log.warning("A message was ignored: %s", reason)
            return
        try:
            structured, dropped = lenient.read_call(self._converter, message, method)
        except Exception as error:  # noqa: BLE001 - cattrs passes on whatever a converter raises for foreign data
            # pygls logs a traceback and leaves the client waiting for ever.
            reason = f"The parameters of {method} cannot be read: {lenient.reason_of(error)}"
            if "id" in message:
                self.refuse(message["id"], errors.INVALID_PARAMS, reason)
            else:
                log.warning("%s", reason)
            self._note_loss(message)
            return
        if dropped:
            log.info("Of the client's `%s`, this was not understood and is ignored: %s.", method, ", ".join(dropped))
        if "id" in message and not hasattr(structured, "id"):
            self.refuse(message["id"], errors.INVALID_REQUEST, f"{method} is a notification: it has no `id`.")
            return
        super().handle_message(structured)

    def _note_loss(self, message: dict[str, Any]) -> None:
        if message.get("method") == types.TEXT_DOCUMENT_DID_CHANGE and (uri := document_of(message)):
            self.on_lost_change(uri)

    def _refusal(self, message: dict[str, Any], method: Any) -> tuple[int, str] | None:
        """Why a call cannot be served now, as code and reason: pygls answers null before `initialize`, nothing after
        `shutdown`, and fails inside on ids and methods that are none."""
        if (flaw := flaw_of_call(message)) is not None:
            return errors.INVALID_REQUEST, flaw
        if not self.started and method != types.INITIALIZE:
            return errors.NOT_INITIALIZED, "Send `initialize` first."
        if self._shutdown or (self.started and method == types.INITIALIZE):
            return errors.INVALID_REQUEST, "The server is shutting down or already initialized."
        if method not in self.fm.builtin_features and method not in self.fm.features and method != types.CANCEL_REQUEST:
            return errors.METHOD_NOT_FOUND, f"There is no method `{method}` here."
        return None

    def _handle_answer(self, message: dict[str, Any]) -> None:
        """A response to a request of ours. One that cannot be read counts as a refusal: somebody waits for it."""
        msg_id = message["id"]
        kind = self._result_types.pop(msg_id, None) or JsonRPCResponseMessage
        plain = msg_id in self._plain_answers
        self._plain_answers.discard(msg_id)
        if "error" in message:
            kind = types.ResponseErrorMessage
        elif plain:
            self._handle_response(msg_id, message.get("result"))
            return
        try:
            structured = self._converter.structure({**message, "jsonrpc": self.VERSION}, kind)
        except Exception as error:  # noqa: BLE001 - as in _handle_call
            text = f"The client's answer cannot be read: {lenient.reason_of(error)}"
            self._handle_response(msg_id, error=types.ResponseError(errors.INVALID_PARAMS, text))
            return
        super().handle_message(structured)

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        *more: Any,
        **named: Any,
    ) -> None:
        def settle(future: Future[Any]) -> None:
            # pygls keeps a future for every notification, and for every step of a built-in handler, for ever.
            if self._request_futures.get(msg_id) is future:
                del self._request_futures[msg_id]
            # Of a command that was given up it asks for no result, and asyncio reports the error as lost.
            if not future.cancelled():
                future.exception()
            callback(future)

        super()._execute_handler(msg_id, handler, settle, *more, **named)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        # An answered request may still be given up; pygls warns of that.
        if is_id(msg_id) and msg_id in self._request_futures:
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
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self.refuse(msg_id, errors.REQUEST_CANCELLED, "Cancelled.")
        elif isinstance(error := errors.for_client(future.exception()), JsonRpcException):  # said on purpose
            self.tracing.answered(msg_id, error.message)
            said = error.to_response_error()
            said.message = unlinked(said.message)  # VS Code shows why a rename is refused as any message
            self._send_response(msg_id, error=said)
        elif error:
            # pygls sends the traceback along, with paths of this machine that help nobody at the editor.
            log.error("A request failed.", exc_info=error)
            text = f"Omoide failed at this; its log says where. {type(error).__name__}: {error}"
            self.refuse(msg_id, errors.INTERNAL_ERROR, text)
        elif isinstance(result := future.result(), Plain):
            self.tracing.answered(msg_id)
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result.data})
        elif isinstance(result, Encoded):
            self.tracing.answered(msg_id)
            self._send_encoded(msg_id, result)
        else:
            self.tracing.answered(msg_id)
            self._send_response(msg_id, result=result)

    @lsp_method(types.SET_TRACE)
    def lsp_set_trace(self, params: types.SetTraceParams) -> Generator[Any, Any, None]:
        self.tracing.value = params.value
        yield from ()

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        # pygls offers to be asked for diagnostics wherever there is a handler, whatever the client can do.
        result = yield from super().lsp_initialize(params)
        result.capabilities.diagnostic_provider = self.diagnostic_provider
        return result

    def _send_encoded(self, msg_id: str | int, result: Encoded) -> None:
        """Answer by text that is JSON already."""
        body = f'{{"jsonrpc":"{self.VERSION}","id":{json.dumps(msg_id)},"result":{result.text}}}'.encode("ascii")
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

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
