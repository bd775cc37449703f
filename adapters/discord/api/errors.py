"""Discord's errors in our words: one table, asked wherever Discord is spoken to.

https://docs.discord.com/developers/topics/opcodes-and-status-codes#json-json-error-codes
"""

import re
from dataclasses import dataclass
from http import HTTPStatus

import aiohttp
import discord

from adapters.discord.api.rate_limits import CrowdedError, seconds_in
from bot.errors import (
    Gone,
    NotAllowed,
    OutcomeUnknown,
    Rejected,
    RetryLater,
    SendError,
    TokenRevoked,
)

_DONE = {"40060", "160004", "40033"}
_FORBIDDEN = {"50013", "403"}
# Where Discord names what is wrong with a message: `In components.0.content: …`.
_ABOUT_COMPONENTS = re.compile(r"^In \S*\b(?:components|flags)\b", re.MULTILINE)
_JSON = "application/json"
_MOMENT = "Try again in a moment."
_ALLOW = "A manager allows it in the settings of the channel, under Permissions."
_LOGGED = "It has been logged."


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What one of Discord's codes means."""

    kind: type[SendError]
    sentence: str
    remedy: str = ""


_TOO_MANY = _Meaning(RetryLater, "Discord asks to send less for a while.")
_TROUBLE = _Meaning(RetryLater, "Discord is in trouble of its own.", _MOMENT)
_TOKEN_LOST = _Meaning(
    TokenRevoked,
    "Discord no longer accepts Broadsheet's token.",
    "Whoever runs it copies the token again: the page Bot, Reset Token.",
)
_FAILED = _Meaning(OutcomeUnknown, "Discord failed in the middle of it.", "See whether it came.")
_TOO_LATE = _Meaning(Rejected, "That took too long for Discord to show it.", "Ask once more.")
_MALFORMED = _Meaning(Rejected, "Discord refused the form of a message.", _LOGGED)
_NO_ACCESS = _Meaning(NotAllowed, "Broadsheet can't see that channel.", _ALLOW)
_NO_PERMISSION = _Meaning(NotAllowed, "Broadsheet lacks a permission there.", _ALLOW)
_NO_MESSAGES = _Meaning(Rejected, "Discord takes no messages in a channel of that kind.")
_NOT_TO_THEM = _Meaning(
    NotAllowed,
    "Discord lets Broadsheet send them no direct messages.",
    "They allow direct messages in the privacy settings of a server that it is in.",
)
_NO_PERSON = _Meaning(Gone, "Discord knows no such person.")
_NO_CHANGE = _Meaning(Rejected, "Only its author can change that message.")
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
    10007: _NO_PERSON,
    10008: _Meaning(Gone, "That message is no longer there."),
    10013: _NO_PERSON,
    # The token of an interaction is one of a webhook, which Discord forgets after 15 minutes.
    10015: _TOO_LATE,
    # Of a forum, whose tags are known a moment late.
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
    40001: _TOKEN_LOST,
    40003: _TOO_MANY,
    40004: _TROUBLE,
    40005: _Meaning(Rejected, "Discord takes nothing so large.", "Ask for less at a time."),
    40006: _TROUBLE,
    40033: _Meaning(Rejected, "That message has been published."),
    40058: _NO_MESSAGES,
    40060: _Meaning(Rejected, "That has been answered."),
    40062: _TOO_MANY,
    40066: _Meaning(
        NotAllowed, "That forum has no tag that everybody may use.", "A manager adds one."
    ),
    40067: _Meaning(NotAllowed, "That forum asks for a tag.", "A manager adds one for all to use."),
    40094: _TOO_LATE,
    50001: _NO_ACCESS,
    50005: _NO_CHANGE,
    50006: _MALFORMED,
    50007: _NOT_TO_THEM,
    50008: _NO_MESSAGES,
    50009: _Meaning(
        NotAllowed, "The server's verification level shuts Broadsheet out.", "Lower it there."
    ),
    50013: _NO_PERMISSION,
    50014: _TOKEN_LOST,
    50021: _NO_CHANGE,
    50024: _NO_MESSAGES,
    50027: _TOO_LATE,
    50033: _NO_PERSON,
    50035: _MALFORMED,
    50083: _Meaning(NotAllowed, "That thread is closed.", "Open it again."),
    50278: _NOT_TO_THEM,
    110001: _TROUBLE,
    130000: _TROUBLE,
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
    HTTPStatus.UNAUTHORIZED: _TOKEN_LOST,
    HTTPStatus.FORBIDDEN: _NO_PERMISSION,
    HTTPStatus.NOT_FOUND: _Meaning(Gone, "Discord no longer has that."),
}


