"""Payloads tell which installation they are for, and where their users are at home."""

from typing import Any

import pytest

from adapters.slack.requests.payloads import Place, addressed_to, place_of

# T1, of E1, installed the app; T2, of E2, hosts the channel or is a stranger's.
OURS = {"team_id": "T1", "enterprise_id": None, "is_enterprise_install": False}
OF_E1 = {"team_id": "T1", "enterprise_id": "E1", "is_enterprise_install": False}
ORG = {"team_id": None, "enterprise_id": "E1", "is_enterprise_install": True}
T1, T2 = {"id": "T1"}, {"id": "T2", "enterprise_id": "E2"}
E1, E2 = {"id": "E1"}, {"id": "E2"}


def event(authorization: dict[str, Any], fields: dict[str, Any], **outer: Any) -> dict[str, Any]:
    """Return an event in a channel that T2 hosts."""
    shared = {"team_id": "T2", "enterprise_id": "E2", "is_ext_shared_channel": True}
    happened = {"type": "app_mention", "user": "U1", **fields}
    return {**shared, "authorizations": [authorization], "event": happened, **outer}


@pytest.mark.parametrize(
    ("body", "place"),
    [
        # The authorized installation counts, whoever hosts the channel.
        (event(OURS, {"team": "T1"}), Place("T1", None, user_team="T1")),
        (event(OF_E1, {"user_team": "E1"}), Place("T1", "E1", user_team="E1")),
        (event(OURS, {"user_team": "T2"}), Place("T1", None, user_team="T2")),
        (event(OURS, {"source_team": "E2", "team": "T1"}), Place("T1", None, user_team="E2")),
        (event(OURS, {"user_profile": {"team": "T2"}}), Place("T1", None, user_team="T2")),
        (event(OURS, {"type": "message", "team": "T2"}), Place("T1", None, user_team="T2")),
        (event(OURS, {"team": "T2"}, is_ext_shared_channel=None), Place("T1", user_team="T2")),
        (event(OURS, {"type": "link_shared"}), Place("T1")),
        # An organisation's event is of its workspace, which either pair may name.
        (
            event(ORG, {"team": "T1"}, team_id="T1", enterprise_id="E1"),
            Place("T1", "E1", is_org=True, user_team="T1"),
        ),
        (
            event(ORG, {"user_team": "E2"}, context_team_id="T3", context_enterprise_id="E1"),
            Place("T3", "E1", is_org=True, user_team="E2"),
        ),
        (
            event({**ORG, "team_id": "E1"}, {"user_team": "T9"}, context_team_id="T2"),
            Place(None, "E1", is_org=True, user_team="T9"),
        ),
        # Without other organisations nobody is a stranger.
        (
            {"team_id": "T1", "authorizations": [OURS], "event": {"type": "app_home_opened"}},
            Place("T1", None, user_team="T1"),
        ),
        ({"team_id": "T1", "event": {"type": "app_uninstalled"}}, Place("T1", user_team="T1")),
        # An organisation's removal names no workspace.
        (
            {"enterprise_id": "E1", "authorizations": [], "event": {"type": "tokens_revoked"}},
            Place(None, "E1", is_org=True, user_team="E1"),
        ),
        (
            {"team_id": "T1", "enterprise_id": "E1", "is_enterprise_install": True, "event": {}},
            Place("T1", "E1", is_org=True, user_team="T1"),
        ),
    ],
)
def test_an_event_is_for_the_installation_that_may_see_it(
    body: dict[str, Any], place: Place
) -> None:
    """Neither the host of a shared channel nor the author's workspace counts."""
    assert place_of(body) == place


@pytest.mark.parametrize(
    ("team", "enterprise", "is_org", "user_team", "installed", "place"),
    [
        (T1, None, False, "T1", None, Place("T1", None, user_team="T1")),
        # A button names the app's workspace, and the stranger's organisation is not the app's.
        (T1, E2, False, "T2", None, Place("T1", None, user_team="T2")),
        # A form names the stranger's; their organisation may have the app, too.
        (T2, E2, False, "T2", "T1", Place("T1", None, user_team="T2")),
        (T2, E2, True, "T2", "T1", Place("T1", None, user_team="T2")),
        (T2, E2, True, "T2", "E1", Place(None, "E1", is_org=True, user_team="T2")),
        (T1, E1, False, "T1", "T1", Place("T1", "E1", user_team="T1")),
        # An organisation's interaction may have no workspace.
        (T1, E1, True, "T3", None, Place("T1", "E1", is_org=True, user_team="T3")),
        (None, E1, True, "T1", None, Place(None, "E1", is_org=True, user_team="T1")),
        (None, E1, True, "T1", "T1", Place("T1", "E1", is_org=True, user_team="T1")),
        (T1, E1, True, "T1", "E1", Place("T1", "E1", is_org=True, user_team="T1")),
        (None, E1, True, "T9", "T1", Place("T1", None, user_team="T9")),
        (None, None, False, "T1", None, Place("T1", None, user_team="T1")),
    ],
)
def test_an_interaction_is_for_the_installation_whose_it_is(  # noqa: PLR0913 - a row has so many facts
    team: dict[str, str] | None,
    enterprise: dict[str, str] | None,
    user_team: str,
    installed: str | None,
    place: Place,
    *,
    is_org: bool,
) -> None:
    """A view names the installation, and what a stranger's payload says beside it is theirs."""
    body: dict[str, Any] = {"team": team, "enterprise": enterprise, "is_enterprise_install": is_org}
    body["user"] = {"id": "U1", "team_id": user_team}
    if installed:
        body["view"] = {"app_installed_team_id": installed}
    assert place_of(body) == place


@pytest.mark.parametrize("named", ["T1", "T2"])
def test_a_form_names_the_workspace_of_its_user(named: str) -> None:
    """It does so too where nothing is said beside the user."""
    view = {"app_installed_team_id": "T1"}
    body = {"type": "view_submission", "team": {"id": named}, "user": {"id": "U1"}, "view": view}
    assert place_of(body) == Place("T1", user_team=named)


def test_a_command_is_of_its_user_s_workspace() -> None:
    """Only people of a workspace with the app can type one."""
    body = {"command": "/papers", "team_id": "T1", "enterprise_id": "E1", "user_id": "U1"}
    assert place_of(body) == Place("T1", "E1", user_team="T1")
    org_wide = place_of({**body, "is_enterprise_install": "true"})
    assert org_wide == Place("T1", "E1", is_org=True, user_team="T1")


def test_an_event_can_be_addressed_to_another_installation() -> None:
    """It is then of that workspace, or of the organisation's that the payload names."""
    body = event(OURS, {"user_team": "T2"})
    assert place_of(addressed_to(body, "T2", None)) == Place("T2", None, user_team="T2")
    assert place_of(addressed_to(body, None, "E2")).team == "T2"
