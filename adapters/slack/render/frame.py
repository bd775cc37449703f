"""What stands around each part of a reply: its title, its place, and the ways on. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from json import dumps
from typing import Any

from adapters.common.layout.frame import Framing, Shown, turns
from adapters.slack.render import blocks as kit
from adapters.slack.render.buttons import ButtonAction, Verb
from adapters.slack.render.limits import LONGEST_JSON, LONGEST_TEXT, MOST_IN_ROW
from adapters.slack.render.packing import BLOCK_JSON, BUTTON_JSON, Room, Sized
from adapters.slack.render.texts import in_mrkdwn, json_length

# At most: the title again, which part it is, the ways on, who shared it.
_MOST_BLOCKS = 4
_MOST_BUTTONS = 3
_SHARED = "Shared: "


@dataclass(frozen=True, slots=True)
class Frame(Framing):
    """What a reply's parts have in common, and how that is shown in Slack."""

    def room(self, most_blocks: int) -> Room:
        """Return what is left for the pieces of a part.

        It is the same whoever sees the part, so that its number means the same to all.
        """
        words = [self.title, self.position(99, 99), self.command]
        buttons = _MOST_BUTTONS * (len(dumps(self.line)) + BUTTON_JSON) if self.line else 0
        return Room(
            blocks=most_blocks - _MOST_BLOCKS,
            json=LONGEST_JSON - buttons - sum(json_length(each) + BLOCK_JSON for each in words),
            text=LONGEST_TEXT - sum(len(in_mrkdwn(each)) + 1 for each in words) - len(_SHARED),
        )

    def text(self, shown: Shown[Sized], *, shared: bool) -> str:
        """Return a part for who can't see it."""
        words = [in_mrkdwn(self.title)] if shown.place > 1 and self.title else []
        words += _lines(shown.content)
        if shown.parts > 1:
            words.append(self.position(shown.place, shown.parts))
        if shared:
            words.append(f"{_SHARED}{in_mrkdwn(self.command)}")
        return "\n".join(words)

    def blocks(
        self, shown: Shown[Sized], *, share: bool, shared_by: str | None
    ) -> list[dict[str, Any]]:
        """Return a part as blocks."""
        controls = kit.Controls()
        blocks = [kit.faint(self.title)] if shown.place > 1 and self.title else []
        blocks += kit.shown([sized.piece for sized in shown.content], controls)
        if shown.parts > 1:
            blocks.append(kit.faint(self.position(shown.place, shown.parts)))
        ways = self._ways(shown, share=share)
        if ways:
            row = controls.row(ways)
            if _goes_on(shown) and len(blocks[-1]["elements"]) + len(ways) <= MOST_IN_ROW:
                blocks[-1]["elements"] += row["elements"]
            else:
                blocks.append(row)
        if shared_by:
            blocks.append(self._shared(shared_by))
        return blocks

    def _ways(self, shown: Shown[Sized], *, share: bool) -> list[kit.Way]:
        if not self.line:
            return []
        ways = [
            kit.Way(label, ButtonAction(Verb.TURN, self.line, part)) for label, part in turns(shown)
        ]
        if share:
            ways.append(kit.Way("Share", ButtonAction(Verb.SHARE, self.line, shown.place)))
        return ways

    def _shared(self, user: str) -> dict[str, Any]:
        words = f" · {self.command}" if self.command else ""
        return kit.rich(
            [
                {"type": "text", "text": "Shared by "},
                {"type": "user", "user_id": user},
                *([{"type": "text", "text": words}] if words else []),
            ]
        )


def _goes_on(shown: Shown[Sized]) -> bool:
    """Tell whether a part is the whole and ends with a row that belongs to no one paper."""
    last = shown.content[-1].piece
    return shown.parts == 1 and bool(last.picks or not last.spans)


def _lines(content: Iterable[Sized]) -> list[str]:
    """Return pieces as lines, buttons that stand in a row on one, as options behind their menu."""
    lines: list[str] = []
    for row, group in groupby(content, key=_row):
        words = [sized.plain for sized in group]
        lines += words if row is None else [f"{row}{' '.join(words)}"]
    return lines


def _row(sized: Sized) -> str | None:
    """Return what stands before a row of buttons or options, `None` before words."""
    piece = sized.piece
    if piece.spans:
        return None
    return "" if piece.button else in_mrkdwn(f"{piece.picks[0].menu}: ")
