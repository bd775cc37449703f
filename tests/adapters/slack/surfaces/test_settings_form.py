"""The form of a workspace's settings in Slack."""

import asyncio

from bot.accounts.workspaces import Workspaces
from store.database import Database
from store.records import Layout, Workspace, WorkspaceSettings
from tests.adapters.slack.connected_bot import running, variables_for
from tests.adapters.slack.surfaces.modal_helpers import changed, entered, labels, opened, titles
from tests.fakes.slack import FakeSlack, View

OURS = Workspace("slack", "T1")


async def form(slack: FakeSlack) -> View:
    """Ask for the settings and open their form."""
    return await opened(slack, await slack.ask("settings"), "Change settings")


def said(modal: View) -> str:
    """Return the contents of a modal."""
    return str(modal.blocks)


async def test_settings_are_changed_together_in_a_form(stocked: Database, transport: str) -> None:
    """It opens with what holds, tells each change with before and after, and takes all back."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport)),
    ):
        await slack.ask("settings zone Asia/Tokyo")
        modal = await form(slack)
        assert titles(modal) == ("Settings", "Change")
        assert entered(modal) == {"zone": "Asia/Tokyo", "layout": "default", "unfurls": "on"}
        ack = await slack.submit(modal, {"zone": "Europe/Berlin", "layout": "full"})
        assert ack.payload is not None
        assert ack.payload["response_action"] == "update"
        assert modal.payload["title"]["text"] == "Settings"
        for told in (
            "2 settings were changed.",
            "Asia/Tokyo → Europe/Berlin",
            "compact → full",
        ):
            assert told in said(modal)
        kept = WorkspaceSettings("Europe/Berlin", layout=Layout.FULL)
        assert await Workspaces(stocked).settings(OURS) == kept
        assert labels(modal) == ["Undo"]
        await changed(slack, modal, "Undo")
        assert await Workspaces(stocked).settings(OURS) == WorkspaceSettings("Asia/Tokyo")


async def test_the_form_offers_the_allowed_values(stocked: Database) -> None:
    """Zones are searched, layouts and switches are listed, with a value that resets each."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await form(slack)
        elements = {
            block["element"]["action_id"]: block["element"]
            for block in modal.blocks
            if block["type"] == "input"
        }
        assert [each["value"] for each in elements["layout"]["options"]] == [
            "default", "compact", "full", "thread",
        ]  # fmt: skip
        assert [each["value"] for each in elements["unfurls"]["options"]] == ["on", "off"]
        for typed, first in (("", "default"), ("tok", "Asia/Tokyo")):
            ack = await slack.suggest(modal, "zone", typed)
            assert ack.payload is not None
            assert ack.payload["options"][0]["value"] == first


async def test_an_invalid_setting_is_an_error_at_its_input(stocked: Database) -> None:
    """The form stays as it is, and nothing of it is changed."""
    async with FakeSlack() as slack, running(stocked, slack):
        modal = await form(slack)
        await slack.submit(modal, {"zone": "Berlln", "unfurls": "off"})
        [(field, told)] = modal.errors.items()
        assert field.startswith("zone-")
        assert told.startswith("I can't read 'Berlln' as a zone.")
        assert await Workspaces(stocked).settings(OURS) == WorkspaceSettings()


async def test_two_managers_who_have_the_form_open_overwrite_nothing_unseen(
    stocked: Database,
) -> None:
    """The second reads what the first changed, and may settle theirs by a button."""
    async with FakeSlack() as slack, running(stocked, slack):
        first, second = await form(slack), await _opened_by_another(slack)
        await slack.submit(first, {"zone": "Asia/Tokyo"})
        await slack.submit(second, {"zone": "Europe/Berlin", "unfurls": "off"})
        assert "somebody else set it to Asia/Tokyo meanwhile" in said(second)
        kept = WorkspaceSettings("Asia/Tokyo", unfurls=False)
        assert await Workspaces(stocked).settings(OURS) == kept
        await changed(slack, second, "Set zone to Europe/Berlin")
        assert (await Workspaces(stocked).settings(OURS)).zone == "Europe/Berlin"


async def _opened_by_another(slack: FakeSlack) -> View:
    """Open the form as another manager."""
    answer = await slack.ask("settings", user="U2")
    await slack.click(answer, "Change settings", "U2")
    [modal] = await slack.settled(lambda: slack.modals("U2"))
    await slack.settled(lambda: "Looking…" not in said(modal))
    return modal


async def test_the_form_of_one_workspace_says_nothing_of_another(stocked: Database) -> None:
    """Two workspaces have a form each, with their own settings in it."""
    theirs = Workspace("slack", "T2")
    async with FakeSlack() as slack, running(stocked, slack):
        await Workspaces(stocked).change(theirs, {"zone": "Asia/Tokyo"})
        modal = await form(slack)
        assert entered(modal)["zone"] == "default"
        await slack.submit(modal, {"unfurls": "off"})
        assert await Workspaces(stocked).settings(theirs) == WorkspaceSettings("Asia/Tokyo")


async def test_the_form_works_after_a_restart_and_comes_twice(stocked: Database) -> None:
    """The form works after a restart; redelivered, it changes nothing again."""
    async with FakeSlack() as slack:
        async with running(stocked, slack):
            modal = await form(slack)
        async with running(stocked, slack):
            first = await slack.submit(modal, {"zone": "Asia/Tokyo"})
            assert "not set → Asia/Tokyo" in said(modal)
        async with running(stocked, slack):
            await slack.ask("settings zone default")
            await slack.repeat(first)
            await asyncio.sleep(0)
            assert await Workspaces(stocked).settings(OURS) == WorkspaceSettings()
