"""Subscriptions are made and changed in modals; buttons of posts answer."""

from adapters.slack.render import render_view
from adapters.slack.surfaces.home import home_view
from bot.posting.ports import Message as PostMessage
from bot.replies.blocks import Actions, Button, PaperLine, PaperList, Reply, Text, Title, Visibility
from store.database import Database
from store.records import Channel, Workspace
from tests.adapters.slack.connected_bot import running
from tests.adapters.slack.sample_command import ORDER
from tests.adapters.slack.surfaces.modal_helpers import (
    changed,
    entered,
    opened,
    seen_at_last,
    shown_at_last,
)
from tests.fakes.slack import FakeSlack, View
from tests.fakes.slack.records import with_block_ids


def home_with(slack: FakeSlack, reply: Reply) -> View:
    """Return the App Home of U1 as it would show a reply."""
    view = home_view([], [render_view(reply, most_blocks=50)])
    shown = slack.homes["T1", "U1"]
    shown.payload = {**view, "blocks": with_block_ids(view["blocks"])}
    return shown


async def test_a_form_opened_in_no_channel_is_about_the_one_that_is_chosen(
    stocked: Database,
) -> None:
    """App Home is in no channel, so the form shows none; its answer goes on where it was about."""
    async with FakeSlack() as slack, running(stocked, slack, more=(ORDER,)):
        await slack.open_home()
        await slack.settled(slack.home)
        form = Button("Order…", "order", form=True)
        home = home_with(slack, Reply((Text("Words."), Actions((form,)))))
        modal = await opened(slack, home, "Order…")
        assert entered(modal) == {}
        await slack.submit(modal, {})
        assert "Which channel?" in str(modal.blocks)
        await slack.submit(modal, {"channel": "C2"})
        assert "In C2: channel=C2" in str(modal.blocks)
        await changed(slack, modal, "Order it")
        assert "In C2: day=4" in str(modal.blocks)


async def test_buttons_of_a_subscription_work_in_app_home(stocked: Database) -> None:
    """A subscription's number implies its channel; only a new one asks for a channel."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.ask("subscribe")
        await slack.ask("subscribe", channel="D1")
        await slack.open_home()
        await slack.settled(slack.home)
        for line, said in {
            "pause 1": "Subscription 1 is paused",
            "resume 2": "Subscription 2",
            "settings": "What is settled here",
            "subscriptions": "Which channel?",
        }.items():
            home = home_with(slack, Reply((Text("Words."), Actions((Button("It", line),)))))
            await slack.click(home, "It")
            await shown_at_last(slack, home, said)


async def test_a_channel_that_is_chosen_is_not_one_that_was_asked_in(stocked: Database) -> None:
    """A public channel that the user is not in can't be subscribed; the form keeps its values."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.add_channel(slack.teams["T1"], "C9", members={"U2"})
        await slack.open_home()
        await slack.settled(slack.home)
        form = Button("Subscribe…", "subscribe", form=True)
        home = home_with(slack, Reply((Text("Words."), Actions((form,)))))
        modal = await opened(slack, home, "Subscribe…")
        await slack.submit(modal, {"channel": "C9", "day": "friday"})
        assert "There is no such channel" in str(modal.blocks)
        assert entered(modal) == {
            "channel": "C9", "day": "friday", "time": "09:00", "zone": "Europe/Berlin",
            "source": "dair", "size": "10", "layout": "compact", "patience": "3d",
        }  # fmt: skip
        await slack.submit(modal, {"channel": "C2"})
        assert "gets posts every Friday" in str(modal.blocks)


async def test_a_post_that_is_wished_for_in_words_is_a_filled_form(stocked: Database) -> None:
    """In direct messages it has the channel that was named, and makes nothing until it is sent."""
    async with FakeSlack() as slack, running(stocked, slack):
        answer = await slack.ask("post this to #name-c2 every friday at 4pm", channel="D1")
        assert "would get posts every Friday at 16:00" in answer.text
        modal = await opened(slack, answer, "Set up a weekly post")
        values = entered(modal)
        assert (values["channel"], values["day"], values["time"]) == ("C2", "friday", "16:00")
        await slack.submit(modal, {})
        assert "gets posts every Friday" in str(modal.blocks)
        change = await slack.ask("make it tuesday, fewer papers", channel="C2")
        assert "It would be every Tuesday at 16:00" in change.text
        assert "at most 5 papers" in change.text


async def test_buttons_of_a_post_answer_the_user(stocked: Database) -> None:
    """The post stays, and the answer to its button is ephemeral."""
    channel = Channel(Workspace("slack", "T1"), "C1")
    paper = PaperLine("1", "Sparse Attention", "Few tokens.", "dair:2026-01-05#1")
    reply = Reply((Title("Top papers"), PaperList((paper,))), Visibility.CHANNEL)
    async with (
        FakeSlack() as slack,
        running(stocked, slack) as (platform, _),
    ):
        root = await platform.channel_client.send(PostMessage(channel, "key1", reply))
        again = PostMessage(channel, "key2", reply, root=root, threaded=True)
        await platform.channel_client.send(again)
        for number, post in enumerate(slack.seen("U2"), start=3):
            await slack.click(post, "Details 1", "U1")
            answer = await seen_at_last(slack, number)
            assert (answer.ephemeral_for, answer.thread_ts) == ("U1", post.thread_ts)
            assert answer.text.startswith("Sparse Attention")
        assert [message.edited for message in slack.seen("U2")] == [False, False]
