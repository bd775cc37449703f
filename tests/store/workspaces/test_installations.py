"""Installations: one row a place, each its own, tokens that only a key opens, on both databases."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from store.database import Database, Session
from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.records import Installation, InstallationKey
from store.workspaces.installations import (
    Renewal,
    find,
    list_organisations,
    list_tokens,
    list_unreadable,
    of_bots,
    reencrypt,
    remove,
    save,
)

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
BOX = SecretBox(["old"])
ACME = Installation(
    key=InstallationKey("slack", "app1", "", "T1"),
    bot_token="xoxb-acme",  # noqa: S106 - opens nothing
    bot_id="B1",
    bot_user_id="UBOT1",
    bot_scopes=("commands", "chat:write"),
    app_id="A1",
    installer="U1",
    enterprise_name="",
    team_name="Acme",
    is_org_wide=False,
    installed_at=NOW,
    updated_at=NOW,
)


def _at(enterprise: str, team: str, token: str, *, org_wide: bool = False) -> Installation:
    key = InstallationKey("slack", "app1", enterprise, team)
    return replace(ACME, key=key, bot_token=token, team_name=team, is_org_wide=org_wide)


async def _keep(database: Database, *installations: Installation) -> None:
    for installation in installations:
        await database.write(save, installation, BOX)


async def _token(database: Database, enterprise: str, team: str, app: str = "app1") -> str | None:
    wanted = InstallationKey("slack", app, enterprise, team)
    found = await database.read(find, wanted, BOX)
    return found.bot_token if found else None


async def test_every_fact_is_kept(database: Database) -> None:
    """What was saved is found again the same."""
    assert await database.write(save, ACME, BOX)
    assert await database.read(find, ACME.key, BOX) == ACME


async def test_no_token_stands_in_the_table(database: Database) -> None:
    """Whoever reads the table reads no token."""

    def everything(session: Session) -> str:
        return str(session.connection().execute(text("SELECT * FROM installation")).all())

    await _keep(database, ACME)
    kept = await database.read(everything)
    assert "UBOT1" in kept
    assert ACME.bot_token not in kept


def test_no_token_shows_when_a_record_is_printed() -> None:
    """A record that reaches a log or a traceback shows no token."""
    assert "UBOT1" in repr(ACME)
    assert ACME.bot_token not in repr(ACME)


async def test_eight_saves_at_once_make_one_row(database: Database) -> None:
    """However often an installation comes in at once it is one row, and new to one of them."""
    each = [replace(ACME, bot_token=f"xoxb-{number}") for number in range(8)]
    new = await asyncio.gather(*(database.write(save, one, BOX) for one in each))
    assert sorted(new) == [False] * 7 + [True]

    def count(session: Session) -> int:
        return int(session.connection().scalar(text("SELECT count(*) FROM installation")) or 0)

    assert await database.read(count) == 1


async def test_installing_again_replaces_the_token(database: Database) -> None:
    """A second installation brings its token and scopes; the first one's instant stays."""
    later = NOW + timedelta(days=1)
    again = replace(
        ACME,
        bot_token="xoxb-2",  # noqa: S106 - opens nothing
        bot_scopes=("commands",),
        installed_at=later,
        updated_at=later,
    )
    await _keep(database, ACME)
    assert not await database.write(save, again, BOX)
    assert await database.read(find, ACME.key, BOX) == replace(again, installed_at=NOW)


async def test_workspaces_never_see_each_other(database: Database) -> None:
    """A workspace gets its own token or none: not another's, not another app's."""
    await _keep(database, ACME, _at("", "T2", "xoxb-two"), _at("E1", "T3", "xoxb-three"))
    assert await _token(database, "", "T1") == "xoxb-acme"
    assert await _token(database, "", "T2") == "xoxb-two"
    assert await _token(database, "", "T9") is None
    assert await _token(database, "E1", "T9") is None
    assert await _token(database, "E2", "T3") is None
    assert await _token(database, "", "T1", app="app2") is None
    assert await _token(database, "", "") is None


async def test_an_organisation_s_installation_serves_all_its_workspaces(database: Database) -> None:
    """A workspace without one of its own has its organisation's, if that is for all of them."""
    await _keep(
        database,
        _at("E1", "", "xoxb-org", org_wide=True),
        _at("E1", "T1", "xoxb-own"),
        _at("E2", "", "xoxb-odd"),
    )
    assert await _token(database, "E1", "T1") == "xoxb-own"
    assert await _token(database, "E1", "T2") == "xoxb-org"
    assert await _token(database, "E1", "") == "xoxb-org"
    assert await _token(database, "E2", "T2") is None
    assert await _token(database, "", "T2") is None


