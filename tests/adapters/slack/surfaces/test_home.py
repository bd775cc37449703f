"""App Home's first view and the answers to its buttons."""

from json import dumps

from adapters.slack.render import render_view
from adapters.slack.surfaces.home import home_view
from bot.replies.blocks import Actions, Button, Reply, Text
from store.database import Database
from tests.adapters.slack.connected_bot import running
from tests.adapters.slack.payload_rules import judge_view
from tests.adapters.slack.surfaces.modal_helpers import changed, shown_at_last
from tests.fakes.slack import FakeSlack, Refuse, View
from tests.fakes.slack.records import buttons

TOP = [
    "Search", "Brief", "Latest edition", "Topics", "Sources", "Status", "Settings", "Help",
]  # fmt: skip


def labels(view: View) -> list[str]:
    """Return the words on a view's buttons."""
    return [button["text"]["text"] for _, button in buttons(view.blocks)]


def headers(view: View) -> list[str]:
    """Return a view's headings."""
    return [block["text"]["text"] for block in view.blocks if block["type"] == "header"]


async def opened(slack: FakeSlack, user: str = "U1") -> View:
    """Open a user's App Home and return its view."""
    before = len(slack.calls("views.publish"))
    assert (await slack.open_home(user)).acked
    await slack.settled(lambda: len(slack.calls("views.publish")) > before and slack.home(user))
    home = slack.home(user)
    assert home is not None
    return home


async def pressed(slack: FakeSlack, view: View, label: str) -> View:
    """Press a button of App Home and return its new view."""
    seen = view.hash
    await slack.click(view, label, view.user)
    await slack.settled(lambda: view.hash != seen)
    return view


async def chosen(slack: FakeSlack, view: View, form: str) -> View:
    """Choose a format of the list in App Home and return its new view."""
    seen = view.hash
    await slack.choose(view, "The whole list as a file", form, view.user)
    await slack.settled(lambda: view.hash != seen)
    return view


async def test_home_shows_the_newest_edition_and_ways_on(stocked: Database) -> None:
    """App Home shows the newest edition below its buttons."""
    async with FakeSlack() as slack, running(stocked, slack):
        home = await opened(slack)
        assert headers(home)[1:] == ["Top Papers of the Week · Jan 5–11, 2026"]
        assert labels(home)[:8] == list(TOP)
        assert str(home.blocks).count("overflow") == 3
        assert slack.home("U2") is None


async def test_buttons_of_home_answer_there_and_lead_back(stocked: Database) -> None:
    """The answer to a button takes the place of the edition, with the way back to that."""
    async with FakeSlack() as slack, running(stocked, slack):
        home = await opened(slack)
        first = home.blocks
        for label in ("Details 2", "Topics", "Sources", "Status", "Help"):
            await pressed(slack, home, label)
            assert home.blocks != first, label
            assert labels(home)[:2] == ["Search", "Back to the latest edition"], label
        await pressed(slack, home, "Back to the latest edition")
        assert home.blocks == first
        assert slack.seen(channel="D1") == []


async def test_home_of_an_empty_store_says_so(database: Database) -> None:
    """App Home of an empty store says so, and has its buttons."""
    async with FakeSlack() as slack, running(database, slack):
        home = await opened(slack)
        assert labels(home)[: len(TOP)] == TOP
        assert "No edition is stored yet." in str(home.blocks)


async def test_home_shows_saved_papers_until_they_are_deleted(stocked: Database) -> None:
    """Each user's list is above the newest edition; deleted in a channel, it is gone there too."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.ask("note 2 read this")
        home = await opened(slack)
        assert headers(home)[1] == "Your list"
        assert "Your note: read this" in dumps(home.blocks)
        other = await opened(slack, "U2")
        assert "Nothing is on your list yet." in dumps(other.blocks)
        assert "read this" not in dumps(other.blocks)
        published = len(slack.calls("views.publish"))
        await slack.click(await slack.ask("forget"), "Delete all of it")
        await slack.settled(lambda: len(slack.calls("views.publish")) > published)
        now = slack.home()
        assert now
        assert "Nothing is on your list yet." in dumps(now.blocks)
        assert "Nothing is stored about you." in (await slack.ask("forget")).text


async def test_menus_work_in_app_home_and_in_a_modal(stocked: Database) -> None:
    """Both answer in place, and so do the buttons of the answer."""
    async with FakeSlack() as slack, running(stocked, slack):
        home = await opened(slack)
        await slack.click(home, "Save 2")
        await shown_at_last(slack, home, "On your list: A Survey of Agents.")
        await slack.click(home, "open-search")
        [modal] = await slack.settled(slack.modals)
        await slack.submit(modal, {"query": "routing"})
        await slack.settled(lambda: "overflow" in str(modal.blocks))
        await changed(slack, modal, "Save 1")
        assert "On your list" in str(modal.blocks)
        assert "Routing Experts" in (await slack.ask("saved")).text
        await changed(slack, modal, "Take back")
        saved = (await slack.ask("saved")).text
        assert ("A Survey of Agents" in saved, "Routing Experts" in saved) == (True, False)


async def test_other_tabs_are_left_alone(stocked: Database) -> None:
    """Opening the tab of messages publishes nothing."""
    async with FakeSlack() as slack, running(stocked, slack):
        event = {"type": "app_home_opened", "user": "U2", "channel": "D2", "tab": "messages"}
        assert (await slack.event(event)).acked
        await opened(slack, "U1")
        assert [call.arguments["user_id"] for call in slack.calls("views.publish")] == ["U1"]


async def test_files_asked_for_in_home_come_in_a_direct_message(stocked: Database) -> None:
    """App Home says that the file comes in a direct message, and it does."""
    async with FakeSlack() as slack, running(stocked, slack):
        for number in (1, 2, 3):
            await slack.command(f"note {number} {'word ' * 150}")
        home = await chosen(slack, await opened(slack), "CSV")
        shown = str(home.blocks)
        assert shown.count("3 papers as CSV.") == 1
        assert "The file saved.csv comes in a direct message from Broadsheet." in shown
        [message] = await slack.settled(lambda: [m for m in slack.seen(channel="D1") if m.files])
        assert message.files[0].name == "saved.csv"
        slack.fail("files.getUploadURLExternal", Refuse("file_uploads_disabled"))
        await chosen(slack, await opened(slack), "JSON")
        await slack.settled(lambda: "saved.json is missing." in slack.seen(channel="D1")[-1].text)


def test_answers_in_one_view_have_buttons_of_their_own() -> None:
    """Slack takes no action id twice, and each answer numbers its buttons from one."""
    answer = Reply((Text("Some words."), Actions((Button("One", "show 1"), Button("Two", "help")))))
    rendered = render_view(answer, most_blocks=30)
    view = home_view([], [rendered, rendered, rendered])
    judge_view(view)
    assert [button["action_id"] for _, button in buttons(view["blocks"])] == [
        "run-1-0", "run-2-0", "run-1-1", "run-2-1", "run-1-2", "run-2-2",
    ]  # fmt: skip
