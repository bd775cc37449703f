"""Subscriptions of private channels are hidden from users outside of them."""

import re

from store.database import Database
from store.posting.deliveries import list_deliveries
from store.posting.subscriptions import list_subscriptions
from tests.adapters.slack.connected_bot import running
from tests.adapters.slack.surfaces.modal_helpers import opened, seen_at_last
from tests.fakes.slack import FakeSlack, Message


async def test_a_user_who_left_a_private_channel_can_only_stop_its_posts(stocked: Database) -> None:
    """From another channel and in direct messages nothing is previewed, resumed or posted there."""
    async with FakeSlack() as slack, running(stocked, slack):
        team = slack.teams["T1"]
        secret = slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        assert "#name-g2 gets posts" in (await slack.ask("subscribe in:G2")).text
        secret.members.discard("U1")
        for line in ("preview 1", "resume 1", "deliver 1", "pause 1", "unsubscribe 1"):
            for channel in ("C1", "D1"):
                answer = await slack.ask(line, channel=channel)
                assert "g2" not in f"{answer.text} {answer.blocks}".lower(), line
                if line.startswith(("pause", "unsubscribe")):
                    assert "is paused" in answer.text or "is cancelled" in answer.text
                else:
                    assert answer.text.startswith("You or Broadsheet are not in that channel:")
        assert await stocked.read(list_deliveries) == []


async def test_a_shared_status_names_no_private_channel(stocked: Database) -> None:
    """An admin's ephemeral status has all channels; the shared one leaves private ones out."""
    async with FakeSlack() as slack, running(stocked, slack):
        team = slack.teams["T1"]
        slack.add_user(team, "U1", admin=True)
        slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        for line in ("subscribe", "subscribe in:G2"):
            await slack.ask(line)
        status = await slack.ask("status")
        assert "#name-g2" in status.text
        await slack.click(status, "Share")
        [shared] = await slack.settled(lambda: slack.seen("U2"))
        assert "#name-c1" in shared.text
        assert "g2" not in f"{shared.text} {shared.blocks}".lower()


async def _let_in(slack: FakeSlack, *lines: str) -> None:
    """Let U1 into a private channel, ask there, remove U1 and give it another name."""
    team = slack.teams["T1"]
    secret = slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
    for line in lines:
        await slack.ask(line, channel="G2")
    secret.members.discard("U1")
    secret.called = "takeover"
    slack.add_user(team, "U2")
    secret.members.add("U2")
    assert "takeover" in (await slack.ask("subscriptions", user="U2", channel="G2")).text


def _all(message: Message) -> str:
    return f"{message.text} {message.blocks}".lower()


async def test_alerts_of_a_channel_that_one_was_removed_from_do_not_name_it(
    stocked: Database,
) -> None:
    """The owner sees them without its new name, and may stop them, and not undo that."""
    async with FakeSlack() as slack, running(stocked, slack):
        await _let_in(slack, "alert sparse in:G2", "subscribe")
        for channel in ("C1", "D1"):
            listed = await slack.ask("alerts", channel=channel)
            assert "sparse" in listed.text
            assert "tells a channel that you are not in" in listed.text
            assert not {"takeover", "g2"} & {*re.findall(r"\w+", _all(listed))}
        stopped = await slack.ask("unalert 1")
        assert "Alert 1 is stopped: sparse." in stopped.text
        assert "undo" not in _all(stopped)
        assert "g2" not in _all(stopped)


async def test_nobody_else_s_direct_messages_are_an_admins(stocked: Database) -> None:
    """To an admin a personal digest or alert of somebody else is as one that is not there."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.add_user(slack.teams["T1"], "U2", admin=True)
        await slack.ask("subscribe", channel="D1")
        await slack.ask("alert sparse", channel="D1")
        for channel in ("C1", "D2"):
            status = await slack.ask("status", user="U2", channel=channel)
            assert "No channel gets posts yet." in status.text
            for line in ("pause", "unsubscribe", "resume", "preview", "deliver", "unalert"):
                known, none = [
                    (await slack.ask(f"{line} {number}", user="U2", channel=channel)).text
                    for number in (1, 9)
                ]
                assert known == none.replace("9", "1"), line
        assert "paused" not in (await slack.ask("subscriptions", channel="D1")).text
        assert "No channel gets posts yet." not in (await slack.ask("status", channel="D1")).text


async def test_a_channel_that_was_made_private_is_private_at_once(stocked: Database) -> None:
    """Status goes by what Slack has now, not by what it was when the order was given."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.ask("subscribe")
        room = slack.teams["T1"].channels["C1"]
        slack.add_user(slack.teams["T1"], "U2")
        room.members.discard("U2")
        room.private, room.called = True, "takeover"
        told = _all(await slack.ask("status", user="U2", channel="C2"))
        assert "no channel gets posts yet." in told
        assert "#name-c1 (1)" in (await slack.ask("status")).text


async def test_what_was_left_open_does_not_let_one_in_again(stocked: Database) -> None:
    """Buttons of an earlier answer, and a form, are those of somebody who is not in the channel."""
    async with FakeSlack() as slack, running(stocked, slack):
        team = slack.teams["T1"]
        secret = slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        made = await slack.ask("subscribe in:G2")
        modal = await opened(slack, await slack.ask("subscriptions", channel="G2"), "Change")
        secret.members.discard("U1")
        secret.called = "takeover"
        before = await stocked.read(list_subscriptions)
        await slack.submit(modal, {"day": "friday"})
        assert "You or Broadsheet are not in that channel" in str(modal.blocks)
        assert "takeover" not in str(modal.blocks)
        for label in ("Preview", "Post it now"):
            seen = len(slack.seen("U1"))
            await slack.click(made, label)
            answer = await seen_at_last(slack, seen + 1)
            assert "You or Broadsheet are not in that channel" in answer.text
        assert await stocked.read(list_subscriptions) == before
        assert await stocked.read(list_deliveries) == []
