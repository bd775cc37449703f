"""Replies on a terminal: wrapped to its width, styled where it can show that."""

import re
import textwrap

from bot.plain import Line, Style, lines
from bot.replies import Reply

# Select Graphic Rendition codes, ECMA-48 §8.3.117.
_CODES = {Style.TITLE: "1", Style.FAINT: "2", Style.NOTICE: "33"}
# Text from sources must not move the cursor, ring or colour: no control characters at all.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NARROWEST = 40


def render(reply: Reply, width: int, *, styled: bool) -> str:
    """Return a reply as it is printed, lines at most `width` columns where words allow."""
    return "\n".join(_printed(line, max(width, _NARROWEST), styled) for line in lines(reply))


def _printed(line: Line, width: int, styled: bool) -> str:  # noqa: FBT001 - passed on, named at the door
    text = _CONTROL.sub("", line.text)
    wrapped = textwrap.fill(
        text,
        width,
        initial_indent=" " * line.indent,
        subsequent_indent=" " * (line.indent + line.hang),
        break_long_words=False,
        break_on_hyphens=False,
    )
    code = _CODES.get(line.style)
    return f"\x1b[{code}m{wrapped}\x1b[0m" if styled and code and wrapped else wrapped
