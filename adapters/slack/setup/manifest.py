"""The app manifest: what Slack is told of the app, so that nobody clicks it together.

https://docs.slack.dev/reference/app-manifest
"""

from collections.abc import Sequence
from typing import Any

import yaml

from adapters.slack.api.scopes import BOT_SCOPES
from adapters.slack.requests.payloads import LOOKUP_SHORTCUT, SEARCH_SHORTCUT
from adapters.slack.settings import EVENTS_PATH, REDIRECT_PATH, Transport
from bot.commands.types import Command, Group

COMMAND = "/papers"
# The figures stand in the reference above.
LONGEST_HINT = 1000

_EVENTS = (
    "app_home_opened",
    "app_mention",
    "app_uninstalled",
    "link_shared",
    "message.im",
    "tokens_revoked",
)
_UNFURL_DOMAINS = ("arxiv.org", "www.arxiv.org")


def manifest(
    commands: Sequence[Command], transport: Transport, public_url: str | None = None
) -> dict[str, Any]:
    """Return the manifest, its keys in the order in which Slack shows them.

    Args:
        commands: what may be asked; the hint beside the slash command is made of them.
        transport: how requests come in.
        public_url: where Slack and browsers reach the web server; HTTP can't do without.
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
            "scopes": {"bot": list(BOT_SCOPES)},
        },
        "settings": _settings(transport, events_url),
    }


def manifest_text(manifest: dict[str, Any]) -> str:
    """Return a manifest as YAML, to be pasted."""
    return yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True, width=100)


def usage_hint(commands: Sequence[Command]) -> str:
    """Return what stands beside the slash command while it is typed: `latest | week WEEK | …`."""
    lookups = [command for command in commands if command.group == Group.LOOKUP]
    hint = " | ".join(_short_usage(command) for command in lookups)
    return hint if len(hint) <= LONGEST_HINT else f"{hint[: LONGEST_HINT - 1]}…"


def _short_usage(command: Command) -> str:
    needed = [param.usage for param in command.shown if param.required]
    return " ".join([command.name, *needed])


def _features(commands: Sequence[Command], events_url: str | None) -> dict[str, Any]:
    return {
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
                # Channels and people arrive by their ids, which need no scope to be understood.
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
        # Changes nothing for a workspace of its own; without it an app that is installed for a
        # whole organisation gets no events.
        # https://docs.slack.dev/enterprise/organization-ready-apps
        "org_deploy_enabled": True,
        "socket_mode_enabled": transport == Transport.SOCKET,
        # Rotated tokens run out after hours; ours are kept encrypted instead.
        "token_rotation_enabled": False,
    }
