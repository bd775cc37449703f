"""The checks of `broadsheet doctor`: the token, the app's settings, the channels of posts.

They read Discord's REST API, open no gateway connection, and change nothing.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar, cast

import aiohttp
import discord

from adapters.discord.api.calls import muted_library_logs
from adapters.discord.api.errors import NETWORK_ERRORS, as_send_error
from adapters.discord.api.permissions import PERMISSIONS, invite_url
from adapters.discord.channels.channel_state import Action, member_error
from adapters.discord.channels.resolver import ParentChannel, ServerChannel
from adapters.discord.gateway.rest_client import set_base_url
from adapters.discord.interactions.command_tree import payload
from adapters.discord.interactions.sync import is_same, registered_commands
from adapters.discord.settings import DiscordSettings, read_discord_settings
from bot.commands.handlers import COMMANDS
from bot.errors import (
    Gone,
    NotAllowed,
    OutcomeUnknown,
    Rejected,
    RetryLater,
    SendError,
    SettingsError,
    TokenRevoked,
)
from bot.operations.doctor_checks import MOST_EXAMINED, Finding, PlatformFindings
from store.records import Channel

T = TypeVar("T")
_FINDINGS = PlatformFindings("discord")
_well, _note, _problem = _FINDINGS.well, _FINDINGS.note, _FINDINGS.problem
_SECONDS = 5.0
_MAX_SERVERS = 200  # as many as Discord lists in one response
_MAX_CHECKED_SERVERS = 10  # each takes three requests
_MAX_CONCURRENT_CALLS = 5
_MOST_NAMED = 5
# The bot's id, a time and a signature: https://docs.discord.com/developers/reference#authentication
_TOKEN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_PORTAL = "https://discord.com/developers/applications"
_COPY_TOKEN = f"Copy it again: {_PORTAL}, page Bot, Reset Token."
_LATER = "Try again in a moment; https://discordstatus.com says how Discord is."
_CHECK_NETWORK = "Look at the network, at a proxy, and at BROADSHEET_DISCORD_API_URL."
# https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
_IDENTIFY_SECONDS = 5.0
_LONG_SECONDS = 60.0
_RUN = "broadsheet run registers its own at its start, in place of all that the app has."
_ADD_AGAIN = "Add Broadsheet to the server again, or unsubscribe there."
_CHOOSE_ANOTHER = "Unsubscribe there; whoever ordered chooses another channel."


class _Calls:
    """API calls with a common deadline."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._deadline = asyncio.get_running_loop().time() + seconds

    async def run(self, call: Awaitable[T]) -> T:
        """Return the result of an API call.

        Raises:
            SendError: as `api.errors.as_send_error`, and after the deadline.
        """
        try:
            async with asyncio.timeout_at(self._deadline):
                return await call
        except TimeoutError as error:
            raise OutcomeUnknown(
                f"Discord did not answer within {self._seconds:g} seconds."
            ) from error
        except aiohttp.ContentTypeError as error:
            raise Gone("What answers is not Discord.") from error
        except NETWORK_ERRORS as error:
            raise as_send_error(error) from error


async def examine(
    variables: Mapping[str, str], channels: Sequence[Channel] = (), *, seconds: float = _SECONDS
) -> list[Finding]:
    """Check the settings within some seconds, and the channels of posts within as many more."""
    try:
        settings = read_discord_settings(variables)
    except SettingsError as error:
        return [_problem(error.sentence, error.remedy)]
    token = settings.token.get_secret_value()
    if settings.api_url is None and not _TOKEN.fullmatch(token):
        return [_problem("DISCORD_TOKEN is no bot's token: those have two dots.", _COPY_TOKEN)]
    return await _examine(settings, channels, seconds)


async def _examine(
    settings: DiscordSettings, channels: Sequence[Channel], seconds: float
) -> list[Finding]:
    calls = _Calls(seconds)
    with muted_library_logs():
        try:
            async with _logged_in(settings, calls) as client:
                findings = await _check_app(client, settings.shards, calls)
                return findings + await _check_channels(client, channels, _Calls(seconds))
        except SendError as error:
            return [_login_finding(error)]


@asynccontextmanager
async def _logged_in(settings: DiscordSettings, calls: _Calls) -> AsyncIterator[discord.Client]:
    """Yield a logged-in client without a gateway connection.

    Raises:
        SendError: if Discord refuses the token, or can't be reached.
    """
    token = settings.token.get_secret_value()
    async with discord.Client(intents=discord.Intents.none()) as client:
        try:
            await calls.run(set_base_url(settings.api_url, token))
            await calls.run(client.login(token))
        except (KeyError, TypeError, ValueError) as error:
            # The response can't be parsed as one of Discord's.
            raise Gone("What answers is not Discord.") from error
        yield client


async def _check_app(client: discord.Client, shards: int | None, calls: _Calls) -> list[Finding]:
    app = cast("discord.AppInfo", client.application)  # login fetches it
    commands, servers, sharding = await asyncio.gather(
        _check_commands(client, calls),
        _check_servers(client, app, calls),
        _check_sharding(client, shards, calls),
    )
    user = _well(f"DISCORD_TOKEN is of {client.user}.")
    return [user, *_check_endpoint(app), *_check_installs(app), commands, *servers, *sharding]


