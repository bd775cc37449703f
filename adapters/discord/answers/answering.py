"""Answers to interactions: given as the first response if ready in time, else afterwards.

Discord accepts a first response for three seconds. An answer that is ready within one is that
response, which saves a call.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from discord import ui

from adapters.common.answers.showing import Showing
from adapters.common.tasks import Tasks
from adapters.discord.answers.responder import RenderedAnswer, Responder
from adapters.discord.interactions.context import Interaction, person
from bot.errors import OutcomeUnknown, SendError
from bot.operations.metrics import Metrics
from bot.replies.blocks import Level, Notice, Reply, store_failure
from store.errors import StoreError
from store.records import Person

FIRST_RESPONSE_SECONDS = 1.0
_MAX_RELABELS = 3
_FAILED = Notice(Level.ERROR, "Something went wrong.", "It has been logged.")
_log = logging.getLogger(__name__)

Handler = Callable[[], Awaitable[Reply]]


class Answers:
    """Answers interactions; errors of Discord are logged and not raised.

    Args:
        responder: sends the answers.
        tasks: the tasks that a shutdown waits for.
        metrics: counts the answers in time and the others.
        timeout: for how many seconds an answer may become the first response.
    """

    def __init__(
        self,
        responder: Responder,
        tasks: Tasks,
        metrics: Metrics,
        timeout: float = FIRST_RESPONSE_SECONDS,
    ) -> None:
        self._responder = responder
        self._tasks = tasks
        self._metrics = metrics
        self._timeout = timeout

    async def answer(
        self, interaction: Interaction, handler: Handler, showing: Showing
    ) -> RenderedAnswer | None:
        """Answer an interaction with a handler's reply; return the answer if it was sent."""
        pending = asyncio.create_task(
            self._rendered(handler, showing, person(interaction.user)), name="discord-ask"
        )
        self._tasks.track(pending)
        if current := asyncio.current_task():
            self._tasks.track(current)
        try:
            sent = await self._answer(interaction, pending, showing)
            if sent is not None and sent.showing.silent:
                await self._relabel(interaction, handler, sent.reply)
        except SendError as error:
            # `Calls` has logged the call; this line says that a user got no answer.
            _log.error("answer_lost", extra={"reason": error.sentence, "code": error.code})
            return None
        else:
            return sent

    async def follow_up(self, interaction: Interaction, reply: Reply, *, ephemeral: bool) -> bool:
        """Send a message after an answer; return whether it may have arrived."""
        try:
            showing = Showing(private=ephemeral, share=False)
            answer = await self._responder.render(reply, showing, person(interaction.user))
            await self._responder.follow_up(interaction, answer)
        except SendError as error:
            _log.warning("remark_lost", extra={"reason": error.sentence, "code": error.code})
            return isinstance(error, OutcomeUnknown)
        return True

    async def open_modal(self, interaction: Interaction, modal: ui.Modal) -> None:
        """Open a modal as the first response to a button."""
        try:
            await self._responder.open_modal(interaction, modal)
        except SendError as error:
            _log.error("form_lost", extra={"reason": error.sentence, "code": error.code})

    async def _answer(
        self, interaction: Interaction, pending: asyncio.Task[RenderedAnswer], showing: Showing
    ) -> RenderedAnswer | None:
        await asyncio.wait({pending}, timeout=self._timeout)
        in_time = pending.done() and not pending.result().is_heavy
        self._metrics.acknowledged("discord", answered=in_time)
        if in_time:
            await self._responder.respond(interaction, pending.result())
            return pending.result()
        deferred = pending.result().showing if pending.done() else showing
        if not await self._responder.defer(interaction, deferred):
            return None
        await self._responder.edit_deferred(interaction, await pending)
        return await pending

    async def _relabel(self, interaction: Interaction, handler: Handler, sent: Reply) -> None:
        """Relabel the buttons of a public message until their labels are current.

        Another user's interaction may change what they say meanwhile.
        """
        for _ in range(_MAX_RELABELS if sent.renamed else 0):
            current = await reply_of(handler)
            if current.failed or current.renamed == sent.renamed:
                return
            await self._responder.relabel(interaction, current)
            sent = current

    async def _rendered(self, handler: Handler, showing: Showing, user: Person) -> RenderedAnswer:
        return await self._responder.render(await reply_of(handler), showing, user)


async def reply_of(handler: Handler) -> Reply:
    """Return a handler's reply; an error becomes the reply that reports it."""
    try:
        return await handler()
    except StoreError as error:
        return store_failure(error)
    except Exception:  # noqa: BLE001 - the user gets an answer, whatever happened
        _log.exception("answer_failed")
        return Reply((_FAILED,), failed=True)
