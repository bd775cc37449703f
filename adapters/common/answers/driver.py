"""The driver of answers: it runs a request and shows its reply by a platform's verbs.

A second is waited for the reply, then the request is acknowledged with it, or without it, and it
follows. After the answer come its files, where they are not in it, and the welcome of a new user.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from adapters.common.answers.acknowledgement import Acknowledger
from adapters.common.answers.showing import Showing, showing_for
from adapters.common.tasks import Tasks
from bot.actor import Actor
from bot.app import Broadsheet
from bot.commands.types import LineOrigin
from bot.errors import NotAllowed, OutcomeUnknown, Rejected, SendError
from bot.replies.blocks import Button, Level, Notice, Reply, store_failure
from bot.replies.paper_actions import as_shared
from store.errors import StoreError

_MAX_RELABELS = 3  # Slack's response URL accepts five messages
_FAILED = Notice(Level.ERROR, "Something went wrong.", "It has been logged.")
_log = logging.getLogger(__name__)

T = TypeVar("T")
Run = Callable[[Actor], Awaitable[Reply]]


@dataclass(frozen=True)
class Answer:
    """A reply as a platform rendered it, and how it is shown."""

    reply: Reply
    showing: Showing


A = TypeVar("A", bound=Answer)


class Verbs(Protocol[A]):
    """The verbs of a platform for one request; those that call it raise `SendError`."""

    async def render(self, reply: Reply, showing: Showing) -> A:
        """Render a reply.

        Raises:
            StoreError: if something can't be stored that the answer needs; never for an error.
        """

    def holds(self, _answer: A) -> bool:
        """Tell whether the acknowledgement may hold an answer; some are better seen to arrive."""
        return True

    async def acknowledge(self, answer: A) -> None:
        """Acknowledge the request with its answer."""

    async def defer(self, _showing: Showing) -> bool:
        """Acknowledge it without the answer; return whether that may follow."""
        return True

    async def follow_up(self, answer: A) -> None:
        """Send an answer after the acknowledgement."""
        await self.acknowledge(answer)

    def without_files(self, answer: A, error: SendError) -> Reply | None:
        """Return a reply without the files that it was refused with, `None` if it has none."""

    async def relabel(self, _buttons: Sequence[Button]) -> bool:
        """Give the buttons of the message new labels; return whether it has any of them."""
        return False

    async def show_nothing(self) -> None:
        """End a request to which nothing is shown."""

    async def finish(self, answer: A) -> None:
        """Do what follows an answer that was sent, such as the sharing of its files."""

    async def tell(self, reply: Reply) -> None:
        """Send a message after the answer, to the user alone."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request.

    `actor` returns its user, and `run` answers them, again the same unless something changed
    meanwhile. `requested` is how it asks its answer to be shown. With `greets` a new user is
    welcomed below that.
    """

    actor: Callable[[], Awaitable[Actor]]
    run: Run
    requested: Showing
    greets: bool = True


@dataclass(frozen=True, slots=True)
class AnswerDriver(Generic[A]):
    """Answers requests.

    Attributes:
        app: knows who is new.
        acknowledger: acknowledges with answers.
        tasks: runs what comes after the answers.
        platform: the platform's name, as users read it.
        appears_after: the seconds until an answer in an acknowledgement has appeared.
    """

    app: Broadsheet
    acknowledger: Acknowledger
    tasks: Tasks
    platform: str
    appears_after: float = 0.0

    async def acknowledge(
        self, asked: Asked, verbs: Verbs[A], *, key: str | None = None, arrived: float | None = None
    ) -> None:
        """Answer a request in its acknowledgement, or after it; a `SendError` is logged.

        `key` and `arrived` are as in `Acknowledger.answer`.
        """
        request = _Request(self, asked, verbs)
        await self.acknowledger.answer(
            request.answer,
            request.acknowledge,
            request.defer,
            request.follow_up,
            holds=verbs.holds,
            key=key,
            arrived=arrived,
        )

    async def asks_first(
        self,
        origin: LineOrigin,
        line: Callable[[], Awaitable[str | None]],
        actor: Callable[[], Awaitable[Actor]],
    ) -> bool:
        """Tell whether a user is asked before the form of somebody else's line is opened."""
        if origin.by is None:
            return False
        try:
            found = await line()
            return found is not None and self.app.asks_first(found, await actor(), origin)
        except StoreError:
            return True  # the answer says so, and no form is opened

    async def follow_up(self, asked: Asked, verbs: Verbs[A]) -> None:
        """Answer a request that is acknowledged already.

        Raises:
            SendError: if the platform refuses the answer.
        """
        request = _Request(self, asked, verbs)
        if sent := await request.show(await request.answer(), verbs.follow_up):
            await request.finish(sent)


