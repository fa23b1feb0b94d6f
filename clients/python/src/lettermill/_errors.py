"""What a call can fail with."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional, Sequence, cast

import httpx

from .types import ErrorCode, ErrorDetail


class LettermillError(Exception):
    """The failure of a call, or of the client's own set-up."""


class NoAnswerError(LettermillError):
    """No answer came, or none that could be read to its end: the network, or the time that the call may take."""


class SignatureError(LettermillError):
    """The request does not come from Lettermill, or is too old."""


class ApiError(LettermillError):
    """The service answered with a failure. Branch on `code`."""

    def __init__(
        self,
        message: str,
        status: int,
        code: ErrorCode,
        details: Sequence[ErrorDetail] = (),
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        help_url: Optional[str] = None,
    ) -> None:
        # All of them, so that the error can be pickled, as task queues do.
        super().__init__(message, status, code, details, request_id, retry_after, help_url)
        self.message = message
        self.status = status
        self.code = code
        self.details = details
        """Every fault of the request; empty unless the code is `validation_error` or `send_failed`."""
        self.request_id = request_id
        """Name it when you ask for help."""
        self.retry_after = retry_after
        """In how many seconds it is worth trying again."""
        self.help_url = help_url
        """The paragraph of the guides on this code."""

    def __str__(self) -> str:
        faults = [f"{detail.get('path')}: {detail.get('message')}" for detail in self.details]
        return "; ".join([f"{self.message} ({self.code})", *faults])


class ValidationError(ApiError):
    """422: the request is not valid, or the message cannot be sent; `details` says why."""


class RateLimitError(ApiError):
    """429: a rate or a monthly limit is used up, and nothing was done."""


class AuthenticationError(ApiError):
    """401 and 403: the key is not good for this."""


_KINDS: Mapping[int, type[ApiError]] = {
    401: AuthenticationError,
    403: AuthenticationError,
    422: ValidationError,
    429: RateLimitError,
}


def error_of(response: httpx.Response) -> ApiError:
    """The error of an answer; one that is not the service's own, of a proxy between, counts as `unavailable` or `internal_error`."""
    status = response.status_code
    body = _body_of(response)
    link = re.search(r'<([^>]+)>; *rel="?help', response.headers.get("link", ""))
    return _KINDS.get(status, ApiError)(
        _text(body.get("error")) or f"The service answered {status}",
        status=status,
        code=cast(ErrorCode, _text(body.get("code")) or ("unavailable" if status == 503 else "internal_error")),
        details=_details_of(body),
        request_id=response.headers.get("x-request-id"),
        retry_after=_seconds(response.headers.get("retry-after", "")),
        help_url=link.group(1) if link else None,
    )


def _body_of(response: httpx.Response) -> Mapping[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _details_of(body: Mapping[str, Any]) -> Sequence[ErrorDetail]:
    details = body.get("details")
    return [cast(ErrorDetail, each) for each in details if isinstance(each, dict)] if isinstance(details, list) else []


def _seconds(text: str) -> Optional[float]:
    """A date is not read: the service answers with seconds."""
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None
