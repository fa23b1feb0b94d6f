"""Webhooks: whether a request comes from Lettermill."""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
import time
from typing import Mapping, Union, cast

from ._errors import SignatureError
from .types import OwnEvent, WebhookEvent

if sys.version_info >= (3, 13):
    from typing import TypeIs
else:
    from typing_extensions import TypeIs

_HEADER = "x-service-signature"
_SYSTEM = ("email.", "contact.", "segment.", "workflow.")


def verify_webhook(body: Union[str, bytes], headers: Mapping[str, str], secret: str, tolerance: float = 300) -> WebhookEvent:
    """Checks a webhook's signature and returns its event.

    Args:
        body: The bytes as they came, before any parsing.
        headers: The headers of the request.
        secret: The endpoint's secret, `whsec_` included.
        tolerance: Largest age in seconds.

    Raises:
        SignatureError: The request does not come from Lettermill, or is too old.
    """
    signature = next((value for name, value in headers.items() if name.lower() == _HEADER), "")
    parts = signature.split(",")
    signed_at = next((part[2:] for part in parts if part.startswith("t=")), "")
    if not signed_at.isdecimal() or abs(time.time() - int(signed_at)) >= tolerance:
        raise SignatureError("The request is not signed, or the signature is too old")
    data = body.encode() if isinstance(body, str) else body
    expected = hmac.new(secret.encode(), f"{signed_at}.".encode() + data, hashlib.sha256).hexdigest()
    if not any(hmac.compare_digest(part.encode(errors="replace"), f"v1={expected}".encode()) for part in parts):
        raise SignatureError("The signature does not match this secret")
    return cast(WebhookEvent, json.loads(data))


def is_own_event(event: WebhookEvent) -> TypeIs[OwnEvent]:
    """Whether an event is one of your own; the type of any other follows from its `type`."""
    return not event["type"].startswith(_SYSTEM)
