"""Posts that somebody wishes for in their own words: shown first, and changed by a button."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.actor import Actor, ChannelInfo, Role
from bot.app import Broadsheet
from bot.commands.types import PRESSED
from bot.ingest.samples import add_samples
from bot.posting.ports import DIRECT
from bot.replies.blocks import Notice, Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from store.posting.deliveries import list_deliveries
from store.posting.subscriptions import list_subscriptions
from store.records import Subscription, SubscriptionState
from tests.bot.conftest import READER, FixedClock
from tests.bot.member_channels import ML, Rooms, bot_over, manager, rooms
from tests.bot.replies.parts import buttons, pressed, titles

MONDAY = FixedClock(datetime(2026, 1, 12, 9, 30, tzinfo=UTC))
DIRECT_CHAT = ChannelInfo("D1", DIRECT, private=True, direct=True)
TERMINAL = replace(READER, role=Role.OPERATOR)


@pytest.fixture
def app(filled: Database) -> Broadsheet:
    """Return a bot over a store with two newsletters."""
    return bot_over(filled, MONDAY)


async def _said(app: Broadsheet, line: str, actor: Actor | None = None) -> Reply:
    reply = await app.run_text(line, actor or manager(rooms()))
    assert not reply.failed, plain_text(reply)
    return reply


async def _press(app: Broadsheet, line: str, actor: Actor | None = None) -> Reply:
    reply = await app.run_text(line, actor or manager(rooms()), origin=PRESSED)
    assert not reply.failed, plain_text(reply)
    return reply


def _in_direct_messages() -> Actor:
    return manager(Rooms([ML, DIRECT_CHAT]), "D1")


def _told(reply: Reply) -> str:
    [notice] = [each for each in reply.blocks if isinstance(each, Notice)]
    return f"{notice.text} {notice.remedy}".removeprefix("Shall I do that? ")


async def _stored(database: Database) -> list[Subscription]:
    return list(await database.read(list_subscriptions))


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("set up", ""),
        ("how do I get this in my channel?", " monday"),
        ("Set up a weekly post here, please \N{PERSON WITH FOLDED HANDS}", " monday"),
    ],
)
async def test_a_bare_wish_is_a_sentence_and_two_buttons(
    app: Broadsheet, filled: Database, line: str, arguments: str
) -> None:
    """It says what the channel would get; one button opens the form, one shows the post."""
    reply = await _said(app, line)
    assert _told(reply) == (
        "#ml would get posts every Monday at 09:00 (UTC): dair · at most 10 papers · compact."
        " Nothing has changed yet."
    )
    seen = "preview day:monday" if arguments else "preview"
    assert pressed(reply) == {
        "Set up a weekly post": f"subscribe{arguments}",
        "See it first": seen,
    }
    assert buttons(reply)["Set up a weekly post"].form
    assert await _stored(filled) == []


async def test_the_post_is_seen_before_it_is_set_up(app: Broadsheet, filled: Database) -> None:
    """It is that of the filters that were named, and the form behind it keeps day and time."""
    reply = await _said(app, "post the agents papers in #ml every friday at 4pm")
    seen = await _press(app, pressed(reply)["See it first"])
    assert titles(seen) == ["A Survey of Agents"]
    form = buttons(seen)["Set up a weekly post"]
    assert (form.form, form.command) == (True, "subscribe friday 4pm in:C1 topic:agents")
    assert await _stored(filled) == []


async def test_a_change_keeps_all_else(app: Broadsheet, filled: Database) -> None:
    """The channel's post is offered as it would be, and so it is once the button is pressed."""
    await _press(app, "subscribe topic:agents size:7")
    reply = await _said(app, "make it friday 4pm Berlin")
    assert _told(reply).startswith(
        "#ml gets posts every Monday at 09:00 (UTC): dair · topic agents · at most 7 papers"
    )
    assert "It would be every Friday at 16:00 (Europe/Berlin)" in _told(reply)
    assert list(pressed(reply)) == ["Change it", "Add another", "See it first"]
    [before] = await _stored(filled)
    assert before.weekday == 0
    assert titles(await _press(app, pressed(reply)["See it first"])) == ["A Survey of Agents"]
    await _press(app, pressed(reply)["Change it"])
    [after] = await _stored(filled)
    assert (after.weekday, f"{after.local_time:%H:%M}", after.zone) == (4, "16:00", "Europe/Berlin")
    assert (after.topics, after.size) == (("agents",), 7)


async def test_fewer_papers_are_fewer_than_the_channel_gets(app: Broadsheet) -> None:
    """They are half as many, of the usual ten where it gets none; more are twice as many."""
    assert (await _said(app, "fewer papers please")).read_as == "Read as: /papers subscribe size:5"
    await _press(app, "subscribe size:3")
    assert (await _said(app, "too many papers!")).read_as == "Read as: /papers subscribe size:1"
    assert (await _said(app, "more papers per post")).read_as == "Read as: /papers subscribe size:6"


async def _meant(app: Broadsheet, line: str) -> str:
    reply = await _said(app, line)
    return (reply.read_as or "").removeprefix("Read as: /papers subscribe").strip()


