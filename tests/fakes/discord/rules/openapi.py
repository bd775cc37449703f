"""The checks of request bodies by Discord's OpenAPI document, if that is present.

https://github.com/discord/discord-api-spec
"""

import gzip
import json
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema_rs import Draft202012Validator, Registry, ValidationError

from tests.shared_data import shared_file

_FILE = "discord-openapi.json.gz"
_ROOT = "urn:discord"


def openapi_problems(method: str, path: str, body: object) -> list[str]:
    """Return the problems of a request body, none if the document is absent.

    Args:
        method: `POST`, in capitals.
        path: the path of the document: `/channels/{channel_id}/messages`.
        body: the JSON of the request.
    """
    if _document() is None:
        return []
    validator = _validator(method.lower(), path)
    if validator is None:
        return [] if body is None else [f"{method} {path} takes no body"]
    errors = list(validator.iter_errors(_with_text_ids(body)))
    return [_in_words(max(errors, key=_depth))] if errors else []


def _with_text_ids(body: Any) -> Any:
    """Return a body with ids as text, as in the document; Discord accepts numbers too.

    The same holds for the ids of attachments.
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
        # The fake has rules of its own; only tests of the document itself are skipped.
        return None
    document: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return document


@cache
def _registry() -> Registry:
    return Registry([(_ROOT, _document() or {})])


@cache
def _validator(method: str, path: str) -> Draft202012Validator | None:
    """Return the validator of a request body, or `None` if there is no body.

    Raises:
        KeyError: if Discord has no such request.
    """
    request = (_document() or {})["paths"][path][method]
    if "requestBody" not in request:
        return None
    steps = ("paths", path, method, "requestBody", "content", "application/json", "schema")
    pointer = "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)
    return Draft202012Validator({"$ref": f"{_ROOT}#/{quote(pointer)}"}, registry=_registry())


def _in_words(error: ValidationError) -> str:
    """Return the message of the deepest error, preferably not one of a type."""
    while nested := [each for branch in getattr(error.kind, "context", ()) for each in branch]:
        error = max(nested, key=_depth)
    path = "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path
    )
    return f"${path}: {error.message[:300]}"


def _depth(error: ValidationError) -> tuple[bool, int]:
    path = list(error.instance_path)
    return path[-1:] != ["type"], len(path)
