"""The declaration of the platform Discord."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.discord.settings import SETTINGS, is_configured, read_discord_settings
from adapters.platform import Declaration, Platform, Services
from bot.operations.doctor_checks import Finding
from bot.replies.blocks import Reply
from bot.settings import environment
from store.records import Channel, KeptToken


def _open(parts: Services) -> Platform:
    from adapters.discord.platform import DiscordPlatform

    return DiscordPlatform(parts, read_discord_settings(environment()))


def _preview(reply: Reply) -> dict[str, Any]:
    from adapters.discord.render import preview

    return preview(reply)


async def _examine(
    variables: Mapping[str, str],
    channels: Sequence[Channel],
    _tokens: Sequence[KeptToken],
) -> list[Finding]:
    from adapters.discord.setup.doctor import examine

    return await examine(variables, channels)


DECLARATION = Declaration(
    name="discord",
    setting_names=SETTINGS,
    is_configured=is_configured,
    open=_open,
    preview=_preview,
    diagnose=_examine,
    setup_hint="Discord needs DISCORD_TOKEN: docs/discord.md says where it is.",
)
