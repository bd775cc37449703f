"""Discord's settings. Pure but for reading the variables."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from bot.errors import SettingsError

# https://docs.discord.com/developers/reference#api-versioning
API_URL = "https://discord.com/api/v10"
SETTINGS = ("DISCORD_TOKEN", "BROADSHEET_DISCORD_API_URL", "BROADSHEET_DISCORD_SHARDS")
# More servers than Discord has: with 2,500 for each shard at most.
_MOST_SHARDS = 10_000
_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class DiscordSettings:
    """What Discord is connected with; `api_url` ends without a slash, `None` is Discord's own.

    `shards` is among how many all processes share the servers out; where it is `None` one process
    has them all, in as many as Discord recommends.
    """

    token: SecretStr
    api_url: str | None = None
    shards: int | None = None


def is_configured(variables: Mapping[str, str]) -> bool:
    """Tell whether Discord is wanted: whether its token is set."""
    return bool(_given(variables, "DISCORD_TOKEN"))


def read_discord_settings(variables: Mapping[str, str]) -> DiscordSettings:
    """Return what Discord is connected with.

    Raises:
        SettingsError: where a variable can't be used, naming it.
    """
    token = _given(variables, "DISCORD_TOKEN").removeprefix("Bot").strip()
    # Tokens go into headers, which hold no other characters.
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise SettingsError(
            "DISCORD_TOKEN holds no token.", "Copy it again: the page Bot, Reset Token."
        )
    url = _given(variables, "BROADSHEET_DISCORD_API_URL").rstrip("/")
    if url and not url.startswith(_SCHEMES):
        raise SettingsError(
            f"BROADSHEET_DISCORD_API_URL={url} is no address.",
            "It begins with https:// and ends in /api/v10.",
        )
    own_url = url if url and url != API_URL else None
    return DiscordSettings(SecretStr(token), own_url, _shards(variables))


def _shards(variables: Mapping[str, str]) -> int | None:
    given = _given(variables, "BROADSHEET_DISCORD_SHARDS")
    if not given:
        return None
    number = int(given) if given.isascii() and given.isdecimal() else 0
    if 1 <= number <= _MOST_SHARDS:
        return number
    raise SettingsError(
        f"BROADSHEET_DISCORD_SHARDS={given} is no number of shards.",
        f"It is a whole number from 1 to {_MOST_SHARDS}; leave it out and Discord says how many.",
    )


def _given(variables: Mapping[str, str], name: str) -> str:
    return (variables.get(name) or "").strip()
