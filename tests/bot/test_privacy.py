"""Whose facts are whose: what people do, seen by everybody else.

The same lines are asked twice: once by everybody, and once without those of whoever must not
matter. Whoever is looked at must be told the same, word by word, both times. The one thing that
people of a workspace share by themselves is how many of them voted, and what a manager settled.
"""

import asyncio
import re
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.actor import Actor, Role
from bot.commands.types import PRESSED
from bot.replies.blocks import Actions
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import FixedClock, answered, filled_store
from tests.bot.member_channels import bot_over
from tests.conftest import few_examples

ANN = Actor("slack", "T1", "U1", Role.MANAGER)
BOB = replace(ANN, user="U2", role=Role.READER)
ANN_ELSEWHERE = replace(ANN, workspace="T2")
CEM = Actor("discord", "100", "U1", Role.MANAGER, home="@U1")
CEM_ELSEWHERE = replace(CEM, workspace="200")
DAN = replace(CEM, user="U2", home="@U2", role=Role.READER)
EVERYBODY = (ANN, BOB, ANN_ELSEWHERE, CEM, CEM_ELSEWHERE, DAN)

OWN = (
    "save 1",
    "save 2",
    "unsave 1",
    "note 2 mine",
    "note 3 theirs",
    "dismiss 2",
    "show 3",
    "brief",
    "brief 1",
    "more",
)
# By name: a number counts in the list that its person saw last.
SHARED = (
    "vote dair:2026-01-05#1",
    "vote dair:2026-01-05#2",
    "settings zone:Asia/Tokyo",
    "settings zone:reset",
)
TOLD = (
    "saved",
    "saved as:json",
    "saved topic:agents",
    "note 2",
    "top by:votes",
    "alerts",
    "show 1",
    "forget",
)
BEGUN = ("unsave ", "note a")
FORGOTTEN = "forget, and yes"
# What proves that somebody was asked is another one each time.
_TOKEN = re.compile(r"(?<=confirm:)\S+")

Asked = tuple[Actor, str]


def _lines(own: Sequence[str]) -> st.SearchStrategy[str]:
    return st.sampled_from([*own, *SHARED, *TOLD, *BEGUN, FORGOTTEN])


ASKED = st.lists(st.tuples(st.sampled_from(EVERYBODY), _lines(OWN)), max_size=25)


@pytest.fixture(scope="module")
def stocked(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with two newsletters and a review; tests copy it."""
    path = tmp_path_factory.mktemp("stocked") / "store.db"
    for _ in filled_store(sqlite_template, path):
        pass
    return path


async def _told(stocked: Path, asked: Sequence[Asked], whom: Actor) -> list[str]:
    """Ask lines one by one of a bot over a store of its own; return all that one was told."""
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(stocked, Path(folder) / "store.db")
        with closing(Database(f"sqlite:///{path}")) as database:
            app, told = bot_over(database, FixedClock()), []
            for actor, line in (*asked, *((whom, line) for line in (*TOLD, *BEGUN))):
                if line == FORGOTTEN:
                    rows = (await answered(app, "forget", actor)).blocks
                    delete = [each.buttons[-1] for each in rows if isinstance(each, Actions)]
                    for button in delete:
                        await answered(app, button.command, actor, PRESSED)
                    continue
                if line in BEGUN:
                    words = "\n".join(str(each) for each in await app.complete(line, actor))
                else:
                    words = _TOKEN.sub("", plain_text(await answered(app, line, actor)))
                if actor == whom:
                    told.append(words)
            return told


def _who(actor: Actor) -> tuple[str, str]:
    """Return who somebody is: Slack's ids are a workspace's, Discord's are one person's in all."""
    return actor.workspace if actor.platform == "slack" else actor.platform, actor.user


def _without_a_trace(actor: Actor, line: str, whom: Actor) -> bool:
    """Tell whether what somebody asks must not change what another is told."""
    if _who(actor) == _who(whom):
        return False
    if (actor.platform, actor.workspace) != (whom.platform, whom.workspace):
        # Who is known in all servers takes votes from each with all else.
        return line != FORGOTTEN or actor.home is None
    return line not in (*SHARED, FORGOTTEN)


@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.too_slow])
@given(asked=ASKED, whom=st.sampled_from(EVERYBODY))
@example(asked=[(BOB, "save 2"), (BOB, "saved"), (BOB, SHARED[0])], whom=ANN)
def test_nobody_is_told_of_another(stocked: Path, asked: list[Asked], whom: Actor) -> None:
    """Lists, notes, briefs and what was seen are one person's; votes and settings a workspace's."""
    alone = [each for each in asked if not _without_a_trace(*each, whom)]
    together, by_oneself = (asyncio.run(_told(stocked, lines, whom)) for lines in (asked, alone))
    assert together == by_oneself
