"""Client of the Lettermill e-mail platform."""

from ._client import AsyncLettermill, Lettermill
from ._errors import (
    ApiError,
    AuthenticationError,
    LettermillError,
    NoAnswerError,
    RateLimitError,
    SignatureError,
    ValidationError,
)
from ._pages import AsyncPages, Page, Pages
from ._requests import NOT_GIVEN, NotGiven
from ._webhooks import is_own_event, verify_webhook

__all__ = [
    "NOT_GIVEN",
    "ApiError",
    "AsyncLettermill",
    "AsyncPages",
    "AuthenticationError",
    "Lettermill",
    "LettermillError",
    "NoAnswerError",
    "NotGiven",
    "Page",
    "Pages",
    "RateLimitError",
    "SignatureError",
    "ValidationError",
    "is_own_event",
    "verify_webhook",
]
