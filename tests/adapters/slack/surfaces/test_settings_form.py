"""The form of a workspace's settings in Slack."""

from bot.accounts import Workspaces
from store.database import Database
from store.records import Workspace, WorkspaceSettings
from tests.adapters.slack.connected_bot import running
from tests.adapters.slack.surfaces.modal_helpers import entered, opened
from tests.fakes.slack import FakeSlack, View

OURS = Workspace("slack", "T1")


async def form(slack: FakeSlack) -> View:
    """Ask for the settings and open their form."""
    return await opened(slack, await slack.ask("settings"), "Change settings")


def said(modal: View) -> str:
    """Return the contents of a modal."""
    return str(modal.blocks)


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


async def test_the_form_of_one_workspace_says_nothing_of_another(stocked: Database) -> None:
    """Two workspaces have a form each, with their own settings in it."""
    theirs = Workspace("slack", "T2")
    async with FakeSlack() as slack, running(stocked, slack):
        await Workspaces(stocked).change(theirs, {"zone": "Asia/Tokyo"})
        modal = await form(slack)
        assert entered(modal)["zone"] == "default"
        await slack.submit(modal, {"unfurls": "off"})
        assert await Workspaces(stocked).settings(theirs) == WorkspaceSettings("Asia/Tokyo")
