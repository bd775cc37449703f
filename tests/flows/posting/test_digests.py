"""The installed program posts personal digests to direct messages: what the reader has not seen."""

import json
from pathlib import Path
from typing import Any

from tests.flows.posting.chats import Chats, both_chats, import_week, offset
from tests.flows.posting.slack_bot import WEEK, until
from tests.flows.program import Program

_HEAD = "Your papers, Mon Jan 12"


def _digests(chats: Chats) -> tuple[list[str], list[str]]:
    """Return the digests in the direct messages of a person in Slack, and of one in Discord."""
    slack = [each.text for each in chats.slack.seen("U1", "D1") if _HEAD in each.text]
    discord = ["\n".join(each.texts) for each in chats.ann.dm.messages]
    return slack, [each for each in discord if _HEAD in each]


def _deliveries(program: Program) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(program("deliveries", "list", "--json").out)
    return listed


async def test_a_reader_gets_what_they_have_not_seen(tmp_path: Path, sqlite_url: str) -> None:
    """Due by an offset clock, the digest has all papers but the one opened before, once.

    What it listed is seen: asked for again at once there is nothing left.
    """
    program, log = Program(tmp_path, sqlite_url), tmp_path / "run.log"
    import_week(program, WEEK, BROADSHEET_CLOCK_OFFSET=offset(60))
    async with both_chats() as chats:
        before = {"BROADSHEET_CLOCK_OFFSET": offset(60)}
        async with program.serving(log, **chats.settings, **before):
            await chats.connected()
            answer = await chats.slack.ask("subscribe UTC", channel="D1")
            assert "gets a digest of what you have not seen every Monday at 09:00" in answer.text
            assert "what you have not seen of all sources · at most 10 papers" in answer.text
            told = await chats.ann.asks(chats.ann.dm, "channel subscribe", zone="UTC")
            assert "Would list 3 papers that you have not seen" in "\n".join(told.message.texts)
            await chats.slack.ask("show 2026-01-05#2", channel="D1")

        async with program.serving(log, **chats.settings, BROADSHEET_CLOCK_OFFSET=offset(-5)):
            await chats.connected()
            await until(lambda: all(_digests(chats)))
            again = await chats.slack.ask("deliver", channel="D1")
            assert "There is no paper of the last weeks that you have not seen." in again.text
        slack, discord = _digests(chats)
        assert (len(slack), len(discord)) == (1, 1)
        assert "because you opened Invented Paper 2" in slack[0]
        assert ". Invented Paper 2" not in slack[0]
        assert all(f"Invented Paper {rank}" in slack[0] for rank in (1, 3))
        assert all(f"Invented Paper {rank}" in discord[0] for rank in (1, 2, 3))
    facts = [(each["kind"], each["state"], each["first_day"]) for each in _deliveries(program)]
    assert facts == [("digest", "sent", None)] * 2
    orders = json.loads(program("subscriptions", "list", "--json").out)
    assert [each["workspace"] for each in orders] == ["T1", None]
