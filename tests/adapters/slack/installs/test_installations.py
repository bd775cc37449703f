"""The cached authorizations of workspaces and their invalidation."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from slack_bolt.error import BoltError
from slack_sdk.oauth.installation_store.models.installation import Installation as Granted

from adapters.slack.api.tokens import FRESH_SECONDS, UNKNOWN_SECONDS, FixedToken, StoredTokens
from adapters.slack.installs.oauth_stores import InstallationStore, TokenRotationEnabled
from bot.operations.health import Condition, State
from store.database import Database
from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.records import Installation, InstallationKey
from store.workspaces import installations
from tests.adapters.slack.connected_bot import many_variables, running
from tests.fakes.clock import Seconds
from tests.fakes.slack import FakeSlack

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
BOX = SecretBox(["a key"])


def _granted(
    team: str | None,
    token: str,
    enterprise: str | None = None,
    **facts: Any,
) -> Granted:
    return Granted(
        user_id="U1",
        bot_id="B1",
        bot_user_id="UBOT1",
        bot_scopes="commands",
        team_id=team,
        enterprise_id=enterprise,
        bot_token=token,
        **facts,
    )


class _Replica:
    """A process over a store, with a clock that is moved by hand."""

    def __init__(self, database: Database) -> None:
        self.seconds = Seconds()
        self.workspaces = StoredTokens(database, "app1", BOX, self.seconds)
        self.store = InstallationStore(database, "app1", BOX, self.workspaces, lambda: NOW)

    async def token(self, team: str | None, enterprise: str | None = None) -> str | None:
        found = await self.workspaces.find(enterprise, team)
        return found.bot_token if found else None


async def test_a_token_from_the_settings_serves_all_requests() -> None:
    """A person of another workspace in a shared channel is answered with the one token."""
    one = FixedToken("xoxb-1")
    one.identify({"team_id": "T1", "user_id": "UBOT1", "bot_id": "B1"})
    for team in ("T1", "T2"):
        found = await one.find(None, team)
        assert found is not None
        assert (found.bot_token, found.bot_user_id, found.team_id) == ("xoxb-1", "UBOT1", team)
        assert "xoxb-1" not in repr(found)


async def test_an_installation_serves_from_the_moment_it_is_kept(database: Database) -> None:
    """A workspace that was unknown a moment ago is known once it installed; others are not."""
    here = _Replica(database)
    assert await here.token("T1") is None
    await here.store.save(_granted("T1", "xoxb-1"))
    assert await here.token("T1") == "xoxb-1"
    assert await here.token("T2") is None


async def test_another_replica_s_change_is_seen_within_a_minute(database: Database) -> None:
    """A change by another process is noticed after a minute, or five seconds."""
    here, there = _Replica(database), _Replica(database)
    await there.store.save(_granted("T1", "xoxb-1"))
    assert await here.token("T1") == "xoxb-1"
    await there.store.remove(None, "T1")
    here.seconds.at += FRESH_SECONDS - 0.1
    assert await here.token("T1") == "xoxb-1"
    here.seconds.at += 0.1
    assert await here.token("T1") is None
    await there.store.save(_granted("T1", "xoxb-2"))
    here.seconds.at += UNKNOWN_SECONDS - 0.1
    assert await here.token("T1") is None
    here.seconds.at += 0.1
    assert await here.token("T1") == "xoxb-2"


async def test_an_authorization_read_before_a_change_is_not_cached(database: Database) -> None:
    """An authorization read before a change is not cached after it."""
    here, there = _Replica(database), _Replica(database)
    await there.store.save(_granted("T1", "xoxb-1"))
    reading = asyncio.create_task(here.token("T1"))
    await asyncio.sleep(0)  # until it waits for the store
    here.workspaces.forget()
    assert await reading == "xoxb-1"
    await there.store.remove(None, "T1")
    assert await here.token("T1") is None


@pytest.mark.parametrize("is_org", [False, True])
async def test_uninstalling_ends_it_at_once(database: Database, *, is_org: bool) -> None:
    """After an uninstallation the workspace, or each of the organisation, is a stranger."""
    here = _Replica(database)
    team = None if is_org else "T1"
    await here.store.save(_granted(team, "xoxb-1", enterprise="E1", is_enterprise_install=is_org))
    assert await here.token("T1", "E1") == "xoxb-1"
    await here.store.remove("E1", team)
    await here.store.remove("E1", team)
    assert await here.token("T1", "E1") is None


async def test_tokens_that_end_in_hours_are_refused(database: Database) -> None:
    """An app that rotates its tokens is not taken in, to fall silent the next morning."""
    here = _Replica(database)
    rotating = _granted("T1", "xoxe.xoxb-1", bot_token_expires_in=43200)
    with pytest.raises(TokenRotationEnabled):
        await here.store.save(rotating)
    assert await here.token("T1") is None


@pytest.mark.parametrize("granted", [_granted("T1", ""), _granted(None, "xoxb-1")])
async def test_a_grant_without_bot_or_place_is_refused(
    database: Database, granted: Granted
) -> None:
    """Without a bot's token, or without a workspace, nothing was installed."""
    with pytest.raises(BoltError, match="no bot in any workspace"):
        await _Replica(database).store.save(granted)


async def test_a_token_of_a_lost_key_fails_each_time(database: Database) -> None:
    """A token that no key opens is an error with a remedy, not an unknown workspace."""
    await _Replica(database).store.save(_granted("T1", "xoxb-1", team_name="Acme"))
    other = StoredTokens(database, "app1", SecretBox(["another key"]))
    for _ in range(2):
        with pytest.raises(SecretUnreadable, match=r"Acme \(T1\)"):
            await other.find(None, "T1")


async def test_health_says_that_tokens_cannot_be_read(stocked: Database) -> None:
    """Health reports tokens of a lost key until each workspace has reinstalled the app."""
    for team in ("T1", "T2"):
        await stocked.write(installations.save, _kept(team), SecretBox(["what nobody has now"]))
    async with (
        FakeSlack() as slack,
        running(stocked, slack, many_variables(slack)) as (platform, _),
    ):
        failing = await platform.condition()
        assert failing.state is State.FAILING
        assert "opens the tokens of 2 of 2 workspaces. Put the old key" in failing.sentence
        box = SecretBox([many_variables(slack)["BROADSHEET_SECRET_KEY"]])
        await stocked.write(installations.save, _kept("T1"), box)
        partly = await platform.condition()
        assert partly.state is State.OK
        assert "opens the tokens of 1 of 2 workspaces. Put the old key" in partly.sentence
        await stocked.write(installations.save, _kept("T2"), box)
        assert await platform.condition() == Condition(State.OK)


async def test_a_token_that_another_process_kept_by_another_key_shows_in_health(
    stocked: Database,
) -> None:
    """Where it was stored after this process began, from when it is wanted."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, many_variables(slack)) as (platform, _),
    ):
        await stocked.write(installations.save, _kept("T1"), SecretBox(["another process's"]))
        await slack.command("latest")
        assert (await platform.condition()).state is State.FAILING


def _kept(team: str) -> Installation:
    """Return an installation of the app that the fake Slack has."""
    key = InstallationKey("slack", "11.22", "", team)
    now = datetime(2026, 1, 12, tzinfo=UTC)
    return Installation(
        key, "xoxb-1", "B1", "U1", (), "A1", "U1", "", "Acme", is_org_wide=False,
        installed_at=now, updated_at=now,
    )  # fmt: skip