@pytest.mark.parametrize(
    ("line", "usual", "changed"),
    [
        ("half an hour earlier", "08:30", "23:00"),
        ("can it come 2 hours later in #ml", "11:00 in:#ml", "saturday 01:30 in:#ml"),
        ("a day later please", "tuesday", "saturday"),
        ("push it back an hour", "10:00", "saturday 00:30"),
    ],
)
async def test_earlier_is_before_the_channel_gets_it(
    app: Broadsheet, line: str, usual: str, changed: str
) -> None:
    """It is counted from the post that there is, else from the usual one, and past midnight too."""
    assert await _meant(app, line) == usual
    await _press(app, "subscribe friday 23:30")
    assert await _meant(app, line) == changed


async def test_of_posts_at_different_times_none_is_moved_unasked(app: Broadsheet) -> None:
    """Which one shall come later is to be chosen first."""
    await _press(app, "subscribe")
    await _press(app, "subscribe friday 17:00")
    reply = await _said(app, "an hour later")
    assert _told(reply).startswith("#ml has 2 subscriptions. Change one of them?")
    assert "17:00" in pressed(reply)["Change 2"]


async def test_a_post_on_no_weekend_is_on_one_day(app: Broadsheet) -> None:
    """What of a rhythm can't be had is said."""
    assert "once a week, on the one day that you choose" in _told(
        await _said(app, "never on weekends")
    )


async def test_of_several_posts_each_is_offered(app: Broadsheet) -> None:
    """What is to change or to end is chosen by its number."""
    await _press(app, "subscribe")
    await _press(app, "subscribe friday topic:agents")
    changes = pressed(await _said(app, "make it tuesday"))
    assert list(changes) == ["Change 1", "Change 2", "Add another", "See it first"]
    assert changes["Change 2"].startswith(
        "subscribe tuesday 09:00 UTC in:C1 from:dair topic:agents"
    )
    ends = await _said(app, "turn it off")
    assert _told(ends) == "#ml has 2 subscriptions. Nothing has changed yet."
    assert list(pressed(ends).values()) == ["unsubscribe 1", "unsubscribe 2"]


async def test_what_ends_is_named(app: Broadsheet, filled: Database) -> None:
    """The sentence says which post it is, and a pause is beside."""
    await _press(app, "subscribe")
    reply = await _said(app, "turn it off")
    assert _told(reply).startswith("#ml gets posts every Monday at 09:00 (UTC)")
    assert pressed(reply) == {"Unsubscribe": "unsubscribe 1", "Pause instead": "pause 1"}
    assert [each.cancelled_at for each in await _stored(filled)] == [None]


async def test_what_was_named_ends_and_nothing_else(app: Broadsheet, filled: Database) -> None:
    """A button pressed after another manager put something else in its place is for no other."""
    other = manager(rooms(), user="U2")
    for line, label in (
        ("turn it off", "Unsubscribe"),
        ("pause it", "Pause"),
        ("post it now", "Deliver"),
    ):
        await _press(app, "subscribe")
        asked = pressed(await _said(app, line))
        for theirs in (f"unsubscribe {asked[label].split()[1]}", "subscribe friday"):
            await _press(app, theirs, other)
        await app.run_text(asked[label], manager(rooms()), origin=PRESSED)
        [kept] = await _stored(filled)
        assert (kept.weekday, kept.state) == (4, SubscriptionState.ACTIVE)
        assert await filled.read(list_deliveries) == []
        await _press(app, f"unsubscribe {kept.id}", other)


async def test_a_form_overwrites_nothing_that_came_since(app: Broadsheet, filled: Database) -> None:
    """*Change* says all of a subscription; sent after another's change it is refused in words."""
    await _press(app, "subscribe")
    asked = pressed(await _said(app, "make it friday"))
    await _press(app, "subscribe change:1 topic:agents", manager(rooms(), user="U2"))
    before = await _stored(filled)
    late = await app.run_text(asked["Change it"], manager(rooms()), origin=PRESSED)
    assert late.failed
    assert "Subscription 1 has changed since, so it stays as it is." in plain_text(late)
    assert await _stored(filled) == before


async def test_where_nothing_is_posted_that_is_said(app: Broadsheet) -> None:
    """A wish to end posts that there are not offers to set them up."""
    reply = await _said(app, "turn it off")
    assert _told(reply) == "#ml gets no posts. Nothing has changed yet."
    assert pressed(reply) == {"Unsubscribe": "unsubscribe", "Set up a weekly post": "subscribe"}


async def test_a_misused_command_may_be_meant_in_words(app: Broadsheet) -> None:
    """A line about a channel that names a command is read as that command, never as another."""
    assert (await _said(app, "pause this for two weeks")).read_as == (
        "Read as: /papers pause until:2026-01-26"
    )
    assert (await _said(app, "preview please")).read_as == "Read as: /papers preview"
    assert (await app.run_text("subscribe thursdy at 9", manager(rooms()))).failed


