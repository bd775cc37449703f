"""The installed program as an agent: what it sends by itself is a thread with a title."""

from pathlib import Path

from tests.flows.posting.chats import both_chats, import_week
from tests.flows.posting.test_alerts import AT, MAMBA
from tests.flows.program import Program


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
