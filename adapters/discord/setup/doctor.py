"""What of Discord's settings would not work: the platform's part of `broadsheet doctor`.

It asks Discord by its REST API, opens no gateway, and changes nothing there.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar, cast

import aiohttp
import discord
from discord import app_commands

from adapters.discord.api.base_url import reach
from adapters.discord.api.errors import in_words
from adapters.discord.api.permissions import PERMISSIONS, invite_url
from adapters.discord.interactions.command_tree import payload
from adapters.discord.interactions.sync import registered, same
from adapters.discord.settings import DiscordSettings, read_discord_settings
from adapters.discord.setup.post_checks import examine_channels
from bot.commands.handlers import COMMANDS
from bot.errors import Gone, OutcomeUnknown, RetryLater, SendError, SettingsError
from bot.operations.health import Finding, Verdict
from store.records import Channel

T = TypeVar("T")
_SECONDS = 5.0
_MOST_SERVERS = 200  # as many as Discord tells at once
_MOST_EXAMINED = 10  # each takes two requests
# The bot's id, a time and a signature: https://docs.discord.com/developers/reference#authentication
_TOKEN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_PORTAL = "https://discord.com/developers/applications"
_COPY = f"Copy it again: {_PORTAL}, page Bot, Reset Token."
_LATER = "Try again in a moment; https://discordstatus.com says how Discord is."
_REACH = "Look at the network, at a proxy, and at BROADSHEET_DISCORD_API_URL."
# https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
_IDENTIFY_SECONDS = 5.0
_LONG_SECONDS = 60.0
_RUN = "broadsheet run registers its own at its start, in place of all that the app has."
_TROUBLE = (discord.DiscordException, aiohttp.ClientError, OSError)


class _Patience:
    """So many seconds from now, for all that is asked together."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until = asyncio.get_running_loop().time() + seconds

    async def for_(self, call: Awaitable[T]) -> T:
        """Return what Discord answers.

        Raises:
            SendError: as `adapters.discord.api.errors` says, and where it takes too long.
        """
        try:
            async with asyncio.timeout_at(self._until):
                return await call
        except TimeoutError as error:
            raise OutcomeUnknown(
                f"Discord did not answer within {self._seconds:g} seconds."
            ) from error
        except aiohttp.ContentTypeError as error:
            raise Gone("What answers is not Discord.") from error
        except _TROUBLE as error:
            raise in_words(error) from error


async def examine(
    variables: Mapping[str, str], channels: Sequence[Channel] = (), *, seconds: float = _SECONDS
) -> list[Finding]:
    """Find out within some seconds whether Discord takes the token, and what would not work.

    `channels` are those that get posts; for them there are as many seconds more.
    """
    try:
        settings = read_discord_settings(variables)
    except SettingsError as error:
        return [_problem(error.sentence, error.remedy)]
    token = settings.token.get_secret_value()
    if settings.api_url is None and not _TOKEN.fullmatch(token):
        return [_problem("DISCORD_TOKEN is no bot's token: those have two dots.", _COPY)]
    return await _examine(settings, channels, seconds)


async def _examine(
    settings: DiscordSettings, channels: Sequence[Channel], seconds: float
) -> list[Finding]:
    patience = _Patience(seconds)
    with _unlogged():
        try:
            async with _logged_in(settings, patience) as client:
                findings = await _asked(client, settings.shards, patience)
                return findings + await examine_channels(client, channels, _Patience(seconds))
        except SendError as error:
            return [_refused(error)]


@asynccontextmanager
async def _logged_in(
    settings: DiscordSettings, patience: _Patience
) -> AsyncIterator[discord.Client]:
    """Enter with a client that Discord knows, and that is not connected.

    Raises:
        SendError: where Discord does not take the token, or can't be asked.
    """
    token = settings.token.get_secret_value()
    async with discord.Client(intents=discord.Intents.none()) as client:
        try:
            await patience.for_(reach(settings.api_url, token))
            await patience.for_(client.login(token))
        except (KeyError, TypeError, ValueError) as error:
            # The library and `reach` read the answer as one of Discord's.
            raise Gone("What answers is not Discord.") from error
        yield client


async def _asked(client: discord.Client, shards: int | None, patience: _Patience) -> list[Finding]:
    app = cast("discord.AppInfo", client.application)  # login asked for it
    commands, servers, sharing = await asyncio.gather(
        _commands(client, patience),
        _servers(client, app, patience),
        _sharing(client, shards, patience),
    )
    who = _well(f"DISCORD_TOKEN is of {client.user}.")
    return [who, *_way_in(app), *_installing(app), commands, *servers, *sharing]


def _way_in(app: discord.AppInfo) -> Iterator[Finding]:
    if app.interactions_endpoint_url:
        yield _problem(
            f"Discord sends commands to {app.interactions_endpoint_url} and not to Broadsheet.",
            f"Clear the Interactions Endpoint URL: {_PORTAL}, page General Information.",
        )


