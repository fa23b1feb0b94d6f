"""A Lettermill and a key."""

from __future__ import annotations

from types import TracebackType
from typing import Optional

import httpx

from ._async_operations import AsyncOperations
from ._operations import Operations
from ._requests import settings_of
from ._transport import AsyncTransport, Transport


class Lettermill(Operations):
    """A Lettermill and a key: one method for each operation. Threads may share it.

    Args:
        api_key: A secret (`sk_…`) or test key (`sk_test_…`). Default: `LETTERMILL_KEY` of the environment.
        base_url: The URL of your Lettermill. Default: `LETTERMILL_URL` of the environment.
        max_retries: Number of retries of a call that may be repeated.
        timeout: Seconds that one attempt may wait: to connect, and for each part of the answer.
        http_client: Replaces the client's own `httpx.Client`, for proxies or certificates; you close it yourself.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        max_retries: int = 3,
        timeout: float = 60.0,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        settings = settings_of(api_key, base_url, max_retries, timeout)
        self._owns = http_client is None
        self._http = http_client or httpx.Client()
        self._transport = Transport(settings, self._http)

    def close(self) -> None:
        """Closes the client's connections."""
        if self._owns:
            self._http.close()

    def __enter__(self) -> Lettermill:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()


class AsyncLettermill(AsyncOperations):
    """A Lettermill and a key, for `asyncio`: one method for each operation.

    Args:
        api_key: A secret (`sk_…`) or test key (`sk_test_…`). Default: `LETTERMILL_KEY` of the environment.
        base_url: The URL of your Lettermill. Default: `LETTERMILL_URL` of the environment.
        max_retries: Number of retries of a call that may be repeated.
        timeout: Seconds that one attempt may wait: to connect, and for each part of the answer.
        http_client: Replaces the client's own `httpx.AsyncClient`, for proxies or certificates; you close it yourself.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        max_retries: int = 3,
        timeout: float = 60.0,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        settings = settings_of(api_key, base_url, max_retries, timeout)
        self._owns = http_client is None
        self._http = http_client or httpx.AsyncClient()
        self._transport = AsyncTransport(settings, self._http)

    async def close(self) -> None:
        """Closes the client's connections."""
        if self._owns:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncLettermill:
        return self

    async def __aexit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.close()
