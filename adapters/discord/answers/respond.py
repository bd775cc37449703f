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

from adapters.common.files import files_of
from adapters.discord.answers.command_strings import Lines
from adapters.discord.answers.relabel import with_names
from adapters.discord.answers.visibility import Showing, fitting, ways_on
from adapters.discord.api.calls import Calls
from adapters.discord.api.errors import is_done
from adapters.discord.interactions.context import Interaction
from adapters.discord.render import (
    APOLOGY,
    Rendered,
    apology,
    render_embeds,
    render_message,
)
from adapters.discord.render.files import are_heavy, taking, without_files
from bot.errors import NotAllowed, OutcomeUnknown, Rejected, RetryLater, SendError
from bot.replies.blocks import Level, Notice, Reply
from store.errors import StoreError
from store.records import Person

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
    """An answer, how it fits to be shown, that laid out, and whom it is for."""

    reply: Reply
    showing: Showing
    shown: Rendered
    asker: Person

    @property
    def is_heavy(self) -> bool:
        """Whether it may take longer to send than Discord waits for a first response."""
        return are_heavy(self.shown.files)


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

    async def prepare(self, reply: Reply, showing: Showing, asker: Person) -> Prepared:
        """Lay an answer out, and keep what its buttons stand for."""
        showing = fitting(showing, reply)
        try:
            # What was laid out is remembered; files would be too, and they are large.
            lay_out = _laid_out if files_of(reply) else self._laid_out
            shown = lay_out(reply, showing)
            await self._lines.keep(shown.kept, asker)
        except StoreError as error:
            reply = Reply((Notice(Level.ERROR, error.sentence, error.remedy),), failed=True)
            showing = fitting(showing, reply)  # what was to be shared is now its asker's alone
            return Prepared(reply, showing, _laid_out(reply, showing), asker)
        except Exception:  # noqa: BLE001 - whoever waits gets an answer, whatever happened
            _log.exception("answer_failed")
            return Prepared(reply, showing, apology(), asker)
        return Prepared(reply, showing, shown, asker)

    async def first(self, interaction: Interaction, prepared: Prepared) -> None:
        """Give an answer as the first response.

        Raises:
            SendError: where Discord does not take it.
        """
        if prepared.showing.silent:
            await self._silently(interaction, prepared)
            return
        await self._with_files_or_without(prepared, partial(self._first, interaction))

    async def announce(self, interaction: Interaction, showing: Showing) -> bool:
        """Say that the answer is being made; return whether it is ours to give.

        It isn't where another process was first to respond.

        Raises:
            SendError: where Discord does not take it.
        """
        defer = partial(interaction.response.defer, ephemeral=showing.private)
        announced = partial(defer, thinking=not (showing.instead or showing.silent))
        return await self._insist("defer", announced, _FIRST_PAUSES)

    async def afterwards(self, interaction: Interaction, prepared: Prepared) -> None:
        """Put an answer where it was said to be in the making; a silent one takes that away.

        Raises:
            SendError: where Discord does not take it.
        """
        # What others see is not changed after so long: whoever pressed is told instead.
        if prepared.showing.silent and not prepared.reply.renamed:
            if interaction.response.type is InteractionResponseType.deferred_channel_message:
                taken = interaction.delete_original_response
                await self._insist("late_response", taken, _LATE_PAUSES)
            return
        await self._with_files_or_without(prepared, partial(self._afterwards, interaction))

    async def rename(self, interaction: Interaction, reply: Reply) -> None:
        """Rename buttons of the message that was pressed in, after the first response.

        Raises:
            SendError: where Discord does not take it.
        """
        if view := with_names(interaction.message, reply.renamed):
            edit = partial(interaction.edit_original_response, view=view)
            await self._insist("late_response", edit, _LATE_PAUSES)

    async def below(self, interaction: Interaction, prepared: Prepared) -> None:
        """Say something below an answer that was given.

        Raises:
            SendError: where Discord does not take it.
        """
        private, view = prepared.showing.private, prepared.shown.view
        said = interaction.followup.send(view=view, ephemeral=private, wait=True)
        await self._calls.made("follow_up", said)

    async def form(self, interaction: Interaction, modal: ui.Modal) -> None:
        """Open a form as the first response to a pressed button.

        Raises:
            SendError: where Discord does not take it.
        """
        opening = partial(interaction.response.send_modal, modal)
        excuse = partial(interaction.response.send_message, content=APOLOGY, ephemeral=True)
        await self._any("modal", [opening, excuse], _FIRST_PAUSES)

    async def _silently(self, interaction: Interaction, prepared: Prepared) -> None:
        """Say nothing, or rename the buttons that say it; where that fails say it in words."""
        if not prepared.reply.renamed:
            await self._insist("defer", interaction.response.defer, _FIRST_PAUSES)
            return
        respond = partial(interaction.response.send_message, ephemeral=True)
        calls: list[Call] = [partial(respond, view=prepared.shown.view)]
        if view := with_names(interaction.message, prepared.reply.renamed):
            calls.insert(0, partial(interaction.response.edit_message, view=view))
        await self._any("response", calls, _FIRST_PAUSES)

    async def _first(self, interaction: Interaction, prepared: Prepared) -> None:
        showing, view, files = prepared.showing, prepared.shown.view, prepared.shown.files
        respond = partial(interaction.response.send_message, ephemeral=showing.private)
        excuse = partial(respond, content=APOLOGY)
        if showing.instead:
            edit = partial(interaction.response.edit_message, view=view, **_cleared(interaction))
            turn = taking(edit, files, "attachments")
            await self._any("response", _excused(prepared, turn, excuse), _FIRST_PAUSES)
            return
        send = taking(respond, files, "files")
        components = partial(send, view=view, suppress_embeds=True)
        embeds = partial(self._as_embeds, send, prepared)
        await self._any("response", _excused(prepared, components, embeds, excuse), _FIRST_PAUSES)

    async def _afterwards(self, interaction: Interaction, prepared: Prepared) -> None:
        view, files = prepared.shown.view, prepared.shown.files
        edit = taking(interaction.edit_original_response, files, "attachments")
        aside = partial(interaction.followup.send, ephemeral=True)
        # An error leaves what was pressed, and then `showing` no longer says `instead`.
        pressed = interaction.response.type is InteractionResponseType.deferred_message_update
        if pressed and not prepared.showing.instead:
            await self._calls.made("follow_up", taking(aside, files, "files")(view=view))
        elif pressed:
            turn = partial(edit, view=view, **_cleared(interaction))
            excuse: Call = partial(aside, content=APOLOGY)
            await self._any("late_response", _excused(prepared, turn, excuse), _LATE_PAUSES)
        else:
            components = partial(edit, view=view)
            excuse = partial(interaction.edit_original_response, content=APOLOGY)
            embeds = partial(self._as_embeds, edit, prepared)
            calls = _excused(prepared, components, embeds, excuse)
            await self._any("late_response", calls, _LATE_PAUSES)

    async def _with_files_or_without(
        self, prepared: Prepared, give: Callable[[Prepared], Awaitable[None]]
    ) -> None:
        """Give an answer; where it is refused with its files, its words and why those are missing.

        Raises:
            SendError: where Discord does not take it either way.
        """
        try:
            await give(prepared)
        except (Rejected, NotAllowed) as error:
            if not prepared.shown.files:
                raise
            words = without_files(prepared.reply, error)
            await give(await self.prepare(words, prepared.showing, prepared.asker))

    async def _any(self, what: str, calls: Sequence[Call], pauses: Sequence[float]) -> None:
        """Make the first of these calls whose form Discord takes.

        Raises:
            SendError: where it takes none, or refuses one for something else.
        """
        *others, last = calls
        for call in others:
            try:
                await self._insist(what, call, pauses)
            except Rejected as error:
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
            except (OutcomeUnknown, RetryLater):
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
        await self._lines.keep(plain.kept, prepared.asker)
        await send(embeds=plain.embeds, view=plain.view)


def _excused(prepared: Prepared, *calls: Call) -> Sequence[Call]:
    """Return calls of which the last excuses; an answer with files is sent without them first."""
    return calls[:-1] if prepared.shown.files else calls


def _cleared(interaction: Interaction) -> dict[str, Any]:
    """Return what takes away what may not stand beside components, where that is there.

    https://docs.discord.com/developers/components/using-message-components
    """
    message = interaction.message
    if message is None:
        return {}
    attached: dict[str, Any] = {"attachments": []} if message.attachments else {}
    return attached if message.flags.components_v2 else {**attached, "content": None, "embeds": []}


def _laid_out(reply: Reply, showing: Showing) -> Rendered:
    return render_message(
        reply,
        showing.part,
        share=showing.share,
        shared_by=showing.shared_by,
        ways=ways_on(reply),
    )
