"""What a parser read of a document, without what would steer whoever reads it. Pure."""

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from bot.domain.drafts import EntryDraft
from bot.domain.untrusted_text import without_controls

T = TypeVar("T")

# A title of nothing else: an entry has to have one.
_UNTITLED = "Untitled"


def harmless(parsed: T) -> T:
    """Return a text, a tuple or a record of such with `without_controls` of each text in it.

    It comes after parsing: JSON and HTML spell such characters out, and repair needs those that
    stand in a document as they are.
    """
    cleaned: Any = parsed
    if isinstance(parsed, str) and not isinstance(parsed, Enum):
        cleaned = without_controls(parsed)
    elif isinstance(parsed, tuple):
        cleaned = tuple(map(harmless, parsed))
    elif is_dataclass(parsed) and not isinstance(parsed, type):
        cleaned = _record(parsed)
    result: T = cleaned
    return result


def _record(parsed: Any) -> Any:  # noqa: ANN401 - any record of drafts
    before = {each.name: getattr(parsed, each.name) for each in fields(parsed)}
    after = {name: harmless(value) for name, value in before.items()}
    changed = {name: value for name, value in after.items() if value != before[name]}
    if isinstance(parsed, EntryDraft) and not after["title"].strip():
        changed["title"] = _UNTITLED
    return replace(parsed, **changed) if changed else parsed
