"""A client whose answers are given, and what it sent."""

import asyncio, inspect, json
import httpx
from lettermill import AsyncLettermill, Lettermill, LettermillError

MESSAGE = {"to": "ada@example.com", "subject": "Hello", "text": "Hello"}


def calls(manner, *answers, most=3):
    waiting, seen = list(answers), []

    def answer(request):
        seen.append(request)
        status, code = waiting.pop(0) if waiting else (200, "")
        if status == 0:
            raise httpx.ReadError("cut off")
        if code and not code.replace("_", "").isalpha():
            return httpx.Response(status, text=code)
        failure = {"success": False, "error": "No", "code": code}
        success = {"success": True, "data": {"results": [], "testMode": False}}
        return httpx.Response(status, json=failure if code else success, headers={"retry-after": "0"})

    kind, http = (Lettermill, httpx.Client) if manner == "sync" else (AsyncLettermill, httpx.AsyncClient)
    client = kind("sk_1", "http://mail.example/", max_retries=most, http_client=http(transport=httpx.MockTransport(answer)))
    return client, seen


async def awaited(call):
    return await call


def say(method, seen, *ids, **given):
    try:
        outcome = method(*ids, **given)
        if inspect.isawaitable(outcome):
            outcome = asyncio.run(awaited(outcome))
    except LettermillError as error:
        outcome = [type(error).__name__, getattr(error, "code", None)]
    keys = [request.headers.get("idempotency-key") for request in seen]
    print(json.dumps([outcome, keys, [request.content.decode() for request in seen]]))