async def test_following_a_topic_is_a_post_or_an_alert(app: Broadsheet) -> None:
    """A manager is offered both, a reader the alert."""
    both = pressed(await _said(app, "follow agents"))
    assert both["Set up a weekly post"] == "subscribe topic:agents"
    assert both["Alert instead"] == "alert topic:agents"
    reader = replace(manager(rooms()), role=Role.READER)
    assert pressed(await _said(app, "follow agents", reader))["Alert"] == "alert topic:agents"
    assert "Alert instead" not in pressed(await _said(app, "subscribe us to agents"))


async def test_where_no_channel_is_the_line_and_the_post_are_shown(app: Broadsheet) -> None:
    """In the terminal a wish is the line to type, with the channel that was named."""
    reply = await _said(app, "post this to #ml every monday, at most two papers", TERMINAL)
    typed = "That is done in a channel. Type there:\n/papers subscribe monday in:#ml size:2"
    assert typed in plain_text(reply)
    assert titles(reply) == ["Sparse Attention", "A Survey of Agents"]
    followed = plain_text(await _said(app, "follow agents", TERMINAL))
    assert "/papers subscribe topic:agents" in followed
    assert "/papers alert topic:agents" in followed
    assert "Type there:\n/papers preview" in plain_text(await _said(app, "see it first", TERMINAL))


async def test_an_alert_in_plain_words_is_for_direct_messages(app: Broadsheet) -> None:
    """Where there are none, it is the line to type in a chat, and nothing is offered."""
    reply = await _said(app, "alert me to new papers on agents", TERMINAL)
    assert "Ask in Slack or Discord:\n/papers alert agents" in plain_text(reply)
    assert pressed(reply) == {}


async def test_in_direct_messages_a_channel_may_be_chosen(app: Broadsheet) -> None:
    """The digest there is what would be made; seen first is the post of a channel."""
    asker = _in_direct_messages()
    reply = await _said(app, "set up", asker)
    assert "A channel gets a post if the form names it." in _told(reply)
    seen = await _press(app, pressed(reply)["See it first"], asker)
    assert titles(seen)[0] == "Sparse Attention"


@pytest.mark.parametrize("line", ["in my dms instead", "every friday, just for me please"])
async def test_what_comes_to_one_alone_is_ordered_in_direct_messages(
    app: Broadsheet, line: str
) -> None:
    """In a channel the line to type there is told, and nothing offered for the channel."""
    asked = await _said(app, line)
    assert "is ordered in direct messages with Broadsheet: /papers subscribe" in _told(asked)
    assert list(pressed(asked)) == ["What is new instead"]
    there = await _said(app, line, _in_direct_messages())
    assert _told(there).startswith("You would get a digest here every ")


async def test_a_channel_that_the_user_is_not_in_is_not_told_of(
    app: Broadsheet, filled: Database
) -> None:
    """Neither a private channel nor another workspace's subscription is named."""
    await _press(app, "subscribe", manager(rooms(), "C2"))
    outside = manager(Rooms([ML]))
    reply = await _said(app, "post this to #secret every monday", outside)
    assert "There is no channel" in plain_text(reply)
    other = replace(manager(rooms(), "C2"), workspace="T2")
    assert "would get posts" in _told(await _said(app, "make it friday", other))
    assert len(await _stored(filled)) == 1


async def test_a_preview_without_a_subscription_shows_the_post(app: Broadsheet) -> None:
    """It is what `subscribe` would post; with other wishes beside a number, what that would."""
    assert titles(await _press(app, "preview")) == [
        "Sparse Attention",
        "A Survey of Agents",
        "Routing Experts",
    ]
    await _press(app, "subscribe")
    changed = await _press(app, "preview 1 topic:agents")
    assert titles(changed) == ["A Survey of Agents"]
    assert "topic:agents" in pressed(changed)["Change"]


@pytest.mark.parametrize(
    ("line", "rhythm"),
    [
        ("post this here daily at 8:30", "daily"),
        ("every weekday at 9 in #ml", "every weekday"),
        ("send it here every other week", "every other week"),
    ],
)
async def test_another_rhythm_than_a_week_is_said_to_be_none(
    app: Broadsheet, line: str, rhythm: str
) -> None:
    """A line that asks for posts each day or month is told that they come once a week."""
    for asker in (manager(rooms()), TERMINAL):
        told = " ".join(plain_text(await _said(app, line, asker)).split())
        assert f"A post comes once a week, not {rhythm}." in told


@pytest.mark.parametrize(
    ("line", "asker", "first"),
    [
        ("see it first", TERMINAL, "1  Attention Is All You Need"),
        ("follow agents", TERMINAL, "OpenDevin"),
        ("preview", manager(rooms()), "1  Attention Is All You Need"),
        ("preview topic:surveys", manager(rooms()), None),
    ],
)
async def test_with_samples_alone_one_of_them_shows_how_posts_look(
    database: Database, line: str, asker: Actor, first: str | None
) -> None:
    """It says that these are never posted; where the filters keep none it says that alone."""
    await add_samples(database, MONDAY.at)
    said = plain_text(await _said(bot_over(database, MONDAY), line, asker))
    nothing, _, post = said.partition("With a bundled sample the post would look like this:")
    assert "Samples and weeks that are not over are never posted." in nothing
    assert (first in post) if first else not post
