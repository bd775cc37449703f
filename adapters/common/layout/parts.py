"""Replies laid out as parts that each fit into one message of a platform. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from adapters.common.layout.blocks import pieces_of
from adapters.common.layout.elements import (
    ButtonElement,
    ButtonRow,
    Effect,
    Element,
    Menus,
    elements_of,
    faint,
    of_first_menus,
    rows_of,
)
from adapters.common.layout.limits import Cost, Limits, Look, Shape, total
from adapters.common.layout.packing import Sized, fit, pack, sized, with_options
from adapters.common.layout.pieces import Piece, Span
from adapters.common.layout.texts import beginning, cleaned
from bot.replies.blocks import Reply, Title
from store.text import storable

# The title and the command stand around each part; they weigh no more.
_LONGEST_REPEATED = 100
_LEFT_OUT = "The rest is left out: it is too long for one message."
_LONGEST_MENTION = 40  # of a user, on any platform
_MOST_PARTS = 99
# Share; Back and More besides.
_BUTTONS_OF_WHOLE, _BUTTONS_OF_PART = 1, 3


@dataclass(frozen=True, slots=True)
class Frame:
    """The things that the parts of a reply have in common.

    Attributes:
        title: the title of the reply.
        command_string: asks for the reply again, `None` where nothing can.
        command: the same in words.
        read_as: the line above the first part that teaches the command which was read.
    """

    title: str
    command_string: str | None
    command: str
    read_as: str = ""

    @classmethod
    def of(cls, reply: Reply, limits: Limits) -> Self:
        """Return the frame of a reply."""
        titles = (cleaned(block.text) for block in reply.blocks if isinstance(block, Title))
        title = beginning(next(titles, ""), _LONGEST_REPEATED, limits.weight)
        command_string = storable(reply.command or "")
        if not command_string or not limits.is_pressable(command_string):
            return cls(title, None, "", _read_as(reply, "", limits))
        words = beginning(
            cleaned(storable(reply.display_command or command_string)),
            _LONGEST_REPEATED,
            limits.weight,
        )
        command = f"/papers {words}"
        return cls(title, command_string, command, _read_as(reply, command, limits))

    def position(self, number: int, of: int, *, reached: bool = False) -> str:
        """Say which part it is, or that nothing leads to the others, unless they are reached."""
        return f"Part {number} of {of}" if self.command_string or reached else _LEFT_OUT

    def cost(self, limits: Limits, *, whole: bool, buttons: int) -> Cost:
        """Return what the frame takes at most, beside so many buttons of others.

        It is the same whoever sees the part, so that its number means the same to all: the line
        of a shared part has the room of the line that teaches a command, which no shared one has.
        """
        count = buttons_around(whole=whole) + buttons
        command = limits.payload.of(self.command_string or "")
        label = limits.payload.of("Share")
        words = [_shared_line(self.command)]
        if not whole:
            words += [self.title, self.position(_MOST_PARTS, _MOST_PARTS)]
        return total(
            limits.costs.row.times(-(-count // limits.most_in_row)),
            limits.costs.button.times(count),
            Cost(payload=count * (command + label)),
            *(_faint(each, limits) for each in words),
        )


def _shared_line(command: str) -> str:
    return f"Shared by {'@' * _LONGEST_MENTION} · {command}"


def _read_as(reply: Reply, command: str, limits: Limits) -> str:
    """Return the line that teaches a command, no longer than the line of a shared part."""
    line = cleaned(storable(reply.read_as or ""))
    return beginning(line, len(_shared_line(command)), limits.weight)


def buttons_around(*, whole: bool) -> int:
    """Return how many buttons the frame has at most, around a whole reply or a part of it."""
    return _BUTTONS_OF_WHOLE if whole else _BUTTONS_OF_PART


def neighbours(number: int, of: int) -> Iterator[tuple[str, int]]:
    """Give the parts beside one, each with the label of the button there."""
    if number > 1:
        yield "Back", number - 1
    if number < of:
        yield "More", number + 1


def _faint(words: str, limits: Limits) -> Cost:
    # The link stands for the mention of a user in the payload.
    costs = limits.costs
    marks = total(costs.words[Shape.FAINT], costs.span[Look.PLAIN], costs.link)
    return total(marks, limits.cost(words))


@dataclass(frozen=True, slots=True)
class ReplyPart:
    """One part of a reply, and its place among all of them, from 1."""

    frame: Frame
    limits: Limits
    pieces: Sequence[Piece]
    number: int
    of: int

    @property
    def is_whole(self) -> bool:
        """It is the only part."""
        return self.of == 1

    @property
    def line_above(self) -> str:
        """The title of the reply above a later part, above the first the command that was read."""
        return self.frame.title if self.number > 1 else self.frame.read_as

    def elements(
        self,
        *,
        share: bool = False,
        buttons: Sequence[ButtonElement] = (),
        reached: bool = False,
    ) -> list[Element]:
        """Return the elements of the part with its frame.

        Args:
            share: whether a button posts it to the channel.
            buttons: more buttons below it.
            reached: whether all parts are seen together, so that none leads to another.
        """
        found: list[Element] = [faint(Span(self.line_above))] if self.line_above else []
        found += elements_of(self.pieces, self.limits)
        if not self.is_whole:
            position = self.frame.position(self.number, self.of, reached=reached)
            found.append(faint(Span(position)))
        navigation = () if reached else self._navigation(share=share)
        return _with_buttons(found, (*navigation, *buttons), self)

    def _navigation(self, *, share: bool) -> list[ButtonElement]:
        command = self.frame.command_string
        if not command:
            return []
        found = [
            ButtonElement(label, command, Effect.TURN, part)
            for label, part in neighbours(self.number, self.of)
        ]
        if share:
            found.append(ButtonElement("Share", command, Effect.SHARE, self.number))
        return found


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of a reply."""

    frame: Frame
    limits: Limits
    contents: Sequence[Sequence[Piece]]

    def part(self, number: int) -> ReplyPart:
        """Return a part by its number, the nearest where there is no such part."""
        nearest = min(max(number, 1), len(self.contents))
        return ReplyPart(
            self.frame, self.limits, self.contents[nearest - 1], nearest, len(self.contents)
        )


