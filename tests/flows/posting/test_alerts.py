"""The installed program tells people of new papers, in direct messages on both platforms."""

import json
from pathlib import Path
from typing import Any

from store.database import Database
from store.library.new_entries import any_to_match
from tests.bot.ingest.drafts import edition, entry
from tests.flows.posting.chats import Chats, both_chats, import_week, offset
from tests.flows.posting.slack_bot import until
from tests.flows.program import Program

MAMBA = edition(
    entry(1, "Selective Mamba Layers", "Mamba layers select what they keep."),
    entry(2, "Plain Transformers", "Attention is enough here."),
    title="The Top AI Papers of the Week (January 5-11)",
)
AT = {"BROADSHEET_CLOCK_OFFSET": offset(-5)}


def _texts(chats: Chats, words: str) -> tuple[list[str], list[str]]:
    """Return the direct messages with some words to a person in Slack, and in Discord."""
    slack = [each.text for each in chats.slack.seen("U1", "D1") if words in each.text]
    discord = ["\n".join(each.texts) for each in chats.ann.dm.messages]
    return slack, [each for each in discord if words in each]


async def _is_matched(url: str) -> bool:
    """Tell whether alerts were matched against all that was imported."""
    async with Database(url) as store:
        return not await store.read(any_to_match)


def _deliveries(program: Program) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(program("deliveries", "list", "--json").out)
    return listed


async def test_a_new_paper_is_told_once(tmp_path: Path, sqlite_url: str) -> None:
    """Asked for in a direct message, an edition with such a paper comes: one message, the reason.

    The same edition again, and the paper in another source, tell nothing more.
    """
    program = Program(tmp_path, sqlite_url)
    async with (
        both_chats() as chats,
        program.serving(tmp_path / "run.log", **chats.settings, **AT),
    ):
        await chats.connected()
        answer = await chats.slack.ask("alert mamba", channel="D1")
        assert (
            "Alert 1: You get a direct message for each new paper that matches mamba."
            in answer.text
        )
        told = await chats.ann.asks(chats.ann.dm, "list alert", words="mamba -attention")
        assert "Alert 2" in "\n".join(told.message.texts)

        import_week(program, MAMBA, **AT)
        await until(lambda: all(_texts(chats, "Selective Mamba Layers")))
        slack, discord = _texts(chats, "Selective Mamba Layers")
        assert (len(slack), len(discord)) == (1, 1)
        assert "1 new paper for your alert: mamba" in slack[0]
        assert "matches mamba" in slack[0]
        assert "Plain Transformers" not in slack[0]
        assert "for your alert: mamba -attention" in discord[0]

        import_week(program, MAMBA, **AT)
        ran = program("import", "dair.txt", "--source", "elsewhere", **AT)
        assert ran.code == 0, ran.err
        await until(lambda: _is_matched(sqlite_url))
        assert [len(each) for each in _texts(chats, "Selective Mamba Layers")] == [1, 1]
    listed = _deliveries(program)
    assert [(each["kind"], each["state"], each["source"]) for each in listed] == [
        ("alert", "sent", None)
    ] * 2
    assert [each["workspace"] for each in listed] == ["T1", None]


async def test_an_alert_is_a_thread_in_which_its_papers_are_spoken_of(
    tmp_path: Path, sqlite_url: str
) -> None:
    """The thread of an order is named by it, that of an alert by its title; `1` is its paper."""
    program = Program(tmp_path, sqlite_url)
    async with both_chats() as chats:
        slack = chats.slack
        slack.become_agent()
        async with program.serving(tmp_path / "run.log", **chats.settings, **AT):
            await chats.connected()
            order = (await slack.direct_message("alert mamba")).sent
            assert order
            await slack.settled(lambda: slack.title_of(order) == "alert mamba")
            import_week(program, MAMBA, **AT)
            [told] = await slack.settled(
                lambda: [x for x in slack.seen("U1", "D1") if "for your alert" in x.text]
            )
            assert told.thread_ts is None
            await slack.settled(lambda: slack.title_of(told))
            assert slack.title_of(told) == "1 new paper for your alert: mamba"
            await slack.direct_message("1", thread_ts=told.ts)
            [answer] = await slack.settled(
                lambda: [x for x in slack.seen("U1", "D1") if x.bot_id and x.thread_ts == told.ts]
            )
            assert "Selective Mamba Layers" in answer.text
