"""The settings of Discord."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from bot.errors import SettingsError

# https://docs.discord.com/developers/reference#api-versioning
API_URL = "https://discord.com/api/v10"
SETTINGS = ("DISCORD_TOKEN", "BROADSHEET_DISCORD_API_URL", "BROADSHEET_DISCORD_SHARDS")
# Enough for more servers than Discord has, at 2,500 for each shard at most.
_MAX_SHARDS = 10_000
_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class DiscordSettings:
    """The settings of the connection to Discord.

    Attributes:
        token: the bot's token.
        api_url: the base URL of the REST API without a slash at its end, `None` for Discord's own.
        shards: the number of shards that all processes share, `None` if one process has all
            servers in as many shards as Discord recommends.
    """

    token: SecretStr
    api_url: str | None = None
    shards: int | None = None


def is_configured(variables: Mapping[str, str]) -> bool:
    """Tell whether the token is set."""
    return bool(_value(variables, "DISCORD_TOKEN"))


def read_discord_settings(variables: Mapping[str, str]) -> DiscordSettings:
    """Return the settings in environment variables.

    Raises:
        SettingsError: if a variable is invalid.
    """
    token = _value(variables, "DISCORD_TOKEN").removeprefix("Bot").strip()
    # An HTTP header can't hold other characters.
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise SettingsError(
            "DISCORD_TOKEN holds no token.", "Copy it again: the page Bot, Reset Token."
        )
    url = _value(variables, "BROADSHEET_DISCORD_API_URL").rstrip("/")
    if url and not url.startswith(_SCHEMES):
        raise SettingsError(
            f"BROADSHEET_DISCORD_API_URL={url} is no address.",
            "It begins with https:// and ends in /api/v10.",
        )
    own_url = url if url and url != API_URL else None
    return DiscordSettings(SecretStr(token), own_url, _shards(variables))


def _shards(variables: Mapping[str, str]) -> int | None:
    value = _value(variables, "BROADSHEET_DISCORD_SHARDS")
    if not value:
        return None
    number = int(value) if value.isascii() and value.isdecimal() else 0
    if 1 <= number <= _MAX_SHARDS:
        return number
    raise SettingsError(
        f"BROADSHEET_DISCORD_SHARDS={value} is no number of shards.",
        f"It is a whole number from 1 to {_MAX_SHARDS}; leave it out and Discord says how many.",
    )


def _value(variables: Mapping[str, str], name: str) -> str:
    return (variables.get(name) or "").strip()
