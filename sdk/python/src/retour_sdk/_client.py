"""The base classes of `Retour` and `AsyncRetour`: they send requests and retry them.

They use no retry library: libraries for httpx decide by the method, but a POST with an `Idempotency-Key` may be repeated, too.
They also shorten a long `Retry-After`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import IO, Any, Self

import httpx

from ._errors import ApiError, NetworkError
from ._request import Request
from ._retries import RetryLimits, is_repeatable, pause_seconds

_CHUNK_BYTES = 64 * 1024
# All other errors mean that the request itself is wrong.
_BROKEN = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError)


def _user_agent() -> str:
    try:
        return f"retour-sdk-python/{version('retour-sdk')}"
    except PackageNotFoundError:  # not installed as a package
        return "retour-sdk-python"


class _Sending:
    """One call: it builds the request and judges each answer."""

    def __init__(self, request: Request, base_url: str, token: str | None, timeout_seconds: float | None) -> None:
        self._request = request
        self._retries = 0
        self._headers = request.headers(token)
        self._url = base_url + request.path
        default = 600.0 if request.transfers_file else 30.0
        self._timeout = request.timeout_seconds or timeout_seconds or default
        file = request.file
        # A file that cannot be rewound can be sent only once.
        self._start = file.tell() if file is not None and not isinstance(file, bytes) and file.seekable() else None
        can_rewind = file is None or isinstance(file, bytes) or self._start is not None
        self._is_repeatable = can_rewind and is_repeatable(request.method, self._headers.get("Idempotency-Key"))

    def build(self, client: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        content: bytes | Iterator[bytes] | AsyncIterator[bytes] | None = None
        file = self._request.file
        if isinstance(file, bytes):
            content = file
        elif file is not None:
            if self._start is not None:
                file.seek(self._start)
            content = _chunks(file) if isinstance(client, httpx.Client) else _async_chunks(file)
        return client.build_request(
            self._request.method,
            self._url,
            params=self._request.parameters() or None,
            headers=self._headers,
            content=content,
            json=self._request.body if isinstance(self._request.body, Mapping) else None,
            timeout=self._timeout,
        )

    def is_done(self, response: httpx.Response) -> bool:
        # 404 to a repeated DELETE: an earlier attempt deleted the object, and its answer was lost.
        was_deleted = response.status_code == 404 and self._request.method == "DELETE" and self._retries > 0
        return response.is_success or was_deleted

    def answer(self, response: httpx.Response) -> Any:
        if self._request.answers_file:
            return response.content
        if not response.is_success or not response.content:
            return None
        try:
            return response.json()
        except ValueError as error:  # such as the page of a proxy
            raise ApiError(response) from error

    def pause_or_raise(self, outcome: httpx.Response | httpx.RequestError, limits: RetryLimits) -> float:
        """The seconds until the next attempt. Raises the error if there is none."""
        response = outcome if isinstance(outcome, httpx.Response) else None
        may_repeat = self._is_repeatable and (response is not None or isinstance(outcome, _BROKEN))
        pause = pause_seconds(response, self._retries, limits) if may_repeat else None
        if pause is not None:
            self._retries += 1
            return pause
        if isinstance(outcome, httpx.Response):
            raise ApiError(outcome)
        kind = "No answer came in time" if isinstance(outcome, httpx.TimeoutException) else "The connection failed"
        raise NetworkError(f"{kind}: {self._request.method} {self._url}") from outcome


class _Settings:
    def __init__(
        self, base_url: str, token: str | None, max_retries: int, max_retry_after_seconds: float, timeout_seconds: float | None
    ) -> None:
        if httpx.URL(base_url).scheme not in {"http", "https"}:
            raise ValueError(f'"{base_url}" is not an address such as https://returns.example.com')
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._limits = RetryLimits(max_retries, max_retry_after_seconds)
        self._timeout_seconds = timeout_seconds

    def _sending(self, request: Request) -> _Sending:
        return _Sending(request, self._base_url, self._token, self._timeout_seconds)


class Client(_Settings):
    """The base class of `Retour`: it sends requests."""

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        max_retries: int = 3,
        max_retry_after_seconds: float = 60.0,
        timeout_seconds: float | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """
        `base_url`: the address of Retour, such as `https://returns.example.com`.

        `token`: an API key (`rtk_…`), a user's token (`rtu_…`) or a consumer's token (`rtc_…`).

        `max_retries`: the maximum number of retries after a 429, 502, 503 or 504 or a broken connection.

        `max_retry_after_seconds`: the longest `Retry-After` that the client waits for. With a longer one, the call fails at once.

        `timeout_seconds`: how long the client waits for data from Retour. Default: 30, and 600 for files.

        `http_client`: a client of your own, such as one with a proxy.
        """
        super().__init__(base_url, token, max_retries, max_retry_after_seconds, timeout_seconds)
        self._http = http_client or httpx.Client(headers={"User-Agent": _user_agent()})

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, request: Request) -> Any:
        sending = self._sending(request)
        while True:
            outcome: httpx.Response | httpx.RequestError
            try:
                outcome = self._http.send(sending.build(self._http))
            except httpx.RequestError as error:
                outcome = error
            if isinstance(outcome, httpx.Response) and sending.is_done(outcome):
                return sending.answer(outcome)
            time.sleep(sending.pause_or_raise(outcome, self._limits))


class AsyncClient(_Settings):
    """The base class of `AsyncRetour`: it sends requests."""

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        max_retries: int = 3,
        max_retry_after_seconds: float = 60.0,
        timeout_seconds: float | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """The parameters are those of `Retour`."""
        super().__init__(base_url, token, max_retries, max_retry_after_seconds, timeout_seconds)
        self._http = http_client or httpx.AsyncClient(headers={"User-Agent": _user_agent()})

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def _call(self, request: Request) -> Any:
        sending = self._sending(request)
        while True:
            outcome: httpx.Response | httpx.RequestError
            try:
                outcome = await self._http.send(sending.build(self._http))
            except httpx.RequestError as error:
                outcome = error
            if isinstance(outcome, httpx.Response) and sending.is_done(outcome):
                return sending.answer(outcome)
            await asyncio.sleep(sending.pause_or_raise(outcome, self._limits))


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk


async def _async_chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(file.read, _CHUNK_BYTES):
        yield chunk
