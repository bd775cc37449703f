"""Replies on every platform: the same command gives the same facts."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    asynccontextmanager,
    closing,
    contextmanager,
)
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from adapters.platform import find_platforms
from bot.actor import Actor, Role
from bot.commands.handlers import COMMANDS
from bot.commands.handlers.alerts import ALERT, ALERTS, UNALERT
from bot.commands.handlers.help import HELP
from bot.commands.handlers.settings import SETTINGS
from bot.commands.handlers.status import STATUS
from bot.commands.parser import read_head
from bot.commands.types import PRESSED, TYPED, Group, LineOrigin
from bot.commands.unknown_command import find_command
from bot.replies.blocks import Reply
from bot.replies.paper_actions import as_shared
from store.database import Database
from store.maintenance.backup import backup
from tests.adapters.common.services import services_over
from tests.bot.conftest import answered
from tests.contracts.command_strings import EXAMPLES, MORE, NEAREST, OF_ONE, REFUSED, WRONG
from tests.contracts.driver import ChatDriver, KnownChannels, differences, ways_at
from tests.contracts.facts import Fact, Facts, Shown, Way, facts_of, is_called, seen
from tests.contracts.stages.discord_driver import in_discord
from tests.contracts.stages.slack_driver import in_slack
from tests.contracts.stages.terminal_driver import in_terminal

Opens = Callable[[Database], AbstractAsyncContextManager[ChatDriver]]
DRIVERS: dict[str, Opens] = {
    "terminal": in_terminal,
    "slack": in_slack,
    "discord": in_discord,
}

# What they say depends on where they are asked.
_HERE = (HELP, STATUS, ALERT, ALERTS, UNALERT)
# What they say depends on the role of the user.
_BY_ROLE = ("help", "help settings", "status", "settings", "subscriptions", "subscribe", "latest")
_NUMBERED = re.compile(r"(?:show|save|unsave|read|unread|note|vote|related) \d(?!\d)")
_REF = re.compile(r"[a-z]+:([0-9-]+#[0-9]+|E[0-9]+)")
_NAMED = re.compile(r"\b[a-z]+(?=:)")
_KEYS = {"source": "from", "channel": "in"}


class Asked:
    """A driver and the bot itself, given the same commands in the same order.

    What the bot answers is the measure: to an asker from nowhere, since no platform may matter
    but by how arguments are given there; commands about channels know where it is. It has a store
    of its own, so that what is numbered has the same numbers at both. `last` is what it answered.

    Args:
        driver: the driver of the platform.
        own: the bot's own store, with the same content as the driver's.
    """

    def __init__(self, driver: ChatDriver, own: Database) -> None:
        self.driver = driver
        self.last = Reply(())
        self._app = services_over(own).app

    async def ask(self, line: str, role: Role = Role.MANAGER) -> tuple[Facts, Shown]:
        """Type a line in the driver; return the expected facts and the shown reply."""
        if _NUMBERED.match(line):  # of the same list for everybody who asks
            await self.driver.ask("latest", role)
            for actor in (_asker(line, self.driver, role), self.driver.actor(role)):
                await answered(self._app, "latest", actor)
        self.last = reply = await self._reply(line, role)
        return self._measured(line, reply, await self.driver.ask(line, role))

    async def press(self, way: Way) -> tuple[Facts, Shown]:
        """Press a button in the driver, and compare the reply with its command's."""
        line = way.command or ""
        reply = await self._reply(line, Role.MANAGER, PRESSED)
        return self._measured(line, reply, await self.driver.press(way.label or ""))

    async def _reply(self, line: str, role: Role, origin: LineOrigin = TYPED) -> Reply:
        # What is asked of channels shows what counts there and what was read.
        if line.startswith(("vote ", "read ", "unread ")):
            await answered(self._app, line, self.driver.actor(role), origin)
        return await answered(self._app, line, _asker(line, self.driver, role), origin)

    def _measured(self, line: str, reply: Reply, shown: Shown) -> tuple[Facts, Shown]:
        facts = facts_of(reply)
        assert differences(self.driver, facts, shown) == [], (self.driver.name, line)
        assert shown.own == self.driver.own_ways(reply), line
        return facts, shown


@pytest.fixture(params=["terminal", *find_platforms()])
def opens(request: pytest.FixtureRequest) -> Opens:
    """Return the function that opens each driver."""
    return _door_of(request.param)


@pytest.fixture(params=find_platforms())
def opens_chat(request: pytest.FixtureRequest) -> Opens:
    """Return the function that opens the driver of each chat platform."""
    return _door_of(request.param)


