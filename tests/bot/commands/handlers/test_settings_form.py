"""The form of `settings`: several changed together, and two who change them at once."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from bot.accounts import Workspaces
from bot.actor import Actor, Named, Role
from bot.app import Broadsheet
from bot.commands.handlers.settings import SETTINGS
from bot.commands.parser import command_string
from bot.commands.types import PRESSED, Call
from bot.errors import UserError
from bot.replies.blocks import Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from store.records import Layout, Workspace, WorkspaceSettings
from tests.bot.conftest import FixedClock
from tests.bot.member_channels import bot_over
from tests.bot.replies.parts import pressed

MANAGER = Actor("slack", "T1", "U1", Role.MANAGER, channel="C1")
OURS = Workspace("slack", "T1")
EDITORS = Named("7", "Editors")
OWNER = Actor(
    "discord", "1", "2", Role.MANAGER, channel="3", owns=True, by_name=True,
    roles=lambda: [EDITORS],
)  # fmt: skip


@pytest.fixture
def app(database: Database) -> Broadsheet:
    """Return a bot over an empty store."""
    return bot_over(database, FixedClock())


async def opened(app: Broadsheet, actor: Actor = MANAGER) -> dict[str, str]:
    """Open the form and return its values, with the hidden ones."""
    return (await app.form(Call(SETTINGS, {}), actor)).arguments


async def submitted(
    app: Broadsheet, form: Mapping[str, str], actor: Actor = MANAGER, **entered: str
) -> Reply:
    """Enter something in a form and submit it; what is emptied is not there."""
    texts = {name: text for name, text in {**form, **entered}.items() if text}
    return await app.run_text(command_string(SETTINGS, texts), actor, origin=PRESSED)


def told(reply: Reply) -> str:
    """Return the words of an answer on one line."""
    return " | ".join(line for line in plain_text(reply).splitlines() if line)


async def test_a_form_has_what_holds_when_it_is_opened(app: Broadsheet) -> None:
    """All settings of the platform that the actor may change stand in it, as they are now."""
    await app.run_text("settings zone Asia/Tokyo", MANAGER)
    form = await opened(app)
    assert form == {
        "zone": "Asia/Tokyo",
        "layout": "default",
        "unfurls": "on",
        "seen": "zone=Asia/Tokyo,layout=default,unfurls=on",
    }
    assert (await opened(app, OWNER)).keys() == {"zone", "layout", "role", "seen"}
    assert "role" not in await opened(app, replace(OWNER, owns=False))
    assert "role" not in await opened(app, replace(OWNER, roles=list))


async def test_what_is_changed_in_a_form_is_changed_together(
    app: Broadsheet, database: Database
) -> None:
    """Each change is told with before and after, and one button takes all of them back."""
    form = await opened(app)
    reply = await submitted(app, form, zone="berlin", layout="full", unfurls="off")
    assert told(reply).startswith("3 settings were changed.")
    for change in (
        "not set → Europe/Berlin", "compact → full", "on → off",
    ):  # fmt: skip
        assert change in told(reply)
    after = WorkspaceSettings("Europe/Berlin", unfurls=False, layout=Layout.FULL)
    assert await Workspaces(database).settings(OURS) == after
    assert reply.command == "settings"
    undone = await app.run_text(pressed(reply)["Undo"], MANAGER, origin=PRESSED)
    assert told(undone).startswith("3 settings were changed.")
    assert await Workspaces(database).settings(OURS) == WorkspaceSettings()
    await app.run_text(pressed(undone)["Undo"], MANAGER, origin=PRESSED)
    assert await Workspaces(database).settings(OURS) == after


async def test_one_change_reads_as_one(app: Broadsheet) -> None:
    """A form in which one setting was changed says what became of that."""
    reply = await submitted(app, await opened(app), unfurls="off")
    assert told(reply).startswith("unfurls: on → off")


async def test_a_form_that_nobody_changed_changes_nothing(
    app: Broadsheet, database: Database
) -> None:
    """Submitted as it was opened, it says so."""
    await app.run_text("settings zone Asia/Tokyo", MANAGER)
    reply = await submitted(app, await opened(app))
    assert (told(reply), pressed(reply)) == ("Nothing has changed.", {})
    assert await Workspaces(database).settings(OURS) == WorkspaceSettings("Asia/Tokyo")


async def test_an_emptied_field_is_the_default(app: Broadsheet) -> None:
    """An emptied field resets the setting."""
    await app.run_text("settings zone Asia/Tokyo", MANAGER)
    reply = await submitted(app, await opened(app), zone="")
    assert told(reply).startswith("zone: Asia/Tokyo → not set")


async def test_what_somebody_else_changed_meanwhile_stays_and_is_told(
    app: Broadsheet, database: Database
) -> None:
    """Of two who have the form open, the second overwrites nothing that they did not see.

    What they wanted beside that is done; a button settles theirs all the same.
    """
    mine, theirs = await opened(app), await opened(app)
    await submitted(app, theirs, zone="Asia/Tokyo", layout="full")
    reply = await submitted(app, mine, zone="Europe/Berlin", unfurls="off")
    assert told(reply).split(" | ")[:1] == ["unfurls: on → off"]
    assert "zone was not changed: somebody else set it to Asia/Tokyo meanwhile." in told(reply)
    assert "You wanted Europe/Berlin." in told(reply)
    assert "layout is full now: somebody else changed it meanwhile." in told(reply)
    kept = WorkspaceSettings("Asia/Tokyo", unfurls=False, layout=Layout.FULL)
    assert await Workspaces(database).settings(OURS) == kept
    await app.run_text(pressed(reply)["Set zone to Europe/Berlin"], MANAGER, origin=PRESSED)
    assert (await Workspaces(database).settings(OURS)).zone == "Europe/Berlin"


async def test_two_who_want_the_same_are_told_that_it_is_so(app: Broadsheet) -> None:
    """Another user's same change is no conflict."""
    mine, theirs = await opened(app), await opened(app)
    await submitted(app, theirs, zone="Asia/Tokyo")
    reply = await submitted(app, mine, zone="Asia/Tokyo")
    assert told(reply) == "zone: Asia/Tokyo, as before."


