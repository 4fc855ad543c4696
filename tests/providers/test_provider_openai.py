"""The OpenAI-compatible provider against a real server on 127.0.0.1."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from memory_core.errors import BadReply, InputTooLong, ProviderError, ProviderUnavailable
from memory_core.llm import Message, ModelRequest, ToolCall, ToolSpec
from memory_core.providers import openai_compatible
from memory_core.providers.openai_compatible import MAX_ATTEMPTS, OpenAIModel
from memory_core.testing import HttpReply, ScriptedOpenAI, completion, http_error

KEY = "not-a-real-key-0123456789"
TOOL = ToolSpec("look", "Look.", {"type": "object", "properties": {"at": {"type": "string"}}})


class Waits:
    """Records what would have been waited."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@asynccontextmanager
async def model(server: ScriptedOpenAI | str, waits: Waits | None = None, **changes: Any) -> AsyncIterator[OpenAIModel]:
    settings = {"api_key": KEY, "key_name": "MY_KEY", "timeout_s": 5.0, **changes}
    url = server if isinstance(server, str) else server.url
    made = OpenAIModel(base_url=url, sleep=waits or Waits(), jitter=lambda: 1.0, **settings)
    try:
        yield made
    finally:
        await made.aclose()


def request(*messages: Message, left: int | None = None) -> ModelRequest:
    metadata = {} if left is None else {"requests_left": str(left)}
    return ModelRequest("m-1", messages or (Message("user", "hello"),), (TOOL,), metadata)


async def test_a_conversation_with_tools_goes_out_and_comes_back() -> None:
    talk = (
        Message("system", "s"),
        Message("user", "u"),
        Message("assistant", "", (ToolCall("c1", "look", '{"at": "x"}'),)),
        Message("tool", "seen", tool_call_id="c1"),
    )
    with ScriptedOpenAI([completion("hm", [("look", {"at": "y"})], usage=(30, 7))]) as server:
        async with model(server) as made:
            reply = await made.complete(request(*talk))
    (body,) = server.requests
    assert body["model"] == "m-1"
    assert body["tools"][0]["function"] == {"name": "look", "description": "Look.", "parameters": TOOL.parameters}
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "tool"]
    assert body["messages"][2]["tool_calls"][0]["id"] == body["messages"][3]["tool_call_id"] == "c1"
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert reply.text == "hm"
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("look", '{"at": "y"}')]
    assert reply.usage.plain() == {"input_tokens": 30, "output_tokens": 7, "requests": 1}


async def test_usage_is_counted_here_when_the_server_does_not_say() -> None:
    with ScriptedOpenAI([completion("four words of answer", usage=None)]) as server:
        async with model(server) as made:
            usage = (await made.complete(request())).usage
    assert usage.input_tokens > 10
    assert usage.output_tokens == 4


async def test_too_many_requests_waits_as_long_as_the_server_asks() -> None:
    waits = Waits()
    script = [
        http_error(429, "slow down", headers={"Retry-After": "7"}),
        http_error(429, "slow down", headers={"retry-after-ms": "250", "Retry-After": "9"}),
        completion("ok"),
    ]
    with ScriptedOpenAI(script) as server:
        async with model(server, waits) as made:
            reply = await made.complete(request())
    assert reply.text == "ok"
    assert reply.usage.requests == 3
    assert waits.seconds == [7.0, 0.25]


async def test_retry_after_may_be_a_date_and_is_never_longer_than_the_cap() -> None:
    waits = Waits()
    script = [http_error(503, "x", headers={"Retry-After": "Fri, 31 Dec 2999 23:59:59 GMT"}), completion("ok")]
    with ScriptedOpenAI(script) as server:
        async with model(server, waits) as made:
            await made.complete(request())
    assert waits.seconds == [30.0]


async def test_server_errors_are_retried_with_growing_waits_then_given_up() -> None:
    waits = Waits()
    with ScriptedOpenAI([http_error(500, "oops")] * 9) as server:
        async with model(server, waits) as made:
            with pytest.raises(ProviderUnavailable, match="Tried 4 times") as caught:
                await made.complete(request())
    assert len(server.requests) == MAX_ATTEMPTS == caught.value.attempts
    assert waits.seconds == [0.5, 1.0, 2.0]


