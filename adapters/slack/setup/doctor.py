"""What of Slack's settings would not work: the platform's part of `broadsheet doctor`.

It asks Slack who the tokens belong to and what they may do, and changes nothing there.
"""

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.api.errors import in_words
from adapters.slack.api.scopes import BOT_SCOPES, missing_scopes
from adapters.slack.settings import (
    EVENTS_PATH,
    INSTALL_PATH,
    Install,
    SlackSettings,
    Transport,
    read_slack_settings,
)
from adapters.slack.setup.post_checks import examine_channels
from bot.errors import OutcomeUnknown, RetryLater, SendError, SettingsError
from bot.operations.health import Finding, Verdict
from bot.replies.wording import count
from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.records import Channel, KeptToken
from store.workspaces.installations import list_unreadable

if TYPE_CHECKING:
    from slack_sdk.web.async_slack_response import AsyncSlackResponse

_SECONDS = 5
_NAMED = 3  # workspaces whose tokens can't be read

_COPY_APP = (
    "Copy the app-level token (xapp-…) with the scope connections:write: "
    "Basic Information, App-Level Tokens."
)
_COPY_BOT = "Copy the Bot User OAuth Token (xoxb-…) once more: OAuth & Permissions."
# What each code needs done, where that is another thing than copying the token.
_REMEDIES = {
    "account_inactive": "The app was removed from the workspace: install it again, Install App.",
    "token_revoked": "The token was revoked: install the app again, Install App.",
    "socket_mode_not_enabled": "Turn Socket Mode on in the app's settings.",
}
_LATER = "Try again in a moment."
_REACH = "Look at the network, at a proxy, and at BROADSHEET_SLACK_API_URL."


async def examine(
    variables: Mapping[str, str],
    channels: Sequence[Channel] = (),
    tokens: Sequence[KeptToken] = (),
) -> list[Finding]:
    """Find out whether the settings add up, Slack accepts the tokens and channels are open.

    Args:
        variables: the environment over what `.env` says.
        channels: those that get posts.
        tokens: those that are stored.
    """
    try:
        settings = read_slack_settings(variables)
    except SettingsError as error:
        return [_problem(error.sentence, error.remedy)]
    client = AsyncWebClient(base_url=settings.api_url, timeout=_SECONDS, retry_handlers=[])
    asked = await asyncio.gather(
        _bot_token(client, settings, channels), _app_token(client, settings)
    )
    said = [*_ignored(settings), _way_in(settings), *_installing(settings, channels, tokens)]
    return [*said, *(finding for findings in asked for finding in findings)]


def _ignored(settings: SlackSettings) -> Iterator[Finding]:
    if settings.ignored:
        verb = "is" if len(settings.ignored) == 1 else "are"
        yield _note(
            f"{' and '.join(settings.ignored)} {verb} ignored, for SLACK_BOT_TOKEN is set.",
            "Leave SLACK_BOT_TOKEN out to let many workspaces install the app.",
        )


def _way_in(settings: SlackSettings) -> Finding:
    if settings.transport == Transport.SOCKET:
        return _well("Requests come in by Socket Mode.")
    if settings.public_url is None:
        return _note(
            f"Requests come in over HTTP; Slack must reach {EVENTS_PATH} on the web port.",
            "Set BROADSHEET_PUBLIC_URL to where it is reached, for the manifest.",
        )
    sentence = f"Requests come in over HTTP; Slack must reach {settings.public_url}{EVENTS_PATH}."
    if settings.public_url.startswith("https://"):
        return _well(sentence)
    return _note(sentence, "Slack reaches nothing but https:// addresses.")


def _installing(
    settings: SlackSettings, channels: Sequence[Channel], tokens: Sequence[KeptToken]
) -> Iterator[Finding]:
    if settings.install is None:
        return
    if settings.public_url:
        yield _well(f"Workspaces install the app at {settings.public_url}{INSTALL_PATH}.")
    else:
        yield _note(
            f"Workspaces install the app at {INSTALL_PATH} on the web port.",
            "Set BROADSHEET_PUBLIC_URL, so that Slack sends people back to it.",
        )
    yield from _keys(settings.install, tokens)
    if channels:
        yield _note(
            "The channels that get posts are not examined: each workspace has its own token."
        )


