"""The app manifest, from which Slack creates the app.

https://docs.slack.dev/reference/app-manifest
"""

from collections.abc import Sequence
from typing import Any

import yaml

from adapters.slack.api.scopes import BOT_SCOPES, OPTIONAL_SCOPES
from adapters.slack.requests.payloads import LOOKUP_SHORTCUT, SEARCH_SHORTCUT
from adapters.slack.settings import EVENTS_PATH, REDIRECT_PATH, Transport
from bot.commands.types import Command, Group

COMMAND = "/papers"
# As the reference above says.
LONGEST_HINT = 1000

_EVENTS = (
    "app_home_opened",
    "app_mention",
    "app_uninstalled",
    "link_shared",
    "message.im",
    "tokens_revoked",
)
# What the pane of the bot suggests: the title of each prompt, and the message that it sends.
_PROMPTS = (
    ("What's new this week?", "latest"),
    ("Catch me up in ten minutes", "brief 10"),
    ("What's trending?", "trends"),
    ("How can agents remember more?", "ask how can agents remember more?"),
)
_UNFURL_DOMAINS = ("arxiv.org", "www.arxiv.org")


def manifest(
    commands: Sequence[Command], transport: Transport, public_url: str | None = None
) -> dict[str, Any]:
    """Return the manifest, with its keys in Slack's order.

    Args:
        commands: the commands in the slash command's usage hint.
        transport: the transport of Slack's requests.
        public_url: the public URL of the web server, which HTTP mode needs.
    """
    base = (public_url or "").rstrip("/")
    events_url = f"{base}{EVENTS_PATH}" if transport == Transport.HTTP else None
    return {
        "display_information": {
            "name": "Broadsheet",
            "description": "The top AI papers of each week",
            "background_color": "#1f2937",
        },
        "features": _features(commands, events_url),
        "oauth_config": {
            **({"redirect_urls": [f"{base}{REDIRECT_PATH}"]} if base else {}),
            # Those that may be left out stand in both lists.
            # https://docs.slack.dev/changelog/2026/03/16/optional-scopes
            "scopes": {"bot": list(BOT_SCOPES), "bot_optional": list(OPTIONAL_SCOPES)},
        },
        "settings": _settings(transport, events_url),
    }


def manifest_text(manifest: dict[str, Any]) -> str:
    """Return a manifest as YAML, to paste at Slack."""
    return yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True, width=100)


def usage_hint(commands: Sequence[Command]) -> str:
    """Return the hint that Slack shows beside the slash command: `latest | week WEEK | …`."""
    lookups = [command for command in commands if command.group == Group.LOOKUP]
    hint = " | ".join(_short_usage(command) for command in lookups)
    return hint if len(hint) <= LONGEST_HINT else f"{hint[: LONGEST_HINT - 1]}…"


def _short_usage(command: Command) -> str:
    needed = [param.usage for param in command.shown if param.required or param.type.free]
    return " ".join([command.name, *needed])


def _features(commands: Sequence[Command], events_url: str | None) -> dict[str, Any]:
    return {
        # https://docs.slack.dev/ai/developing-agents; where an app or a plan has no such pane,
        # direct messages are as they were.
        "agent_view": {
            "agent_description": "Ask for the top AI papers of each week in plain words.",
            "suggested_prompts": [{"title": title, "message": text} for title, text in _PROMPTS],
        },
        "app_home": {
            "home_tab_enabled": True,
            "messages_tab_enabled": True,
            "messages_tab_read_only_enabled": False,
        },
        "bot_user": {"display_name": "broadsheet", "always_online": True},
        "shortcuts": [
            {
                "name": "Search papers",
                "type": "global",
                "callback_id": SEARCH_SHORTCUT,
                "description": "Find papers by words, topics and weeks",
            },
            {
                "name": "Look up papers",
                "type": "message",
                "callback_id": LOOKUP_SHORTCUT,
                "description": "Find the papers that this message speaks of",
            },
        ],
        "slash_commands": [
            {
                "command": COMMAND,
                **({"url": events_url} if events_url else {}),
                "description": "Look up the top AI papers of each week",
                "usage_hint": usage_hint(commands),
                # Channels and users arrive with their ids, which need no scope to look up.
                "should_escape": True,
            }
        ],
        "unfurl_domains": list(_UNFURL_DOMAINS),
    }


def _settings(transport: Transport, events_url: str | None) -> dict[str, Any]:
    request_url = {"request_url": events_url} if events_url else {}
    options_url = {"message_menu_options_url": events_url} if events_url else {}
    return {
        "event_subscriptions": {**request_url, "bot_events": list(_EVENTS)},
        "interactivity": {"is_enabled": True, **request_url, **options_url},
        # Without it an app that is installed for a whole organisation gets no events; a single
        # workspace is not affected.
        # https://docs.slack.dev/enterprise/organization-ready-apps
        "org_deploy_enabled": True,
        "socket_mode_enabled": transport == Transport.SOCKET,
        # Rotated tokens expire within hours; the store encrypts tokens instead.
        "token_rotation_enabled": False,
    }