async def test_no_more_requests_are_sent_than_the_run_has_left() -> None:
    """T01"""
    with ScriptedOpenAI([http_error(500, "oops")] * 9) as server:
        async with model(server) as made:
            with pytest.raises(ProviderUnavailable):
                await made.complete(request(left=2))
            with pytest.raises(ProviderError, match="requests_per_run"):
                await made.complete(request(left=0))
    assert len(server.requests) == 2


async def test_a_time_out_is_retried_and_names_the_setting() -> None:
    with ScriptedOpenAI([HttpReply({}, hang=30)] * 4) as server:
        async with model(server, timeout_s=0.2) as made:
            with pytest.raises(ProviderUnavailable, match=r"did not answer within 0.2 s \(timeout_s\)"):
                await made.complete(request(left=2))
    assert len(server.requests) == 2


async def test_a_server_that_drips_bytes_is_as_slow_as_one_that_is_silent() -> None:
    """T02: the SDK's time-out starts anew with each byte."""
    refused = pytest.raises(ProviderUnavailable, match=r"0\.3 s")
    with ScriptedOpenAI([HttpReply("x" * 100, drip=0.05)]) as server, refused:
        async with model(server, timeout_s=0.3) as made:
            await made.complete(request(left=1))


async def test_a_reply_without_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_compatible, "MAX_REPLY", 1 << 20)
    with ScriptedOpenAI([completion("x" * (2 << 20))]) as server, pytest.raises(BadReply, match="sent more than"):
        async with model(server) as made:
            await made.complete(request())
    assert len(server.requests) == 1, "asking again would only bring it again"


async def test_what_is_packed_unasked_is_not_unpacked() -> None:
    """10 KB that were packed twice are 6 GB, which the SDK unpacks whole where they come as an error."""
    error = gzip.compress(json.dumps({"error": {"message": "so it says"}}).encode())
    once, twice = ({"Content-Encoding": names} for names in ("gzip", "gzip, gzip"))
    packed = [HttpReply(error, 400, once), HttpReply(gzip.compress(gzip.compress(bytes(1 << 22))), 400, twice)]
    with ScriptedOpenAI(packed) as server:
        for _ in packed:
            async with model(server) as made:
                with pytest.raises(ProviderError, match=r"refused the request \(400\)\."):
                    await made.complete(request())
    assert {headers["accept-encoding"] for headers in server.headers} == {"identity"}
    answer = json.dumps(completion("hm").body).encode()
    with ScriptedOpenAI([HttpReply(gzip.compress(answer), 200, once)]) as server:
        async with model(server) as made:
            assert (await made.complete(request())).text == "hm"
    with ScriptedOpenAI([HttpReply(gzip.compress(gzip.compress(answer)), 200, twice)]) as server:
        async with model(server) as made:
            with pytest.raises(BadReply, match="did not answer as an OpenAI-compatible server does"):
                await made.complete(request())


