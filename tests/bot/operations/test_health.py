"""How the parts of a running bot are asked how they are."""

import asyncio

from bot.operations.health import Condition, State, conditions
from store.errors import StoreBusy


async def _well() -> Condition:
    return Condition(State.OK)


async def _silent() -> Condition:
    await asyncio.Event().wait()
    raise AssertionError


async def _busy() -> Condition:
    raise StoreBusy


async def _broken() -> Condition:
    raise KeyError("secret")


async def test_a_part_that_can_not_say_is_failing() -> None:
    """One that is silent, in trouble or broken is told so, and hides no other."""
    parts = {"silent": _silent, "busy": _busy, "broken": _broken, "well": _well}
    assert await conditions(parts, patience=0.01) == {
        "silent": Condition(State.FAILING, "It did not answer."),
        "busy": Condition(State.FAILING, "The store is busy with other writers."),
        "broken": Condition(State.FAILING, "It can't be told (KeyError)."),
        "well": Condition(State.OK),
    }


async def test_parts_are_asked_at_once() -> None:
    """Each is asked before any has answered, so the slowest alone decides how long it takes."""
    everyone = asyncio.Barrier(3)

    async def waiting() -> Condition:
        await everyone.wait()
        return Condition(State.OK)

    found = await conditions({"a": waiting, "b": waiting, "c": waiting})
    assert set(found.values()) == {Condition(State.OK)}
