"""The table that maps Slack's error codes and HTTP failures to `SendError`.

The codes are listed at the end of each method's page, such as
https://docs.slack.dev/reference/methods/chat.postMessage
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError

from adapters.common.response_headers import retry_after
from bot.errors import (
    Gone,
    NotAllowed,
    OutcomeUnknown,
    Rejected,
    RetryLater,
    SendError,
    TokenRevoked,
)

# Seconds within which a message may still appear. After an internal error the call may have
# succeeded "before the error was raised", but not later; history may lag a little.
_SECONDS_AFTER_ERROR = 10.0
# After a broken connection Slack may go on working. It doesn't document for how long; its SDK
# waits 30 seconds for a response.
# https://docs.slack.dev/tools/python-slack-sdk/reference/web/async_client.html (timeout)
# After a timeout Slack is known to be slow, so that no time is certain.
_SECONDS_AFTER_DISCONNECT = 30.0

_INVITE = "Invite it there: /invite @Broadsheet."
_MANIFEST = "Whoever runs it compares the app with its manifest; see docs/slack.md."
_INSTALL = "An owner of the workspace installs it again."


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The error that one of Slack's codes stands for."""

    kind: type[SendError]
    sentence: str
    remedy: str = ""


_NOT_IN_CHANNEL = _Meaning(NotAllowed, "Broadsheet is not in that channel.", _INVITE)
_TOKEN_LOST = _Meaning(TokenRevoked, "Slack no longer accepts Broadsheet's token.", _INSTALL)
_CLOSED = _Meaning(
    NotAllowed, "The workspace lets only some people post there.", "An admin may allow it."
)
_NO_FILES = _Meaning(
    NotAllowed, "The workspace takes no files of that kind.", "An admin may allow them."
)
_NO_PERSON = _Meaning(Gone, "Slack knows no such person.")
_NO_THREAD = _Meaning(Gone, "The message that begins the thread is no longer there.")
_TOO_MANY = _Meaning(RetryLater, "Slack asks to send less for a while.")
_TROUBLE = _Meaning(RetryLater, "Slack is in trouble of its own.", "Try again in a moment.")
_FAILED = _Meaning(OutcomeUnknown, "Slack failed in the middle of it.", "See whether it came.")
_TOO_LATE = _Meaning(Rejected, "That took too long for Slack to show it.", "Ask once more.")
_MALFORMED = _Meaning(Rejected, "Slack refused the form of a message.", "It has been logged.")

_MEANINGS: dict[str, _Meaning] = {
    "not_in_channel": _NOT_IN_CHANNEL,
    # Slack answers so for a private channel that the bot isn't in.
    "channel_not_found": _NOT_IN_CHANNEL,
    "user_not_in_channel": _Meaning(NotAllowed, "You are not in that channel.", "Join it first."),
    "restricted_action": _CLOSED,
    "restricted_action_read_only_channel": _CLOSED,
    "restricted_action_thread_only_channel": _CLOSED,
    "restricted_action_non_threadable_channel": _Meaning(
        NotAllowed, "That channel takes no replies in threads.", "Choose another layout."
    ),
    "restricted_action_thread_locked": _Meaning(NotAllowed, "That thread is locked."),
    "messages_tab_disabled": _Meaning(NotAllowed, "The app takes no direct messages.", _MANIFEST),
    "method_not_supported_for_channel_type": _Meaning(
        NotAllowed, "Slack lets an app do that in no conversation of that kind.", _INVITE
    ),
    "no_permission": _Meaning(NotAllowed, "The workspace does not let Broadsheet do that."),
    "access_denied": _Meaning(NotAllowed, "The workspace does not let Broadsheet do that."),
    "enterprise_is_restricted": _Meaning(NotAllowed, "The organisation does not allow that."),
    "team_access_not_granted": _Meaning(
        NotAllowed,
        "The organisation did not give Broadsheet that workspace.",
        "An owner of the organisation adds it there.",
    ),
    "ekm_access_denied": _Meaning(NotAllowed, "The workspace's admins suspended posting."),
    "is_inactive": _Meaning(Gone, "That channel is archived.", "Take it out of the archive."),
    "is_archived": _Meaning(Gone, "That channel is archived.", "Take it out of the archive."),
    "user_not_found": _NO_PERSON,
    "user_not_visible": _NO_PERSON,
    "user_disabled": _Meaning(Gone, "That person has left the workspace."),
    "thread_not_found": _NO_THREAD,
    "cannot_reply_to_message": _NO_THREAD,
    "message_not_found": _Meaning(Gone, "That message is no longer there."),
    "cant_update_message": _Meaning(Gone, "That message can no longer be changed."),
    "edit_window_closed": _Meaning(Gone, "That message can no longer be changed."),
    "view_not_found": _Meaning(Gone, "That window was closed."),
    "not_found": _Meaning(Gone, "That window was closed."),
    "invalid_auth": _TOKEN_LOST,
    "not_authed": _TOKEN_LOST,
    "account_inactive": _TOKEN_LOST,
    "token_revoked": _TOKEN_LOST,
    "token_expired": _TOKEN_LOST,
    "not_allowed_token_type": _Meaning(NotAllowed, "That is a token of another kind."),
    "file_uploads_disabled": _NO_FILES,
    "file_uploads_except_images_disabled": _NO_FILES,
    "file_type_not_allowed": _NO_FILES,
    "file_upload_size_restricted": _Meaning(
        NotAllowed, "The workspace takes no files so large.", "Ask for less at a time."
    ),
    "app_missing_action_url": _Meaning(NotAllowed, "The app has no interactivity.", "See doctor."),
    "ratelimited": _TOO_MANY,
    "rate_limited": _TOO_MANY,
    "message_limit_exceeded": _TOO_MANY,
    # Slack: "some aspect of the operation" may have succeeded.
    "internal_error": _FAILED,
    "fatal_error": _FAILED,
    "service_unavailable": _TROUBLE,
    "external_channel_migrating": _TROUBLE,
    # A cursor has expired; the search starts over.
    "invalid_cursor": _TROUBLE,
    "accesslimited": _Meaning(
        RetryLater,
        "Slack takes no requests from this network.",
        "An admin of the workspace allows it.",
    ),
    "team_added_to_org": _TROUBLE,
    "org_login_required": _TROUBLE,
    "request_timeout": _TROUBLE,
    "update_failed": _TROUBLE,
    "expired_trigger_id": _TOO_LATE,
    "exchanged_trigger_id": _TOO_LATE,
    "trigger_expired": _TOO_LATE,
    "expired_url": _TOO_LATE,
    "used_url": _TOO_LATE,
    "hash_conflict": _Meaning(Rejected, "That window has changed meanwhile.", "Press once more."),
    "invalid_blocks": _MALFORMED,
    "invalid_blocks_format": _MALFORMED,
    "msg_blocks_too_long": _MALFORMED,
    "msg_too_long": _MALFORMED,
    "no_text": _MALFORMED,
    "invalid_metadata_format": _MALFORMED,
    "metadata_too_large": _MALFORMED,
}


