"""What stands around each part of a reply: its title, its place, and the ways on. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from adapters.common.layout.frame import Framing, Shown, turns
from adapters.discord.render.buttons import ButtonAction, Verb
from adapters.discord.render.elements import (
    Divider,
    Element,
    Row,
    Way,
    Words,
    components_in,
    elements_of,
    holds_key,
)
from adapters.discord.render.limits import (
    LONGEST_TEXT,
    MOST_COMPONENTS,
    MOST_IN_ROW,
    MOST_ROWS,
)
from adapters.discord.render.markdown import faint
from adapters.discord.render.packing import Item, Room, pack, pieces_in
from adapters.discord.render.texts import in_markdown, length

_OPEN = "Open for me"
# What opens a reply that says of no command that it gives it again.
_SOMEWHERE = "help"
# The container, the row of ways with Share, who shared it.
_AROUND_ONE = 4
# The same, the title again, which part it is, Back, More.
_AROUND_MANY = 8
_MOST_WAYS = 3
_ONE_WAY = 1  # to share it, where it is the whole
_LONGEST_MENTION = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """How a part is to be rendered; see `render_message`."""

    part: int
    share: bool
    shared_by: int | None
    key: str
    ways: Sequence[Way]

    def unshared(self) -> Self:
        """Return the same without a button to share it."""
        return replace(self, share=False)


@dataclass(frozen=True, slots=True)
class Frame(Framing):
    """What a reply's parts have in common, and how that is shown in Discord."""

    def parts(self, items: Sequence[Item], ways: int) -> list[list[Item]]:
        """Return a reply's items in parts, in one where they fit, beside so many ways of others.

        They are the same whoever sees them, so that their numbers mean the same to all.
        """
        room = self._room(_AROUND_ONE, ways)
        if _ends_with_room(items, _ONE_WAY + ways):
            room = replace(room, components=room.components + 1, rows=room.rows + 1)
        one = pack(items, room)
        return one if len(one) == 1 else pack(items, self._room(_AROUND_MANY, ways))

    def elements(self, shown: Shown[Item], asked: Asked) -> list[Element]:
        """Return what a part consists of."""
        found = elements_of(shown.content)
        if shown.place > 1 and self.title:
            found.insert(0, Words(faint(in_markdown(self.title))))
        if shown.parts > 1:
            place = self.position(shown.place, shown.parts, reached=bool(asked.key))
            found.append(Words(faint(place)))
        found = _with_ways(found, [*self._ways(shown, asked), *asked.ways])
        if asked.shared_by:
            found.append(Words(self._shared(asked.shared_by)))
        if asked.key and not any(map(holds_key, found)):
            found.append(Row(((_OPEN, ButtonAction(Verb.RUN, self.line or _SOMEWHERE)),)))
        return _within(found)

    def _room(self, around: int, ways: int) -> Room:
        rows = -(-(_MOST_WAYS + ways) // MOST_IN_ROW)
        repeated = faint(in_markdown(self.title)), faint(self.position(99, 99)), self._shared(0)
        return Room(
            components=MOST_COMPONENTS - around - ways - (rows - 1),
            text=LONGEST_TEXT - _LONGEST_MENTION - sum(map(length, repeated)),
            rows=MOST_ROWS - rows,
        )

    def _ways(self, shown: Shown[Item], asked: Asked) -> list[Way]:
        """Return the buttons to other parts and to sharing; all parts of a post are there."""
        if not self.line or asked.key:
            return []
        ways = [(label, ButtonAction(Verb.TURN, self.line, part)) for label, part in turns(shown)]
        if asked.share:
            ways.append(("Share", ButtonAction(Verb.SHARE, self.line, shown.place)))
        return ways

    def _shared(self, user: int) -> str:
        command = f" · {in_markdown(self.command)}" if self.command else ""
        return faint(f"Shared by <@{user}>{command}")


def _ends_with_room(items: Sequence[Item], ways: int) -> bool:
    """Tell whether the last of a reply is a row of buttons that has room for more ways."""
    last = items[-1]
    menus_below = any(
        piece.picks
        for item in items
        if item.piece.group == last.piece.group
        for piece in pieces_in(item)
    )
    row = len(last.choices) if not last.picks else 0
    return bool(row) and not menus_below and row + ways <= MOST_IN_ROW


def _with_ways(elements: list[Element], ways: Sequence[Way]) -> list[Element]:
    """Return elements with ways in rows of their own, or in the last one where they fit."""
    last = elements[-1]
    if isinstance(last, Row) and len(last.ways) + len(ways) <= MOST_IN_ROW:
        return [*elements[:-1], Row((*last.ways, *ways))]
    places = range(0, len(ways), MOST_IN_ROW)
    return [*elements, *(Row(tuple(ways[place : place + MOST_IN_ROW])) for place in places)]


def _within(elements: list[Element]) -> list[Element]:
    """Return the elements of a part, without what only looks well where all are too many."""
    if components_in(elements) < MOST_COMPONENTS:  # the container is one more
        return elements
    return [element for element in elements if not isinstance(element, Divider)]