def _check_endpoint(app: discord.AppInfo) -> Iterator[Finding]:
    if app.interactions_endpoint_url:
        yield _problem(
            f"Discord sends commands to {app.interactions_endpoint_url} and not to Broadsheet.",
            f"Clear the Interactions Endpoint URL: {_PORTAL}, page General Information.",
        )


def _check_installs(app: discord.AppInfo) -> Iterator[Finding]:
    tick = f"Tick it: {_PORTAL}, page Installation."
    by_servers, by_people = app.guild_integration_config, app.user_integration_config
    if by_servers and by_people:
        yield _well("Servers can add it, and people for themselves.")
    elif by_people:
        yield _note("No server can add it: Guild Install is off.", tick)
    elif by_servers:
        yield _note("People can't add it for themselves: User Install is off.", tick)
    else:
        yield _note("Discord did not say who can add it.")
    if app.bot_require_code_grant:
        yield _note(
            "No server can add it by a link: Requires OAuth2 Code Grant is on.",
            f"Turn it off: {_PORTAL}, page Bot.",
        )


async def _check_commands(client: discord.Client, calls: _Calls) -> Finding:
    try:
        commands = await calls.run(registered_commands(client))
    except SendError as error:
        return _note(f"Discord did not say which commands it holds: {error.sentence}", _LATER)
    if is_same(payload(COMMANDS), commands):
        return _well("The commands are registered.")
    if commands:
        return _note("Discord holds other commands than these.", _RUN)
    return _note("No command is registered yet.", _RUN)


async def _check_sharding(
    client: discord.Client, shards: int | None, calls: _Calls
) -> list[Finding]:
    """Compare the number of shards in the settings with the one that Discord recommends."""
    if shards is None:
        return []
    try:
        recommended, _, limits = await calls.run(client.http.get_bot_gateway())
    except SendError as error:
        return [_note(f"Discord did not say how many shards it wants: {error.sentence}", _LATER)]
    if shards < recommended:
        few = f"BROADSHEET_DISCORD_SHARDS={shards} is too few: Discord recommends {recommended}."
        return [_problem(few, f"Set it to {recommended} or more, in every process the same.")]
    seconds = _IDENTIFY_SECONDS * shards / max(limits["max_concurrency"], 1)
    if seconds > _LONG_SECONDS:
        many = f"Until all {shards} shards are connected it takes {seconds / 60:.0f} minutes."
        return [_note(many, f"Discord recommends {recommended}: BROADSHEET_DISCORD_SHARDS.")]
    return [_well(f"Its servers are shared out among {shards} shards.")]


async def _check_servers(
    client: discord.Client, app: discord.AppInfo, calls: _Calls
) -> list[Finding]:
    add = invite_url(app.id)
    try:
        guilds = await calls.run(_list_servers(client))
    except SendError as error:
        sentence = f"Discord did not say where it is: {error.sentence}"
        return [_note(sentence, f"To add it: {add}")]
    if not guilds:
        return [_note("It is in no server yet.", f"Add it to one: {add}")]
    more = " or more" if len(guilds) == _MAX_SERVERS else ""
    servers = "1 server" if len(guilds) == 1 else f"{len(guilds)}{more} servers"
    checks = (_check_permissions, _check_left_commands)
    findings = await asyncio.gather(
        *(
            check(client, guild, calls)
            for guild in guilds[:_MAX_CHECKED_SERVERS]
            for check in checks
        )
    )
    well = _well(f"It is in {servers}.", f"To add it to another: {add}")
    return [well, *filter(None, findings), *_not_examined(len(guilds), servers)]


def _not_examined(known: int, servers: str) -> list[Finding]:
    """Say of how many servers permissions and left commands were looked at, if not of all."""
    if known <= _MAX_CHECKED_SERVERS:
        return []
    looked = f"Of {servers} the first {_MAX_CHECKED_SERVERS} were looked at: what it may there,"
    return [_note(f"{looked} and commands that were left there.")]


async def _list_servers(client: discord.Client) -> list[discord.Guild]:
    guilds = client.fetch_guilds(limit=_MAX_SERVERS, with_counts=False)
    return [guild async for guild in guilds]


async def _check_permissions(
    client: discord.Client, guild: discord.Guild, calls: _Calls
) -> Finding | None:
    """Report the permissions that the bot lacks in a server; a channel may still grant them."""
    try:
        missing = await calls.run(_missing_permissions(client, guild.id))
    except SendError as error:
        sentence = f"Discord did not say what it may in {guild}: {error.sentence}"
        return _note(sentence, _LATER)
    if not missing:
        return None
    return _note(
        f"In {guild} it may not {', '.join(missing)}.",
        f"A manager allows it: Server Settings, Roles, {client.user}.",
    )


