"""What stands around each part of a reply: its title, its place, and the ways on. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from json import dumps
from typing import Any, Self

from adapters.slack.buttons import Press, Verb
from adapters.slack.render import blocks as kit
from adapters.slack.render.limits import (
    HEAVIEST_REPEAT,
    LONGEST_JSON,
    LONGEST_TEXT,
    MOST_IN_ROW,
)
from adapters.slack.render.packing import BLOCK_JSON, BUTTON_JSON, Room, Sized
from adapters.slack.render.pieces import is_pressable
from adapters.slack.render.texts import beginning, cleaned, in_mrkdwn, json_length
from bot.replies import Reply, Title
from store.folding import storable

# At most: the title again, which part it is, the ways on, who shared it.
_MOST_BLOCKS = 4
_MOST_BUTTONS = 3
_SHARED = "Shared: "
_LEFT_OUT = "The rest is left out: it is too long for one message."


@dataclass(frozen=True, slots=True)
class Shown:
    """The part that is shown, and of how many."""

    content: Sequence[Sized]
    place: int
    parts: int


@dataclass(frozen=True, slots=True)
class Frame:
    """What a reply's parts have in common; `line` asks for it again, `None` where nothing can."""

    title: str
    line: str | None

    @classmethod
    def of(cls, reply: Reply) -> Self:
        """Return the frame of a reply."""
        titles = (cleaned(block.text) for block in reply.blocks if isinstance(block, Title))
        line = storable(reply.line or "")
        title = beginning(next(titles, ""), HEAVIEST_REPEAT)
        return cls(title, line if line and is_pressable(line) else None)

    def room(self, most_blocks: int) -> Room:
        """Return what is left for the pieces of a part.

        It is the same whoever sees the part, so that its number means the same to all.
        """
        words = [self.title, self._position(99, 99), self._command]
        buttons = _MOST_BUTTONS * (len(dumps(self.line or "")) + BUTTON_JSON)
        return Room(
            blocks=most_blocks - _MOST_BLOCKS,
            json=LONGEST_JSON - buttons - sum(json_length(each) + BLOCK_JSON for each in words),
            text=LONGEST_TEXT - sum(len(in_mrkdwn(each)) + 1 for each in words) - len(_SHARED),
        )

    def text(self, shown: Shown, *, shared: bool) -> str:
        """Return a part for who can't see it."""
        words = [in_mrkdwn(self.title)] if shown.place > 1 and self.title else []
        words += _lines(shown.content)
        if shown.parts > 1:
            words.append(self._position(shown.place, shown.parts))
        if shared:
            words.append(f"{_SHARED}{in_mrkdwn(self._command)}")
        return "\n".join(words)

    def blocks(self, shown: Shown, *, share: bool, shared_by: str | None) -> list[dict[str, Any]]:
        """Return a part as blocks."""
        buttons = kit.Buttons()
        blocks = [kit.faint(self.title)] if shown.place > 1 and self.title else []
        blocks += kit.shown([sized.piece for sized in shown.content], buttons)
        if shown.parts > 1:
            blocks.append(kit.faint(self._position(shown.place, shown.parts)))
        ways = self._ways(shown, share=share)
        if ways:
            row = buttons.row(ways)
            if _goes_on(shown) and len(blocks[-1]["elements"]) + len(ways) <= MOST_IN_ROW:
                blocks[-1]["elements"] += row["elements"]
            else:
                blocks.append(row)
        if shared_by:
            blocks.append(self._shared(shared_by))
        return blocks

    def _ways(self, shown: Shown, *, share: bool) -> list[tuple[str, Press]]:
        if not self.line:
            return []
        ways = []
        if shown.place > 1:
            ways.append(("Back", Press(Verb.TURN, self.line, shown.place - 1)))
        if shown.place < shown.parts:
            ways.append(("More", Press(Verb.TURN, self.line, shown.place + 1)))
        if share:
            ways.append(("Share", Press(Verb.SHARE, self.line, shown.place)))
        return ways

    def _shared(self, user: str) -> dict[str, Any]:
        words = f" · {self._command}" if self._command else ""
        return kit.rich(
            [
                {"type": "text", "text": "Shared by "},
                {"type": "user", "user_id": user},
                *([{"type": "text", "text": words}] if words else []),
            ]
        )

    def _position(self, place: int, parts: int) -> str:
        return f"Part {place} of {parts}" if self.line else _LEFT_OUT

    @property
    def _command(self) -> str:
        return f"/papers {beginning(cleaned(self.line), HEAVIEST_REPEAT)}" if self.line else ""


def _goes_on(shown: Shown) -> bool:
    """Tell whether a part is the whole and ends with a row of buttons that belong to no paper."""
    return shown.parts == 1 and not shown.content[-1].piece.spans


def _lines(content: Iterable[Sized]) -> list[str]:
    """Return pieces as lines, buttons that stand in a row on one."""
    lines: list[str] = []
    for bare, group in groupby(content, key=lambda sized: not sized.piece.spans):
        words = [sized.plain for sized in group]
        lines += [" ".join(words)] if bare else words
    return lines