async def test_an_answer_that_breaks_off_is_asked_for_again() -> None:
    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"choices": [')
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(break_off, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, model(f"http://127.0.0.1:{port}/v1") as made:
        with pytest.raises(ProviderUnavailable, match=f"broke off its answer.*Tried {MAX_ATTEMPTS} times"):
            await made.complete(request())


@pytest.mark.parametrize("calls", [5, "look", {"a": 1}, True])
async def test_tool_calls_that_are_no_list_are_none(calls: Any) -> None:
    body = {"choices": [{"message": {"content": "hm", "tool_calls": calls}}]}
    with ScriptedOpenAI([HttpReply(body)]) as server:
        async with model(server) as made:
            reply = await made.complete(request())
    assert (reply.text, reply.tool_calls) == ("hm", ())


async def test_a_reply_nested_without_end_is_a_bad_one() -> None:
    with ScriptedOpenAI([HttpReply("[" * 200_000)]) as server, pytest.raises(BadReply, match="OpenAI-compatible"):
        async with model(server) as made:
            await made.complete(request())


async def test_a_refused_connection_names_the_address() -> None:
    with ScriptedOpenAI([]) as server:
        url = server.url
    async with model(url) as made:
        with pytest.raises(ProviderUnavailable, match=f"No connection to {url}"):
            await made.complete(request())


@pytest.mark.parametrize(
    ("reply", "error", "said"),
    [
        (http_error(401, f"Incorrect API key provided: {KEY}"), ProviderError, "refused the key in MY_KEY"),
        (http_error(403, "no"), ProviderError, "MY_KEY"),
        (http_error(404, "The model `m-1` does not exist"), ProviderError, "The model `m-1` does not exist"),
        (http_error(400, f"bad thing with {KEY}"), ProviderError, "bad thing with [key]"),
        (http_error(400, "maximum context length is 8192 tokens"), InputTooLong, "too long"),
        (http_error(400, "x", code="context_length_exceeded"), InputTooLong, "too long"),
        (http_error(413, "entity too large"), InputTooLong, "too long"),
        (http_error(429, "x", code="insufficient_quota"), ProviderUnavailable, "quota"),
        (HttpReply("<html>welcome</html>"), BadReply, "OpenAI-compatible"),
        (HttpReply({"choices": []}), BadReply, "no message"),
        (HttpReply({"choices": None}), BadReply, "no message"),
        (HttpReply({"_fields_set": 1, "choices": []}), BadReply, "OpenAI-compatible"),
        (HttpReply({"choices": [{"_fields_set": 1}]}), BadReply, "OpenAI-compatible"),
        (HttpReply([1]), BadReply, ""),  # type: ignore[arg-type]
        (HttpReply('"text"'), BadReply, ""),
        (HttpReply(""), BadReply, ""),
    ],
)
async def test_failures_are_one_clear_line_without_the_key(reply: HttpReply, error: type, said: str) -> None:
    """T14 T36"""
    with ScriptedOpenAI([reply]) as server:
        async with model(server) as made:
            with pytest.raises(ProviderError) as caught:
                await made.complete(request())
    assert type(caught.value) is error
    assert said in str(caught.value)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(server.requests) == 1


async def test_a_local_server_needs_no_key_and_gets_none() -> None:
    with ScriptedOpenAI([completion("ok"), http_error(401, "key please")]) as server:
        async with model(server, api_key=None) as made:
            await made.complete(request())
            with pytest.raises(ProviderError, match=r"wants a key .* MY_KEY"):
                await made.complete(request())
    assert server.headers[0]["authorization"] == "Bearer none"


async def test_an_address_of_azure_keeps_its_version_and_gets_its_own_header() -> None:
    """Its older addresses carry the version in the query: it belongs behind the path, and the key into `api-key`."""
    with ScriptedOpenAI([completion("ok")] * 2) as server:
        old = server.url.replace("/v1", "/openai/deployments/d") + "?api-version=2024-06-01"
        for url in (old, server.url.replace("/v1", "/openai/v1/")):
            async with model(url) as made:
                await made.complete(request())
    assert server.paths == [
        "/openai/deployments/d/chat/completions?api-version=2024-06-01",
        "/openai/v1/chat/completions",
    ]
    first, second = server.headers
    assert (first.get("api-key"), first.get("authorization")) == (KEY, None)
    assert (second.get("api-key"), second.get("authorization")) == (None, f"Bearer {KEY}")


async def test_a_key_in_the_environment_is_not_picked_up_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key belongs to the server that it was configured for."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    with ScriptedOpenAI([completion("ok")]) as server:
        async with model(server, api_key=None) as made:
            await made.complete(request())
    assert KEY not in str(server.headers)
    assert "org-private" not in str(server.headers)


def test_openais_own_address_needs_a_key_and_says_which_variable() -> None:
    with pytest.raises(ProviderError, match="MY_KEY"):
        OpenAIModel(base_url=None, api_key=None, key_name="MY_KEY")


@pytest.mark.parametrize("url", ["localhost:8080/v1", "ftp://x/v1", "nonsense"])
def test_an_address_that_is_none_is_said_at_once(url: str) -> None:
    with pytest.raises(ProviderError, match="base_url"):
        OpenAIModel(base_url=url, api_key="k", key_name="MY_KEY")


async def test_user_and_password_in_an_address_are_not_shown() -> None:
    with ScriptedOpenAI([http_error(404, "no")]) as server:
        url = server.url.replace("127.0.0.1", "bob:hunter2@127.0.0.1") + "?token=abc"
        async with model(url) as made:
            with pytest.raises(ProviderError) as caught:
                await made.complete(request())
    assert "hunter2" not in str(caught.value)
    assert "abc" not in str(caught.value)


async def test_odd_tool_calls_are_kept_callable() -> None:
    """T14: ids missing or doubled, arguments as an object, no name."""
    calls = [
        {"id": None, "type": "function", "function": {"name": "look", "arguments": {"at": "z"}}},
        {"id": "same", "type": "function", "function": {"name": "look", "arguments": None}},
        {"id": "same", "type": "function", "function": {"name": None, "arguments": "{}"}},
    ]
    message = {"role": "assistant", "content": ["odd"], "tool_calls": calls}
    with ScriptedOpenAI([HttpReply({"choices": [{"index": 0, "message": message}]})]) as server:
        async with model(server) as made:
            reply = await made.complete(request())
    assert len({call.id for call in reply.tool_calls}) == 3
    assert [call.arguments for call in reply.tool_calls] == ['{"at": "z"}', "", "{}"]
    assert reply.text == ""


async def test_half_a_surrogate_pair_does_not_stop_a_request() -> None:
    """T15"""
    with ScriptedOpenAI([completion("ok")]) as server:
        async with model(server) as made:
            await made.complete(request(Message("user", "a\ud800b")))
    assert server.requests[0]["messages"][0]["content"] == "a?b"


async def test_a_cancelled_request_ends_at_once_and_leaves_nothing_open() -> None:
    with ScriptedOpenAI([HttpReply({}, hang=30)]) as server:
        async with model(server) as made:
            task = asyncio.ensure_future(made.complete(request()))
            while not server.requests:  # noqa: ASYNC110 - the server runs in a thread, there is no event to wait for
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task


async def test_after_closing_the_next_request_opens_a_new_client() -> None:
    with ScriptedOpenAI([completion("one"), completion("two")]) as server:
        async with model(server) as made:
            assert (await made.complete(request())).text == "one"
            await made.aclose()
            assert (await made.complete(request())).text == "two"


@pytest.mark.parametrize("status", [302, 307, 308])
async def test_a_redirect_is_not_followed(status: int) -> None:
    """What a session says goes to the server that was set, and to no other."""
    with ScriptedOpenAI([completion("never asked")]) as other:
        reply = HttpReply(b"", status, {"Location": f"{other.url}/chat/completions"})
        with ScriptedOpenAI([reply]) as server:
            async with model(server) as made:
                with pytest.raises(ProviderError, match="sends requests on"):
                    await made.complete(request())
        assert not other.requests


def answered(**message: Any) -> HttpReply:
    """An answer whose message is what a server likes it to be."""
    return HttpReply({"choices": [{"message": {"role": "assistant", "content": None, **message}}]})


def called(call_id: Any, arguments: Any = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "look", "arguments": arguments}}


@pytest.mark.parametrize("call_id", [[1, 2], {"a": 1}, 7, None, ""])
async def test_an_id_that_is_no_text_is_replaced(call_id: Any) -> None:
    """A list as an id ended the run with an internal error, and nobody wrote down that it was paid for."""
    with ScriptedOpenAI([answered(tool_calls=[called(call_id), called(call_id)])]) as server:
        async with model(server) as made:
            reply = await made.complete(request())
    assert [call.id for call in reply.tool_calls] == ["call_1_0", "call_1_1"]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (answered(content="x" * 1_000_001), "more than 1,000,000 characters"),
        (answered(tool_calls=[called("c")] * 257), "more than 256 tool calls"),
        (HttpReply({"error": {"message": "no"}}, 500, {"Content-Type": "application/json; charset=rot13"}), "answer"),
        (HttpReply({"error": {"message": "no"}}, 400, {"Content-Type": "text/plain; charset=idna"}), "answer|refused"),
        (HttpReply('{"error": {"message": ' + "[" * 900 + "]" * 900 + "}}", 400), "answer|refused"),
    ],
    ids=["long", "calls", "charset", "another charset", "deep error"],
)
async def test_whatever_a_server_sends_is_an_error_in_words(reply: HttpReply, said: str) -> None:
    with ScriptedOpenAI([reply] * MAX_ATTEMPTS) as server:
        async with model(server) as made:
            with pytest.raises(ProviderError, match=said) as caught:
                await made.complete(request())
    assert caught.value.attempts >= 1


@pytest.mark.parametrize("figure", [10**18, int("9" * 4300), -1, True, "7", 1.5])
async def test_a_figure_that_is_no_count_of_tokens_is_counted_here(figure: Any) -> None:
    """One answer used up the day, or filled the books with what no later run could add up."""
    body = completion("four words of answer", usage=None).body
    assert isinstance(body, dict)
    usage = {"prompt_tokens": figure, "completion_tokens": figure}
    with ScriptedOpenAI([HttpReply({**body, "usage": usage})]) as server:
        async with model(server) as made:
            spent = (await made.complete(request())).usage
    assert 10 < spent.input_tokens < 1_000
    assert spent.output_tokens == 4