def _door_of(name: str) -> Opens:
    remedy = "write one in tests/contracts, so that it is held to what all others do"
    assert name in DRIVERS, f"{name} has no driver here: {remedy}"
    return DRIVERS[name]


@asynccontextmanager
async def asked_at(opens: Opens, database: Database) -> AsyncIterator[Asked]:
    """Open a driver over a store."""
    with copied(database) as own:
        async with opens(database) as driver:
            yield Asked(driver, own)


@contextmanager
def copied(database: Database) -> Iterator[Database]:
    """Give a store that holds the same, for as long as the block lasts."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "copy.db"
        backup(database.engine, path)
        with closing(Database(f"sqlite:///{path}")) as copy:
            yield copy


async def test_the_same_command_gives_a_reader_the_same_facts(
    stocked: Database, opens_chat: Opens
) -> None:
    """The words, dates, links and buttons of a reply are all shown, and nothing else."""
    async with asked_at(opens_chat, stocked) as asked:
        for line in _BY_ROLE:
            if _may_ask(asked.driver, line, Role.READER):
                await asked.ask(line, Role.READER)


async def test_help_alone_depends_on_how_arguments_are_given(stocked: Database) -> None:
    """Named options appear in help, usage and errors; everything else is the same."""
    asker = Actor(
        "nowhere", "elsewhere", "somebody", Role.MANAGER,
        channel="there", channels=KnownChannels("there", "general"),
    )  # fmt: skip
    namer = replace(asker, by_name=True)
    with copied(stocked) as another:
        in_words, by_name = services_over(stocked).app, services_over(another).app
        for line in (*EXAMPLES, *MORE, *WRONG):
            one = facts_of(await answered(in_words, line, asker))
            other = facts_of(await answered(by_name, line, namer))
            told, named = ([word for word in each.words if _is_fact(word)] for each in (one, other))
            assert [way.command for way in one.ways] == [way.command for way in other.ways], line
            assert told == [_as_typed(word) for word in named] or line.startswith("help"), line


@pytest.mark.parametrize("line", NEAREST)
async def test_bad_input_gets_the_same_nearest_right_things(
    stocked: Database, opens: Opens, line: str
) -> None:
    """Errors have the same sentence and suggestions on every platform."""
    async with asked_at(opens, stocked) as asked:
        if asked.driver.can_type(line):
            _, shown = await asked.ask(line)
            sentence, nearest = NEAREST[line]
            assert seen(sentence) in shown.words
            assert [way.command for way in shown.ways] == nearest


async def test_a_button_gives_what_its_command_gives(stocked: Database, opens: Opens) -> None:
    """Each button, option or numbered choice is its command typed, whichever part it stands in.

    Each command that is typed gives a manager the same facts, too.
    Of those of one kind, such as each paper's, the last in the answers of a command is pressed.
    """
    pressed: set[str | None] = set()
    kinds: set[tuple[object, ...]] = set()
    async with asked_at(opens, stocked) as asked:
        for line in filter(asked.driver.can_type, (*EXAMPLES, *MORE, *WRONG)):
            facts, shown = await asked.ask(line)
            ways = _named(_unlike(ways_at(asked.driver, facts)), shown)
            there = (line.partition(" ")[0], shown.parts > 1, asked.last.failed)
            of_kinds = {(*there, *_kind(way)): way for way in ways if way.command not in pressed}
            new = [way.label for kind, way in of_kinds.items() if kind not in kinds]
            kinds |= of_kinds.keys()
            for number, label in enumerate(new):
                if number:
                    facts, shown = await asked.ask(line)
                    # Chance may have picked another paper, which has other buttons.
                    ways = _named(_unlike(ways_at(asked.driver, facts)), shown)
                for way in [way for way in ways if way.label == label]:
                    pressed.add(way.command)
                    if not _is_exempt(way):
                        await asked.press(way)


def _kind(way: Way) -> tuple[object, ...]:
    """Return the command of a button and the names of its arguments."""
    name, _, arguments = _REF.sub("", way.command or "").partition(" ")
    return (name, *sorted(_NAMED.findall(arguments)), way.form)


def _is_exempt(way: Way) -> bool:
    """Tell whether a button gives each person something else, or opens a sheet.

    That is submitted as it opens to change nothing, where its command tells how all stands. One
    that opens empty is sent back.
    """
    if way.command == ALERT.name:
        return True
    name = (way.command or "").partition(" ")[0]
    return name in OF_ONE or (
        way.form is True
        and not (command := find_command(name, COMMANDS)).of_place
        and command.form.fields is not None
    )


async def test_a_form_submitted_as_it_opens_is_its_command(
    stocked: Database, opens_chat: Opens
) -> None:
    """The form holds all that its button's line says, what it does not ask for too."""
    async with asked_at(opens_chat, stocked) as asked:
        for line in ("subscriptions", "subscribe tuesday not:agents size:3", "subscriptions"):
            facts, _ = await asked.ask(line)
            forms = [way for way in facts.ways if way.form]
            assert forms, line
            for way in forms:
                await asked.ask(line)
                await asked.press(way)


