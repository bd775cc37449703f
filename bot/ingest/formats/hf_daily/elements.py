"""The elements of the list, each with its place and its line."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.domain.drafts import RawDocument
from bot.errors import DocumentError, WrongShape

_BETWEEN = re.compile(r"[\s,]*")
# What an answer holds and other JSON does not: a list of objects, and in these a paper with the
# instant at which it was listed.
_LIST_OF_OBJECTS = re.compile(r"\s*\[\s*\{")
_HAS_PAPER = re.compile(r'"paper"\s*:\s*\{')
_LISTED_AT = "submittedOnDailyAt"

_REMEDY = (
    "Expected is the answer of https://huggingface.co/api/daily_papers?week=2025-W04,"
    " a list in JSON; if it was cut off, fetch it again."
)


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its place in the list (from 1), the line on which it starts, its value."""

    place: int
    line: int
    value: object


def looks_like_list(text: str) -> bool:
    """Tell an answer by a paper in its list that says when it was listed.

    One that was cut off is no JSON and counts, so that it is refused in words.
    """
    is_marked = f'"{_LISTED_AT}"' in text and _HAS_PAPER.search(text) is not None
    if not (is_marked and text.lstrip().startswith("[")):
        return False
    try:
        return any(map(_is_listed, json.loads(text)))
    except (ValueError, RecursionError):
        return _LIST_OF_OBJECTS.match(text) is not None


def read_elements(document: RawDocument) -> list[Element]:
    """Read the list's elements in their order.

    Raises:
        DocumentError: if it is no JSON, or no list.
    """
    try:
        values = json.loads(document.text)
        if isinstance(values, list):
            return list(_with_lines(document.text, len(values)))
    except json.JSONDecodeError as error:
        sentence = (
            f"{document.path} is no whole JSON: it can't be read from line {error.lineno},"
            f" column {error.colno} on."
        )
        is_other = not document.text[: error.pos].strip()
        raise (WrongShape if is_other else DocumentError)(sentence, _REMEDY) from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{document.path} is no JSON that can be read.", _REMEDY) from error
    raise WrongShape(f"{document.path} is no list of papers.", _REMEDY)


def _is_listed(value: object) -> bool:
    paper = value.get("paper") if isinstance(value, dict) else None
    return isinstance(paper, dict) and _LISTED_AT in paper


def _with_lines(text: str, count: int) -> Iterator[Element]:
    """Walk through a list that is known to be whole; JSON itself tells no lines."""
    decoder = json.JSONDecoder()
    line, seen, end = 1, 0, text.index("[") + 1
    for place in range(1, count + 1):
        start = _after_blanks(text, end)
        line, seen = line + text.count("\n", seen, start), start
        value, end = decoder.raw_decode(text, start)
        yield Element(place, line, value)


def _after_blanks(text: str, position: int) -> int:
    between = _BETWEEN.match(text, position)
    return between.end() if between else position
