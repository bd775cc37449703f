"""The declaration of the Slack platform, which imports no library of Slack."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.platform import Declaration, Platform, Services
from adapters.slack.settings import SETTINGS, is_configured, read_slack_settings
from bot.operations.doctor_checks import Finding
from bot.replies.blocks import Reply
from bot.settings import environment
from store.records import Channel, KeptToken


def _open(parts: Services) -> Platform:
    from adapters.slack.platform import SlackPlatform

    return SlackPlatform(parts, read_slack_settings(environment()))


def _preview(reply: Reply) -> dict[str, Any]:
    from adapters.slack.render import preview

    return preview(reply)


async def _check(variables: Mapping[str, str], payload: dict[str, Any]) -> list[Finding]:
    from adapters.slack.setup.doctor import check_preview

    return await check_preview(variables, payload)


async def _examine(
    variables: Mapping[str, str],
    channels: Sequence[Channel],
    tokens: Sequence[KeptToken],
) -> list[Finding]:
    from adapters.slack.setup.doctor import examine

    return await examine(variables, channels, tokens)


DECLARATION = Declaration(
    name="slack",
    setting_names=SETTINGS,
    is_configured=is_configured,
    open=_open,
    preview=_preview,
    diagnose=_examine,
    setup_hint=(
        "Slack needs SLACK_BOT_TOKEN and SLACK_APP_TOKEN: docs/slack.md says where they are."
    ),
    check=_check,
)
