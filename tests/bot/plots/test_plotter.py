"""What the bot has drawn by a process of its own."""

import asyncio
import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import PlotError
from bot.plots import drawing
from bot.plots.plotter import Card, Plotter, Turns
from tests.bot.plots.sample_plots import plot

_CHILDREN = Path("/proc/self/task")


def _drawing() -> list[str]:
    """Return the ids of this process's children that draw."""
    ids = (child for task in _CHILDREN.glob("*/children") for child in task.read_text().split())
    return [
        each for each in ids if "bot.plots.drawing" in Path("/proc", each, "cmdline").read_text()
    ]


async def test_the_process_draws_what_is_drawn_here() -> None:
    """The picture comes over the pipe whole, and the process ends with it unless it may stay."""
    assert await Plotter().png(plot()) == drawing.png(plot())
    assert _drawing() == []


async def test_a_picture_is_drawn_once() -> None:
    """Also where several ask at the same time, and it is handed out while another is drawn."""
    async with Plotter(waiting=0, idle=60) as plotter:
        first, second = await asyncio.gather(plotter.png(plot()), plotter.png(plot()))
        assert first is second
        other = asyncio.create_task(plotter.png(plot(1)))
        await asyncio.sleep(0)
        assert await plotter.png(plot()) is first
        assert not other.done()
        assert await other != first


async def test_whom_no_turn_waits_for_is_told_at_once() -> None:
    """While as many wait as may, another picture is refused; these, and one of them, are drawn."""
    async with Plotter(waiting=1, idle=60) as plotter:
        asked = (plot(1), plot(2), plot(3), plot(2), plot(4))
        pictures = await asyncio.gather(*map(plotter.png, asked), return_exceptions=True)
        assert [isinstance(each, bytes) for each in pictures] == [True, True, False, True, False]
        for told in (pictures[2], pictures[4]):
            assert isinstance(told, PlotError)
            assert told.sentence == "There is no picture: too many others are being drawn."
        assert await plotter.png(plot(3))


async def test_a_picture_that_takes_too_long_is_given_up() -> None:
    """The asker is told, and the process ends."""
    with pytest.raises(PlotError) as told:
        await Plotter(patience=0.05).png(plot())
    assert told.value.sentence == "There is no picture: it took longer than 0.05 seconds."
    assert _drawing() == []


async def test_a_process_that_fails_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    """The asker learns that there is no picture, the log why; the next one is drawn."""
    plotter = Plotter()
    with caplog.at_level(logging.ERROR), pytest.raises(PlotError) as told:
        await plotter.png(replace(plot(), curves=()))
    assert told.value.sentence == "There is no picture: what draws it failed."
    [record] = caplog.records
    assert (record.msg, record.__dict__["code"]) == ("plot_failed", 1)
    assert "Error" in record.__dict__["reason"]
    assert await plotter.png(plot())


async def test_one_process_draws_pictures_of_any_kind() -> None:
    """It stays for the next one, of any asker; no letter of a card means anything to it."""
    async with Plotter(idle=60) as plotter:
        seen = set()
        for picture in (plot(1), Card("$x$ & <b>", "{}", ("\\frac{1}{2} $$",)), plot(2)):
            drawn = await plotter.png(picture, "somebody")
            assert drawn.startswith(b"\x89PNG")
            seen |= set(_drawing())
        assert len(seen) == 1
    assert _drawing() == []


async def test_who_asks_for_many_pictures_has_a_share() -> None:
    """Beyond it nothing is drawn for them, others have theirs; what is there costs no turn."""
    async with Plotter(idle=60, turns=lambda: Turns(2, 3)) as plotter:
        for number in (1, 2, 1, 2, 1):
            assert await plotter.png(plot(number), "one")
        with pytest.raises(PlotError, match="too many others"):
            await plotter.png(plot(3), "one")
        assert await plotter.png(plot(3), "another")
        with pytest.raises(PlotError, match="too many others"):
            await plotter.png(plot(4), "a third")
        assert await plotter.png(Card("Of another kind", "", ()), "one")


def test_turns_come_back_with_the_next_minute() -> None:
    """Each asker has some in a minute, and all together as many as one processor's tenth."""
    now = 0.0
    turns = Turns(1, 2, lambda: now)
    assert [turns.take(asker) for asker in ("a", "a", "b", "c")] == [True, False, True, False]
    now = 60.0
    assert turns.take("a")


def test_the_bot_loads_nothing_that_draws() -> None:
    """With every command at hand neither the library is there nor what it needs."""
    code = (
        "import sys; import bot.app, bot.commands.handlers\n"
        "print(sorted({'matplotlib', 'numpy', 'PIL'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
