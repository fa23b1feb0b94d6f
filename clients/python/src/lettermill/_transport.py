"""Carries requests: retries and limits of time."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import replace
from typing import Any, Optional

import httpx

from ._errors import ApiError, NoAnswerError
from ._pages import AsyncPages, Page, Pages
from ._requests import Request, Settings, no_answer, pause_before_retry, payload_of, prepared


def _at(request: Request, cursor: Optional[str]) -> Request:
    return replace(request, query={**request.query, "cursor": cursor})


def _page_of(answer: Any) -> Page[Any]:
    data = answer["data"]
    return Page(rows=data if isinstance(data, list) else data["data"], next_cursor=answer.get("nextCursor"))


class Transport:
    """Carries requests, and waits for the answer."""

    def __init__(self, settings: Settings, client: httpx.Client) -> None:
        self._settings = settings
        self._client = client

    def call(self, request: Request, unwrap: str) -> Any:
        asked = prepared(self._settings, request)
        for attempt in itertools.count():
            try:
                return self._attempt(asked, unwrap)
            except (ApiError, NoAnswerError) as failure:
                pause = pause_before_retry(self._settings, request, failure, attempt)
                if pause is None:
                    raise
            time.sleep(pause)

    def pages(self, request: Request) -> Pages[Any]:
        return Pages(lambda cursor: _page_of(self.call(_at(request, cursor), "json")))

    def _attempt(self, asked: Any, unwrap: str) -> Any:
        try:
            response = self._client.request(**asked)
        except httpx.HTTPError as cause:
            raise no_answer(self._settings, cause) from cause
        return payload_of(response, unwrap)


class AsyncTransport:
    """Carries requests, and lets others run meanwhile."""

    def __init__(self, settings: Settings, client: httpx.AsyncClient) -> None:
        self._settings = settings
        self._client = client

    async def call(self, request: Request, unwrap: str) -> Any:
        asked = prepared(self._settings, request)
        for attempt in itertools.count():
            try:
                return await self._attempt(asked, unwrap)
            except (ApiError, NoAnswerError) as failure:
                pause = pause_before_retry(self._settings, request, failure, attempt)
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    def pages(self, request: Request) -> AsyncPages[Any]:
        async def fetch(cursor: Optional[str]) -> Page[Any]:
            return _page_of(await self.call(_at(request, cursor), "json"))

        return AsyncPages(fetch)

    async def _attempt(self, asked: Any, unwrap: str) -> Any:
        try:
            response = await self._client.request(**asked)
        except httpx.HTTPError as cause:
            raise no_answer(self._settings, cause) from cause
        return payload_of(response, unwrap)