async def test_a_workspace_is_found_whether_or_not_its_organisation_is_named(
    database: Database,
) -> None:
    """One that joined an organisation after the installation, or comes without it, is known."""
    await _keep(database, ACME, _at("E1", "T3", "xoxb-three"))
    assert await _token(database, "E1", "T1") == "xoxb-acme"
    assert await _token(database, "", "T3") == "xoxb-three"
    await _keep(database, _at("E1", "T1", "xoxb-joined"))
    assert await _token(database, "E1", "T1") == "xoxb-joined"


async def test_removing_takes_one_place_and_no_other(database: Database) -> None:
    """A workspace that goes leaves the others and its organisation; an organisation likewise."""
    await _keep(
        database, _at("E1", "", "xoxb-org", org_wide=True), _at("E1", "T1", "xoxb-own"), ACME
    )
    await _keep(database, _at("", "T2", "xoxb-two"))
    await database.write(remove, InstallationKey("slack", "app1", "E1", "T1"))
    assert await _token(database, "E1", "T1") == "xoxb-org"
    assert await _token(database, "", "T1") is None
    await database.write(remove, InstallationKey("slack", "app1", "E1", ""))
    assert await _token(database, "E1", "T1") is None
    assert await _token(database, "", "T2") == "xoxb-two"


async def test_a_key_is_rotated_without_a_token_lost(database: Database) -> None:
    """With the old key second all is renewed, once; then the old key is needed no more."""
    both, new = SecretBox(["new", "old"]), SecretBox(["new"])
    await _keep(database, ACME, _at("", "T2", "xoxb-two"))
    assert await database.read(find, ACME.key, both) == ACME
    assert await database.write(reencrypt, both) == Renewal(2, ())
    assert await database.write(reencrypt, both) == Renewal(0, ())
    assert await database.read(find, ACME.key, new) == ACME


async def test_a_lost_key_is_named_with_its_remedy(database: Database) -> None:
    """A token that no key opens is told with its workspace, and stops no other's renewal."""
    new = SecretBox(["new"])
    await _keep(database, ACME)
    await database.write(save, _at("", "T2", "xoxb-two"), SecretBox(["lost"]))
    with pytest.raises(SecretUnreadable, match=r"the token of Acme \(T1\)"):
        await database.read(find, ACME.key, new)
    assert await database.write(reencrypt, SecretBox(["new", "old"])) == Renewal(1, ("T2 (T2)",))
    assert await database.read(find, ACME.key, new) == ACME


async def test_organisations_are_listed(database: Database) -> None:
    """Those that installed the app for all their workspaces are, and nobody else."""
    await _keep(
        database,
        ACME,
        _at("E1", "T2", "xoxb-two"),
        _at("E3", "", "xoxb-three", org_wide=True),
        _at("E2", "", "xoxb-org", org_wide=True),
    )
    assert await database.read(list_organisations, "slack", "app1") == ["E2", "E3"]
    assert await database.read(list_organisations, "slack", "app2") == []


async def test_tokens_that_no_key_opens_are_listed_by_whose_they_are(database: Database) -> None:
    """One that is installed anew, with the key of now, is none of them any more."""
    wrong = SecretBox(["new"])
    await _keep(database, ACME, _at("", "T2", "xoxb-two"))
    tokens = await database.read(list_tokens)
    assert [(each.platform, each.client_id) for each in tokens] == [("slack", "app1")] * 2
    assert "xoxb" not in str(tokens)
    assert list_unreadable(tokens, BOX) == []
    assert list_unreadable(tokens, wrong) == ["Acme (T1)", "T2 (T2)"]
    await database.write(save, ACME, wrong)
    assert list_unreadable(await database.read(list_tokens), wrong) == ["T2 (T2)"]


async def test_an_installation_is_found_by_its_bot(database: Database) -> None:
    """Each bot's user is of one workspace of an app, or of an organisation."""
    org = InstallationKey("slack", "app1", "E2", "")
    other_app = InstallationKey("slack", "app2", "", "T1")
    for key, bot in ((ACME.key, "UBOT1"), (org, "UBOT2"), (other_app, "UBOT3")):
        await database.write(save, replace(ACME, key=key, bot_user_id=bot), BOX)
    found = await database.read(of_bots, "slack", "app1", ["U1", "UBOT2", "UBOT1", "UBOT3"])
    assert found == {"UBOT1": ACME.key, "UBOT2": org}
    assert await database.read(of_bots, "slack", "app1", []) == {}