def as_send_error(error: Exception, *, was_sent: bool = True) -> SendError:
    """Return the `SendError` for an exception of Slack's client; raise any other exception.

    After a timeout or a lost connection the outcome is unknown, provided that the request
    `was_sent`.
    """
    match error:
        case SlackApiError():
            return _api_error(error)
        case aiohttp.ClientError() | OSError() if not was_sent:
            return RetryLater("Slack can't be reached.", "Try again in a moment.")
        case aiohttp.ClientConnectorError():
            return RetryLater("Slack can't be reached.", "Try again in a moment.")
        case TimeoutError():
            return OutcomeUnknown("Slack did not answer in time.", "See whether it came.")
        case aiohttp.ClientError() | OSError():
            return OutcomeUnknown(
                "The connection to Slack broke off.",
                "See whether it came.",
                within=_SECONDS_AFTER_DISCONNECT,
            )
        case _:
            raise error


def code_error(code: str, data: Mapping[str, Any] | None = None) -> SendError:
    """Return the error for one of Slack's codes; `data` is the rest of the response."""
    if code == "missing_scope":
        needed = (data or {}).get("needed") or "that it did not name"
        return NotAllowed(
            f"Broadsheet lacks the scope {needed}.",
            "Whoever runs it adds the scope and installs the app again; see docs/slack.md.",
            code,
        )
    meaning = _MEANINGS.get(code)
    if meaning is None:
        return Rejected(f"Slack refused it ({code[:60] or 'without a reason'}).", code=code)
    if meaning.kind is OutcomeUnknown:
        return OutcomeUnknown(meaning.sentence, meaning.remedy, code, _SECONDS_AFTER_ERROR)
    return meaning.kind(meaning.sentence, meaning.remedy, code)


def response_error(status: int, body: str, headers: Mapping[str, str]) -> SendError | None:
    """Return the error in the response of a response URL or an upload URL, `None` for a success.

    The code is the `error` of a JSON body, else the body itself.
    """
    code = _json_error(body)
    if status == HTTPStatus.OK and code is None:
        return None
    if status == HTTPStatus.TOO_MANY_REQUESTS or code is None:
        return _status_error(status, body, headers)
    return code_error(code)


def _json_error(body: str) -> str | None:
    """Return the code in a JSON body with `"ok": false`, `None` for any other body."""
    try:
        data = json.loads(body)
    except ValueError:
        return None
    failed = isinstance(data, dict) and data.get("ok") is False
    return str(data.get("error") or "") if failed else None


def _status_error(status: int, body: str, headers: Mapping[str, str]) -> SendError:
    """Return the error for an HTTP status; a 4xx response may have the code as its body."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RetryLater(_TOO_MANY.sentence, code="ratelimited", after=retry_after(headers))
    if not HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return OutcomeUnknown(_FAILED.sentence, _FAILED.remedy, str(status))
    return code_error(body.strip()[:60])


def _api_error(error: SlackApiError) -> SendError:
    response: Any = error.response
    status = int(getattr(response, "status_code", 0) or getattr(response, "status", 0) or 0)
    data = getattr(response, "data", None)
    fields: Mapping[str, Any] = data if isinstance(data, dict) else {}
    headers = getattr(response, "headers", {})
    if status == HTTPStatus.TOO_MANY_REQUESTS or not fields.get("error"):
        return _status_error(status, "", headers)
    return code_error(str(fields["error"]), fields)
