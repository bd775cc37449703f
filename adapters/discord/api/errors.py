"""Discord's errors mapped to `SendError`s, by one table of its JSON error codes.

https://docs.discord.com/developers/topics/opcodes-and-status-codes#json-json-error-codes
"""

from dataclasses import dataclass
from http import HTTPStatus

import aiohttp
import discord

from adapters.common.response_headers import retry_after
from adapters.discord.api.rate_limits import RateLimitFullError
from bot.errors import (
    Gone,
    NotAllowed,
    OutcomeUnknown,
    Rejected,
    RetryLater,
    SendError,
    TokenRevoked,
)

_ALREADY_DONE = {"40060", "160004", "40033"}
_FORBIDDEN = {"50013", "403"}
_JSON = "application/json"
_MOMENT = "Try again in a moment."
_ALLOW = "A manager allows it in the settings of the channel, under Permissions."
_LOGGED = "It has been logged."


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The `SendError` that one of Discord's codes means."""

    kind: type[SendError]
    sentence: str
    remedy: str = ""


_TOO_MANY = _Meaning(RetryLater, "Discord asks to send less for a while.")
_OVERLOADED = _Meaning(RetryLater, "Discord is in trouble of its own.", _MOMENT)
_TOKEN_REVOKED = _Meaning(
    TokenRevoked,
    "Discord no longer accepts Broadsheet's token.",
    "Whoever runs it copies the token again: the page Bot, Reset Token.",
)
_FAILED = _Meaning(OutcomeUnknown, "Discord failed in the middle of it.", "See whether it came.")
_TOO_LATE = _Meaning(Rejected, "That took too long for Discord to show it.", "Ask once more.")
_MALFORMED = _Meaning(Rejected, "Discord refused the form of a message.", _LOGGED)
_NO_ACCESS = _Meaning(NotAllowed, "Broadsheet can't see that channel.", _ALLOW)
_NO_PERMISSION = _Meaning(NotAllowed, "Broadsheet lacks a permission there.", _ALLOW)
_WRONG_CHANNEL_TYPE = _Meaning(Rejected, "Discord takes no messages in a channel of that kind.")
_DMS_CLOSED = _Meaning(
    NotAllowed,
    "Discord lets Broadsheet send them no direct messages.",
    "They allow direct messages in the privacy settings of a server that it is in.",
)
_UNKNOWN_USER = _Meaning(Gone, "Discord knows no such person.")
_NOT_AUTHOR = _Meaning(Rejected, "Only its author can change that message.")
_TOO_MANY_THREADS = _Meaning(
    NotAllowed, "The server has as many open threads as it can have.", "Close some of them."
)
_AUTOMOD = _Meaning(
    NotAllowed, "The server's AutoMod blocked it.", "A manager exempts Broadsheet from that rule."
)
_FILTERED = _Meaning(Rejected, "Discord's own filter blocked it.", _LOGGED)

_MEANINGS: dict[int, _Meaning] = {
    10003: _Meaning(Gone, "That channel is no longer there.", "Subscribe another one."),
    10004: _Meaning(Gone, "That server is no longer there."),
    10007: _UNKNOWN_USER,
    10008: _Meaning(Gone, "That message is no longer there."),
    10013: _UNKNOWN_USER,
    # The token of an interaction is one of a webhook, which Discord forgets after 15 minutes.
    10015: _TOO_LATE,
    # The client learns about changed tags of a forum a moment late.
    10087: _Meaning(RetryLater, "The tags of that forum have just changed.", _MOMENT),
    10062: _TOO_LATE,
    20009: _FILTERED,
    20012: _NO_PERMISSION,
    20016: _Meaning(RetryLater, "That channel is in slowmode."),
    20022: _TOO_MANY,
    20026: _Meaning(
        NotAllowed,
        "Discord's anti-spam system stopped Broadsheet.",
        "Its owner appeals to Discord.",
    ),
    20028: _TOO_MANY,
    20029: _TOO_MANY,
    20031: _FILTERED,
    30007: _Meaning(
        NotAllowed, "That channel has as many webhooks as it can have.", "A manager removes one."
    ),
    30032: _Meaning(Rejected, "Discord holds no more commands of Broadsheet.", _LOGGED),
    30034: _TOO_MANY,
    30046: _TOO_MANY,
    40001: _TOKEN_REVOKED,
    40003: _TOO_MANY,
    40004: _OVERLOADED,
    40005: _Meaning(Rejected, "Discord takes nothing so large.", "Ask for less at a time."),
    40006: _OVERLOADED,
    40033: _Meaning(Rejected, "That message has been published."),
    40058: _WRONG_CHANNEL_TYPE,
    40060: _Meaning(Rejected, "That has been answered."),
    40062: _TOO_MANY,
    40066: _Meaning(
        NotAllowed, "That forum has no tag that everybody may use.", "A manager adds one."
    ),
    40067: _Meaning(NotAllowed, "That forum asks for a tag.", "A manager adds one for all to use."),
    40094: _TOO_LATE,
    50001: _NO_ACCESS,
    50005: _NOT_AUTHOR,
    50006: _MALFORMED,
    50007: _DMS_CLOSED,
    50008: _WRONG_CHANNEL_TYPE,
    50009: _Meaning(
        NotAllowed, "The server's verification level shuts Broadsheet out.", "Lower it there."
    ),
    50013: _NO_PERMISSION,
    50014: _TOKEN_REVOKED,
    50021: _NOT_AUTHOR,
    50024: _WRONG_CHANNEL_TYPE,
    50027: _TOO_LATE,
    50033: _UNKNOWN_USER,
    50035: _MALFORMED,
    50083: _Meaning(NotAllowed, "That thread is closed.", "Open it again."),
    50278: _DMS_CLOSED,
    110001: _OVERLOADED,
    130000: _OVERLOADED,
    160002: _Meaning(NotAllowed, "Broadsheet may not Read Message History there.", _ALLOW),
    160004: _Meaning(Rejected, "That message has a thread."),
    160005: _Meaning(NotAllowed, "That thread is locked.", "A moderator unlocks it."),
    160006: _TOO_MANY_THREADS,
    160007: _TOO_MANY_THREADS,
    200000: _AUTOMOD,
    200001: _AUTOMOD,
    240000: _FILTERED,
}
_STATUSES: dict[int, _Meaning] = {
    HTTPStatus.UNAUTHORIZED: _TOKEN_REVOKED,
    HTTPStatus.FORBIDDEN: _NO_PERMISSION,
    HTTPStatus.NOT_FOUND: _Meaning(Gone, "Discord no longer has that."),
}


