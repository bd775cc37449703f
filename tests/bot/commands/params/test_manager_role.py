"""The setting `role`: who besides the owners of a server is a manager there."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.actor import Actor, Named, Role
from bot.app import Broadsheet
from bot.commands.handlers.settings import SETTINGS
from bot.commands.params.channels_and_roles import find_role, role_name
from bot.errors import ArgumentError
from bot.replies.plain_text import plain_text
from tests.bot.replies.parts import pressed

EDITORS, ADMINS = Named("101", "Editors"), Named("102", "Admins")
RED, ALSO_RED, NUMBER = Named("103", "Red"), Named("104", "RED"), Named("105", "101")
ROLES = (EDITORS, ADMINS, RED, ALSO_RED, NUMBER)


def _in_discord(roles: Sequence[Named] = ROLES, *, owns: bool = True) -> Actor:
    return Actor("discord", "900", "1", Role.MANAGER, channel="500", owns=owns, roles=lambda: roles)


OWNER, EDITOR = _in_discord(), _in_discord(owns=False)
IN_SLACK = Actor("slack", "T1", "U1", Role.MANAGER, channel="C1")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<@&101>", "101"), ("101", "101"), ("editors", "101"), (" @Editors ", "101"),
        ("ADMINS", "102"), ("104", "104"), ("105", "105"),
    ],
)  # fmt: skip
def test_a_role_is_mentioned_or_named(text: str, found: str) -> None:
    """By a mention, its id, or its name in any case; an id comes before a name that looks so."""
    assert find_role(text, ROLES) == found


@pytest.mark.parametrize(
    ("text", "sentence", "nearest"),
    [
        ("Editor", "There is no role 'Editor' here.", ["101"]),
        ("<@&999>", "There is no role '999' here.", []),
        ("re", "There is no role 're' here.", ["103", "104"]),
        ("red", "Several roles are called 'red'.", ["103", "104"]),
        ("", "There is no role '' here.", []),
        ("x" * 5000, f"There is no role {'x' * 40!r} here.", []),
    ],
)
def test_a_role_that_is_not_there_gets_the_nearest(
    text: str, sentence: str, nearest: list[str]
) -> None:
    """Equal names are suggested by id, so that each is one role."""
    with pytest.raises(ArgumentError) as raised:
        find_role(text, ROLES)
    assert raised.value.sentence == sentence
    assert [option.value for option in raised.value.nearest] == nearest


def test_a_kept_role_is_shown_by_its_name() -> None:
    """One that is gone is shown by its id, with a word on that."""
    assert role_name("101", ROLES) == "Editors"
    assert role_name("999", ROLES) == "999 (no such role is here now)"


async def test_a_role_is_settled_and_undone(empty_app: Broadsheet) -> None:
    """It is kept by its id, shown by its name as that is now, and can be taken back."""
    reply = await empty_app.run_text("settings role <@&101>", OWNER)
    assert plain_text(reply).splitlines()[0] == "role: not set → Editors"
    assert list(pressed(reply).items()) == [("Undo", "settings role:default seen:role=101")]
    reply = await empty_app.run_text("settings role admins", OWNER)
    assert plain_text(reply).splitlines()[0] == "role: Editors → Admins"
    assert list(pressed(reply).items()) == [("Undo", "settings role:101 seen:role=102")]
    renamed = _in_discord([Named("102", "Chiefs")])
    reply = await empty_app.run_text("settings role", renamed)
    assert "now    Chiefs" in plain_text(reply)
    assert list(pressed(reply).items()) == [("Forget the role", "settings role default")]
    gone = await empty_app.run_text("settings", _in_discord([EDITORS]))
    assert "role    102 (no such role is here now) · the role whose members" in plain_text(gone)
    reply = await empty_app.run_text("settings role DEFAULT", OWNER)
    assert plain_text(reply).splitlines()[0] == "role: Admins → not set"


async def test_a_wrong_role_is_answered_with_buttons(empty_app: Broadsheet) -> None:
    """Each button says a name and settles that very role."""
    reply = await empty_app.run_text("settings role red", OWNER)
    assert plain_text(reply).splitlines()[0] == "role: Several roles are called 'red'."
    assert list(pressed(reply).items()) == [
        ("Red · 103", "settings role 103"),
        ("RED · 104", "settings role 104"),
    ]
    near = await empty_app.run_text("settings role Editor", OWNER)
    assert list(pressed(near).items()) == [("Editors", "settings role 101")]


async def test_only_an_owner_changes_the_role(empty_app: Broadsheet) -> None:
    """A manager by that role alone sees it, and is offered no change of it."""
    await empty_app.run_text("settings role Editors", OWNER)
    refused = await empty_app.run_text("settings role Admins", EDITOR)
    assert refused.failed
    sentence = "Only those with the permission Manage Server may change role."
    assert plain_text(refused).splitlines()[0] == sentence
    shown = await empty_app.run_text("settings role", EDITOR)
    assert "now    Editors" in plain_text(shown)
    assert list(pressed(shown).items()) == []
    offered = await empty_app.options(SETTINGS.params[1], "adm", EDITOR)
    assert "Admins" not in [option.value for option in offered]
    assert not (await empty_app.run_text("settings zone UTC", EDITOR)).failed


async def test_roles_are_completed(empty_app: Broadsheet) -> None:
    """By any part of the name, those that begin so first; one that is not alone by its id."""

    async def offered(beginning: str) -> list[tuple[str, str]]:
        options = await empty_app.options(SETTINGS.params[1], beginning, OWNER)
        return [(each.value, each.label) for each in options if "now" not in each.label]

    assert await offered("@edi") == [("Editors", "")]
    assert await offered("red") == [("103", "Red"), ("104", "RED")]
    assert await offered("101") == [("105", "101")]
    layouts = {"compact", "full", "thread"}  # another setting's, for which is meant isn't known
    for value, _ in await offered(""):
        if value in layouts:
            continue
        assert not (await empty_app.run_text(f"settings role {value}", OWNER)).failed


@pytest.mark.parametrize(
    ("actor", "own", "line", "said"),
    [
        (
            OWNER,
            ["zone", "layout", "role"],
            "settings unfurls off",
            ["unfurls is a setting in Slack only.", "The settings here are zone, layout, role."],
        ),
        (
            IN_SLACK,
            ["zone", "layout", "unfurls"],
            "settings role Editors",
            ["role is a setting in Discord only.", "The settings here are zone, layout, unfurls."],
        ),
        (
            replace(IN_SLACK, platform="other"),
            ["zone", "layout"],
            "settings ROLE",
            ["role is a setting in Discord only.", "The settings here are zone, layout."],
        ),
    ],
)
async def test_a_platform_has_its_own_settings(
    empty_app: Broadsheet, actor: Actor, own: list[str], line: str, said: list[str]
) -> None:
    """Only these are listed and completed; another platform's is named as such."""
    names = [option.value for option in await empty_app.options(SETTINGS.params[0], "", actor)]
    listed = plain_text(await empty_app.run_text("settings", actor))
    assert names == own
    for name in ("zone", "unfurls", "role"):
        assert (f"\n{name}  " in listed) == (name in own)
    nameless = await empty_app.run_text("settings value:off", actor)
    assert list(pressed(nameless).values()) == [f"settings {name}" for name in own]
    reply = await empty_app.run_text(line, actor)
    assert reply.failed
    assert plain_text(reply).splitlines() == said
