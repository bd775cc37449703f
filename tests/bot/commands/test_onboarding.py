"""The welcome: sent once, with command strings to type, at no cost to other users."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import Engine, event

from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.onboarding import Onboarding
from bot.commands.parser import parse
from bot.errors import NotAllowed
from bot.replies.blocks import Level, Notice, Reply, Text
from bot.replies.plain_text import plain_text
from store.database import Database
from store.records import Workspace
from tests.bot.conftest import FixedClock
from tests.bot.member_channels import bot_over, rooms

ANSWER = Reply((Text("Words."),), command="latest")
READER = Actor("slack", "T1", "U1", Role.READER, channel="C1", channels=rooms())
MANAGER = replace(READER, user="U2", role=Role.MANAGER)
IN_DISCORD = Actor(
    "discord", "1", "5", Role.MANAGER, channel="3", by_name=True, channels=rooms(),
    home="@5",
)  # fmt: skip
OPERATOR = Actor("terminal", "terminal", "operator", Role.OPERATOR)


async def said(onboarding: Onboarding, actor: Actor) -> list[str]:
    """Return the lines of a welcome."""
    news = await onboarding.welcome(actor, COMMANDS)
    return [line for line in plain_text(news.reply).splitlines() if line] if news else []


@pytest.mark.parametrize(
    ("actor", "useful", "last"),
    [
        (READER, "/papers latest · /papers search mixture of experts", "a manager types"),
        (replace(IN_DISCORD, role=Role.READER), "/papers search query:mixture", "/papers channel"),
        (OPERATOR, "Most useful: latest · search mixture of experts", "save 3 keeps paper 3"),
    ],
)
async def test_a_person_is_told_three_lines_as_they_would_type_them(
    database: Database, actor: Actor, useful: str, last: str
) -> None:
    """The purpose, useful commands, how papers are saved and posts are had."""
    lines = await said(Onboarding(database, FixedClock()), actor)
    assert len(lines) == 3
    assert lines[0].startswith("Broadsheet has the top AI papers of each week.")
    assert useful in lines[1]
    assert last in lines[2]


async def test_answers_that_come_together_look_once_for_who_is_new(database: Database) -> None:
    """Those that were given before the first has appeared write nothing more."""
    onboarding, sent, commits = Onboarding(database, FixedClock()), list[Reply](), list[object]()

    async def send(welcome: Reply) -> None:
        sent.append(welcome)

    note = commits.append
    event.listen(Engine, "commit", note)
    follow = partial(onboarding.follow, ANSWER, READER, COMMANDS, send, 0.01)
    await asyncio.gather(*(follow() for _ in range(5)))
    event.remove(Engine, "commit", note)
    assert (len(sent), len(commits)) == (1, 1)


async def test_every_line_that_is_named_can_be_typed(database: Database) -> None:
    """Nothing is spoken of that is no command."""
    lines = await said(Onboarding(database, FixedClock()), OPERATOR)
    for typed in lines[1].removeprefix("Most useful: ").split(" · "):
        assert parse(typed, COMMANDS).command.name == typed.split()[0]


async def test_a_workspace_is_explained_to_the_first_manager_who_asks(database: Database) -> None:
    """Four lines in all, once; readers are not told of it, and direct messages are none."""
    onboarding = Onboarding(database, FixedClock())
    assert len(await said(onboarding, READER)) == 3
    assert [line.split(":")[0] for line in await said(onboarding, MANAGER)] == [
        "Broadsheet has the top AI papers of each week. Only you see its answers.",
        "Most useful",
        "A manager can have each week's edition posted in a channel",
        "/papers settings shows what is settled here, /papers help all commands.",
    ]
    assert len(await said(onboarding, replace(MANAGER, user="U3"))) == 3
    direct = replace(IN_DISCORD, workspace="@5")
    assert len(await said(onboarding, direct)) == 3
    assert (await said(onboarding, IN_DISCORD))[0] == "New in this server"


async def test_what_is_told_is_told_once_over_all_processes(database: Database) -> None:
    """A person who asks here and there at the same moment is told in one place."""
    processes = [Onboarding(database, FixedClock()) for _ in range(4)]
    told = await asyncio.gather(*(each.welcome(MANAGER, COMMANDS) for each in processes))
    assert sum(each is not None for each in told) == 1


async def test_whoever_was_told_costs_no_query(database: Database) -> None:
    """They are remembered, as many as there is room for."""
    onboarding = Onboarding(database, FixedClock(), size=2)
    first, *others = (replace(READER, user=f"U{number}") for number in range(3))
    assert onboarding.may_follow(ANSWER, first)
    await onboarding.welcome(first, COMMANDS)
    assert not onboarding.may_follow(ANSWER, first)
    for other in others:
        await onboarding.welcome(other, COMMANDS)
    assert onboarding.may_follow(ANSWER, first)
    assert await said(onboarding, first) == []


async def test_nothing_follows_what_is_no_answer(database: Database) -> None:
    """An error, a silent answer, and the end of all that is stored are left alone."""
    onboarding = Onboarding(database, FixedClock())
    error = Reply((Notice(Level.ERROR, "No."),), failed=True)
    for reply in (error, replace(ANSWER, quiet=True), replace(ANSWER, command="forget")):
        assert not onboarding.may_follow(reply, READER)
    assert onboarding.may_follow(ANSWER, READER)


async def test_where_the_store_is_away_it_is_tried_with_the_next_answer() -> None:
    """No user is welcomed, and none counts as welcomed."""
    database = Database("postgresql+psycopg://nobody@127.0.0.1:9/none")  # nobody listens there
    onboarding = Onboarding(database, FixedClock())
    assert await onboarding.welcome(READER, COMMANDS) is None
    assert onboarding.may_follow(ANSWER, READER)
    database.close()


async def test_a_workspace_that_could_not_be_told_is_told_by_whoever_asks(
    database: Database,
) -> None:
    """A workspace is welcomed once; if that fails, its first manager is."""
    onboarding, sent = Onboarding(database, FixedClock()), []

    async def send(*, taken: bool = True) -> bool:
        sent.append(taken)
        return taken

    workspace = Workspace("slack", "T1")
    await onboarding.welcome_workspace(workspace, lambda: send(taken=False))
    assert any("/papers settings" in line for line in await said(onboarding, MANAGER))
    await onboarding.welcome_workspace(workspace, send)
    assert sent == [False]


async def test_whoever_could_not_be_told_is_told_below_the_next_answer(database: Database) -> None:
    """A welcome that could not be sent follows later, for a person and a workspace."""
    onboarding = Onboarding(database, FixedClock())
    lost = await onboarding.welcome(MANAGER, COMMANDS)
    assert lost is not None
    await onboarding.undo(lost, NotAllowed("No."))
    assert onboarding.may_follow(ANSWER, MANAGER)
    again = await onboarding.welcome(MANAGER, COMMANDS)
    assert again == lost
    assert await said(onboarding, replace(MANAGER, user="U3")) != []
    known = await onboarding.welcome(replace(MANAGER, user="U4"), COMMANDS)
    assert known is not None
    await onboarding.undo(known, NotAllowed("No."))
    assert len(await said(onboarding, replace(MANAGER, user="U5"))) == 3


async def test_a_welcome_that_is_refused_twice_waits_an_hour(database: Database) -> None:
    """Where a platform takes no welcome, an answer does not cost an attempt each time."""
    now = 0.0
    onboarding = Onboarding(database, FixedClock(), seconds=lambda: now)
    for _ in range(2):
        assert onboarding.may_follow(ANSWER, READER)
        lost = await onboarding.welcome(READER, COMMANDS)
        assert lost is not None
        await onboarding.undo(lost, NotAllowed("No."))
    now = 3599.0
    assert not onboarding.may_follow(ANSWER, READER)
    now = 3601.0
    assert onboarding.may_follow(ANSWER, READER)
    assert len(await said(onboarding, READER)) == 3


async def test_the_answer_itself_has_nothing_of_it(filled: Database) -> None:
    """The shared or stored answer has no welcome in it."""
    app: Broadsheet = bot_over(filled, FixedClock())
    assert "Most useful" not in plain_text(await app.run_text("latest", READER))
