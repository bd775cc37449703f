"""HTTP mode refuses unsigned requests unread and survives malformed signed ones."""

import json
import logging
from typing import Any
from urllib.parse import urlencode

import pytest

from store.database import Database
from tests.adapters.slack.connected_bot import running, variables_for
from tests.fakes.slack import FakeSlack

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
COMMAND = b"command=%2Fpapers&text=latest&team_id=T1&user_id=U1"
DEEP = b"[" * 100_000
SIGNATURE = "v0=" + "0" * 64

# What anybody may send: a body, its type, and headers beside that.
JUNK: dict[str, tuple[bytes, str, dict[str, str]]] = {
    "nothing": (b"", FORM, {}),
    "no signature": (COMMAND, FORM, {"X-Slack-Request-Timestamp": "1"}),
    "long timestamp": (COMMAND, FORM, {"X-Slack-Request-Timestamp": "1" * 4301}),
    "negative": (COMMAND, FORM, {"X-Slack-Request-Timestamp": "-1"}),
    "digit of no ASCII": (COMMAND, FORM, {"X-Slack-Request-Timestamp": "²"}),
    "other digits": (COMMAND, FORM, {"X-Slack-Request-Timestamp": "١٢٣"}),
    "signature of no ASCII": (COMMAND, FORM, {"X-Slack-Signature": "v0=ü"}),
    "long signature": (COMMAND, FORM, {"X-Slack-Signature": "v0=" + "0" * 7000}),
    "list": (b"[1]", JSON, {}),
    "null": (b"null", JSON, {}),
    "no JSON": (b"{", JSON, {}),
    "deep": (DEEP, JSON, {}),
    "null in a form": (b"payload=null", FORM, {}),
    "deep in a form": (b"payload=" + DEEP, FORM, {}),
    "no UTF-8": (b"\xff\xfe\x00", JSON, {}),
    "no such charset": (COMMAND, f"{FORM}; charset=none", {}),
    "no UTF-7": (b"+AAAAA-\xff", f"{FORM}; charset=utf-7", {}),
    "certificate check": (b"ssl_check=1&" + COMMAND, FORM, {}),
    "challenge": (b'{"type":"url_verification","challenge":"<script>"}', JSON, {}),
    "picture": (b"\x89PNG", "image/png", {}),
}


async def test_an_unsigned_request_is_refused_unread(
    stocked: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The response is a plain 401 without an echo, and nothing is logged."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, "http")),
    ):
        caplog.clear()
        caplog.set_level(logging.INFO, "adapters")
        found = {}
        for name, (body, content_type, more) in JUNK.items():
            signed = slack.signed(b"", secret="another") if not more else {}  # noqa: S106 - is to be wrong
            signed |= (
                {"X-Slack-Signature": SIGNATURE} if "X-Slack-Request-Timestamp" in more else {}
            )
            headers = {"Content-Type": content_type, **signed, **more}
            found[name] = await slack.send_raw("/slack/events", body, headers)
        assert found == dict.fromkeys(JUNK, (401, "The request is not signed."))
        assert caplog.records == []


async def test_a_header_that_comes_twice_signs_nothing(stocked: Database) -> None:
    """A request with two signatures or timestamps is refused."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, "http")) as (_, url),
    ):
        signed = slack.signed(COMMAND)
        for name, value in signed.items():
            twice = [*signed.items(), (name, value), ("Content-Type", FORM)]
            async with slack.client.post(
                f"{url}/slack/events", data=COMMAND, headers=twice
            ) as answer:
                assert answer.status == 401


def interaction(**members: Any) -> bytes:
    """Return the body of an interaction."""
    return urlencode({"payload": json.dumps(members)}).encode()


# What Slack would never send.
ODD: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", FORM),
    "list": (b"[1]", JSON),
    "null": (b"null", JSON),
    "number": (b"9" * 5000, JSON),
    "no JSON": (b"{", JSON),
    "deep": (DEEP, JSON),
    "null in a form": (b"payload=null", FORM),
    "list in a form": (b"payload=[1]", FORM),
    "deep in a form": (b"payload=" + DEEP, FORM),
    "no such charset": (b"{", f"{JSON}; charset=none"),
    "user is a list": (interaction(type="shortcut", user=[1], callback_id="search"), FORM),
    "nobody": (interaction(type="shortcut", callback_id="search"), FORM),
    "actions are none": (interaction(type="block_actions", user={"id": "U1"}, actions=[]), FORM),
    "view is none": (interaction(type="view_submission", user={"id": "U1"}, view=None), FORM),
    "event is a text": (b'{"type":"event_callback","event":"x"}', JSON),
    "event of no type": (b'{"type":"event_callback","event":{}}', JSON),
    "text is a number": (
        b'{"type":"event_callback","event":{"type":"message","channel_type":"im","text":5}}',
        JSON,
    ),
    "command of nobody": (b"command=%2Fpapers&team_id=T1", FORM),
}


async def test_a_signed_request_may_be_malformed(
    stocked: Database,
) -> None:
    """Each is refused by 4xx without an echo, and the next request is answered as ever."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, "http")),
    ):
        found = {}
        for name, (body, content_type) in ODD.items():
            headers = {"Content-Type": content_type, **slack.signed(body)}
            status, text = await slack.send_raw("/slack/events", body, headers)
            found[name] = status // 100, text
        assert {name: status for name, (status, _) in found.items()} == dict.fromkeys(ODD, 4)
        assert {text for _, text in found.values()} <= {
            "", "The request can't be read.", '{"error": "unhandled request"}',
        }  # fmt: skip
        await slack.ask("latest")