# Without a connection nothing was sent.
CONNECT_ERRORS = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
NETWORK_ERRORS = (discord.DiscordException, aiohttp.ClientError, OSError)


def as_send_error(error: Exception) -> SendError:
    """Return the `SendError` of an error of discord.py or aiohttp.

    After a lost connection, a timeout or a 5xx response the outcome is unknown.
    """
    match error:
        case discord.HTTPException():
            return _response_error(error)
        case discord.RateLimited() | RateLimitFullError():
            return _rate_limit_error(error)
        case _ if isinstance(error, (*CONNECT_ERRORS, discord.GatewayNotFound)):
            return RetryLater("Discord can't be reached.", _MOMENT)
        case RuntimeError() if str(error) == "Session is closed":  # as aiohttp has it
            return RetryLater("The connection to Discord was closed.", _MOMENT)
        case aiohttp.ClientError() | TimeoutError() | OSError():
            return OutcomeUnknown("The connection to Discord broke off.", "See whether it came.")
        case _:
            return _library_error(error)


def token_revoked(code: str) -> SendError:
    """Return the error for a refused token; `code` is Discord's."""
    return _send_error(_TOKEN_REVOKED, code)


def is_already_done(error: SendError) -> bool:
    """Tell whether a request was refused because it had been carried out before.

    The interaction has a response, the message has a thread, or the message is published.
    """
    return error.code in _ALREADY_DONE


def is_forbidden(error: SendError) -> bool:
    """Tell whether a request was refused for a missing permission that Discord does not name."""
    return error.code in _FORBIDDEN


def _rate_limit_error(error: discord.RateLimited | RateLimitFullError) -> RetryLater:
    """Return the error of a request that was held back to keep a limit."""
    if isinstance(error, RateLimitFullError):
        return RetryLater("Too much is to be sent to Discord at once.", after=error.after)
    return RetryLater(_TOO_MANY.sentence, code="429", after=error.retry_after)


def _library_error(error: Exception) -> SendError:
    """Return the `SendError` of an error that the library raises by itself."""
    match error:
        case discord.LoginFailure():
            return token_revoked("401")
        case discord.InteractionResponded():
            return _send_error(_MEANINGS[40060], "40060")
        case discord.InvalidData():
            return Rejected("Discord answered with something unknown.", _LOGGED)
        case _:
            raise error


def _response_error(error: discord.HTTPException) -> SendError:
    status, code = error.status, error.code
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        after = retry_after(error.response.headers)
        return RetryLater(_TOO_MANY.sentence, code=str(code or status), after=after)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _send_error(_FAILED, str(code or status))
    if not error.response.headers.get("Content-Type", _JSON).startswith(_JSON):
        # An HTML page comes from a proxy before Discord and says nothing about the channel.
        return RetryLater("Something on the way to Discord refused it.", _MOMENT, str(status))
    meaning = _MEANINGS.get(code) or _STATUSES.get(status)
    meaning = meaning or _Meaning(Rejected, f"Discord refused it ({code or status}).", _LOGGED)
    return _send_error(meaning, str(code or status))


def _send_error(meaning: _Meaning, code: str) -> SendError:
    return meaning.kind(meaning.sentence, meaning.remedy, code)
