"""The app manifest, from which Slack creates the app.

https://docs.slack.dev/reference/app-manifest
"""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import yaml

from adapters.slack.api.scopes import AGENT_SCOPE, BOT_SCOPES, OPTIONAL_SCOPES
from adapters.slack.requests.payloads import LOOKUP_SHORTCUT, SEARCH_SHORTCUT
from adapters.slack.settings import EVENTS_PATH, REDIRECT_PATH, Transport
from bot.commands.types import Command, Group

COMMAND = "/papers"
# What an app pays for Slack's agent pane: https://docs.slack.dev/ai/developing-agents has the first
# three. That `agent_view` can't be taken back is said by others who added it; Slack is silent.
AGENT_PRICE = (
    "guests of a workspace are shut out of the app, every direct message is a thread, "
    "a paid plan is needed, and there may be no way back"
)
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
# What the agent pane suggests: the title of each prompt, and the message that it sends.
_PROMPTS = (
    ("What's new this week?", "latest"),
    ("Catch me up in ten minutes", "brief 10"),
    ("What's trending?", "trends"),
    ("How can agents remember more?", "ask how can agents remember more?"),
)
_UNFURL_DOMAINS = ("arxiv.org", "www.arxiv.org")


def manifest(
    commands: Sequence[Command],
    transport: Transport,
    public_url: str | None = None,
    *,
    agent: bool = False,
) -> dict[str, Any]:
    """Return the manifest, with its keys in Slack's order.

    Args:
        commands: the commands in the slash command's usage hint.
        transport: the transport of Slack's requests.
        public_url: the public URL of the web server, which HTTP mode needs.
        agent: whether the app has Slack's agent pane, at `AGENT_PRICE`.
    """
    base = (public_url or "").rstrip("/")
    events_url = f"{base}{EVENTS_PATH}" if transport == Transport.HTTP else None
    scopes = [*BOT_SCOPES, AGENT_SCOPE.name] if agent else [*BOT_SCOPES]
    return {
        "display_information": {
            "name": "Broadsheet",
            "description": "The top AI papers of each week",
            "background_color": "#1f2937",
        },
        "features": {**(_agent_pane() if agent else {}), **_features(commands, events_url)},
        "oauth_config": {
            **({"redirect_urls": [f"{base}{REDIRECT_PATH}"]} if base else {}),
            # Those that may be left out stand in both lists.
            # https://docs.slack.dev/changelog/2026/03/16/optional-scopes
            "scopes": {"bot": scopes, "bot_optional": list(OPTIONAL_SCOPES)},
        },
        "settings": _settings(transport, events_url),
    }


def manifest_text(manifest: dict[str, Any]) -> str:
    """Return a manifest as YAML, to paste at Slack."""
    return yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True, width=100)


def manifest_link(manifest: dict[str, Any]) -> str:
    """Return the address at which Slack offers to create an app from a manifest.

    https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests has the address of the
    dialog. That its query may hold the manifest is known from others who use it, and was not tried.
    """
    text = json.dumps(manifest, ensure_ascii=False, separators=(",", ":"))
    return f"https://api.slack.com/apps?new_app=1&manifest_json={quote(text, safe='')}"


def usage_hint(commands: Sequence[Command]) -> str:
    """Return the hint that Slack shows beside the slash command: `latest | week WEEK | …`."""
    lookups = [command for command in commands if command.group == Group.LOOKUP]
    hint = " | ".join(_short_usage(command) for command in lookups)
    return hint if len(hint) <= LONGEST_HINT else f"{hint[: LONGEST_HINT - 1]}…"


def _short_usage(command: Command) -> str:
    needed = [param.usage for param in command.shown if param.required or param.type.free]
    return " ".join([command.name, *needed])


def _agent_pane() -> dict[str, Any]:
    return {
        "agent_view": {
            "agent_description": "Ask for the top AI papers of each week in plain words.",
            "suggested_prompts": [{"title": title, "message": text} for title, text in _PROMPTS],
        }
    }


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