@pytest.mark.parametrize("line", ["week 2025-W44", "show other:2025-10-27#2", "brief 30"])
async def test_a_long_answer_is_whole_over_its_parts(
    stocked: Database, opens_chat: Opens, line: str
) -> None:
    """A reply too long for one message has several parts, linked by buttons."""
    async with asked_at(opens_chat, stocked) as asked:
        _, shown = await asked.ask(line)
        assert shown.parts > 1


async def test_what_is_shared_says_the_same(stocked: Database, opens_chat: Opens) -> None:
    """A shared reply has the same facts, without the Share button."""
    async with asked_at(opens_chat, stocked) as asked:
        for line in ("latest", "show 3", "search rewards", "sources"):
            await asked.ask(line)
            shared = await asked.driver.press("Share")
            assert differences(asked.driver, facts_of(as_shared(asked.last)), shared) == [], line
            assert "Share" not in shared.own, line


async def test_a_change_shows_and_is_undone(stocked: Database, opens_chat: Opens) -> None:
    """Settings are shown in the same words, before and after each change."""
    async with asked_at(opens_chat, stocked) as asked:
        before, _ = await asked.ask("settings zone")
        _, shown = await asked.ask("settings zone Asia/Tokyo")
        assert seen("zone: not set → Asia/Tokyo") in shown.words
        settled, _ = await asked.ask("settings zone")
        assert settled != before
        changed, _ = await asked.ask("settings zone UTC")
        await asked.press(*changed.ways)
        assert (await asked.ask("settings zone"))[0] == settled


@pytest.mark.parametrize(
    ("change", "shows"),
    [("settings zone Asia/Tokyo", "settings zone"), ("subscribe tuesday", "subscriptions")],
)
async def test_what_comes_twice_changes_once(
    stocked: Database, opens_chat: Opens, change: str, shows: str
) -> None:
    """A repeated request does not undo later changes."""
    async with asked_at(opens_chat, stocked) as asked:
        before, _ = await asked.ask(shows)
        changed, _ = await asked.ask(change)
        await asked.press(next(way for way in changed.ways if way.label == "Undo"))
        await asked.driver.repeat()
        assert (await asked.ask(shows))[0] == before


async def test_what_is_for_managers_is_refused_to_readers(
    stocked: Database, opens_chat: Opens
) -> None:
    """Typed or chosen from a menu, it says for whom it is."""
    async with opens_chat(stocked) as driver:
        for line in SETTINGS.examples:
            shown = await driver.ask(line, Role.READER)
            assert seen(REFUSED) in shown.words
            assert shown.own == frozenset()


def _may_ask(driver: ChatDriver, line: str, role: Role) -> bool:
    """Tell whether somebody in this role is there, can type a line, and may."""
    head = read_head(line, COMMANDS)
    needed = head.command.role if head.command else Role.READER
    return role in driver.roles and role >= needed and driver.can_type(line)


def _is_fact(word: Fact) -> bool:
    return not isinstance(word, str) or not word.startswith("Usage:")


def _as_typed(word: Fact) -> Fact:
    """Return an error about an argument as it is where the argument is not called by its name."""
    if not isinstance(word, str):
        return word
    return re.sub("^(source|channel):", lambda found: _KEYS[found[1]] + ":", word)


def _unlike(ways: Sequence[Way]) -> list[Way]:
    """Return the ways whose labels no two share: with others it takes an eye for the place."""
    counts = Counter(way.label for way in ways)
    return [way for way in ways if counts[way.label] == 1]


def _named(ways: Sequence[Way], shown: Shown) -> list[Way]:
    """Return the ways that a platform shows with a label that tells them from others."""
    labels = [way.label for way in shown.ways if way.label]
    return [way for way in ways if any(is_called(label, way.label or "") for label in labels)]


def _asker(line: str, driver: ChatDriver, role: Role) -> Actor:
    """Return who asks the bot itself."""
    command, like = read_head(line, COMMANDS).command, driver.actor(role)
    if command and (command.group is Group.CHANNEL or command in _HERE):
        return like
    there = like.channel and "there"
    return Actor(
        "nowhere",
        "elsewhere",
        "somebody",
        role,
        channel=there,
        channels=like.channels,  # what is told later needs direct messages
        by_name=like.by_name,
        page_size=like.page_size,
    )
