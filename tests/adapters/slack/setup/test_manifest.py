"""The manifest and the scopes."""

from typing import Any

import pytest
import yaml

from adapters.slack.api.scopes import BOT_SCOPES, SCOPES, missing_scopes
from adapters.slack.settings import Transport
from adapters.slack.setup.manifest import LONGEST_HINT, manifest, manifest_text, usage_hint
from bot.commands.handlers import COMMANDS
from bot.commands.params.scalars import WORDS
from bot.commands.parser import parse
from bot.commands.types import Command, Group, Param
from bot.replies.blocks import Reply

# What each event and feature needs, from its page in Slack's reference.
NEEDS = {
    "app_home_opened": None,
    "app_mention": "app_mentions:read",
    "app_uninstalled": None,
    "link_shared": "links:read",
    "message.im": "im:history",
    "tokens_revoked": None,
}
# The longest that Slack's reference allows: https://docs.slack.dev/reference/app-manifest
LIMITS = {
    "name": 35,
    "description": 140,
    "usage_hint": 1000,
    "command": 32,
    "callback_id": 255,
    "display_name": 80,
}


async def _handler() -> Reply:
    return Reply(())


def _texts(value: Any, key: str = "") -> list[tuple[str, str]]:
    """Return every text of a manifest with its key."""
    if isinstance(value, dict):
        return [found for name, each in value.items() for found in _texts(each, name)]
    if isinstance(value, list):
        return [found for each in value for found in _texts(each, key)]
    return [(key, value)] if isinstance(value, str) else []


def test_socket_mode_needs_no_address() -> None:
    """In Socket Mode the manifest switches it on and names no address of ours."""
    made = manifest(COMMANDS, Transport.SOCKET)
    assert made["settings"]["socket_mode_enabled"] is True
    assert "redirect_urls" not in made["oauth_config"]
    assert not [text for _, text in _texts(made) if "://" in text]


def test_over_http_every_request_has_its_address() -> None:
    """Commands, events, interactions and options go to `/slack/events`, people to the redirect."""
    made = manifest(COMMANDS, Transport.HTTP, "https://papers.example.org/")
    events = "https://papers.example.org/slack/events"
    assert made["features"]["slash_commands"][0]["url"] == events
    assert made["settings"]["event_subscriptions"]["request_url"] == events
    assert made["settings"]["interactivity"] == {
        "is_enabled": True,
        "request_url": events,
        "message_menu_options_url": events,
    }
    assert made["settings"]["socket_mode_enabled"] is False
    assert made["oauth_config"]["redirect_urls"] == [
        "https://papers.example.org/slack/oauth_redirect"
    ]


def test_many_workspaces_install_over_socket_mode_too() -> None:
    """Where the web server is reached from outside, people come back to it on either transport."""
    made = manifest(COMMANDS, Transport.SOCKET, "https://papers.example.org")
    redirect = "https://papers.example.org/slack/oauth_redirect"
    assert made["oauth_config"]["redirect_urls"] == [redirect]
    assert [text for _, text in _texts(made) if "://" in text] == [redirect]


def test_the_hint_is_made_of_the_declarations() -> None:
    """The hint has the names of the commands with their required parameters."""
    [command] = manifest(COMMANDS, Transport.SOCKET)["features"]["slash_commands"]
    assert command["command"] == "/papers"
    assert command["should_escape"] is True
    parts = command["usage_hint"].split(" | ")
    lookups = [each for each in COMMANDS if each.group == Group.LOOKUP]
    assert [part.split(" ")[0] for part in parts] == [each.name for each in lookups]
    assert "search [WORDS…]" in parts


def test_a_long_hint_is_cut() -> None:
    """The hint stays within Slack's limit, however many commands there are."""
    needed = Param("words", "Words", WORDS, required=True)
    many = [
        Command(f"command{number}", Group.LOOKUP, "Does a thing", _handler, (needed,))
        for number in range(100)
    ]
    assert len(usage_hint(many)) == LONGEST_HINT
    assert usage_hint(many).endswith("…")


def test_every_text_is_within_its_limit() -> None:
    """No text is longer than Slack's reference allows for its place."""
    made = manifest(COMMANDS, Transport.HTTP, "https://papers.example.org")
    for key, text in _texts(made):
        assert 0 < len(text) <= LIMITS.get(key, 1000), key
    assert len(made["features"]["unfurl_domains"]) <= 5


def test_every_event_has_its_scope_and_no_scope_is_for_nothing() -> None:
    """The scopes are what the events, the commands and the calls need, each once."""
    made = manifest(COMMANDS, Transport.SOCKET)
    events = made["settings"]["event_subscriptions"]["bot_events"]
    assert sorted(events) == sorted(NEEDS)
    of_events = {scope for event in events if (scope := NEEDS[event])}
    of_posts = {"chat:write", "channels:join", "channels:read", "groups:read", "im:write"}
    of_looking = {"channels:history", "groups:history", "im:history"}
    of_answers = {"assistant:write", "commands", "files:write", "links:write", "users:read"}
    of_calls = of_answers | of_posts | of_looking
    asked = made["oauth_config"]["scopes"]["bot"]
    assert sorted(asked) == sorted(of_events | of_calls)


def test_the_yaml_says_the_same_in_the_same_order() -> None:
    """The YAML reads back as the manifest, in Slack's order of sections."""
    made = manifest(COMMANDS, Transport.HTTP, "https://papers.example.org")
    text = manifest_text(made)
    assert yaml.safe_load(text) == made
    assert list(yaml.safe_load(text)) == [
        "display_information",
        "features",
        "oauth_config",
        "settings",
    ]
    assert "…" in text


@pytest.mark.parametrize("scope", SCOPES, ids=BOT_SCOPES)
def test_a_scope_that_was_not_granted_is_found(scope: object) -> None:
    """The one scope that was not granted is missing; other scopes do not matter."""
    granted = {each.name for each in SCOPES if each is not scope} | {"bookmarks:read"}
    assert missing_scopes(granted) == [scope]


def test_scopes_of_single_features_may_be_left_out() -> None:
    """They stand among all scopes too; what the bot lives by is not among them."""
    scopes = manifest(COMMANDS, Transport.SOCKET)["oauth_config"]["scopes"]
    assert set(scopes["bot_optional"]) < set(scopes["bot"])
    needed = {each.name for each in SCOPES if each.needed} | {"channels:read", "im:history"}
    assert not needed & set(scopes["bot_optional"])


def test_the_pane_suggests_prompts_that_are_answered() -> None:
    """Each prompt of the bot's pane is a command that it has, and Slack's few fit."""
    features = manifest(COMMANDS, Transport.SOCKET)["features"]
    prompts = features["agent_view"]["suggested_prompts"]
    assert 1 <= len(prompts) <= 4
    for prompt in prompts:
        assert parse(prompt["message"], COMMANDS).command in COMMANDS
