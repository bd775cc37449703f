"""Which installation a payload is for, and where its user is at home. Pure.

In a channel that organisations share, a payload names several workspaces: the one that hosts the
channel, that of the user, and the one that installed the app, which alone counts. Bolt reads them
with https://github.com/slackapi/bolt-python/blob/main/slack_bolt/request/internals.py, which
neither tells a user's organisation from the app's, nor the workspace of an organisation's event.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """The installation that a payload is for.

    `team` is `None` where its organisation alone is known, as in an interaction without `team`;
    `enterprise` is `None` where its workspace alone is. `is_org` is whether the organisation
    installed the app for all its workspaces. `user_team` is the workspace or organisation of the
    user, `None` where the payload doesn't tell.
    """

    team: str | None
    enterprise: str | None = None
    is_org: bool = False
    user_team: str | None = None


def place_of(body: _Body) -> Place:
    """Return the place of an event, a slash command or an interaction."""
    if isinstance(body.get("event"), Mapping):
        return _of_event(body, body["event"])
    if isinstance(body.get("user"), Mapping):
        return _of_interaction(body, body["user"])
    # Slack lets a command be typed only by people of a workspace with the app.
    team = body.get("team_id")
    return Place(team, body.get("enterprise_id"), _is_org(body), user_team=team)


def addressed_to(body: _Body, team: str | None, enterprise: str | None) -> _Body:
    """Return an event as it is delivered to another installation.

    Args:
        body: the event.
        team: the workspace that installed the app, `None` where its organisation did.
        enterprise: the organisation.
    """
    is_org = team is None
    authorization = {"team_id": team, "enterprise_id": enterprise, "is_enterprise_install": is_org}
    return {**body, "authorizations": [authorization]}


def _of_event(body: _Body, event: _Body) -> Place:
    """Return the place of an event, which an installation is authorized to see.

    https://docs.slack.dev/apis/events-api/#authorizations
    """
    authorization: _Body = next(iter(body.get("authorizations") or ()), {})
    outer = body.get("team_id"), body.get("enterprise_id")
    if not authorization:
        # That an app was removed is told to no installation.
        is_org = _is_org(body) or (outer[0] is None and outer[1] is not None)
        return Place(*outer, is_org, _home(body, event, outer[0] or outer[1]))
    enterprise, is_org = authorization.get("enterprise_id"), _is_org(authorization)
    team = _workspace(authorization.get("team_id"))
    if team is None and is_org:
        context = body.get("context_team_id"), body.get("context_enterprise_id")
        inside = (pair[0] for pair in (outer, context) if pair[1] == enterprise)
        team = next(filter(None, inside), None)
        if team is None and not body.get("is_ext_shared_channel"):
            team = outer[0]
    elif team is None:
        team = outer[0]
    return Place(team, enterprise, is_org, _home(body, event, team or enterprise))


def _home(body: _Body, event: _Body, own: str | None) -> str | None:
    """Return the workspace or organisation of an event's user.

    Slack names it where it differs from the app's. `team` of a message is its author's.
    """
    profile = event.get("user_profile") or {}
    named = event.get("user_team") or event.get("source_team") or profile.get("team")
    return named or event.get("team") or (None if body.get("is_ext_shared_channel") else own)


def _of_interaction(body: _Body, user: _Body) -> Place:
    """Return the place of a pressed button, a shortcut, a submitted form or wanted options.

    A form that a stranger submits names their workspace and organisation, and the app's as
    `app_installed_team_id`: https://github.com/slackapi/bolt-js/issues/1614
    """
    named: _Body = body.get("team") or {}
    enterprise = (body.get("enterprise") or {}).get("id") or named.get("enterprise_id")
    is_org, user_team = _is_org(body), user.get("team_id")
    if user_team is None and body.get("type") == "view_submission":
        user_team = named.get("id")
    own = named.get("id") or (None if is_org else user_team)
    installed = (body.get("view") or {}).get("app_installed_team_id")
    if installed and installed.startswith("E"):
        team = own if enterprise == installed else None
        return Place(team, installed, is_org=True, user_team=user_team)
    team = installed or own
    if team is None or user_team in {None, team} or (is_org and team == named.get("id")):
        return Place(team, enterprise, is_org, user_team)
    # Of a stranger's payload only the workspace is the app's for certain.
    return Place(team, None, is_org=False, user_team=user_team)


def _is_org(said: _Body) -> bool:
    """Tell whether an organisation installed the app; a command says it in words."""
    return str(said.get("is_enterprise_install")).lower() == "true"


def _workspace(named: str | None) -> str | None:
    """Return the id of a workspace, `None` for that of an organisation."""
    return None if named is None or named.startswith("E") else named
