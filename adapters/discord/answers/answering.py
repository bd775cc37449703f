"""Answers to interactions: as their first response where ready in time, and else afterwards.

Discord takes a first response for three seconds. An answer that is ready within one is that
response, and spends no other call.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from discord import ui

from adapters.common.tasks import Tasks
from adapters.discord.answers.respond import Prepared, Responding
from adapters.discord.answers.visibility import Showing
from adapters.discord.interactions.context import Interaction, person
from bot.errors import OutcomeUnknown, SendError
from bot.operations.metrics import Metrics
from bot.replies.blocks import Level, Notice, Reply, store_failure
from store.errors import StoreError
from store.records import Person

SECONDS = 1.0
_MOST_RENAMINGS = 3
_SORRY = Notice(Level.ERROR, "Something went wrong.", "It has been logged.")
_log = logging.getLogger(__name__)

Ask = Callable[[], Awaitable[Reply]]


class Answering:
    """Answers interactions; what goes wrong with Discord ends here, in a log line.

    Args:
        responding: how answers are sent.
        tasks: what the end waits for.
        metrics: counts the answers that came in time and those that didn't.
        patience: for how many seconds an answer may become the first response.
    """

    def __init__(
        self, responding: Responding, tasks: Tasks, metrics: Metrics, patience: float = SECONDS
    ) -> None:
        self._responding = responding
        self._tasks = tasks
        self._metrics = metrics
        self._patience = patience

    async def answer(self, interaction: Interaction, ask: Ask, showing: Showing) -> Prepared | None:
        """Answer an interaction with what `ask` gives; return what was shown, if anything was."""
        asked = asyncio.create_task(
            self._prepared(ask, showing, person(interaction)), name="discord-ask"
        )
        self._tasks.track(asked)
        if current := asyncio.current_task():
            self._tasks.track(current)
        try:
            shown = await self._answer(interaction, asked, showing)
            if shown is not None and shown.showing.silent:
                await self._rename(interaction, ask, shown.reply)
        except SendError as error:
            # `calls` has logged what was called; this says that somebody got no answer.
            _log.error("answer_lost", extra={"reason": error.sentence, "code": error.code})
            return None
        else:
            return shown

    async def below(self, interaction: Interaction, reply: Reply, *, private: bool) -> bool:
        """Say something below an answer that was given; return whether it may stand there."""
        try:
            prepared = await self._responding.prepare(
                reply, Showing(private=private, share=False), person(interaction)
            )
            await self._responding.below(interaction, prepared)
        except SendError as error:
            _log.warning("remark_lost", extra={"reason": error.sentence, "code": error.code})
            return isinstance(error, OutcomeUnknown)
        return True

    async def open_form(self, interaction: Interaction, modal: ui.Modal) -> None:
        """Open a form as the first response to a pressed button."""
        try:
            await self._responding.form(interaction, modal)
        except SendError as error:
            _log.error("form_lost", extra={"reason": error.sentence, "code": error.code})

    async def _answer(
        self, interaction: Interaction, asked: asyncio.Task[Prepared], showing: Showing
    ) -> Prepared | None:
        await asyncio.wait({asked}, timeout=self._patience)
        in_time = asked.done() and not asked.result().is_heavy
        self._metrics.acknowledged("discord", answered=in_time)
        if in_time:
            await self._responding.first(interaction, asked.result())
            return asked.result()
        announced = asked.result().showing if asked.done() else showing
        if not await self._responding.announce(interaction, announced):
            return None
        await self._responding.afterwards(interaction, await asked)
        return await asked

    async def _rename(self, interaction: Interaction, ask: Ask, shown: Reply) -> None:
        """Rename the buttons of a message that all see until they are what is answered by then.

        Whoever else presses meanwhile may be overtaken.
        """
        for _ in range(_MOST_RENAMINGS if shown.renamed else 0):
            again = await _asked(ask)
            if again.failed or again.renamed == shown.renamed:
                return
            await self._responding.rename(interaction, again)
            shown = again

    async def _prepared(self, ask: Ask, showing: Showing, asker: Person) -> Prepared:
        return await self._responding.prepare(await _asked(ask), showing, asker)


async def _asked(ask: Ask) -> Reply:
    try:
        return await ask()
    except StoreError as error:
        return store_failure(error)
    except Exception:  # noqa: BLE001 - whoever waits gets an answer, whatever happened
        _log.exception("answer_failed")
        return Reply((_SORRY,), failed=True)
