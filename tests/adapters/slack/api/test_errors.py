"""The mapping of Slack's errors."""

from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.api.errors import as_send_error, code_error, response_error
from bot.errors import (
    Gone,
    NotAllowed,
    OutcomeUnknown,
    Rejected,
    RetryLater,
    SendError,
    TokenRevoked,
)


def refusal(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> SlackApiError:
    """Return what the client raises for an answer."""
    response = AsyncSlackResponse(
        client=AsyncWebClient(),
        http_verb="POST",
        api_url="https://slack.com/api/chat.postMessage",
        req_args={},
        data=data,
        headers=headers or {},
        status_code=status,
    )
    return SlackApiError("It failed.", response)  # type: ignore[no-untyped-call] # the SDK's own


def refused(code: str, **facts: str) -> SendError:
    """Return what an answer with a code of Slack's means."""
    return as_send_error(refusal({"ok": False, "error": code, **facts}))


@pytest.mark.parametrize("code", ["not_in_channel", "channel_not_found"])
def test_where_the_bot_is_not_it_says_how_to_invite_it(code: str) -> None:
    """A channel without the bot, or hidden from it, asks for the one command that lets it in."""
    error = refused(code)
    assert isinstance(error, NotAllowed)
    assert error.sentence == "Broadsheet is not in that channel."
    assert error.remedy == "Invite it there: /invite @Broadsheet."
    assert error.code == code


def test_a_missing_scope_is_named() -> None:
    """The error names the missing scope, also where Slack names none."""
    error = refused("missing_scope", needed="users:read", provided="commands,chat:write")
    assert isinstance(error, NotAllowed)
    assert error.sentence == "Broadsheet lacks the scope users:read."
    assert "installs the app again" in error.remedy
    assert refused("missing_scope").sentence == "Broadsheet lacks the scope that it did not name."


@pytest.mark.parametrize(
    ("status", "data", "headers", "after"),
    [
        (429, {"ok": False, "error": "ratelimited"}, {"Retry-After": "30"}, 30.0),
        (429, {}, {"Retry-After": "1"}, 1.0),
        (429, {}, {}, None),
        (429, {}, {"Retry-After": "soon"}, None),
        (200, {"ok": False, "error": "ratelimited"}, {}, None),
    ],
)
def test_a_rate_limit_says_how_long_to_wait(
    status: int, data: dict[str, Any], headers: dict[str, str], after: float | None
) -> None:
    """Too many requests are for later, after as many seconds as Slack asks for."""
    error = as_send_error(refusal(data, status, headers))
    assert isinstance(error, RetryLater)
    assert error.after == after
    assert error.code == "ratelimited"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("is_archived", Gone),
        ("is_inactive", Gone),
        ("message_not_found", Gone),
        ("view_not_found", Gone),
        ("user_not_in_channel", NotAllowed),
        ("restricted_action", NotAllowed),
        ("restricted_action_thread_locked", NotAllowed),
        ("messages_tab_disabled", NotAllowed),
        ("team_access_not_granted", NotAllowed),
        ("thread_not_found", Gone),
        ("user_disabled", Gone),
        ("token_revoked", TokenRevoked),
        ("account_inactive", TokenRevoked),
        ("invalid_auth", TokenRevoked),
        ("service_unavailable", RetryLater),
        ("external_channel_migrating", RetryLater),
        ("accesslimited", RetryLater),
        ("invalid_cursor", RetryLater),
        ("internal_error", OutcomeUnknown),
        ("fatal_error", OutcomeUnknown),
        ("expired_trigger_id", Rejected),
        ("hash_conflict", Rejected),
        ("invalid_blocks", Rejected),
        ("msg_too_long", Rejected),
    ],
)
def test_a_known_code_has_a_sentence(code: str, kind: type[SendError]) -> None:
    """The sentence of a known code omits the code itself, which is for the log."""
    error = code_error(code)
    assert type(error) is kind
    assert error.code == code
    assert code not in str(error)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("brand_new_error", "Slack refused it (brand_new_error)."),
        ("", "Slack refused it (without a reason)."),
        ("x" * 500, f"Slack refused it ({'x' * 60})."),
    ],
)
def test_an_unknown_code_is_in_the_sentence(code: str, sentence: str) -> None:
    """An unknown code appears in the sentence, cut where it is long."""
    error = code_error(code)
    assert type(error) is Rejected
    assert error.sentence == sentence


@pytest.mark.parametrize("status", [200, 302, 500, 502, 503])
def test_an_answer_without_a_word_leaves_it_open(status: int) -> None:
    """A page instead of an answer does not tell whether the request was carried out."""
    error = as_send_error(refusal({}, status))
    assert type(error) is OutcomeUnknown
    assert error.code == str(status)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (404, "expired_url\n", Rejected),
        (404, "used_url", Rejected),
        (403, "invalid_token", Rejected),
        (400, "no_text", Rejected),
        (404, "", Rejected),
        (404, '{"ok": false, "error": "used_url"}', Rejected),
        (200, '{"ok": false, "error": "not_in_channel"}', NotAllowed),
        (200, '{"ok": false}', Rejected),
        (429, "", RetryLater),
        (429, '{"ok": false, "error": "ratelimited"}', RetryLater),
        (500, "<html>", OutcomeUnknown),
    ],
)
def test_a_response_url_refuses_in_json_or_in_plain_words(
    status: int, body: str, kind: type[SendError]
) -> None:
    """Behind a response URL a refusal has its code in JSON, whatever the status, or as its body."""
    assert type(response_error(status, body, {})) is kind


@pytest.mark.parametrize("body", ["ok", '{"ok": true}', "", "[]", "0"])
def test_a_response_url_takes_what_it_does_not_refuse(body: str) -> None:
    """Status 200 without an error means success."""
    assert response_error(200, body, {}) is None


@pytest.mark.parametrize(
    "lost",
    [
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientOSError(104, "reset"),
        aiohttp.ClientPayloadError("half an answer"),
        TimeoutError(),
        ConnectionResetError(),
    ],
)
def test_a_lost_connection_leaves_it_open(lost: Exception) -> None:
    """The outcome of a request without response is unknown."""
    assert type(as_send_error(lost)) is OutcomeUnknown


def test_other_exceptions_are_raised() -> None:
    """An error of our own is not put down to Slack."""
    with pytest.raises(KeyError):
        as_send_error(KeyError("ours"))
