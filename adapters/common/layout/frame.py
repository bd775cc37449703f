"""What stands around each part of a reply on any platform. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from adapters.common.layout.pieces import Measure
from adapters.common.layout.texts import beginning, cleaned
from bot.replies.blocks import Reply, Title
from store.text import storable

T = TypeVar("T")

# What is said again around each part, the title and the command, weighs no more.
_HEAVIEST_REPEAT = 100
_LEFT_OUT = "The rest is left out: it is too long for one message."


@dataclass(frozen=True, slots=True)
class Shown(Generic[T]):
    """The part that is shown, and of how many."""

    content: Sequence[T]
    place: int
    parts: int


@dataclass(frozen=True, slots=True)
class Framing:
    """What a reply's parts have in common.

    `line` asks for it again, `None` where nothing can; `command` says so in words.
    """

    title: str
    line: str | None
    command: str

    @classmethod
    def of(cls, reply: Reply, measure: Measure) -> Self:
        """Return what the parts of a reply have in common."""
        titles = (cleaned(block.text) for block in reply.blocks if isinstance(block, Title))
        title = beginning(next(titles, ""), _HEAVIEST_REPEAT, measure.weight)
        line = storable(reply.command or "")
        if not line or not measure.is_pressable(line):
            return cls(title, None, "")
        words = beginning(
            cleaned(storable(reply.display_command or line)), _HEAVIEST_REPEAT, measure.weight
        )
        return cls(title, line, f"/papers {words}")

    def position(self, place: int, parts: int, *, reached: bool = False) -> str:
        """Say which part it is, or that nothing leads to the others, unless they are reached."""
        return f"Part {place} of {parts}" if self.line or reached else _LEFT_OUT


def shown_part(parts: Sequence[Sequence[T]], part: int) -> Shown[T]:
    """Return a part by its number, the nearest where there is no such part."""
    place = min(max(part, 1), len(parts))
    return Shown(parts[place - 1], place, len(parts))


def turns(shown: Shown[T]) -> Iterator[tuple[str, int]]:
    """Give the ways to the parts beside one, each with its label."""
    if shown.place > 1:
        yield "Back", shown.place - 1
    if shown.place < shown.parts:
        yield "More", shown.place + 1
