"""Discord's settings. Pure but for reading the variables."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from bot.errors import SettingsError

# https://docs.discord.com/developers/reference#api-versioning
API_URL = "https://discord.com/api/v10"
SETTINGS = ("DISCORD_TOKEN", "BROADSHEET_DISCORD_API_URL")
_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class DiscordSettings:
    """What Discord is connected with; `api_url` ends without a slash, `None` is Discord's own."""

    token: SecretStr
    api_url: str | None = None


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
    return DiscordSettings(SecretStr(token), url if url and url != API_URL else None)


def _given(variables: Mapping[str, str], name: str) -> str:
    return (variables.get(name) or "").strip()
