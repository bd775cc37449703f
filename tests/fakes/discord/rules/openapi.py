"""Discord's own OpenAPI document as a judge of what the bot sends, where the document is present.

https://github.com/discord/discord-api-spec
"""

import gzip
import json
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.shared_data import shared_file

_FILE = "discord-openapi.json.gz"
_ROOT = "urn:discord"


def openapi_problems(method: str, path: str, body: object) -> list[str]:
    """Return what is wrong with the body of a request, nothing where the document is absent.

    Args:
        method: `POST`, in capitals.
        path: as the document has it: `/channels/{channel_id}/messages`.
        body: what was sent as JSON.
    """
    if _document() is None:
        return []
    judge = _judge(method.lower(), path)
    if judge is None:
        return [] if body is None else [f"{method} {path} takes no body"]
    error = best_match(judge.iter_errors(_with_text_ids(body)))
    return [_in_words(error)] if error else []


def _with_text_ids(body: Any) -> Any:
    """Write ids as text, as the document has them: Discord takes numbers, the library sends some.

    So it takes for a file the number of its part in the form.
    https://docs.discord.com/developers/reference#snowflakes
    """
    if isinstance(body, list):
        return [_with_text_ids(each) for each in body]
    if not isinstance(body, dict):
        return body
    written = {
        name: str(value) if name.endswith("_id") and type(value) is int else _with_text_ids(value)
        for name, value in body.items()
    }
    if isinstance(files := written.get("attachments"), list):
        written["attachments"] = [{**each, "id": str(each["id"])} for each in files]
    return written


@cache
def _document() -> dict[str, Any] | None:
    try:
        path = shared_file(_FILE)
    except pytest.skip.Exception:
        # The fake has a judge of its own as well; only a test of the document itself is skipped.
        return None
    document: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return document


@cache
def _registry() -> Registry[Any]:
    empty: Registry[Any] = Registry()
    whole: Registry[Any] = empty.with_resource(
        _ROOT, DRAFT202012.create_resource(_document() or {})
    )
    return whole


@cache
def _judge(method: str, path: str) -> Draft202012Validator | None:
    """Return the validator of a request's body, `None` where it has none.

    Raises:
        KeyError: where Discord has no such request.
    """
    request = (_document() or {})["paths"][path][method]
    if "requestBody" not in request:
        return None
    steps = ("paths", path, method, "requestBody", "content", "application/json", "schema")
    pointer = "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)
    return Draft202012Validator({"$ref": f"{_ROOT}#/{quote(pointer)}"}, registry=_registry())


def _in_words(error: ValidationError) -> str:
    """Say what is wrong in the alternative that was meant: not its type, and deepest inside."""
    while error.context:
        error = max(error.context, key=_depth)
    return f"{error.json_path}: {error.message[:300]}"


def _depth(error: ValidationError) -> tuple[bool, int]:
    path = list(error.absolute_path)
    return path[-1:] != ["type"], len(path)
