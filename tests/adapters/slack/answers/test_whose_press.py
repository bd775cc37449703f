"""Whose press it is: what another shared is asked about before it changes anything."""

from store.database import Database
from tests.adapters.slack.connected_bot import running
from tests.fakes.slack import FakeSlack, Message

ASKED = "Somebody else wrote this."


async def _shared(slack: FakeSlack, line: str) -> Message:
    """Share an answer of U1 with the channel, and return it as everybody sees it."""
    await slack.click(await slack.ask(line), "Share")
    [shared] = await slack.settled(lambda: slack.seen("U2"))
    return shared


async def test_another_is_asked_before_a_shared_button_changes_anything(
    stocked: Database,
) -> None:
    """The question shows the whole command to that user alone; the shared answer stays."""
    async with FakeSlack() as slack, running(stocked, slack):
        shared = await _shared(slack, "show 1")
        for label, done in (("Save", "On your list"), ("Vote", "You voted for")):
            before = len(slack.seen("U2"))
            await slack.click(shared, label, user="U2")
            question = (await slack.settled(lambda: slack.seen("U2")[before:]))[0]  # noqa: B023
            assert question.ephemeral_for == "U2"
            assert ASKED in question.text
            assert f"/papers {label.lower()} dair:2026-01-05#1" in question.text
            await slack.click(question, label, user="U2")
            answer = (await slack.settled(lambda: slack.seen("U2")[before + 1 :]))[0]  # noqa: B023
            assert done in answer.text
        assert slack.seen("U1") == [shared]
        assert not shared.edited


async def test_a_menu_of_a_shared_list_asks_too(stocked: Database) -> None:
    """An option is a button like any other."""
    async with FakeSlack() as slack, running(stocked, slack):
        shared = await _shared(slack, "latest")
        await slack.click(shared, "Save 1", user="U2")
        question = (await slack.settled(lambda: slack.seen("U2")[1:]))[0]
        assert "/papers save dair:2026-01-05#1" in question.text


async def test_who_shared_an_answer_is_not_asked(stocked: Database) -> None:
    """It is the user's own line still."""
    async with FakeSlack() as slack, running(stocked, slack):
        shared = await _shared(slack, "show 1")
        await slack.click(shared, "Save", user="U1")
        answer = (await slack.settled(lambda: slack.seen("U1")[1:]))[0]
        assert "On your list" in answer.text


async def test_a_look_at_a_shared_answer_asks_nothing(stocked: Database) -> None:
    """What only shows something is answered at once."""
    async with FakeSlack() as slack, running(stocked, slack):
        shared = await _shared(slack, "latest")
        await slack.click(shared, "Details 1", user="U2")
        answer = (await slack.settled(lambda: slack.seen("U2")[1:]))[0]
        assert "Sparse Attention" in answer.text
        assert ASKED not in answer.text