async def _check_left_commands(
    client: discord.Client, guild: discord.Guild, calls: _Calls
) -> Finding | None:
    """Report commands of the app in one server alone, which Broadsheet never registers.

    A trial of an earlier program left them; they stand beside the others or in their place.
    https://docs.discord.com/developers/interactions/application-commands#registering-a-command
    """
    app = cast("discord.AppInfo", client.application).id  # login fetches it
    try:
        left = await calls.run(client.http.get_guild_commands(app, guild.id))
    except SendError as error:
        return _note(f"Discord did not say which commands {guild} has: {error.sentence}", _LATER)
    if not left:
        return None
    names = ", ".join(each["name"] for each in left[:_MOST_NAMED])
    more = f" and {len(left) - _MOST_NAMED} more" if len(left) > _MOST_NAMED else ""
    return _note(
        f"{guild} has commands of the app that Broadsheet did not register: {names}{more}.",
        f"Remove them: PUT [] to /applications/{app}/guilds/{guild.id}/commands of Discord's API,"
        " with the bot's token.",
    )


async def _missing_permissions(client: discord.Client, guild_id: int) -> list[str]:
    user = cast("discord.ClientUser", client.user)  # login fetches it
    guild = await client.fetch_guild(guild_id, with_counts=False)
    granted = (await guild.fetch_member(user.id)).guild_permissions
    return [each.label for each in PERMISSIONS if not getattr(granted, each.flag)]


def _login_finding(error: SendError) -> Finding:
    if isinstance(error, RetryLater | OutcomeUnknown):
        remedy = _LATER if error.code else _CHECK_NETWORK
        return _problem(f"DISCORD_TOKEN could not be tried: {error.sentence}", remedy)
    if isinstance(error, Gone):
        sentence = "What answers at BROADSHEET_DISCORD_API_URL is not Discord."
        return _problem(sentence, "The address ends in /api/v10.")
    return _problem(f"Discord refuses DISCORD_TOKEN ({error.code}).", _COPY_TOKEN)


async def _check_channels(
    client: discord.Client, channels: Sequence[Channel], calls: _Calls
) -> list[Finding]:
    """Report the channels that can't be posted to, and the number of the others.

    Direct messages are left out: Discord does not say who disabled theirs.
    """
    in_servers = [each for each in channels if each.workspace.external_id.isdecimal()]
    by_server: dict[str, list[str]] = defaultdict(list)
    for each in in_servers[:MOST_EXAMINED]:
        by_server[each.workspace.external_id].append(each.external_id)
    slots = asyncio.Semaphore(_MAX_CONCURRENT_CALLS)
    checks = (_ServerCheck(client, calls, slots, each).run(ids) for each, ids in by_server.items())
    results = [pair for pairs in await asyncio.gather(*checks) for pair in pairs]
    examined = (_channel_result(channel, error) for channel, error in results)
    return list(_FINDINGS.of_channels(examined, len(in_servers)))


class _ServerCheck:
    """The check of the channels of a server."""

    def __init__(
        self, client: discord.Client, calls: _Calls, slots: asyncio.Semaphore, server: str
    ) -> None:
        self._client = client
        self._user = cast("discord.ClientUser", client.user)  # login fetches it
        self._calls = calls
        self._slots = slots
        self._id = int(server)

    async def run(self, channels: Sequence[str]) -> list[tuple[str, SendError | None]]:
        """Return each channel with the reason why it can't be posted to, `None` if it can."""
        try:
            guild = await self._call(self._client.fetch_guild(self._id, with_counts=False))
            me = await self._call(guild.fetch_member(self._user.id))
        except SendError as error:
            return [(each, self._server_error(error)) for each in channels]
        checks = (self._check(guild, me, each) for each in channels)
        return list(zip(channels, await asyncio.gather(*checks), strict=True))

    async def _check(
        self, guild: discord.Guild, me: discord.Member, channel_id: str
    ) -> SendError | None:
        try:
            channel = await self._call(guild.fetch_channel(int(channel_id)))
            parent = channel
            if isinstance(channel, discord.Thread):
                parent = await self._call(guild.fetch_channel(channel.parent_id))
        except SendError as error:
            return error
        if not isinstance(channel, ServerChannel) or not isinstance(parent, ParentChannel):
            return Rejected(f"#{channel} takes no messages.", _CHOOSE_ANOTHER)
        return member_error(me, channel, parent, Action.POST)

    async def _call(self, call: Awaitable[T]) -> T:
        async with self._slots:
            return await self._calls.run(call)

    def _server_error(self, error: SendError) -> SendError:
        """Return the error of a channel whose server can't be fetched."""
        if _is_refusal(error):
            return Gone(f"Broadsheet is not in its server, {self._id}.", _ADD_AGAIN, error.code)
        return error


def _channel_result(channel: str, error: SendError | None) -> Finding | str | None:
    """Return a finding on a channel, the reason why there is none, `None` if it is postable."""
    if error is None:
        return None
    if not _is_refusal(error):
        return error.sentence
    sentence = f"{channel} can't be posted to: {error.sentence}"
    return _problem(sentence, error.remedy or _CHOOSE_ANOTHER)


def _is_refusal(error: SendError) -> bool:
    """Tell whether an error is about the channel, and not about the token or the connection."""
    return isinstance(error, NotAllowed | Gone | Rejected) and not isinstance(error, TokenRevoked)
