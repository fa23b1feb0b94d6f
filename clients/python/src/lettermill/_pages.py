"""Lists that are fetched page by page, as far as they are read."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import AsyncIterator, Awaitable, Callable, Generic, Iterator, Optional, Sequence, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    rows: Sequence[T]
    next_cursor: Optional[str]
    """The `cursor` of the next page; None at the end."""


class Pages(Generic[T]):
    """A list that is fetched page by page: `for row in pages`."""

    def __init__(self, fetch: Callable[[Optional[str]], Page[T]]) -> None:
        self._fetch = fetch

    def page(self, cursor: Optional[str] = None) -> Page[T]:
        """One page: the first, or the one that a cursor leads to."""
        return self._fetch(cursor)

    def pages(self) -> Iterator[Page[T]]:
        """The pages, one after another."""
        page = self._fetch(None)
        yield page
        while page.next_cursor is not None:
            page = self._fetch(page.next_cursor)
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.rows

    def to_list(self, most: Optional[int] = None) -> list[T]:
        """All rows, or at most so many."""
        return list(islice(self, most))


class AsyncPages(Generic[T]):
    """A list that is fetched page by page: `async for row in pages`."""

    def __init__(self, fetch: Callable[[Optional[str]], Awaitable[Page[T]]]) -> None:
        self._fetch = fetch

    async def page(self, cursor: Optional[str] = None) -> Page[T]:
        """One page: the first, or the one that a cursor leads to."""
        return await self._fetch(cursor)

    async def pages(self) -> AsyncIterator[Page[T]]:
        """The pages, one after another."""
        page = await self._fetch(None)
        yield page
        while page.next_cursor is not None:
            page = await self._fetch(page.next_cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for row in page.rows:
                yield row

    async def to_list(self, most: Optional[int] = None) -> list[T]:
        """All rows, or at most so many."""
        rows: list[T] = []
        if most == 0:
            return rows
        async for row in self:
            rows.append(row)
            if len(rows) == most:
                break
        return rows