def _keys(install: Install, tokens: Sequence[KeptToken]) -> Iterator[Finding]:
    """Say whether the keys open the tokens that workspaces gave to this app."""
    own = [each for each in tokens if each.client_id == install.client_id]
    if not own:
        return
    box = SecretBox([key.get_secret_value() for key in install.secret_keys])
    lost = list_unreadable(own, box)
    if not lost:
        yield _well(f"BROADSHEET_SECRET_KEY opens the tokens of {count(len(own), 'workspace')}.")
        return
    more = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
    error = SecretUnreadable(f"{', '.join(lost[:_NAMED])}{more}", several=len(lost) > 1)
    yield _problem(error.sentence, error.remedy)


async def _bot_token(
    client: AsyncWebClient, settings: SlackSettings, channels: Sequence[Channel]
) -> list[Finding]:
    if settings.bot_token is None:
        return []
    token = settings.bot_token.get_secret_value()
    try:
        answer = await _asked(client.auth_test(token=token))
    except SendError as error:
        return [_refused("SLACK_BOT_TOKEN", error, _COPY_BOT)]
    if token.startswith("xoxp-"):
        return [_problem("SLACK_BOT_TOKEN is a person's token, not a bot's.", _COPY_BOT)]
    connected = _well(f"SLACK_BOT_TOKEN is of @{answer.get('user')} in {answer.get('team')}.")
    granted = answer.headers.get("x-oauth-scopes")

    async def look(channel: str) -> Mapping[str, Any]:
        told = await _asked(client.conversations_info(token=token, channel=channel))
        facts: Mapping[str, Any] = told["channel"]
        return facts

    return [connected, *_scopes(granted, settings), *await examine_channels(channels, look)]


async def _app_token(client: AsyncWebClient, settings: SlackSettings) -> list[Finding]:
    if settings.app_token is None:
        return []
    token = settings.app_token.get_secret_value()
    try:
        await _asked(client.apps_connections_open(app_token=token))
    except SendError as error:
        return [_refused("SLACK_APP_TOKEN", error, _COPY_APP)]
    return [_well("SLACK_APP_TOKEN opens connections.")]


async def _asked(call: "Awaitable[AsyncSlackResponse]") -> "AsyncSlackResponse":
    try:
        return await call
    except (SlackApiError, aiohttp.ClientError, OSError) as error:
        raise in_words(error) from error


def _refused(name: str, error: SendError, remedy: str) -> Finding:
    if isinstance(error, RetryLater | OutcomeUnknown):
        remedy = (error.remedy or _LATER) if error.code else _REACH
        return _problem(f"{name} could not be tried: {error.sentence}", remedy)
    code = error.code or "what answers is not Slack"
    return _problem(f"Slack refuses {name} ({code}).", _REMEDIES.get(error.code, remedy))


def _scopes(granted: str | None, settings: SlackSettings) -> Iterator[Finding]:
    if granted is None:
        yield _note("Slack did not say which scopes are granted.")
        return
    missing = missing_scopes([name.strip() for name in granted.split(",")])
    if not missing:
        yield _well(f"All {len(BOT_SCOPES)} scopes are granted.")
    for scope in missing:
        needed = scope.needed or (scope.name == "users:read" and settings.managers == "admins")
        yield Finding(
            "slack",
            Verdict.PROBLEM if needed else Verdict.NOTE,
            f"The scope {scope.name} is missing: {scope.lost}.".replace("`", ""),
            "Add it under OAuth & Permissions and install the app again; see docs/slack.md.",
        )


def _well(sentence: str) -> Finding:
    return Finding("slack", Verdict.WELL, sentence)


def _note(sentence: str, remedy: str = "") -> Finding:
    return Finding("slack", Verdict.NOTE, sentence, remedy)


def _problem(sentence: str, remedy: str = "") -> Finding:
    return Finding("slack", Verdict.PROBLEM, sentence, remedy)
