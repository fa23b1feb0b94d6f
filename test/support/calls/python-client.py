"""Sends the example of every operation with the installed client; prints what each method returns, a line for each."""

import asyncio
import inspect
import json
import keyword
import re
import sys

from lettermill import AsyncLettermill, Lettermill, Page


def argument(name):
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def called(client, told):
    given = [*told.get("path", {}).values(), *([told["file"]] if "file" in told else [])]
    named = {argument(name): value for name, value in {**told.get("body", {}), **told.get("query", {})}.items()}
    answer = getattr(client, argument(told["operationId"]))(*given, **named)
    return answer.page() if hasattr(answer, "page") else answer


def say(operation_id, answer):
    if isinstance(answer, Page):
        answer = {"rows": answer.rows, "nextCursor": answer.next_cursor}
    print(json.dumps([operation_id, answer.decode() if isinstance(answer, bytes) else answer]))


def main(steps):
    with Lettermill() as client:
        for told in steps:
            say(told["operationId"], called(client, told))


async def main_async(steps):
    async with AsyncLettermill() as client:
        for told in steps:
            answer = called(client, told)
            say(told["operationId"], await answer if inspect.isawaitable(answer) else answer)


read = json.load(sys.stdin)
if sys.argv[1] == "sync":
    main(read)
else:
    asyncio.run(main_async(read))