async def test_an_undo_overwrites_nothing_that_came_since(
    app: Broadsheet, database: Database
) -> None:
    """Another user's change after a form was submitted stays when the form is undone."""
    reply = await submitted(app, await opened(app), zone="Asia/Tokyo", unfurls="off")
    await app.run_text("settings zone Europe/Berlin", MANAGER)
    undone = await app.run_text(pressed(reply)["Undo"], MANAGER, origin=PRESSED)
    assert "zone was not changed: somebody else set it to Europe/Berlin meanwhile." in told(undone)
    assert await Workspaces(database).settings(OURS) == WorkspaceSettings("Europe/Berlin")


async def test_a_form_that_comes_twice_changes_nothing_twice(
    app: Broadsheet, database: Database
) -> None:
    """The second time it is answered with how it is, whatever was settled since."""
    form = await opened(app)
    line = command_string(SETTINGS, {**form, "zone": "Asia/Tokyo"})
    await app.run_text(line, MANAGER, "slack:1", PRESSED)
    await app.run_text("settings zone default", MANAGER, "slack:2")
    again = await app.run_text(line, MANAGER, "slack:1", PRESSED)
    assert not again.failed
    assert await Workspaces(database).settings(OURS) == WorkspaceSettings()


async def test_a_role_that_is_gone_stands_in_no_form(app: Broadsheet) -> None:
    """Discord takes no form that holds what the server has not; submitted, it is forgotten."""
    await app.run_text("settings role Editors", OWNER)
    elsewhere = replace(OWNER, roles=lambda: [Named("9", "Others")])
    form = await opened(app, elsewhere)
    assert (form["role"], form["seen"]) == ("default", "zone=default,layout=default,role=7")
    reply = await submitted(app, form, elsewhere)
    assert told(reply).startswith("role: 7 (no such role is here now) → not set")


async def test_a_form_changes_only_what_its_asker_may(app: Broadsheet) -> None:
    """A setting of owners, or of another platform, is refused, and nothing else is changed."""
    deputy = replace(OWNER, owns=False)
    reply = await app.run_text(
        "settings zone:UTC role:7 seen:zone=default,role=default", deputy, origin=PRESSED
    )
    assert "Only those with the permission Manage Server may change role." in told(reply)
    reply = await app.run_text("settings zone:UTC unfurls:off", OWNER)
    assert "unfurls is a setting in Slack only." in told(reply)
    assert (await opened(app, OWNER))["zone"] == "default"
    with pytest.raises(UserError, match="settings is for managers"):
        await opened(app, replace(MANAGER, role=Role.READER))


async def test_a_form_of_a_workspace_says_nothing_of_another(app: Broadsheet) -> None:
    """Its values are those of the user's workspace alone."""
    await app.run_text("settings zone Asia/Tokyo", MANAGER)
    assert (await opened(app, replace(MANAGER, workspace="T2")))["zone"] == "default"


@pytest.mark.parametrize("seen", ["zone", "colour=red", "=,", "zone="])
async def test_what_no_form_says_is_refused_in_words(app: Broadsheet, seen: str) -> None:
    """A marker that no form has is the user's error."""
    reply = await app.run_text(f"settings zone:UTC seen:{seen}", MANAGER, origin=PRESSED)
    assert reply.failed
    assert "Something went wrong" not in told(reply)


async def test_several_settings_may_be_typed_too(app: Broadsheet) -> None:
    """Each by its name; the last change counts, for there was no form."""
    reply = await app.run_text("settings zone:berlin layout:full", MANAGER)
    assert told(reply).startswith("2 settings were changed.")
    seen = "seen:zone=Europe/Berlin,layout=full"
    assert pressed(reply) == {"Undo": f"settings zone:default layout:default {seen}"}
    said = await app.run_text("settings zone:berlln", MANAGER)
    assert "zone: I can't read 'berlln' as a zone." in told(said)
