"""Slack's checks for `broadsheet doctor`: settings, tokens, scopes and channels.

It only reads from Slack.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.api.errors import as_send_error
from adapters.slack.api.scopes import AGENT_SCOPE, BOT_SCOPES, is_agents, missing_scopes
from adapters.slack.render import render_message
from adapters.slack.settings import (
    EVENTS_PATH,
    INSTALL_PATH,
    Install,
    SlackSettings,
    Transport,
    api_url,
    read_slack_settings,
)
from adapters.slack.setup.manifest import AGENT_PRICE
from bot.errors import (
    Gone,
    NotAllowed,
    OutcomeUnknown,
    RetryLater,
    SendError,
    SettingsError,
    TokenRevoked,
)
from bot.operations.doctor_checks import MOST_EXAMINED, Finding, PlatformFindings
from bot.replies.blocks import Fields, PaperLine, PaperList, Reply, Text, Title
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.wording import count
from store.database.encryption import SecretBox
from store.errors import SecretUnreadable
from store.records import Channel, KeptToken
from store.workspaces.installations import list_unreadable

if TYPE_CHECKING:
    from slack_sdk.web.async_slack_response import AsyncSlackResponse

_SECONDS = 5
_NAMED = 3  # workspaces with unreadable tokens, or faults of blocks
_INVALID = "invalid_blocks"
_CONCURRENT = 5

_COPY_APP = (
    "Copy the app-level token (xapp-…) with the scope connections:write: "
    "Basic Information, App-Level Tokens."
)
_COPY_BOT = "Copy the Bot User OAuth Token (xoxb-…) once more: OAuth & Permissions."
# Remedies for codes that need something other than copying the token.
_REMEDIES = {
    "account_inactive": "The app was removed from the workspace: install it again, Install App.",
    "token_revoked": "The token was revoked: install the app again, Install App.",
    "socket_mode_not_enabled": "Turn Socket Mode on in the app's settings.",
}
_ADD_SCOPE = "Add it under OAuth & Permissions and install the app again; see docs/slack.md."
_ALLOW_SCOPE = "To have that, install the app again and allow the scope; see docs/slack.md."
_HAS_PANE = f"The app has Slack's agent pane, for a token has the scope {AGENT_SCOPE.name}:"
_PANE = "docs/slack.md, The agent pane, says who wants it, and how an app is made without it."
_LATER = "Try again in a moment."
_REACH = "Look at the network, at a proxy, and at BROADSHEET_SLACK_API_URL."
_INVITE = "Type there: /invite @Broadsheet."
_ADMIN = "An admin of the workspace may let Broadsheet post there."
# https://docs.slack.dev/reference/objects/conversation-object
_RESTRICTIONS = {
    "is_frozen": "is frozen",
    "is_read_only": "is read-only",
    "is_thread_only": "takes nothing but replies in threads",
}
# An answer with the blocks that most answers have.
_ANSWER = Reply(
    (
        Title("Papers"),
        Text("1 paper"),
        PaperList(
            (PaperLine("1", "A paper", "A line.", "dair:2026-01-05#1", url="https://arxiv.org"),),
            menus=ANSWER_MENUS,
        ),
        Fields((("Newest", "today"),)),
    ),
    command="latest",
)
_Info = Mapping[str, Any]
_FINDINGS = PlatformFindings("slack")
_well, _note, _problem = _FINDINGS.well, _FINDINGS.note, _FINDINGS.problem


async def examine(
    variables: Mapping[str, str],
    channels: Sequence[Channel] = (),
    tokens: Sequence[KeptToken] = (),
) -> list[Finding]:
    """Return findings on the settings, the tokens and the channels.

    Args:
        variables: the environment variables, with those of `.env`.
        channels: the channels with subscriptions.
        tokens: the stored tokens.
    """
    try:
        settings = read_slack_settings(variables)
    except SettingsError as error:
        return [_problem(error.sentence, error.remedy)]
    client = AsyncWebClient(base_url=settings.api_url, timeout=_SECONDS, retry_handlers=[])
    by_token = await asyncio.gather(
        _examine_bot_token(client, settings, channels), _examine_app_token(client, settings)
    )
    local = [*_ignored(settings), _transport(settings), *_installation(settings, channels, tokens)]
    return [*local, *(finding for findings in by_token for finding in findings)]


def _ignored(settings: SlackSettings) -> Iterator[Finding]:
    if settings.ignored:
        verb = "is" if len(settings.ignored) == 1 else "are"
        yield _note(
            f"{' and '.join(settings.ignored)} {verb} ignored, for SLACK_BOT_TOKEN is set.",
            "Leave SLACK_BOT_TOKEN out to let many workspaces install the app.",
        )


def _transport(settings: SlackSettings) -> Finding:
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


def _installation(
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
    own = [each for each in tokens if each.client_id == settings.install.client_id]
    yield from _keys(settings.install, own)
    yield from _panes(own)
    if channels:
        yield _note(
            "The channels that get posts are not examined: each workspace has its own token."
        )


def _keys(install: Install, own: Sequence[KeptToken]) -> Iterator[Finding]:
    """Yield whether the keys decrypt the tokens of workspaces that installed the app."""
    if not own:
        return
    box = SecretBox([key.get_secret_value() for key in install.secret_keys])
    unreadable = list_unreadable(own, box)
    if not unreadable:
        yield _well(f"BROADSHEET_SECRET_KEY opens the tokens of {count(len(own), 'workspace')}.")
        return
    more = f" and {len(unreadable) - _NAMED} more" if len(unreadable) > _NAMED else ""
    names = f"{', '.join(unreadable[:_NAMED])}{more}"
    error = SecretUnreadable(names, several=len(unreadable) > 1)
    yield _problem(error.sentence, error.remedy)


async def _examine_bot_token(
    client: AsyncWebClient, settings: SlackSettings, channels: Sequence[Channel]
) -> list[Finding]:
    if settings.bot_token is None:
        return []
    token = settings.bot_token.get_secret_value()
    try:
        identity = await _call(client.auth_test(token=token))
    except SendError as error:
        return [_token_error("SLACK_BOT_TOKEN", error, _COPY_BOT)]
    if token.startswith("xoxp-"):
        return [_problem("SLACK_BOT_TOKEN is a person's token, not a bot's.", _COPY_BOT)]
    connected = _well(f"SLACK_BOT_TOKEN is of @{identity.get('user')} in {identity.get('team')}.")
    granted = identity.headers.get("x-oauth-scopes")

    async def read_info(channel: str) -> _Info:
        data = await _call(client.conversations_info(token=token, channel=channel))
        info: _Info = data["channel"]
        return info

    by_channel = await _examine_channels(channels, read_info)
    blocks = await examine_blocks(client, token, render_message(_ANSWER).blocks)
    return [connected, *_scopes(granted, settings), blocks, *by_channel]


async def _examine_app_token(client: AsyncWebClient, settings: SlackSettings) -> list[Finding]:
    if settings.app_token is None:
        return []
    token = settings.app_token.get_secret_value()
    try:
        await _call(client.apps_connections_open(app_token=token))
    except SendError as error:
        return [_token_error("SLACK_APP_TOKEN", error, _COPY_APP)]
    return [_well("SLACK_APP_TOKEN opens connections.")]


async def _call(call: "Awaitable[AsyncSlackResponse]") -> "AsyncSlackResponse":
    try:
        return await call
    except (SlackApiError, aiohttp.ClientError, OSError) as error:
        raise as_send_error(error) from error


def _token_error(name: str, error: SendError, remedy: str) -> Finding:
    if isinstance(error, RetryLater | OutcomeUnknown):
        remedy = (error.remedy or _LATER) if error.code else _REACH
        return _problem(f"{name} could not be tried: {error.sentence}", remedy)
    code = error.code or "what answers is not Slack"
    return _problem(f"Slack refuses {name} ({code}).", _REMEDIES.get(error.code, remedy))


def _scopes(granted: str | None, settings: SlackSettings) -> Iterator[Finding]:
    if granted is None:
        yield _note("Slack did not say which scopes are granted.")
        return
    names = [name.strip() for name in granted.split(",")]
    yield _pane(names)
    missing = missing_scopes(names)
    if not missing:
        yield _well(f"All {len(BOT_SCOPES)} scopes are granted.")
    for scope in missing:
        needed = scope.needed or (scope.name == "users:read" and settings.managers == "admins")
        found = _problem if needed else _note
        remedy = _ALLOW_SCOPE if scope.optional else _ADD_SCOPE
        yield found(f"The scope {scope.name} is missing: {scope.lost}.".replace("`", ""), remedy)


def _panes(own: Sequence[KeptToken]) -> Iterator[Finding]:
    """Yield whether the app has Slack's agent pane, as the workspaces' tokens tell."""
    if own:
        yield _pane(next((each.scopes for each in own if is_agents(each.scopes)), ()))


def _pane(granted: Sequence[str]) -> Finding:
    """Return whether the app has Slack's agent pane, as far as a token's scopes tell."""
    if is_agents(granted):
        return _note(f"{_HAS_PANE} {AGENT_PRICE}.", _PANE)
    return _well(
        "The app is without Slack's agent pane: guests may use it, "
        "and direct messages are answered in place."
    )


async def _examine_channels(
    channels: Sequence[Channel], read_info: Callable[[str], Awaitable[_Info]]
) -> list[Finding]:
    """Return findings on the channels that the bot can't post to, and a count of the others.

    Direct messages are left out: Slack doesn't tell an app whether a user closed one.

    Args:
        channels: the channels with subscriptions.
        read_info: returns Slack's conversation object of a channel, or raises `SendError`.
    """
    ids = [each.external_id for each in channels if not each.external_id.startswith("D")]
    concurrency = asyncio.Semaphore(_CONCURRENT)

    async def info_or_error(channel: str) -> _Info | SendError:
        async with concurrency:
            try:
                return await read_info(channel)
            except SendError as error:
                return error

    examined = ids[:MOST_EXAMINED]
    infos = await asyncio.gather(*(info_or_error(channel) for channel in examined))
    results = map(_channel_result, examined, infos)
    return list(_FINDINGS.of_channels(results, len(ids)))


def _channel_result(channel: str, info: _Info | SendError) -> Finding | str | None:
    """Return a finding on a channel, the reason why there is none, `None` if it is postable."""
    if isinstance(info, SendError):
        if not _is_about_channel(info):
            return info.sentence
        sentence = f"{channel} can't be posted to: {info.sentence}"
        return _problem(sentence, info.remedy or _INVITE)
    name = f"#{info.get('name') or channel}"
    if info.get("is_archived"):
        remedy = "Take it out of the archive, or unsubscribe it."
        return _problem(f"{name} is archived.", remedy)
    if not info.get("is_member"):
        return _problem(f"Broadsheet is not in {name}.", _INVITE)
    restrictions = [text for field, text in _RESTRICTIONS.items() if info.get(field)]
    if restrictions:
        # Slack does not tell whether the bot may post all the same.
        return _note(f"{name} {restrictions[0]}: a post may be refused.", _ADMIN)
    return None


def _is_about_channel(error: SendError) -> bool:
    """Tell whether an error is about the channel, rather than about the bot's token."""
    is_about_token = isinstance(error, TokenRevoked) or error.code == "missing_scope"
    return isinstance(error, NotAllowed | Gone) and not is_about_token


