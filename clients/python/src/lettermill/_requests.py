"""What a call is, apart from how it waits: both clients share it."""

from __future__ import annotations

import enum
import json
import os
import random
import uuid
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, TypedDict, Union
from urllib.parse import quote, urlsplit

import httpx

from ._errors import ApiError, LettermillError, NoAnswerError, error_of

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_ACCEPT = "application/json, text/csv, application/octet-stream"


class NotGiven(enum.Enum):
    """Stands for an argument that is left out, because `None` is sent as `null`."""

    NOT_GIVEN = "NOT_GIVEN"

    def __repr__(self) -> str:
        return self.value


NOT_GIVEN = NotGiven.NOT_GIVEN


@dataclass(frozen=True)
class Settings:
    """Where calls go, and how."""

    api_key: str = field(repr=False)
    base_url: str
    max_retries: int
    timeout: float


@dataclass(frozen=True)
class Request:
    """One call of an operation."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Optional[Mapping[str, Any]] = None
    file: Union[str, bytes, None] = None
    file_type: Optional[str] = None
    """The media type of the file."""
    keyed: bool = False
    """Takes an Idempotency-Key, so that repeating it is safe."""
    idempotency_key: Optional[str] = None
    timeout: Optional[float] = None
    max_retries: Optional[int] = None


class Prepared(TypedDict):
    """The arguments of `httpx`, the same for every attempt."""

    method: str
    url: str
    params: Mapping[str, Any]
    headers: Mapping[str, str]
    content: Union[str, bytes, None]
    timeout: float


def settings_of(api_key: Optional[str], base_url: Optional[str], max_retries: int, timeout: float) -> Settings:
    """Takes what is not given from the environment, and says what is missing."""
    key = api_key or os.environ.get("LETTERMILL_KEY")
    url = base_url or os.environ.get("LETTERMILL_URL") or ""
    if not key:
        raise LettermillError("api_key is missing: pass a key of your project, or set LETTERMILL_KEY")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise LettermillError(
            "base_url is missing or not a URL: pass the URL of your Lettermill, such as https://mail.example.com, or set LETTERMILL_URL"
        )
    return Settings(key, url.rstrip("/"), max_retries, timeout)


def quoted(part: str) -> str:
    """An id as a part of a path."""
    return quote(part, safe="")


def prepared(settings: Settings, request: Request) -> Prepared:
    """The request as it goes out, under one key for all attempts."""
    headers = {"Authorization": f"Bearer {settings.api_key}", "Accept": _ACCEPT}
    content = request.file
    if request.file_type is not None:
        headers["Content-Type"] = request.file_type
    if request.body is not None:
        headers["Content-Type"] = "application/json"
        given = {name: value for name, value in request.body.items() if value is not NOT_GIVEN}
        content = json.dumps(given, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if request.keyed:
        headers["Idempotency-Key"] = request.idempotency_key or str(uuid.uuid4())
    return {
        "method": request.method,
        "url": settings.base_url + request.path,
        "params": {name: value for name, value in request.query.items() if value is not None},
        "headers": headers,
        "content": content,
        "timeout": settings.timeout if request.timeout is None else request.timeout,
    }


def payload_of(response: httpx.Response, unwrap: str) -> Any:
    """The part of an answer that is returned: the payload in the envelope, the whole JSON, the text, or the bytes."""
    if not response.is_success:
        raise error_of(response)
    if unwrap == "text":
        return response.text
    if unwrap == "bytes":
        return response.content
    try:
        answer = response.json()
        return answer["data"] if unwrap == "data" else answer
    except (ValueError, TypeError, KeyError) as cause:
        raise NoAnswerError(f"No answer of Lettermill from {response.url.host}") from cause


def no_answer(settings: Settings, cause: Exception) -> NoAnswerError:
    """What an attempt without an answer fails with."""
    return NoAnswerError(f"No answer from {urlsplit(settings.base_url).hostname}: {cause or type(cause).__name__}")


def pause_before_retry(settings: Settings, request: Request, failure: LettermillError, attempt: int) -> Optional[float]:
    """Seconds until the next attempt; None where there is none."""
    most = settings.max_retries if request.max_retries is None else request.max_retries
    if attempt >= most or not _may_be_repeated(request, failure):
        return None
    asked = failure.retry_after if isinstance(failure, ApiError) else None
    grown = _FIRST_PAUSE * 2**attempt * (0.5 + random.random())
    return min(grown if asked is None else asked, _LONGEST_PAUSE)


def _may_be_repeated(request: Request, failure: LettermillError) -> bool:
    """429 means that nothing was done; beyond that only what has no effect, or has it once, is repeated."""
    if isinstance(failure, ApiError) and failure.code == "rate_limited":
        return True
    if request.method != "GET" and not request.keyed:
        return False
    return not isinstance(failure, ApiError) or failure.status >= 500 or failure.code == "idempotency_in_progress"
