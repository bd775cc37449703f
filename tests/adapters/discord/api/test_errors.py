"""Discord's errors mapped to `SendError`s."""

from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
import pytest

from adapters.discord.api.errors import as_send_error, is_already_done
from bot.errors import (
    Gone,
    NotAllowed,
    OutcomeUnknown,
    Rejected,
    RetryLater,
    SendError,
    TokenRevoked,
)


@dataclass(frozen=True)
class Response:
    """The part of a response that the library's errors read."""

    status: int
    reason: str = "Because"
    headers: dict[str, str] = field(default_factory=dict)


def answered(status: int, body: Any = None, headers: dict[str, str] | None = None) -> SendError:
    """Return what an answer of Discord's means; the library has an error for each kind."""
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    kind = kinds.get(status, discord.HTTPException)
    response: Any = Response(status, headers=headers or {})
    return raised(kind(response, body))


def raised(error: Exception) -> SendError:
    """Return what an error means, raised from it as callers do."""
    meaning = as_send_error(error)
    meaning.__cause__ = error
    return meaning


def refused(status: int, code: int, **more: Any) -> SendError:
    """Return what an answer with a code of Discord's means."""
    return answered(status, {"code": code, "message": "Discord's own words", **more})


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (403, 50001, NotAllowed),
        (403, 50013, NotAllowed),
        (403, 50007, NotAllowed),
        (403, 50278, NotAllowed),
        (403, 160002, NotAllowed),
        (403, 160005, NotAllowed),
        (400, 50083, NotAllowed),
        (400, 40067, NotAllowed),
        (400, 200000, NotAllowed),
        (401, 0, TokenRevoked),
        (401, 50014, TokenRevoked),
        (403, 0, NotAllowed),
        (404, 10003, Gone),
        (404, 10004, Gone),
        (404, 10008, Gone),
        (404, 10013, Gone),
        (404, 0, Gone),
        (404, 10015, Rejected),
        (404, 10087, RetryLater),
        (404, 10062, Rejected),
        (400, 40060, Rejected),
        (400, 50006, Rejected),
        (400, 50035, Rejected),
        (400, 50008, Rejected),
        (400, 999999, Rejected),
        (413, 40005, Rejected),
        (403, 20028, RetryLater),
        (429, 20016, RetryLater),
        (429, 30046, RetryLater),
        (400, 40004, RetryLater),
        (500, 0, OutcomeUnknown),
        (502, 0, OutcomeUnknown),
        (503, 0, OutcomeUnknown),
        (503, 130000, OutcomeUnknown),
    ],
)
def test_a_code_says_what_to_do(status: int, code: int, kind: type[SendError]) -> None:
    """A code means that one waits, acts, gives up, or looks whether it came, and says so."""
    error = refused(status, code)
    assert type(error) is kind
    assert error.sentence.endswith(".")
    assert error.code == str(code or status)


def test_what_somebody_has_to_allow_comes_with_who_and_where() -> None:
    """An error that a person can correct has a remedy."""
    codes = (50001, 50013, 50007, 50009, 40066, 40067, 160002, 160005, 160006, 200000, 30007)
    assert [code for code in codes if not refused(403, code).remedy] == []


@pytest.mark.parametrize(
    ("headers", "after"),
    [({"Retry-After": "5"}, 5.0), ({"Retry-After": "0.65"}, 0.65), ({"Retry-After": "x"}, None)],
)
def test_a_rate_limit_says_how_long_to_wait(headers: dict[str, str], after: float | None) -> None:
    """Too many requests are for later, after as many seconds as Discord asks for."""
    error = answered(429, {"message": "You are being rate limited."}, headers)
    assert isinstance(error, RetryLater)
    assert error.after == after
    assert error.code == "429"


def test_a_rate_limit_that_the_library_would_not_wait_for_is_one() -> None:
    """A rate limit too long for the library is a `RetryLater` with its wait."""
    error = as_send_error(discord.RateLimited(47.5))
    assert isinstance(error, RetryLater)
    assert error.after == 47.5


def test_a_ban_by_cloudflare_is_a_rate_limit() -> None:
    """A 429 in HTML without a wait is a `RetryLater`."""
    error = answered(429, "<html>error code: 1015</html>")
    assert isinstance(error, RetryLater)
    assert error.after is None


def test_an_answer_that_is_no_json_is_understood_by_its_status() -> None:
    """A page of some proxy's has no code; its status says enough."""
    assert type(answered(403, "<html>Forbidden</html>")) is NotAllowed
    assert type(answered(418, "<html>Teapot</html>")) is Rejected
    assert answered(418, "<html>Teapot</html>").sentence == "Discord refused it (418)."


@pytest.mark.parametrize(
    "error",
    [
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientOSError(104, "reset"),
        aiohttp.ClientPayloadError(),
        TimeoutError(),
        ConnectionResetError(),
    ],
)
def test_a_connection_lost_on_the_way_leaves_it_open(error: Exception) -> None:
    """The outcome is unknown once a request may have been sent."""
    assert type(as_send_error(error)) is OutcomeUnknown


def test_a_connection_never_made_carried_nothing() -> None:
    """A request without a connection was not sent and may be repeated."""
    key: Any = None  # whom the connection was for, which these errors only repeat
    refusal = aiohttp.ClientConnectorError(key, ConnectionRefusedError())
    assert type(as_send_error(refusal)) is RetryLater
    assert type(as_send_error(aiohttp.ConnectionTimeoutError())) is RetryLater


@pytest.mark.parametrize("code", [40060, 160004, 40033])
def test_what_is_so_already_is_done(code: int) -> None:
    """An interaction answered, a thread opened and a message published before need nothing more."""
    assert is_already_done(refused(400, code))
    assert not is_already_done(refused(400, 50035))


def test_an_interaction_that_this_process_answered_is_done() -> None:
    """The library says so before Discord could."""
    interaction: Any = None  # which the error only carries
    assert is_already_done(as_send_error(discord.InteractionResponded(interaction)))


def test_a_lost_token_is_known_from_the_login_too() -> None:
    """The library has an error of its own where a login is refused."""
    assert type(as_send_error(discord.LoginFailure("Improper token"))) is TokenRevoked


def test_what_the_library_does_not_know_is_refused() -> None:
    """A channel of a kind that is newer than the library is no crash."""
    assert type(as_send_error(discord.InvalidData("Unknown channel type"))) is Rejected


def test_a_mistake_of_ours_stays_one() -> None:
    """An error that is not Discord's is raised again."""
    with pytest.raises(discord.ClientException):
        as_send_error(discord.ClientException("Not connected"))
    with pytest.raises(KeyError):
        as_send_error(KeyError("x"))


def test_a_closed_client_has_sent_nothing() -> None:
    """A call on a closed client may be repeated on the next; other `RuntimeError`s are raised."""
    assert isinstance(as_send_error(RuntimeError("Session is closed")), RetryLater)
    with pytest.raises(RuntimeError):
        as_send_error(RuntimeError("something else"))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 407])
def test_a_page_says_nothing_of_a_channel(status: int) -> None:
    """An HTML page of a proxy is a `RetryLater` and ends no subscription."""
    page = answered(status, "<html>Access denied</html>", {"Content-Type": "text/html"})
    assert type(page) is RetryLater
    said = answered(403, {"code": 0}, {"Content-Type": "application/json; charset=utf-8"})
    assert type(said) is NotAllowed
