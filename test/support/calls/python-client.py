"""Sends the example of every operation with the generated client; prints one line for each."""

import importlib
import io
import json
import re
import sys
import typing

from lettermill import AuthenticatedClient
from lettermill.models import Error
from lettermill.types import File

RESERVED = {"type", "from"}


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def argument(name):
    return f"{snake(name)}_" if name in RESERVED else snake(name)


def model_of(function):
    hint = typing.get_type_hints(function)["body"]
    kinds = typing.get_args(hint) or (hint,)
    return next(kind for kind in kinds if hasattr(kind, "from_dict"))


def call(client, told):
    module = importlib.import_module(f"lettermill.api.{snake(told['tag'])}.{snake(told['operationId'])}")
    function = module.sync_detailed
    given = {**told.get("path", {}), **told.get("query", {})}
    arguments = {argument(name): value for name, value in given.items()}
    hints = typing.get_type_hints(function)
    for name, value in arguments.items():
        for kind in typing.get_args(hints[name]):
            if isinstance(kind, type) and isinstance(value, str) and hasattr(kind, "__members__"):
                arguments[name] = kind(value)
    if "body" in told:
        arguments["body"] = model_of(function).from_dict(told["body"])
    if "file" in told:
        file = File(payload=io.BytesIO(told["file"].encode()), file_name="contacts.csv", mime_type="text/csv")
        arguments["body"] = model_of(function)(file=file)
    answer = function(client=client, **arguments)
    parsed = answer.parsed
    return int(answer.status_code), parsed is not None and not isinstance(parsed, Error)


def main():
    url, key = sys.argv[1:3]
    client = AuthenticatedClient(base_url=url, token=key)
    for told in json.load(sys.stdin):
        try:
            status, read = call(client, told)
        except Exception as error:  # what is wrong is for the test to say
            status, read = repr(error), False
        print(json.dumps([told["operationId"], status, read]))


main()
