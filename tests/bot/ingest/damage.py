"""Documents that something happened to: lines dropped, doubled, swapped, added or cut."""

from collections.abc import Callable

import pytest
from hypothesis import event
from hypothesis import strategies as st

from bot.domain.drafts import ParsedDocument
from bot.errors import DocumentError


def damage(draw: st.DrawFn, lines: list[str], junk: st.SearchStrategy[str]) -> list[str]:
    """Return the lines after one to six mishaps; `junk` is what may be added."""
    lines = list(lines)
    for _ in range(draw(st.integers(1, 6))):
        at, other = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "add", "cut"])):
            case "drop" if len(lines) > 1:
                del lines[at]
            case "double":
                lines.insert(other, lines[at])
            case "swap":
                lines[at], lines[other] = lines[other], lines[at]
            case "add":
                lines.insert(at, draw(junk))
            case _:
                lines[at] = lines[at][: draw(st.integers(0, 80))]
    return lines


def read_or_refused(parse: Callable[[str], ParsedDocument], text: str) -> ParsedDocument | None:
    """Parse a text; `None` where it is refused in a sentence and with a remedy."""
    try:
        return parse(text)
    except DocumentError as refusal:
        event("refused")
        return None if refusal.sentence and refusal.remedy else pytest.fail("nothing said")
