"""Posts that an older version sent, as `tests/data/older_posts` keeps them and their store.

They were sent before titles led to papers, and have a button `Details` for each.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from store.database import Database
from store.migrations import upgrade
from tests.bot.ingest.drafts import edition, entry
from tests.fakes.discord import Channel as Room
from tests.fakes.discord.records import Guild
from tests.fakes.discord.records import Message as DiscordMessage
from tests.fakes.slack import Message as SlackMessage
from tests.flows.posting.chats import Chats, both_chats, import_week, offset
from tests.flows.posting.slack_bot import until
from tests.flows.program import Program

_DATA = Path(__file__).parents[2] / "data" / "older_posts"
_GUILD, _ROOM = "1575335199460294658", 1575335199460294660
_NAMES = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa")
_PAPERS = [
    entry(
        rank,
        f"{name} Paper",
        f"It does thing {rank} with {name.lower()} models.",
        links=[f"https://example.org/{name.lower()}"],
    )
    for rank, name in enumerate(_NAMES, start=1)
]
# The second was `Beta Papr`, and did a thing like the others.
_MENDED = replace(_PAPERS[1], summary="It does another thing.")
_WEEK = edition(
    _PAPERS[0], _MENDED, *_PAPERS[2:], title="The Top AI Papers of the Week (January 5-11)"
)


@dataclass
class _Posts:
    """The messages of the older version: a list, three cards, and a thread of a list and two."""

    slack: list[SlackMessage]
    discord: list[DiscordMessage]

    def texts(self) -> list[str]:
        """Return what each shows, Slack's first."""
        there = [json.dumps(each.blocks, ensure_ascii=False) for each in self.slack]
        return [*there, *(each.text for each in self.discord)]


@asynccontextmanager
async def _older_posts(folder: Path) -> AsyncIterator[tuple[Chats, Program, _Posts]]:
    """Run the program on the older store, an hour after it posted, until the block ends."""
    program = Program(folder, f"sqlite:///{folder}/store.db")
    async with Database(program.database_url) as store:
        await store.run(upgrade.upgrade)
    async with both_chats() as chats:
        guild = chats.room.guild
        assert guild
        with closing(sqlite3.connect(folder / "store.db")) as rows:
            rows.executescript((_DATA / "store.sql").read_text().replace(_GUILD, str(guild.id)))
        posts, at = _restored(chats, guild), {"BROADSHEET_CLOCK_OFFSET": offset(-3600)}
        async with program.serving(folder / "run.log", **chats.settings, **at):
            await chats.connected()
            yield chats, program, posts


def _restored(chats: Chats, guild: Guild) -> _Posts:
    """Return the messages, put where they were sent."""
    kept: dict[str, list[dict[str, Any]]] = json.loads((_DATA / "messages.json").read_text())
    team, discord, posts = chats.slack.teams["T1"], chats.discord, _Posts([], [])
    for each in kept["slack"]:
        there = SlackMessage(each["ts"], "T1", "C1", team.bot_user, team.bot_id)
        there.fill(each)
        there.thread_ts = each.get("thread_ts")
        posts.slack.append(there)
    team.channels["C1"].messages += posts.slack
    room = discord.store(Room(_ROOM, "text", "papers", guild))
    for each in kept["discord"]:
        place = int(each["channel"])
        if place not in discord.channels:
            discord.store(Room(place, "thread", "week", guild, room, owner_id=discord.bot.id))
        here = DiscordMessage(int(each["id"]), discord.channels[place], discord.bot)
        here.fill(each)
        here.channel.messages.append(here)
        posts.discord.append(here)
    return posts


async def _press_in_slack(chats: Chats, posts: list[SlackMessage]) -> None:
    """Press a button of each kind; who does is answered alone, a vote without words."""
    slack, (listed, full, *_, threaded) = chats.slack, posts
    await slack.click(listed, "Details 3")
    await slack.click(full, "Whole edition")
    await slack.click(threaded, "Save")
    await slack.choose(listed, "Vote for a paper", "10. Kappa Paper")
    await slack.click(full, "Vote for Gamma Paper")
    await slack.settled(lambda: len(_private(chats)) == 3)
    told = "\n".join(_private(chats))
    for words in ("It does thing 3 with gamma", "Delta Paper", "On your list: Beta Papr"):
        assert words in told


def _private(chats: Chats) -> list[str]:
    """Return what U1 alone was told in Slack."""
    return [each.text for each in chats.slack.seen("U1") if each.ephemeral_for == "U1"]


async def _press_in_discord(chats: Chats, posts: list[DiscordMessage]) -> None:
    """Press the same there."""
    ann, (listed, full, *_, threaded) = chats.ann, posts
    for post, label, words in (
        (listed, "Details 3 3", "It does thing 3 with gamma"),
        (full, "Whole edition", "Delta Paper"),
        (threaded, "Save", "On your list: Beta Papr"),
    ):
        told = (await (await ann.presses(post, label)).answered()).message
        assert told.ephemeral_for is ann.user
        assert words in told.text
    votes = await ann.chooses(listed, "vote dair:2026-01-05#10"), await ann.presses(full, "Vote")
    assert [each.error for each in votes] == [None, None]


async def test_buttons_of_older_posts_answer(tmp_path: Path) -> None:
    """Each does what it did, and votes show in the post, beside those that were cast before."""
    async with _older_posts(tmp_path) as (chats, _, posts):
        await _press_in_slack(chats, posts.slack)
        await _press_in_discord(chats, posts.discord)
        listed, full, *_ = posts.slack
        await until(lambda: listed.text.count("1 vote") == 3)
        await until(lambda: full.buttons.count("Vote (1)") == 2)
        listed_there, full_there, *_ = posts.discord
        await until(lambda: listed_there.text.count("1 vote") == 2)
        await until(lambda: "Vote (1)" in full_there.buttons)
        assert chats.slack.seen("U2") == posts.slack


async def test_a_correction_edits_older_posts_where_they_stand(tmp_path: Path) -> None:
    """Each shows the mended title and all its papers; votes of before count; none is sent anew."""
    async with _older_posts(tmp_path) as (chats, program, posts):
        before = posts.texts()
        await asyncio.to_thread(import_week, program, _WEEK)
        await until(lambda: all(each.edited for each in posts.slack))
        await until(lambda: all(each.edited for each in posts.discord))
    for old, new in zip(before, posts.texts(), strict=True):
        assert [name in new for name in _NAMES] == [name in old for name in _NAMES]
        assert ("Beta Paper" in new, "Beta Papr" in new) == ("Beta Papr" in old, False)
    assert "It does another thing · 1 vote" in posts.slack[0].text
    edited = {each.arguments["ts"] for each in chats.slack.calls("chat.update")}
    assert edited == {each.ts for each in posts.slack}
    edits = chats.discord.calls("PATCH /channels/{channel_id}/messages/{message_id}")
    assert {each.number("message_id") for each in edits} == {each.id for each in posts.discord}
    assert (chats.slack.seen("U2"), chats.discord.sent()) == (posts.slack, posts.discord)
