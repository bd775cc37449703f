"""The search: input after input along paths chosen by chance, until the time is over."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.slow_inputs.inputs import FRAGMENTS, Input, invented
from tests.slow_inputs.measuring import Growth, Meter, confirmed, cost, growth
from tests.slow_inputs.remembering import Memory


@dataclass(frozen=True, slots=True)
class Path:
    """A way that text takes from a stranger through the program.

    Args:
        name: what it is called in reports.
        call: goes that way with a text.
        most: the most characters that a stranger can send along, or that are worth a look.
        around: what may stand before and behind what grows.
        fragments: what it may stumble over beside what all do.
        refuses: the errors by which it says that it does not take a text.
        seconds: what a call may cost at most, in seconds of the processor.
        per_character: the same for each character.
        memory: what a call with 100,000 characters may take at most, in bytes; asked for where the
            search has what measures its call by its name.
        weight: how often it is gone, beside others.
    """

    name: str
    call: Callable[[str], object]
    most: int
    around: Sequence[tuple[str, str]] = (("", ""),)
    fragments: Sequence[str] = ()
    refuses: tuple[type[Exception], ...] = ()
    seconds: float | None = None
    per_character: float | None = None
    memory: int | None = None
    weight: int = 1

    def taken(self, text: str) -> None:
        """Go along with a text, which may be refused."""
        try:
            self.call(text)
        except self.refuses:
            return

    def invented(self, dice: Random) -> Input:
        """Return an input for it."""
        return invented(dice, [*FRAGMENTS, *3 * tuple(self.fragments)], self.around)


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that costs too much, or that raised what it may not."""

    path: Path
    made: Input
    grown: Growth
    said: str

    def __str__(self) -> str:
        return f"{self.path.name}: {self.said}\n    {self.made.literal(self.grown.sizes[-1])}"


@dataclass(slots=True)
class Search:
    """What was tried and found: of each path the findings, and its most expensive input.

    `meter` tells what a call costs, and `memory` what it takes.
    """

    meter: Meter = cost
    memory: Memory | None = None
    tried: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    slowest: dict[str, tuple[float, str]] = field(default_factory=dict)
    largest: dict[str, tuple[float, str]] = field(default_factory=dict)

    def try_input(self, path: Path, made: Input) -> Finding | None:
        """Measure an input of a path, and keep what is wrong with it."""
        self.tried[path.name] = self.tried.get(path.name, 0) + 1
        try:
            grown = growth(path.taken, made, path.most, self.meter)
            said = _verdict(path, grown)
            if said:
                grown = confirmed(path.taken, made, grown, self.meter)
                said = _verdict(path, grown)
        except Exception as error:  # noqa: BLE001 - whatever it was, no input may raise it
            grown, said = Growth((path.most,), (0.0,)), f"raises {error!r:.200}"
        _note(self.slowest, path, grown.costs[-1] / grown.sizes[-1], made.literal(grown.sizes[-1]))
        if not said:
            size = min(path.most, _REMEMBERED)
            if said := self._remembered(path, made, size):
                grown = Growth((size,), (grown.costs[-1],))
        if not said:
            return None
        finding = Finding(path, made, grown, said)
        self.findings.append(finding)
        return finding

    def _remembered(self, path: Path, made: Input, size: int) -> str:
        """Say what is wrong with the memory that an input takes, nothing where it is right."""
        if path.memory is None or self.memory is None:
            return ""
        taken = self.memory(path.name, made.of(size))
        _note(self.largest, path, taken, made.literal(size))
        if taken > path.memory:
            return f"takes {taken / _MEGA:.0f} MB for {size:,} characters"
        if taken < _ENOUGH_MEMORY:
            return ""
        half = self.memory(path.name, made.of(size // 2))
        if taken <= _STEEPEST_MEMORY * half:
            return ""
        return f"takes {taken / half:.1f} times as much memory for twice as many characters"


def _note(most: dict[str, tuple[float, str]], path: Path, cost: float, literal: str) -> None:
    if cost > most.get(path.name, (0.0, ""))[0]:
        most[path.name] = cost, literal


def search(  # noqa: PLR0913 - what is searched, how long, and who is told
    paths: Sequence[Path],
    seed: int,
    seconds: float,
    tell: Callable[[Finding], object],
    *,
    clock: Callable[[], float] = time.monotonic,
    meter: Meter = cost,
    memory: Memory | None = None,
    enough: int = 5,
) -> Search:
    """Try inputs until the time is over; a path with so many findings is left alone."""
    dice = Random(seed)  # noqa: S311 - it makes examples, and keeps no secret
    done, end = Search(meter, memory), clock() + seconds
    left = list(paths)
    while left and clock() < end:
        (path,) = dice.choices(left, [each.weight for each in left])
        if finding := done.try_input(path, path.invented(dice)):
            tell(finding)
            if sum(each.path is path for each in done.findings) >= enough:
                left.remove(path)
    return done


def _verdict(path: Path, grown: Growth) -> str:
    """Say what is wrong with costs, nothing where they are right."""
    size, seconds = grown.sizes[-1], grown.costs[-1]
    if grown.is_steep:
        rows = ", ".join(f"{s:,}: {c:.3f} s" for s, c in zip(grown.sizes, grown.costs, strict=True))
        return f"costs {grown.ratio:.1f} times as much for four times as many characters ({rows})"
    if path.seconds is not None and seconds > path.seconds:
        return f"costs {seconds:.2f} s for {size:,} characters, more than {path.seconds} s"
    if path.per_character is not None and seconds > path.per_character * max(size, _SMALL):
        micro = 1e6 * seconds / size
        return f"costs {micro:.0f} microseconds a character ({seconds:.2f} s for {size:,})"
    return ""


_SMALL = 1000  # what a document costs however short it is
_MEGA = 1024 * 1024
_REMEMBERED = 100_000
# Less says nothing of how it grows; in proportion the ratio is 2, and lists grow by leaps.
_ENOUGH_MEMORY = 32 * _MEGA
_STEEPEST_MEMORY = 3.0
