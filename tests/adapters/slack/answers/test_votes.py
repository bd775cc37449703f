"""Votes in posts, which show the count in place, and in answers."""

from functools import partial

from store.database import Database
from tests.adapters.common.delivery_worker import sending, until
from tests.adapters.slack.connected_bot import many_variables, running, variables_for
from tests.fakes.slack import FakeSlack, Message, Refuse


def _posts(slack: FakeSlack, team: str = "T1") -> list[Message]:
    """Return what everybody sees in the channel of a workspace."""
    return [each for each in slack.seen("U2", team=team) if not each.ephemeral_for]


async def _posted(slack: FakeSlack, team: str = "T1", layout: str = "thread") -> list[Message]:
    """Have the newest edition of three papers posted in a thread, and return its messages."""
    for line in (f"subscribe UTC layout:{layout}", "deliver"):
        await slack.ask(line, team=team)
    count = 4 if layout == "thread" else 1
    await until(lambda: len(_posts(slack, team)) == count)
    return _posts(slack, team)


async def test_votes_pressed_in_a_post_show_in_it(stocked: Database, transport: str) -> None:
    """A vote by menu or button shows without a message, and a second one removes it."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport)) as (platform, _),
        sending(stocked, "slack", platform.channel_client),
    ):
        root, first, second, _third = await _posted(slack)
        before = {user: len(slack.seen(user)) for user in ("U1", "U2")}
        await slack.choose(root, "Vote for a paper", "1. Sparse Attention", "U1")
        await slack.click(first, "Vote", "U2")
        await until(lambda: "Vote (2)" in first.buttons and "2 votes" in root.text)
        assert {user: len(slack.seen(user)) for user in before} == before
        assert (root.edited, first.edited, second.edited) == (True, True, False)
        await slack.click(first, "Vote (2)", "U2")
        await until(lambda: "Vote (1)" in first.buttons and "1 vote" in root.text)


async def test_a_vote_in_an_answer_shows_there_and_in_the_post(stocked: Database) -> None:
    """The card takes its own place, with the vote, and who asks after that sees it too."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack) as (platform, _),
        sending(stocked, "slack", platform.channel_client),
    ):
        [post] = await _posted(slack, layout="compact")
        answer = await slack.ask("show 1")
        seen = len(slack.seen())
        await slack.click(answer, "Vote")
        await until(lambda: "Take back vote (1)" in answer.buttons)
        assert len(slack.seen()) == seen
        await until(lambda: "1 vote" in post.text)
        listed = await slack.ask("latest", user="U2")
        assert "1 vote" in listed.text
        told = await slack.ask("vote 1", user="U2")
        assert told.text.startswith("You voted for Sparse Attention: 2 votes here.")
        await until(lambda: "2 votes" in post.text)


async def test_workspaces_count_apart(stocked: Database) -> None:
    """Votes of one workspace show in no other, neither in answers nor in posts."""
    async with FakeSlack() as slack:
        slack.add_team("T2")
        async with (
            running(stocked, slack, many_variables(slack)) as (platform, url),
            sending(stocked, "slack", platform.channel_client),
        ):
            for team in ("T1", "T2"):
                await slack.install(url, team)
            [ours], [theirs] = [await _posted(slack, team, "compact") for team in ("T1", "T2")]
            await slack.choose(ours, "Vote for a paper", "1. Sparse Attention")
            await until(lambda: "1 vote" in ours.text)
            for line in ("latest", "show 1", "top 2026 by:votes"):
                answer = await slack.ask(line, team="T2")
                assert "1 vote" not in answer.text, line
            assert not theirs.edited


async def test_a_vote_for_a_shared_card_shows_in_it(stocked: Database) -> None:
    """Its button tells the new count to all, the rest of it stays, and nobody is told anything.

    Who shared it had voted, which it does not say.
    """
    async with FakeSlack() as slack, running(stocked, slack):
        card = await slack.ask("show 1")
        await slack.click(card, "Vote")
        await until(lambda: "Take back vote (1)" in card.buttons)
        await slack.click(card, "Share")
        await until(lambda: bool(_posts(slack)))
        [shared] = _posts(slack)
        assert "Vote (1)" in shared.buttons
        before, text = shared.blocks, shared.text
        for now, label in (("Vote (1)", "Vote"), ("Vote", "Vote (1)")):
            await slack.click(shared, now)
            await until(partial(_has, shared, label))
            assert shared.text == text.replace("[Vote (1)]", f"[{label}]")
            assert "Shared by " in str(shared.blocks)
            assert len(shared.blocks) == len(before)
        assert slack.seen() == [shared]


def _has(message: Message, label: str) -> bool:
    return label in message.buttons


async def test_a_shared_card_shows_the_votes_of_others_too(stocked: Database) -> None:
    """The edit shows the store's count."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.click(await slack.ask("show 1"), "Share")
        await until(lambda: bool(_posts(slack)))
        [shared] = _posts(slack)
        await slack.ask("vote 1", user="U2")
        await slack.click(shared, "Vote")
        await until(lambda: "Vote (2)" in shared.buttons)


async def test_a_vote_is_confirmed_where_the_card_can_not_be_changed(stocked: Database) -> None:
    """In a sentence, to who voted alone; never by a second card."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.click(await slack.ask("show 1"), "Share")
        await until(lambda: bool(_posts(slack)))
        [shared] = _posts(slack)
        await until(lambda: slack.seen() == [shared])
        slack.fail("response_url", Refuse("restricted_action"))
        await slack.click(shared, "Vote")
        await until(lambda: len(slack.seen()) == 2)
        told = slack.seen()[-1]
        assert told.ephemeral_for == "U1"
        assert told.text.startswith("You voted for Sparse Attention: 1 vote here.")
        assert not shared.edited


async def test_a_vote_from_a_list_is_confirmed_to_the_voter(stocked: Database) -> None:
    """In one's own answer and in one that all see, which stay as they are."""
    async with FakeSlack() as slack, running(stocked, slack):
        answer = await slack.ask("latest")
        await slack.click(answer, "Vote 1")
        await until(lambda: len(slack.seen()) == 2)
        assert slack.seen()[-1].text.startswith("You voted for Sparse Attention: 1 vote here.")
        await slack.click(answer, "Share")
        await until(lambda: bool(_posts(slack)))
        [shared] = _posts(slack)
        await slack.click(shared, "Vote 1", "U2")
        await until(lambda: len(slack.seen("U2")) == 2)
        question = slack.seen("U2")[-1]
        assert "/papers vote dair:2026-01-05#1\n" in question.text
        await slack.click(question, "Vote", "U2")
        await until(lambda: len(slack.seen("U2")) == 3)
        told = slack.seen("U2")[-1]
        assert told.ephemeral_for == "U2"
        assert told.text.startswith("You voted for Sparse Attention: 2 votes here.")
        assert not shared.edited
