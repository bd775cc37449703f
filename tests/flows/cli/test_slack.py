"""What the command line says of Slack, without any token: the manifest and previews."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from adapters.slack.api.scopes import BOT_SCOPES
from adapters.slack.declaration import DECLARATION
from tests.adapters.slack.payload_rules import judge_message
from tests.flows.program import Program

REFERENCE = (Path(__file__).parents[3] / "docs" / "reference.md").read_text(encoding="utf-8")


def test_a_manifest_is_printed_for_socket_mode(storeless: Program) -> None:
    """It needs no token and makes no store, and reads as YAML with the least scopes."""
    ran = storeless("slack", "manifest")
    assert (ran.code, ran.err) == (0, "")
    made = yaml.safe_load(ran.out)
    assert made["settings"]["socket_mode_enabled"] is True
    assert tuple(made["oauth_config"]["scopes"]["bot"]) == BOT_SCOPES
    assert not list(storeless.folder.iterdir())


def test_the_agent_pane_is_a_choice_with_its_price(storeless: Program) -> None:
    """It is in the manifest when it was asked for; whoever asks reads what it costs."""
    plain, agent = storeless("slack", "manifest"), storeless("slack", "manifest", "--agent")
    assert "agent_view" not in yaml.safe_load(plain.out)["features"]
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


def test_an_answer_can_be_seen_as_slack_gets_it(broadsheet: Program) -> None:
    """The payload of `ask --as slack` is what a slash command is acknowledged with."""
    broadsheet("chat")
    ran = broadsheet("ask", "--as", "slack", "latest")
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


def test_nothing_stays_of_what_is_seen_so(broadsheet: Program) -> None:
    """A post is seen and papers are kept by somebody who is nowhere; the store stays as it was."""
    broadsheet("chat")
    before = _stored(broadsheet)
    for line, told in (
        ("subscribe monday 09:00", "#papers"),
        ("save 1", "Attention Is All You Need"),
        ("preview", "no edition to post yet"),
    ):
        ran = broadsheet("ask", "--as", "slack", line)
        assert ran.err == ""
        assert told in json.loads(ran.out)["text"]
        assert _stored(broadsheet) == before


def _stored(program: Program) -> list[str]:
    with closing(sqlite3.connect(program.folder / "broadsheet.db")) as store:
        return [*store.iterdump()]


def test_an_error_is_previewed_too(broadsheet: Program) -> None:
    """A question that can't be answered ends with exit code 1 and still has its payload."""
    ran = broadsheet("ask", "--as", "slack", "week banana from:dair")
    assert (ran.code, ran.err) == (1, "")
    judge_message(json.loads(ran.out))


def test_a_check_needs_a_platform_that_can_be_asked_and_a_token(broadsheet: Program) -> None:
    """Without --as it is wrong usage; without a token the payload is printed all the same."""
    wrong = broadsheet("ask", "--check", "latest")
    assert (wrong.code, wrong.out) == (2, "")
    assert "--check goes with --as slack" in wrong.err
    ran = broadsheet("ask", "--as", "slack", "--check", "latest")
    assert (ran.code, "SLACK_BOT_TOKEN" in ran.err) == (1, True)
    judge_message({key: json.loads(ran.out)[key] for key in ("text", "blocks")})


@pytest.mark.parametrize("platform", ["fax", "Slack "])
def test_an_unknown_platform_is_wrong_usage(storeless: Program, platform: str) -> None:
    """The platforms that there are, are named, and no store is made."""
    ran = storeless("ask", "--as", platform, "latest")
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