def in_words(error: Exception) -> SendError:
    """Return what an error of Discord's client means.

    A lost connection, a timeout and an error of Discord's own leave it open whether the request
    was carried out.
    """
    match error:
        case discord.HTTPException():
            return _of_answer(error)
        case discord.RateLimited() | CrowdedError():
            return _of_limits(error)
        # None of these had a connection that anything could have been sent over.
        case (
            aiohttp.ClientConnectorError()
            | aiohttp.ConnectionTimeoutError()
            | discord.GatewayNotFound()
        ):
            return RetryLater("Discord can't be reached.", _MOMENT)
        case RuntimeError() if str(error) == "Session is closed":  # as aiohttp has it
            return RetryLater("The connection to Discord was closed.", _MOMENT)
        case aiohttp.ClientError() | TimeoutError() | OSError():
            return OutcomeUnknown("The connection to Discord broke off.", "See whether it came.")
        case _:
            return _of_client(error)


def token_lost(code: str) -> SendError:
    """Return that Discord takes the token no more, as it told by a code."""
    return _said(_TOKEN_LOST, code)


def is_done(error: SendError) -> bool:
    """Tell whether what was wanted is so already.

    So it is where an interaction was answered, a message has a thread, a message was published.
    """
    return error.code in _DONE


def lacks_permission(error: SendError) -> bool:
    """Tell whether something was refused for a permission that Discord does not name."""
    return error.code in _FORBIDDEN


def refuses_components(error: SendError) -> bool:
    """Tell whether the components of a message were refused, which embeds may stand in for.

    Without them a message of components is an empty one.
    """
    if error.code != "50035":
        return error.code == "50006"
    cause = error.__cause__
    return isinstance(cause, discord.HTTPException) and bool(_ABOUT_COMPONENTS.search(cause.text))


def _of_client(error: Exception) -> SendError:
    """Return what an error means that the client found by itself."""
    match error:
        case discord.LoginFailure():
            return token_lost("401")
        case discord.InteractionResponded():
            return _said(_MEANINGS[40060], "40060")
        case discord.InvalidData():
            return Rejected("Discord answered with something unknown.", _LOGGED)
        case _:
            raise error


def _of_answer(error: discord.HTTPException) -> SendError:
    status, code = error.status, error.code
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        after = seconds_in(error.response.headers.get("Retry-After"))
        return RetryLater(_TOO_MANY.sentence, code=str(code or status), after=after)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _said(_FAILED, str(code or status))
    if not error.response.headers.get("Content-Type", _JSON).startswith(_JSON):
        # A page is of a proxy, or of what stands before Discord: it says nothing of a channel.
        return RetryLater("Something on the way to Discord refused it.", _MOMENT, str(status))
    meaning = _MEANINGS.get(code) or _STATUSES.get(status)
    return _said(meaning or _unknown(code or status), str(code or status))


def _of_limits(error: discord.RateLimited | CrowdedError) -> RetryLater:
    """Return what it means that a request did not leave, so that limits are kept."""
    if isinstance(error, CrowdedError):
        return RetryLater("Too much is to be sent to Discord at once.", after=error.after)
    return RetryLater(_TOO_MANY.sentence, code="429", after=error.retry_after)


def _said(meaning: _Meaning, code: str) -> SendError:
    return meaning.kind(meaning.sentence, meaning.remedy, code)


def _unknown(code: int) -> _Meaning:
    return _Meaning(Rejected, f"Discord refused it ({code}).", _LOGGED)
