"""Two managers who change and take back at random: nobody overwrites what the other made."""

from dataclasses import astuple, dataclass, field
from random import Random
from typing import Any

import pytest

from bot.actor import Actor
from bot.commands.types import PRESSED
from bot.replies.plain_text import plain_text
from store.database import Database
from store.posting.change_subscription import mark_of
from store.posting.subscriptions import by_id
from store.readers import alerts, saved
from store.records import Channel, Workspace
from store.workspaces.workspaces import read_settings
from tests.bot.conftest import FixedClock, answered
from tests.bot.member_channels import bot_over, manager, rooms

_PAPER = "dair:2026-01-05#1"
_LINES = (
    "subscribe", "subscribe friday", "subscribe change:1 tuesday", "subscribe change:1 size:3",
    "subscribe change:1 topic:agents", "pause 1", "pause 1 until:2w", "pause 1 until:3h",
    "resume 1", "unsubscribe 1", "pause 2", "resume 2", "unsubscribe 2",
    "settings zone UTC", "settings zone Asia/Tokyo", "settings zone default",
    "settings layout full", "settings zone:Asia/Tokyo layout:thread",
    f"save {_PAPER}", f"save {_PAPER} tag:a,b", f"unsave {_PAPER}", f"note {_PAPER} mine",
    "alert sparse in:#ml", "alert routing in:#ml", "unalert 1", "unalert 2",
)  # fmt: skip
_SUBSCRIPTIONS = 4  # whose state is looked at
_STEPS = 40
_HERE = Workspace("slack", "T1")


@dataclass(frozen=True, slots=True)
class _Change:
    """What stood before and after a change of somebody."""

    before: list[Any]
    after: list[Any]


@dataclass(slots=True)
class _Person:
    """Somebody, and the changes that undo would take back, the last one last."""

    actor: Actor
    changes: list[_Change] = field(default_factory=list)


async def _stands(database: Database, people: list[_Person]) -> list[Any]:
    """Return how each thing stands that both may change, then what is each one's own."""
    found = [await database.read(by_id, number + 1) for number in range(_SUBSCRIPTIONS)]
    told = await database.read(alerts.of_channel, Channel(_HERE, "C1"))
    own = [await database.read(saved.list_all, each.actor.person) for each in people]
    return [
        *(each and mark_of(each) for each in found),
        *astuple(await database.read(read_settings, _HERE)),
        [each.query.text for each in told],
        *([(each.note, each.tags) for each in papers] for papers in own),
    ]


@pytest.mark.parametrize("seed", range(4))
async def test_undo_overwrites_nothing_and_says_what_it_did(filled: Database, seed: int) -> None:
    """What another made of it since stays; where *Taken back* is not said nothing has changed."""
    dice = Random(seed)  # noqa: S311 - chooses lines
    app, said = bot_over(filled, FixedClock()), list[str]()
    people = [_Person(manager(rooms(), user=user)) for user in ("U1", "U2")]
    for _ in range(_STEPS):
        person = dice.choice(people)
        line = "undo" if dice.random() < 1 / 3 else dice.choice(_LINES)
        before = await _stands(filled, people)
        words = plain_text(await answered(app, line, person.actor, PRESSED))
        after = await _stands(filled, people)
        said.append(f"{person.actor.user} {line}: {words.splitlines()[0]}")
        assert "Something went wrong" not in words, said
        if line != "undo":
            person.changes += [_Change(before, after)] if after != before else []
            continue
        undone = person.changes.pop() if person.changes else _Change(before, before)
        if not words.startswith("Taken back: "):
            assert after == before, said
            continue
        for was, left, now, then in zip(undone.before, undone.after, before, after, strict=True):
            is_touched_since = was != left != now
            assert then == now or not is_touched_since, said
