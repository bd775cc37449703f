"""Answers to interactions: as their first response where ready in time, and else afterwards.

Discord takes a first response for three seconds, and takes one only. An answer that is ready
within a second is that response and spends no other call; to send it once more where a
connection broke off shows it once all the same.
https://docs.discord.com/developers/interactions/receiving-and-responding
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from discord import ui

from adapters.discord.calls import Calls
from adapters.discord.errors import is_done, refuses_components
from adapters.discord.inbound import Interaction
from adapters.discord.lines import Lines
from adapters.discord.render import (
    Rendered,
    RenderedEmbeds,
    apology,
    render_embeds,
    render_message,
)
from adapters.discord.showing import Showing, ways_on
from adapters.tasks import Tasks
from bot.errors import Refused, RetryLater, SendError, Unclear
from bot.metrics import Metrics
from bot.replies import Level, Notice, Reply, Visibility
from store.errors import StoreError

SECONDS = 1.0
_AGAIN_SECONDS = 0.3
_MOST_KEPT = 128
# What Discord says of a form that it does not take, and of a message that is empty without it.
_MALFORMED = ("50035", "50006")
_log = logging.getLogger(__name__)

Ask = Callable[[], Awaitable[Reply]]


class Answering:
    """Answers interactions; what goes wrong with Discord ends here, in a log line.

    Args:
        calls: how Discord is called.
        lines: keeps what is too long for a button.
        tasks: what the end waits for.
        metrics: counts the answers that came in time and those that didn't.
        patience: for how many seconds an answer may become the first response.
    """

    def __init__(
        self,
        calls: Calls,
        lines: Lines,
        tasks: Tasks,
        metrics: Metrics,
        patience: float = SECONDS,
    ) -> None:
        self._calls = calls
        self._lines = lines
        self._tasks = tasks
        self._metrics = metrics
        self._patience = patience
        # Many ask the same, and to lay an answer out takes longer than to find it.
        self._laid_out = lru_cache(_MOST_KEPT)(_laid_out)

    async def answer(self, interaction: Interaction, ask: Ask, showing: Showing) -> None:
        """Answer an interaction with what `ask` gives."""
        asked = asyncio.create_task(_asked(ask), name="discord-ask")
        self._tasks.keep(asked)
        if current := asyncio.current_task():
            self._tasks.keep(current)
        try:
            await self._answer(interaction, asked, showing)
        except SendError as error:
            # `calls` has logged what was called; this says that somebody got no answer.
            _log.error("answer_lost", extra={"reason": error.sentence, "code": error.code})

    async def open_form(self, interaction: Interaction, modal: ui.Modal) -> None:
        """Open a form as the first response to a pressed button."""
        try:
            await self._insist("modal", lambda: interaction.response.send_modal(modal))
        except SendError as error:
            _log.error("form_lost", extra={"reason": error.sentence, "code": error.code})

    async def _answer(
        self, interaction: Interaction, asked: asyncio.Task[Reply], showing: Showing
    ) -> None:
        await asyncio.wait({asked}, timeout=self._patience)
        in_time = asked.done()
        self._metrics.acknowledged("discord", answered=in_time)
        if in_time:
            await self._first(interaction, asked.result(), showing)
        elif await self._defer(interaction, showing):
            await self._afterwards(interaction, await asked, showing)

    async def _first(self, interaction: Interaction, reply: Reply, showing: Showing) -> None:
        """Send an answer as the first response."""
        showing = _fitting(showing, reply)
        shown = await self._ready(reply, showing)

        async def respond(**contents: Any) -> None:  # noqa: ANN401 - the library's own
            if showing.instead:
                await interaction.response.edit_message(**contents)
            else:
                await interaction.response.send_message(ephemeral=showing.private, **contents)

        quiet: dict[str, Any] = {} if showing.instead else {"suppress_embeds": True}
        try:
            await self._insist("response", lambda: respond(view=shown.view, **quiet))
        except Refused as error:
            for contents in await self._otherwise(error, reply, showing):
                if await self._taken("response", partial(respond, **contents)):
                    return

    async def _defer(self, interaction: Interaction, showing: Showing) -> bool:
        """Say that the answer is being made; return whether it is ours to give.

        It isn't where another process was first to respond.
        """
        thinking = not showing.instead
        return await self._insist(
            "defer",
            lambda: interaction.response.defer(ephemeral=showing.private, thinking=thinking),
        )

    async def _afterwards(self, interaction: Interaction, reply: Reply, showing: Showing) -> None:
        """Put an answer where it was said to be in the making."""
        if showing.instead and reply.failed:
            await self._aside(interaction, await self._ready(reply, showing))
            return
        shown = await self._ready(reply, showing)
        edit = interaction.edit_original_response
        try:
            await self._insist("late_response", lambda: edit(view=shown.view))
        except Refused as error:
            for contents in await self._otherwise(error, reply, showing):
                if await self._taken("late_response", partial(edit, **contents)):
                    return

    async def _aside(self, interaction: Interaction, shown: Rendered) -> None:
        """Tell the asker alone, and leave what was pressed as it is."""
        await self._calls.made(
            "follow_up", interaction.followup.send(view=shown.view, ephemeral=True)
        )

    async def _otherwise(
        self, error: Refused, reply: Reply, showing: Showing
    ) -> list[dict[str, Any]]:
        """Return what to say in place of what Discord refused for its form: embeds, an excuse.

        Raises:
            Refused: the error, where it was refused for something else.
        """
        if error.code not in _MALFORMED:
            raise error
        excuse: dict[str, Any] = {"view": apology().view}
        if showing.instead or not refuses_components(error):
            return [excuse]
        plain = await self._ready_as_embeds(reply, showing)
        return [{"embeds": plain.embeds, "view": plain.view}, excuse]

    async def _taken(self, what: str, call: Callable[[], Awaitable[Any]]) -> bool:
        """Make a call that may be refused once more; return whether it wasn't."""
        try:
            await self._insist(what, call)
        except Refused:
            return False
        return True

    async def _insist(self, what: str, call: Callable[[], Awaitable[Any]]) -> bool:
        """Make a call that may be repeated, once more where it is not clear how it went.

        Return whether it did what was wanted, and not an earlier call.

        Raises:
            SendError: where Discord does not take it.
        """
        try:
            await self._calls.made(what, call())
        except (Unclear, RetryLater):
            await asyncio.sleep(_AGAIN_SECONDS)
        except SendError as error:
            if is_done(error):
                return False
            raise
        else:
            return True
        try:
            await self._calls.made(what, call())
        except SendError as error:
            if not is_done(error):
                raise
        return True

    async def _ready(self, reply: Reply, showing: Showing) -> Rendered:
        """Lay an answer out, and keep what its buttons stand for."""
        try:
            shown = self._laid_out(reply, showing)
            await self._lines.keep(shown.kept)
        except Exception:  # noqa: BLE001 - whoever waits gets an answer, whatever happened
            _log.exception("answer_failed")
            return apology()
        return shown

    async def _ready_as_embeds(self, reply: Reply, showing: Showing) -> RenderedEmbeds:
        plain = render_embeds(
            reply,
            showing.part,
            share=showing.share,
            shared_by=showing.shared_by,
            ways=ways_on(reply),
        )
        await self._lines.keep(plain.kept)
        return plain


def _laid_out(reply: Reply, showing: Showing) -> Rendered:
    return render_message(
        reply,
        showing.part,
        share=showing.share,
        shared_by=showing.shared_by,
        ways=ways_on(reply),
    )


def _fitting(showing: Showing, reply: Reply) -> Showing:
    """Return how this very answer is shown: an error to its asker alone, a public one to all."""
    if reply.failed and showing.shared_by is not None:
        return replace(showing, private=True, shared_by=None)
    if reply.failed and showing.instead:
        return replace(showing, instead=False)
    if reply.visibility is Visibility.CHANNEL and showing.private:
        return replace(showing, private=False, share=False)
    return showing


async def _asked(ask: Ask) -> Reply:
    try:
        return await ask()
    except StoreError as error:
        return Reply((Notice(Level.ERROR, error.sentence, error.remedy),), failed=True)
    except Exception:  # noqa: BLE001 - whoever waits gets an answer, whatever happened
        _log.exception("answer_failed")
        sorry = "Something went wrong. It has been logged."
        return Reply((Notice(Level.ERROR, sorry),), failed=True)