def _installing(app: discord.AppInfo) -> Iterator[Finding]:
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


async def _commands(client: discord.Client, patience: _Patience) -> Finding:
    try:
        held = await patience.for_(registered(app_commands.CommandTree(client)))
    except SendError as error:
        return _note(f"Discord did not say which commands it holds: {error.sentence}", _LATER)
    if same(payload(COMMANDS), held):
        return _well("The commands are registered.")
    if held:
        return _note("Discord holds other commands than these.", _RUN)
    return _note("No command is registered yet.", _RUN)


async def _sharing(
    client: discord.Client, shards: int | None, patience: _Patience
) -> list[Finding]:
    """Say what becomes of so many shards, where somebody said how many."""
    if shards is None:
        return []
    try:
        wanted, _, limits = await patience.for_(client.http.get_bot_gateway())
    except SendError as error:
        return [_note(f"Discord did not say how many shards it wants: {error.sentence}", _LATER)]
    if shards < wanted:
        few = f"BROADSHEET_DISCORD_SHARDS={shards} is too few: Discord recommends {wanted}."
        return [_problem(few, f"Set it to {wanted} or more, in every process the same.")]
    seconds = _IDENTIFY_SECONDS * shards / max(limits["max_concurrency"], 1)
    if seconds > _LONG_SECONDS:
        many = f"Until all {shards} shards are connected it takes {seconds / 60:.0f} minutes."
        return [_note(many, f"Discord recommends {wanted}: BROADSHEET_DISCORD_SHARDS.")]
    return [_well(f"Its servers are shared out among {shards} shards.")]


async def _servers(
    client: discord.Client, app: discord.AppInfo, patience: _Patience
) -> list[Finding]:
    add = invite_url(app.id)
    try:
        there = await patience.for_(_listed(client))
    except SendError as error:
        sentence = f"Discord did not say where it is: {error.sentence}"
        return [_note(sentence, f"To add it: {add}")]
    if not there:
        return [_note("It is in no server yet.", f"Add it to one: {add}")]
    more = " or more" if len(there) == _MOST_SERVERS else ""
    servers = "1 server" if len(there) == 1 else f"{len(there)}{more} servers"
    lacking = await asyncio.gather(
        *(_lacking(client, guild, patience) for guild in there[:_MOST_EXAMINED])
    )
    well = _well(f"It is in {servers}.", f"To add it to another: {add}")
    return [well, *filter(None, lacking)]


async def _listed(client: discord.Client) -> list[discord.Guild]:
    found = client.fetch_guilds(limit=_MOST_SERVERS, with_counts=False)
    return [guild async for guild in found]


async def _lacking(
    client: discord.Client, guild: discord.Guild, patience: _Patience
) -> Finding | None:
    """Say which of its permissions a server does not give it; a channel may still do so."""
    try:
        missing = await patience.for_(_missing(client, guild.id))
    except SendError as error:
        sentence = f"Discord did not say what it may in {guild}: {error.sentence}"
        return _note(sentence, _LATER)
    if not missing:
        return None
    return _note(
        f"In {guild} it may not {', '.join(missing)}.",
        f"A manager allows it: Server Settings, Roles, {client.user}.",
    )


async def _missing(client: discord.Client, guild_id: int) -> list[str]:
    me = cast("discord.ClientUser", client.user)  # login asked for it
    guild = await client.fetch_guild(guild_id, with_counts=False)
    mine = (await guild.fetch_member(me.id)).guild_permissions
    return [each.words for each in PERMISSIONS if not getattr(mine, each.flag)]


def _refused(error: SendError) -> Finding:
    if isinstance(error, RetryLater | OutcomeUnknown):
        remedy = _LATER if error.code else _REACH
        return _problem(f"DISCORD_TOKEN could not be tried: {error.sentence}", remedy)
    if isinstance(error, Gone):
        sentence = "What answers at BROADSHEET_DISCORD_API_URL is not Discord."
        return _problem(sentence, "The address ends in /api/v10.")
    return _problem(f"Discord refuses DISCORD_TOKEN ({error.code}).", _COPY)


@contextmanager
def _unlogged() -> Iterator[None]:
    """Have the library log nothing for a while: what it would say is among the findings."""
    logger = logging.getLogger("discord")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _well(sentence: str, remedy: str = "") -> Finding:
    return Finding("discord", Verdict.WELL, sentence, remedy)


def _note(sentence: str, remedy: str = "") -> Finding:
    return Finding("discord", Verdict.NOTE, sentence, remedy)


def _problem(sentence: str, remedy: str = "") -> Finding:
    return Finding("discord", Verdict.PROBLEM, sentence, remedy)