async def check_preview(variables: Mapping[str, str], payload: dict[str, Any]) -> list[Finding]:
    """Return what Slack says of a rendered answer; it needs a bot token, and no scope."""
    token = variables.get("SLACK_BOT_TOKEN")
    if not token:
        remedy = "Set SLACK_BOT_TOKEN, or leave --check out."
        return [_problem("Slack is asked with a bot token, and there is none.", remedy)]
    try:
        base_url = api_url(variables)
    except SettingsError as error:
        return [_problem(error.sentence, error.remedy)]
    client = AsyncWebClient(base_url=base_url, timeout=_SECONDS, retry_handlers=[])
    return [await examine_blocks(client, token, payload["blocks"])]


async def examine_blocks(
    client: AsyncWebClient, token: str, blocks: Sequence[dict[str, Any]]
) -> Finding:
    """Return whether Slack takes blocks, and what it refuses of them.

    https://docs.slack.dev/reference/methods/blocks.validate
    """
    try:
        await client.blocks_validate(token=token, blocks=blocks)
    except SlackApiError as error:
        answer = error.response.data if isinstance(error.response.data, dict) else {}
        code = str(answer.get("error") or "no answer of Slack")
        if code != _INVALID:
            return _note(f"Slack did not check the blocks of an answer ({code}).")
        faults = [_worded(each) for each in answer.get("errors") or ()]
        return _problem(
            f"Slack refuses the blocks of an answer: {'; '.join(faults[:_NAMED]) or code}.",
            "Report it with the answer's payload: broadsheet ask --as slack.",
        )
    except (aiohttp.ClientError, OSError) as error:
        return _note(f"Slack did not check the blocks of an answer ({error}).")
    return _well("Slack takes the blocks of an answer.")


def _worded(fault: Mapping[str, Any]) -> str:
    return f"{fault.get('pointer') or '/'}: {fault.get('message') or fault.get('code')}"
