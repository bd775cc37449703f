"""The way of an answer to Discord: as components, else as embeds, else as an excuse.

Discord takes one first response to an interaction, so to send it once more where a connection
broke off shows it once all the same.
https://docs.discord.com/developers/interactions/receiving-and-responding
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from discord import ui

from adapters.discord.calls import Calls
from adapters.discord.errors import is_done
from adapters.discord.inbound import Interaction
from adapters.discord.lines import Lines
from adapters.discord.render import Rendered, apology, render_embeds, render_message
from adapters.discord.showing import Showing, fitting, ways_on
from bot.errors import Refused, RetryLater, SendError, Unclear
from bot.replies import Reply

_AGAIN_SECONDS = 0.3
_MOST_KEPT = 128
# What Discord says of a form that it does not take, and of a message that is empty without it.
_MALFORMED = ("50035", "50006")
_log = logging.getLogger(__name__)

Call = Callable[[], Awaitable[Any]]


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

    async def first(self, interaction: Interaction, reply: Reply, showing: Showing) -> None:
        """Give an answer as the first response.

        Raises:
            SendError: where Discord does not take it.
        """
        showing = fitting(showing, reply)
        shown = await self._ready(reply, showing)
        send = partial(interaction.response.send_message, ephemeral=showing.private)
        excuse = partial(send, view=apology().view)
        if showing.instead:
            edit = partial(interaction.response.edit_message, view=shown.view)
            await self._any("response", [edit, excuse])
            return
        components = partial(send, view=shown.view, suppress_embeds=True)
        embeds = partial(self._as_embeds, send, reply, showing)
        await self._any("response", [components, embeds, excuse])

    async def announce(self, interaction: Interaction, showing: Showing) -> bool:
        """Say that the answer is being made; return whether it is ours to give.

        It isn't where another process was first to respond.

        Raises:
            SendError: where Discord does not take it.
        """
        defer = partial(interaction.response.defer, ephemeral=showing.private)
        return await self._insist("defer", partial(defer, thinking=not showing.instead))

    async def afterwards(self, interaction: Interaction, reply: Reply, showing: Showing) -> None:
        """Put an answer where it was said to be in the making.

        Raises:
            SendError: where Discord does not take it.
        """
        shown = await self._ready(reply, showing)
        aside = partial(interaction.followup.send, ephemeral=True)
        if showing.instead and reply.failed:
            await self._calls.made("follow_up", aside(view=shown.view))
            return
        edit = partial(interaction.edit_original_response)
        components = partial(edit, view=shown.view)
        if showing.instead:
            await self._any("late_response", [components, partial(aside, view=apology().view)])
            return
        embeds = partial(self._as_embeds, edit, reply, showing)
        excuse = partial(edit, view=apology().view)
        await self._any("late_response", [components, embeds, excuse])

    async def form(self, interaction: Interaction, modal: ui.Modal) -> None:
        """Open a form as the first response to a pressed button.

        Raises:
            SendError: where Discord does not take it.
        """
        await self._insist("modal", partial(interaction.response.send_modal, modal))

    async def _any(self, what: str, calls: Sequence[Call]) -> None:
        """Make the first of these calls whose form Discord takes.

        Raises:
            SendError: where it takes none, or refuses one for something else.
        """
        *others, last = calls
        for call in others:
            try:
                await self._insist(what, call)
            except Refused as error:
                if error.code not in _MALFORMED:
                    raise
            else:
                return
        await self._insist(what, last)

    async def _insist(self, what: str, call: Call) -> bool:
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

    async def _as_embeds(
        self, send: Callable[..., Awaitable[Any]], reply: Reply, showing: Showing
    ) -> None:
        plain = render_embeds(
            reply,
            showing.part,
            share=showing.share,
            shared_by=showing.shared_by,
            ways=ways_on(reply),
        )
        await send(embeds=plain.embeds, view=plain.view)


def _laid_out(reply: Reply, showing: Showing) -> Rendered:
    return render_message(
        reply,
        showing.part,
        share=showing.share,
        shared_by=showing.shared_by,
        ways=ways_on(reply),
    )