def lay_out(reply: Reply, limits: Limits, *, attach: bool = False, buttons: int = 0) -> Parts:
    """Lay a reply out in as few parts as hold it.

    A list keeps its first menu alone where others would add a part.

    Args:
        reply: the answer.
        limits: those of the platform.
        attach: whether files are sent along; else words stand for them.
        buttons: how many more buttons stand below each part.
    """
    frame, tried = Frame.of(reply, limits), []
    for items in _ways(reply, limits, attach=attach):
        if _are_whole(items, frame, limits, buttons):
            return Parts(frame, limits, [[item.piece for item in items]])
        tried.append(items)
    room = limits.message.minus(frame.cost(limits, whole=False, buttons=buttons))
    return Parts(frame, limits, min((pack(each, limits, room) for each in tried), key=len))


def _ways(reply: Reply, limits: Limits, *, attach: bool) -> Iterator[list[Sized]]:
    """Yield a reply as pieces, and then with the first menus of its lists alone."""
    items = [sized(piece, limits) for piece in pieces_of(reply, limits, attach=attach)]
    yield items
    if is_first := of_first_menus(reply):
        yield [with_options(item, is_first) for item in items]


def _are_whole(items: Sequence[Sized], frame: Frame, limits: Limits, buttons: int) -> bool:
    """Tell whether pieces fit into one part, with the frame of a whole."""
    room = limits.message.minus(frame.cost(limits, whole=True, buttons=buttons))
    pieces = [item.piece for item in items]
    if _row_at_end(pieces, limits) + buttons_around(whole=True) + buttons <= limits.most_in_row:
        room = room.plus(limits.costs.row)
    return fit(items, limits, room)


def _row_at_end(pieces: Sequence[Piece], limits: Limits) -> int:
    """Return how many buttons the row at the end of a whole reply has; it is full if none is."""
    last = pieces[-1].group
    group = [piece for piece in pieces if piece.group == last]
    if not _ends_bare(pieces) or any(piece.picks for piece in group):
        return limits.most_in_row
    return sum(1 for piece in group if piece.button) % limits.most_in_row or limits.most_in_row


def _ends_bare(pieces: Sequence[Piece]) -> bool:
    """Tell whether pieces end with a row that belongs to no one paper."""
    last = pieces[-1]
    return bool(last.picks or not last.spans) and not last.file


def _with_buttons(
    elements: list[Element], buttons: Sequence[ButtonElement], part: ReplyPart
) -> list[Element]:
    """Return elements with buttons in rows of their own, or in the last row where they fit."""
    limits, last = part.limits, elements[-1]
    if not buttons:
        return elements
    if part.is_whole and _ends_bare(part.pieces):
        if isinstance(last, ButtonRow) and len(last.buttons) + len(buttons) <= limits.most_in_row:
            return [*elements[:-1], ButtonRow((*last.buttons, *buttons))]
        if isinstance(last, Menus) and limits.shares_menu_rows:
            room = limits.most_in_row - len(last.menus)
            if len(buttons) <= room:
                return [*elements[:-1], Menus(last.menus, tuple(buttons))]
    return [*elements, *rows_of(buttons, limits)]
