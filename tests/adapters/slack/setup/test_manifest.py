"""The manifest and the scopes."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from adapters.slack.api.scopes import (
    AGENT_SCOPE,
    BOT_SCOPES,
    SCOPES,
    is_agents,
    missing_scopes,
    scope_table,
)
from adapters.slack.settings import Transport
from adapters.slack.setup.manifest import (
    LONGEST_HINT,
    manifest,
    manifest_link,
    manifest_text,
    usage_hint,
)
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
    of_answers = {"commands", "files:write", "links:write", "users:read"}
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


def test_an_app_is_no_agent_unless_it_is_wanted() -> None:
    """Without the pane nothing of it is asked for, and direct messages can be written and read."""
    made = manifest(COMMANDS, Transport.SOCKET)
    features = made["features"]
    assert "agent_view" not in features
    assert "assistant:write" not in str(made)
    assert features["app_home"] == {
        "home_tab_enabled": True,
        "messages_tab_enabled": True,
        "messages_tab_read_only_enabled": False,
    }
    assert "message.im" in made["settings"]["event_subscriptions"]["bot_events"]
    scopes = made["oauth_config"]["scopes"]["bot"]
    assert {"im:history", "chat:write"} <= set(scopes)


def test_an_agent_has_all_that_others_have_and_the_pane() -> None:
    """The pane and its scope are all that is added; who installs it can't leave that scope out."""
    plain = manifest(COMMANDS, Transport.HTTP, "https://papers.example.org")
    agent = manifest(COMMANDS, Transport.HTTP, "https://papers.example.org", agent=True)
    assert agent["features"].pop("agent_view")
    scopes = agent["oauth_config"]["scopes"]
    scopes["bot"].remove("assistant:write")
    assert agent == plain
    assert "assistant:write" not in scopes["bot_optional"]


def test_the_pane_suggests_prompts_that_are_answered() -> None:
    """Each prompt of the agent pane is a command that it has, and Slack's few fit."""
    features = manifest(COMMANDS, Transport.SOCKET, agent=True)["features"]
    prompts = features["agent_view"]["suggested_prompts"]
    assert 1 <= len(prompts) <= 4
    for prompt in prompts:
        assert parse(prompt["message"], COMMANDS).command in COMMANDS


def test_an_agent_is_known_by_its_scope() -> None:
    """A token with that scope is an agent's, and it is missing to no other app."""
    assert not is_agents(BOT_SCOPES)
    assert is_agents([*BOT_SCOPES, AGENT_SCOPE.name])
    assert missing_scopes(BOT_SCOPES) == []
    assert "| `assistant:write`, only with `--agent` |" in scope_table()


@pytest.mark.parametrize("agent", [False, True])
def test_a_link_holds_the_whole_manifest(*, agent: bool) -> None:
    """Slack's dialog gets it in the query, in an address that browsers and servers take."""
    made = manifest(COMMANDS, Transport.HTTP, "https://papers.example.org", agent=agent)
    link = manifest_link(made)
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "api.slack.com", "/apps")
    query = parse_qs(parts.query, strict_parsing=True)
    assert query.pop("new_app") == ["1"]
    [text] = query.pop("manifest_json")
    assert (json.loads(text), query) == (made, {})
    assert link.isascii()
    assert len(link) < 8000
