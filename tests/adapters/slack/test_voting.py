"""Votes in Slack: pressed in posts, which show them in place, and in one's own answers."""

from store.database import Database
from tests.adapters.sending import sending, until
from tests.adapters.slack.pressing import asked
from tests.adapters.slack.running import many_variables, running, variables_for
from tests.fakes.slack import FakeSlack, Message


def _posts(slack: FakeSlack, team: str = "T1") -> list[Message]:
    """Return what everybody sees in the channel of a workspace."""
    return [each for each in slack.seen("U2", team=team) if not each.ephemeral_for]


async def _posted(slack: FakeSlack, team: str = "T1", layout: str = "thread") -> list[Message]:
    """Have the newest edition of three papers posted in a thread, and return its messages."""
    for line in (f"subscribe UTC layout:{layout}", "deliver"):
        assert (await slack.command(line, team=team)).message is not None
    count = 4 if layout == "thread" else 1
    await until(lambda: len(_posts(slack, team)) == count)
    return _posts(slack, team)


async def test_votes_pressed_in_a_post_show_in_it(stocked: Database, transport: str) -> None:
    """From a menu or a button, nothing is said to who pressed; a second press takes it back."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport)) as (platform, _),
        sending(stocked, "slack", platform.poster),
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
        sending(stocked, "slack", platform.poster),
    ):
        [post] = await _posted(slack, layout="compact")
        answer = await asked(slack, "show 1")
        seen = len(slack.seen())
        await slack.click(answer, "Vote")
        await until(lambda: any("Vote (1)" in each.buttons for each in slack.seen()))
        assert len(slack.seen()) == seen
        await until(lambda: "1 vote" in post.text)
        listed = await slack.command("latest", user="U2")
        assert listed.message is not None
        assert "1 vote" in listed.message.text
        told = await slack.command("vote 1", user="U2")
        assert told.message is not None
        assert told.message.text.startswith("You voted for Sparse Attention: 2 votes here.")
        await until(lambda: "2 votes" in post.text)


async def test_workspaces_count_apart(stocked: Database) -> None:
    """What people vote in one is seen in no other, in answers nor in posts."""
    async with FakeSlack() as slack:
        slack.add_team("T2")
        async with (
            running(stocked, slack, many_variables(slack)) as (platform, url),
            sending(stocked, "slack", platform.poster),
        ):
            for team in ("T1", "T2"):
                await slack.install(url, team)
            [ours], [theirs] = [await _posted(slack, team, "compact") for team in ("T1", "T2")]
            await slack.choose(ours, "Vote for a paper", "1. Sparse Attention")
            await until(lambda: "1 vote" in ours.text)
            for line in ("latest", "show 1", "top 2026 by:votes"):
                answer = await slack.command(line, team="T2")
                assert answer.message is not None
                assert "1 vote" not in answer.message.text, line
            assert not theirs.edited


async def test_a_vote_for_a_shared_card_is_told_to_who_votes(stocked: Database) -> None:
    """What was shared stays as it is; whoever presses sees the card with the vote of theirs."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.click(await asked(slack, "show 1"), "Share")
        await until(lambda: bool(_posts(slack)))
        [shared] = _posts(slack)
        await slack.click(shared, "Vote", "U2")
        await until(lambda: any(each.ephemeral_for for each in slack.seen("U2")))
        assert "Vote (1)" in slack.seen("U2")[-1].buttons
        assert not shared.edited
