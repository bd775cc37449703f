"""What the command line says of platforms, without any token: manifests, commands, previews."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import yaml

from adapters.discord.interactions.command_tree import payload as commands_of
from adapters.slack.api.scopes import BOT_SCOPES
from adapters.slack.declaration import DECLARATION
from bot.commands.handlers import COMMANDS
from tests.adapters.slack.payload_rules import judge_message
from tests.flows.program import Program

REFERENCE = (Path(__file__).parents[3] / "docs" / "reference.md").read_text(encoding="utf-8")


def test_a_manifest_is_printed_for_socket_mode(storeless: Program) -> None:
    """It needs no token and makes no store, and reads as YAML with the least scopes.

    The agent pane is in it when it was asked for; whoever asks reads what it costs.
    """
    ran = storeless("slack", "manifest")
    assert (ran.code, ran.err) == (0, "")
    made = yaml.safe_load(ran.out)
    assert made["settings"]["socket_mode_enabled"] is True
    assert tuple(made["oauth_config"]["scopes"]["bot"]) == BOT_SCOPES
    assert not list(storeless.folder.iterdir())
    agent = storeless("slack", "manifest", "--agent")
    assert "agent_view" not in made["features"]
    assert "agent_view" in yaml.safe_load(agent.out)["features"]
    offered = " ".join(storeless("slack", "manifest", "--help").out.split())
    for text in (agent.err, offered):
        for price in ("guests", "every direct message is a thread", "paid plan", "no way back"):
            assert price in text


def test_a_link_creates_the_same_app(storeless: Program) -> None:
    """`--link` prints one address, with the very manifest in it that is printed without."""
    for options in ((), ("--agent",), ("--http", "https://papers.example.org")):
        made = yaml.safe_load(storeless("slack", "manifest", *options).out)
        ran = storeless("slack", "manifest", "--link", *options)
        [link] = ran.out.splitlines()
        [text] = parse_qs(urlsplit(link).query)["manifest_json"]
        assert (ran.code, json.loads(text)) == (0, made)


def test_a_manifest_for_http_names_the_address(broadsheet: Program) -> None:
    """An address is given, or the settings are those of HTTP mode and know it."""
    url = "https://papers.example.org"
    given = broadsheet("slack", "manifest", "--http", f"{url}/")
    over_http = {"SLACK_SIGNING_SECRET": "signed", "BROADSHEET_PUBLIC_URL": url}
    known = broadsheet("slack", "manifest", **over_http)
    assert given.code == 0
    assert given == known
    assert f"request_url: {url}/slack/events\n" in given.out
    tokens = {"SLACK_APP_TOKEN": "xapp-1"}
    socket = broadsheet("slack", "manifest", **over_http, **tokens)
    assert "request_url" not in socket.out
    assert f"{url}/slack/oauth_redirect" in socket.out


def test_an_address_that_slack_can_not_reach_is_told(broadsheet: Program) -> None:
    """A wrong option is wrong usage; a setting is told beside the manifest; none is an error."""
    assert broadsheet("slack", "manifest", "--http", "papers.org").code == 2
    over_http = {"SLACK_SIGNING_SECRET": "signed"}
    plain = broadsheet("slack", "manifest", **over_http, BROADSHEET_PUBLIC_URL="http://papers.org")
    assert (plain.code, plain.err) == (0, "Slack reaches nothing but https:// addresses.\n")
    missing = broadsheet("slack", "manifest", **over_http)
    assert (missing.code, missing.out) == (1, "")
    assert "BROADSHEET_PUBLIC_URL" in missing.err


def test_an_answer_can_be_seen_as_slack_gets_it(sampled: Program) -> None:
    """The payload of `ask --as slack` is what a slash command is acknowledged with.

    A question that can't be answered ends with exit code 1 and still has its payload.
    """
    ran = sampled("ask", "--as", "slack", "latest")
    assert (ran.code, ran.err) == (0, "")
    payload = json.loads(ran.out)
    judge_message(payload)
    assert payload["response_type"] == "ephemeral"
    assert "Attention Is All You Need" in payload["text"]
    labels = [
        element["text"]["text"]
        for block in payload["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
        if element["type"] == "button"
    ]
    assert "Share" in labels
    menus = [block["accessory"] for block in payload["blocks"] if "accessory" in block]
    assert menus[0]["options"][0]["text"]["text"] == "Details"
    failed = sampled("ask", "--as", "slack", "week banana from:sample-weekly")
    assert (failed.code, failed.err) == (1, "")
    judge_message(json.loads(failed.out))


def test_nothing_stays_of_what_is_seen_so(sampled: Program) -> None:
    """A post is seen and papers are kept by somebody who is nowhere; the store stays as it was."""
    assert sampled("sources", "list").code == 0  # has the store follow those that come with it
    before = _stored(sampled)
    for line, told in (
        ("subscribe monday 09:00", "#papers"),
        ("save 1", "Attention Is All You Need"),
        ("preview", "no edition to post yet"),
    ):
        ran = sampled("ask", "--as", "slack", line)
        assert ran.err == ""
        assert told in json.loads(ran.out)["text"]
        assert _stored(sampled) == before


def _stored(program: Program) -> list[str]:
    with closing(sqlite3.connect(program.folder / "broadsheet.db")) as store:
        return [*store.iterdump()]


def test_a_check_needs_a_platform_that_can_be_asked_and_a_token(broadsheet: Program) -> None:
    """Without --as it is wrong usage; without a token the payload is printed all the same."""
    wrong = broadsheet("ask", "--check", "latest")
    assert (wrong.code, wrong.out) == (2, "")
    assert "--check goes with --as slack" in wrong.err
    ran = broadsheet("ask", "--as", "slack", "--check", "latest")
    assert (ran.code, "SLACK_BOT_TOKEN" in ran.err) == (1, True)
    judge_message({key: json.loads(ran.out)[key] for key in ("text", "blocks")})


def test_an_unknown_platform_is_wrong_usage(storeless: Program) -> None:
    """The platforms that there are, are named, and no store is made."""
    ran = storeless("ask", "--as", "Slack ", "latest")
    assert (ran.code, ran.out) == (2, "")
    assert "slack" in ran.err
    assert not list(storeless.folder.iterdir())


def test_doctor_says_how_to_add_slack(broadsheet: Program) -> None:
    """Without a token that is a note and no problem; half of what is needed is one."""
    assert DECLARATION.setup_hint in broadsheet("doctor").out
    tokens = {"SLACK_BOT_TOKEN": "xoxb-1"}
    half = broadsheet("doctor", **tokens)
    assert half.code == 1
    assert "problem  slack: Slack has no way in" in half.out


def test_the_commands_of_discord_are_printed(storeless: Program) -> None:
    """They are the JSON that is registered; it needs no token and makes no store."""
    ran = storeless("discord", "commands")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == commands_of(COMMANDS)
    assert not list(storeless.folder.iterdir())
