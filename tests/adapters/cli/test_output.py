"""The progress line of a subcommand."""

import io

from adapters.cli.output import ProgressLine
from tests.fakes.clock import Seconds

_CLEARED = "\r\x1b[K"


def _steps(stream: io.StringIO) -> list[str]:
    """Return what stood in the line, one thing after the other."""
    return stream.getvalue().split(_CLEARED)[1:]


def test_a_line_changes_a_few_times_a_second() -> None:
    """Progress within the refresh interval is not shown, unless it is the last."""
    stream, seconds = io.StringIO(), Seconds()
    line = ProgressLine("a.md", stream, seconds)
    for done in range(1, 101):
        line.fetched(done * 1024, 100 * 1024)
        seconds.at += 0.01
    line.clear()
    *steps, last, cleared = _steps(stream)
    assert 9 <= len(steps) <= 11
    assert steps[0] == "a.md: 1 of 100 KB"
    assert (last, cleared) == ("a.md: 100 of 100 KB", "")


def test_without_a_length_only_what_came_is_told() -> None:
    """Many hosts don't say how much there is."""
    stream = io.StringIO()
    ProgressLine("a.md", stream, Seconds()).fetched(1_500_000, None)
    assert _steps(stream) == ["a.md: 1,465 KB"]


def test_no_name_makes_the_line_longer_than_a_terminal_or_steers_it() -> None:
    """A long one is cut, and what would move the cursor is left out."""
    stream = io.StringIO()
    ProgressLine("\x1b[2J" + 100 * "long", stream, Seconds()).counting("edition")(1, 2)
    [step] = _steps(stream)
    assert len(step) < 80
    assert "\x1b" not in step
    assert step.endswith("…: 1 of 2 editions")
