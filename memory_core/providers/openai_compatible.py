"""Models behind the OpenAI chat completions API, of OpenAI or of any server that speaks it.

Retries, time-outs and error texts are decided here. No key and no header ever gets into an error text. The SDK is
imported with the first request: it costs half a second.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from memory_core.errors import BadReply, InputTooLong, ProviderError, ProviderUnavailable
from memory_core.llm import ModelReply, ModelRequest
from memory_core.model_text import MAX_DEPTH, nested_beyond
from memory_core.providers.chat_completions import KEPT, body_of, reply_of, wait_asked
from memory_core.redact import brief, locate

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

DEFAULT_URL = "https://api.openai.com/v1"
MAX_ATTEMPTS = 4
FIRST_WAIT = 0.5  # seconds; doubled with each attempt, with full jitter
LONGEST_WAIT = 30.0  # also of what a server may ask for: a run holds a lock meanwhile
MAX_ERROR = 64 * 1024  # bytes of an error that are read; its reason stands at the start
MAX_REPLY = 32 * 1024 * 1024  # bytes; the longest answer of a model is under one hundredth of it
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_TOO_LONG = ("context_length", "context length", "context window", "context size", "too many tokens", "maximum context")

Sleep = Callable[[float], Awaitable[None]]


class OpenAIModel:
    """`ports.Model` over chat completions with tools. Holds one client from the first request until `aclose`."""

    def __init__(
        self,
        *,
        base_url: str | None,
        api_key: str | None,
        key_name: str,
        timeout_s: float = 120.0,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """`key_name`: the environment variable that the key comes from. ProviderError when OpenAI's own address is
        used without a key; another server may need none."""
        self._url = base_url or DEFAULT_URL
        self._key, self._key_name, self._timeout = (api_key or "").strip() or None, _shown_name(key_name), timeout_s
        if not self._key and self._url.rstrip("/") == DEFAULT_URL:
            raise ProviderError(
                f"No key for {DEFAULT_URL}: set the environment variable {self._key_name}, or `base_url` for another "
                "server."
            )
        if not _is_web_address(self._url):
            raise ProviderError(f"`base_url` is no web address: it looks like {DEFAULT_URL}.")
        if self._key and not (self._key.isascii() and self._key.isprintable()):
            # Sent all the same, the HTTP library would show the whole key in its complaint.
            raise ProviderError(f"The key in {self._key_name} holds a line break or a character that no key has.")
        self._sleep, self._jitter = sleep, jitter
        self._client: AsyncOpenAI | None = None

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One reply, after at most MAX_ATTEMPTS requests, and never more than `metadata["requests_left"]`."""
        attempts = min(MAX_ATTEMPTS, int(request.metadata.get("requests_left", MAX_ATTEMPTS)))
        body = body_of(request)
        for attempt in range(1, attempts + 1):
            try:
                return self._understood(await self._send(body), request, attempt)
            except ProviderError as error:
                error.attempts = attempt
                if not isinstance(error, _Retryable) or attempt == attempts:
                    raise _final(error) from error.__cause__
                await self._sleep(self._wait(attempt, error.wait))
        raise ProviderError("No request is left in this run (requests_per_run).")

    async def aclose(self) -> None:
        """Close the connections; the next request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _send(self, body: Mapping[str, Any]) -> Any:
        import openai

        if self._client is None:
            _hush(openai.DefaultAsyncHttpxClient)
            # Without a key the SDK would look for one in the environment and send it to whatever server is set.
            self._client = openai.AsyncOpenAI(
                api_key=self._key or "none",
                base_url=urlunsplit((*urlsplit(self._url)[:3], "", "")),
                default_query=dict(parse_qsl(urlsplit(self._url).query)),
                timeout=self._timeout,
                max_retries=0,
                # Followed, a redirect would carry the session to a server that nobody chose.
                http_client=openai.DefaultAsyncHttpxClient(
                    event_hooks={"response": [_cap]}, follow_redirects=False, headers={"Accept-Encoding": "identity"}
                ),
            )
            if self._url.rstrip("/") != DEFAULT_URL:  # the same for what it found there of an account at OpenAI
                self._client.organization = self._client.project = None
        try:
            # The SDK's limit is for each wait on the connection: a server that drips bytes would never reach it.
            async with asyncio.timeout(self._timeout):
                return await self._answer(self._client, body)
        except (openai.APITimeoutError, TimeoutError) as error:
            raise _Retryable(f"{self._shown_url()} did not answer within {self._timeout:g} s (timeout_s).") from error
        except openai.APIConnectionError as error:
            raise _Retryable(
                f"No connection to {self._shown_url()} ({self._cause(error)}): is the server up?"
            ) from error
        except openai.APIStatusError as error:
            raise self._of_status(error) from error
        except ProviderError:
            raise
        except Exception as error:  # whatever a server sends, the SDK reads as if nothing could be wrong with it
            raise self._no_answer() from error

    def _understood(self, raw: Any, request: ModelRequest, attempt: int) -> ModelReply:
        try:
            return reply_of(raw, request, attempt)
        except ProviderError:
            raise
        except Exception as error:  # the same of what we read of it
            raise self._no_answer() from error

    def _no_answer(self) -> BadReply:
        return BadReply(f"{self._shown_url()} did not answer as an OpenAI-compatible server does.")

    async def _answer(self, client: AsyncOpenAI, body: Mapping[str, Any]) -> Any:
        """The SDK's object for what the server sent, read in parts: one without end must not fill the memory."""
        from openai.types.chat import ChatCompletion

        data = bytearray()
        headers = self._azure_headers()
        async with client.chat.completions.with_streaming_response.create(**body, extra_headers=headers) as response:
            try:
                async for part in response.iter_bytes():
                    data += part
                    if len(data) > MAX_REPLY:
                        raise BadReply(f"{self._shown_url()} sent more than {MAX_REPLY >> 20} MiB: that is no answer.")
            except BadReply:
                raise
            except Exception as error:  # of the HTTP library, which is another one in each version of the SDK
                raise _Retryable(f"{self._shown_url()} broke off its answer ({self._cause(error)}).") from error
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            problem = self._no_answer()
            problem.raw = self._clean(bytes(data[: 8 * KEPT]).decode("utf-8", "replace"), KEPT)
            raise problem from error
        return ChatCompletion.construct(**value) if isinstance(value, dict) else value

    def _azure_headers(self) -> Mapping[str, Any]:
        """Azure's older addresses name their version in the query, and take the key in a header of their own."""
        import openai

        if not self._key or "api-version" not in dict(parse_qsl(urlsplit(self._url).query)):
            return {}
        return {"api-key": self._key, "Authorization": openai.Omit()}

    def _of_status(self, error: APIStatusError) -> ProviderError:
        status, url = error.status_code, self._shown_url()
        said = self._said(error)
        match status:
            case 301 | 302 | 303 | 307 | 308:
                where = self._clean(error.response.headers.get("location", ""), 200) or "nowhere"
                return ProviderError(f"{url} sends requests on ({status}) to {where}: set `base_url` to the right one.")
            case 401 | 403 if not self._key:
                return ProviderError(f"{url} wants a key ({status}): set the environment variable {self._key_name}.")
            case 401 | 403:
                return ProviderError(f"{url} refused the key in {self._key_name} ({status}): check that variable.")
            case 404:
                return ProviderError(f"{url} does not know the model or the address (404{said}): check both.")
            case 400 | 413 | 422 | 500 if any(mark in said.lower() for mark in _TOO_LONG) or status == 413:
                return InputTooLong(f"The input is too long for the model ({status}{said}).")
            case 429 if "insufficient_quota" in said:
                return ProviderUnavailable(f"{url}: the quota of this key is used up (429).")
            case _ if status in _RETRIED:
                return _Retryable(
                    f"{url} is not available ({status}{said}): try later.", wait_asked(error.response.headers)
                )
            case _:
                return ProviderError(f"{url} refused the request ({status}{said}).")

    def _wait(self, attempt: int, asked: float | None) -> float:
        if asked is not None:
            return min(LONGEST_WAIT, asked)
        return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (0.5 + self._jitter() / 2))

    def _said(self, error: APIStatusError) -> str:
        """What the server gave as the reason, short, without the key that some servers repeat."""
        body = error.body
        inner = body.get("error", body) if isinstance(body, dict) else None
        parts = [inner.get("code"), inner.get("message")] if isinstance(inner, dict) else [inner]
        text = " ".join(str(part) for part in parts if part and not nested_beyond(part, MAX_DEPTH))
        return f": {self._clean(text, 160)}" if text else ""

    def _cause(self, error: BaseException) -> str:
        """The innermost reason of a failed connection, as the system names it."""
        reason: BaseException = error
        while (inner := reason.__cause__ or reason.__context__) is not None:
            reason = inner
        return self._clean(str(reason) or type(reason).__name__, 80)

    def _clean(self, text: str, limit: int) -> str:
        """Foreign words for a message or a file: without our own key and other secrets, and only then cut."""
        return brief(text.replace(self._key, "[key]") if self._key else text, limit)

    def _shown_url(self) -> str:
        """The address without user, password and query, which may be secret."""
        parts = urlsplit(self._url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"


async def _cap(response: Any) -> None:
    """The SDK reads an error whole before anybody sees it: one without end is cut here, at its source. The HTTP library
    is another one in each version of the SDK, so its class of streams is taken from the response's own.

    What is packed although that was not asked for is not unpacked, an error never and an answer not twice: 10 KB that
    were packed twice are 6 GB, and nothing stops the library in the middle of it."""
    packed = response.headers.get("content-encoding", "identity").strip().lower()
    if packed != "identity" and (response.is_error or "," in packed):
        del response.headers["content-encoding"]
    if not response.is_error:
        return
    whole = response.stream
    base = next((kind for kind in type(whole).__mro__ if kind.__name__ == "AsyncByteStream"), None)
    if base is None:
        return  # an error is then as long as the time-out lets it be

    async def parts(_: object) -> AsyncIterator[bytes]:
        left = MAX_ERROR
        async for part in whole:
            yield part[:left]
            left -= len(part)
            if left <= 0:
                return

    async def close(_: object) -> None:
        await whole.aclose()

    response.stream = type("Capped", (base,), {"__aiter__": parts, "aclose": close})()


class _Retryable(ProviderUnavailable):
    """A failure that another attempt may mend. `wait`: seconds that the server asked for."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


def _final(error: ProviderError) -> ProviderError:
    """The error that leaves this module: with the number of attempts where there were several."""
    if not isinstance(error, _Retryable):
        return error
    tries = f" Tried {error.attempts} times." if error.attempts > 1 else ""
    final = ProviderUnavailable(f"{error}{tries}")
    final.attempts = error.attempts
    return final


def _is_web_address(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https") and bool(urlsplit(url).hostname) and urlsplit(url).port != 0
    except ValueError:
        return False


def _shown_name(name: str) -> str:
    """The name of the variable that holds the key; some people put the key itself in its place."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name)
    return name if plain and not locate(name) else "`api_key_env`"


def _hush(client: type) -> None:
    """The HTTP library writes every address to the log, with the password or key that some addresses hold. It is
    another one in each version of the SDK."""
    for name in {kind.__module__.partition(".")[0] for kind in client.__mro__} - {"builtins"}:
        for library in (name, name.replace("httpx", "httpcore")):
            logging.getLogger(library).setLevel(logging.WARNING)
