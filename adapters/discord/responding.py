"""The way of an answer to Discord: as components, else as embeds, else as an excuse.

Discord takes one first response to an interaction, so to send it once more where a connection
broke off shows it once all the same.
https://docs.discord.com/developers/interactions/receiving-and-responding
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from discord import InteractionResponseType, ui

from adapters.discord.calls import Calls
from adapters.discord.errors import is_done
from adapters.discord.inbound import Interaction
from adapters.discord.lines import Lines
from adapters.discord.render import (
    APOLOGY,
    Rendered,
    apology,
    render_embeds,
    render_message,
)
from adapters.discord.showing import Showing, fitting, ways_on
from bot.errors import Refused, RetryLater, SendError, Unclear
from bot.replies import Level, Notice, Reply
from store.errors import StoreError

# Between attempts: a first response is taken for three seconds, what follows it for 15 minutes.
_FIRST_PAUSES = (0.3, 0.7)
_LATE_PAUSES = (0.3, 1.0, 2.0, 5.0, 10.0)
_MOST_KEPT = 128
# What Discord says of a form that it does not take, and of a message that is empty without it.
_MALFORMED = ("50035", "50006")
_log = logging.getLogger(__name__)

Call = Callable[[], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """An answer, how it fits to be shown, and that laid out."""

    reply: Reply
    showing: Showing
    shown: Rendered


class Responding:
    """Responds to interactions.

    Args:
        calls: how Discord is called.
        lines: keeps what is too long for a button.
    """

    def __init__(self, calls: Calls, lines: Lines) -> None:
        self._calls = calls
        self._lines = lines
        # Many ask the same, and to lay an answer out takes longer than to find it.
        self._laid_out = lru_cache(_MOST_KEPT)(_laid_out)

    async def prepare(self, reply: Reply, showing: Showing) -> Prepared:
        """Lay an answer out, and keep what its buttons stand for."""
        showing = fitting(showing, reply)
        try:
            shown = self._laid_out(reply, showing)
            await self._lines.keep(shown.kept)
        except StoreError as error:
            reply = Reply((Notice(Level.ERROR, error.sentence, error.remedy),), failed=True)
            showing = fitting(showing, reply)  # what was to be shared is now its asker's alone
            return Prepared(reply, showing, _laid_out(reply, showing))
        except Exception:  # noqa: BLE001 - whoever waits gets an answer, whatever happened
            _log.exception("answer_failed")
            return Prepared(reply, showing, apology())
        return Prepared(reply, showing, shown)

    async def first(self, interaction: Interaction, prepared: Prepared) -> None:
        """Give an answer as the first response.

        Raises:
            SendError: where Discord does not take it.
        """
        showing, view = prepared.showing, prepared.shown.view
        send = partial(interaction.response.send_message, ephemeral=showing.private)
        excuse = partial(send, content=APOLOGY)
        if showing.instead:
            edit = partial(interaction.response.edit_message, view=view, **_cleared(interaction))
            await self._any("response", [edit, excuse], _FIRST_PAUSES)
            return
        components = partial(send, view=view, suppress_embeds=True)
        embeds = partial(self._as_embeds, send, prepared)
        await self._any("response", [components, embeds, excuse], _FIRST_PAUSES)

    async def announce(self, interaction: Interaction, showing: Showing) -> bool:
        """Say that the answer is being made; return whether it is ours to give.

        It isn't where another process was first to respond.

        Raises:
            SendError: where Discord does not take it.
        """
        defer = partial(interaction.response.defer, ephemeral=showing.private)
        announced = partial(defer, thinking=not showing.instead)
        return await self._insist("defer", announced, _FIRST_PAUSES)

    async def afterwards(self, interaction: Interaction, prepared: Prepared) -> None:
        """Put an answer where it was said to be in the making.

        Raises:
            SendError: where Discord does not take it.
        """
        view, edit = prepared.shown.view, interaction.edit_original_response
        aside = partial(interaction.followup.send, ephemeral=True)
        # An error leaves what was pressed, and then `showing` no longer says `instead`.
        pressed = interaction.response.type is InteractionResponseType.deferred_message_update
        if pressed and not prepared.showing.instead:
            await self._calls.made("follow_up", aside(view=view))
        elif pressed:
            turn = partial(edit, view=view, **_cleared(interaction))
            excuse: Call = partial(aside, content=APOLOGY)
            await self._any("late_response", [turn, excuse], _LATE_PAUSES)
        else:
            components, excuse = partial(edit, view=view), partial(edit, content=APOLOGY)
            embeds = partial(self._as_embeds, edit, prepared)
            await self._any("late_response", [components, embeds, excuse], _LATE_PAUSES)

    async def form(self, interaction: Interaction, modal: ui.Modal) -> None:
        """Open a form as the first response to a pressed button.

        Raises:
            SendError: where Discord does not take it.
        """
        opening = partial(interaction.response.send_modal, modal)
        excuse = partial(interaction.response.send_message, content=APOLOGY, ephemeral=True)
        await self._any("modal", [opening, excuse], _FIRST_PAUSES)

    async def _any(self, what: str, calls: Sequence[Call], pauses: Sequence[float]) -> None:
        """Make the first of these calls whose form Discord takes.

        Raises:
            SendError: where it takes none, or refuses one for something else.
        """
        *others, last = calls
        for call in others:
            try:
                await self._insist(what, call, pauses)
            except Refused as error:
                if error.code not in _MALFORMED:
                    raise
            else:
                return
        await self._insist(what, last, pauses)

    async def _insist(self, what: str, call: Call, pauses: Sequence[float]) -> bool:
        """Make a call that may be repeated, and repeat it while it is not clear how it went.

        Return whether it is ours: the first attempt was not told that another had been first.

        Raises:
            SendError: where Discord does not take it.
        """
        for number, pause in enumerate((*pauses, None)):
            try:
                await self._calls.made(what, call())
            except (Unclear, RetryLater):
                if pause is None:
                    raise
                await asyncio.sleep(pause)
            except SendError as error:
                if not is_done(error):
                    raise
                return number > 0
            else:
                return True
        raise AssertionError  # the last pause is none, after which it returned or raised

    async def _as_embeds(self, send: Callable[..., Awaitable[Any]], prepared: Prepared) -> None:
        reply, showing = prepared.reply, prepared.showing
        plain = render_embeds(
            reply,
            showing.part,
            share=showing.share,
            shared_by=showing.shared_by,
            ways=ways_on(reply),
        )
        # Their ids are numbered in another order, so that others may be too long.
        await self._lines.keep(plain.kept)
        await send(embeds=plain.embeds, view=plain.view)


def _cleared(interaction: Interaction) -> dict[str, Any]:
    """Return what takes away what may not stand beside components, where that is there.

    https://docs.discord.com/developers/components/using-message-components
    """
    message = interaction.message
    if message is None or message.flags.components_v2:
        return {}
    return {"content": None, "embeds": []}


def _laid_out(reply: Reply, showing: Showing) -> Rendered:
    return render_message(
        reply,
        showing.part,
        share=showing.share,
        shared_by=showing.shared_by,
        ways=ways_on(reply),
    )
