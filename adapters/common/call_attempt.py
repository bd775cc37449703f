"""The outcome of an API call's HTTP requests: of one that never left nothing was carried out."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from bot.errors import OutcomeUnknown, RetryLater


@dataclass(slots=True)
class CallAttempt:
    """The state of the requests of one call, with the library's retries.

    Attributes:
        was_started: whether a request was about to be sent by a session that reports it.
        may_be_done: whether the platform may have carried out a request.
        is_unclear: whether a request was sent of which no answer told what became of it.
    """

    was_started: bool = False
    may_be_done: bool = False
    is_unclear: bool = False

    @property
    def is_certainly_undone(self) -> bool:
        """True if the platform certainly carried nothing out."""
        return self.was_started and not self.may_be_done


# No library passes the context of its callers to a session's trace; both run in one task.
_ATTEMPT: ContextVar[CallAttempt | None] = ContextVar("call_attempt", default=None)


def current_attempt() -> CallAttempt | None:
    """Return the attempt of the call that runs in this task."""
    return _ATTEMPT.get()


@contextmanager
def attempted() -> Iterator[CallAttempt]:
    """Watch the requests of one call."""
    attempt = CallAttempt()
    token = _ATTEMPT.set(attempt)
    try:
        yield attempt
    finally:
        _ATTEMPT.reset(token)


@contextmanager
def repeatable() -> Iterator[None]:
    """Let a call of which a repeat changes nothing be tried again where its outcome is unknown."""
    try:
        yield
    except OutcomeUnknown as error:
        raise RetryLater(error.sentence, "Try again in a moment.", error.code) from error
