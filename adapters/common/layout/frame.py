"""The frame around each part of a reply: its title again, its place, its navigation. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from adapters.common.layout.limits import Cost, Limits, total
from adapters.common.layout.looks import Look, Shape
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