@dataclass(slots=True)
class _Request(Generic[A]):
    """A request on its way to an answer; its user is known once it was run."""

    driver: AnswerDriver[A]
    asked: Asked
    verbs: Verbs[A]
    actor: Actor | None = None

    async def answer(self) -> A:
        """Return the answer, whatever happens."""
        reply = await self._reply()
        return await self._rendered(as_shared(reply) if self.asked.requested.shared else reply)

    async def acknowledge(self, answer: A) -> None:
        if sent := await self._show_or_log(answer, self.verbs.acknowledge):
            self.driver.tasks.start(self.finish(sent), "after-answer")

    async def defer(self, answer: A | None) -> bool:
        try:
            return await self.verbs.defer(answer.showing if answer else self.asked.requested)
        except SendError as error:
            _log_lost(error)
            return False

    async def follow_up(self, answer: A) -> None:
        if sent := await self._show_or_log(answer, self.verbs.follow_up):
            await self.finish(sent)

    async def show(self, answer: A, send: Callable[[A], Awaitable[None]]) -> A | None:
        """Show an answer; return it as it was sent, `None` if it was not.

        Raises:
            SendError: if the platform refuses it.
        """
        if answer.showing.silent and await self._show_change(answer.reply):
            return None
        try:
            return await self._with_files_or_without(answer, send)
        except SendError as error:
            if not answer.showing.shared:
                raise
            await self.verbs.tell(_not_shared(error, self.driver.platform))
            return None

    async def finish(self, answer: A) -> None:
        """Do what comes after an answer that was sent."""
        try:
            await self.verbs.finish(answer)
        except (SendError, StoreError) as error:
            _log.warning("remark_lost", extra={"reason": error.sentence})
        app = self.driver.app
        if app.onboarding and self.actor and self.asked.greets and not answer.showing.shared:
            await app.onboarding.follow(
                answer.reply, self.actor, app.commands, self.verbs.tell, self.driver.appears_after
            )

    async def _show_or_log(self, answer: A, send: Callable[[A], Awaitable[None]]) -> A | None:
        try:
            return await self.show(answer, send)
        except SendError as error:
            _log_lost(error)
            return None

    async def _show_change(self, reply: Reply) -> bool:
        """Show a change by the labels of public buttons alone; return whether that worked.

        Another user may press at the same time, so the request runs again until the labels are
        current.
        """
        if not reply.renamed:
            await self.verbs.show_nothing()
            return True
        for _ in range(_MAX_RELABELS):
            try:
                if not await self.verbs.relabel(reply.renamed):
                    return False
            except SendError as error:
                _log.warning("button_not_renamed", extra={"reason": error.sentence})
                return False
            current = await self._reply()
            if current.failed or current.renamed == reply.renamed:
                break
            reply = current
        return True

    async def _with_files_or_without(self, answer: A, send: Callable[[A], Awaitable[None]]) -> A:
        """Send an answer; if it is refused with its files, send it without them and say why.

        Raises:
            SendError: if both are refused.
        """
        try:
            await send(answer)
        except (Rejected, NotAllowed) as error:
            plain = self.verbs.without_files(answer, error)
            if plain is None:
                raise
            answer = await self._rendered(plain)
            await send(answer)
        return answer

    async def _reply(self) -> Reply:
        """Return the reply; an error becomes the reply that reports it."""
        try:
            actor = replace(await self.asked.actor(), shares=self.asked.requested.shared)
            self.actor = actor
            return await self.asked.run(actor)
        except StoreError as error:
            _log.warning("answer_refused", extra={"reason": error.sentence})
            return store_failure(error)
        except Exception:  # noqa: BLE001 - the user gets an answer, whatever happened
            _log.exception("answer_failed")
            return Reply((_FAILED,), failed=True)

    async def _rendered(self, reply: Reply) -> A:
        try:
            return await self.verbs.render(reply, showing_for(self.asked.requested, reply))
        except StoreError as error:
            reply = store_failure(error)
        except Exception:  # noqa: BLE001 - the user gets an answer, whatever happened
            _log.exception("answer_failed")
            reply = Reply((_FAILED,), failed=True)
        return await self.verbs.render(reply, showing_for(self.asked.requested, reply))


async def given(value: T, *_asked: object) -> T:
    """Return a value that is there already, whatever it is asked with."""
    return value


def _not_shared(error: SendError, platform: str) -> Reply:
    """Return a reply that says why an answer was not shared, or that it may have been."""
    sentence, remedy = error.sentence, error.remedy
    if isinstance(error, OutcomeUnknown):
        sentence = f"{platform} broke off while the answer was being shared."
        remedy = "Look whether it stands in the channel before you share it again."
    return Reply((Notice(Level.WARNING, sentence, remedy),))


def _log_lost(error: SendError) -> None:
    # The call is in the log already; this line says that a user got no answer.
    _log.error("answer_lost", extra={"reason": error.sentence, "code": error.code})
