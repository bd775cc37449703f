"""The sending of answers: as components, else as an apology.

Discord takes one first response to an interaction, and one message with a nonce within a few
minutes, so repeating them after a lost connection is safe.
https://docs.discord.com/developers/interactions/receiving-and-responding
https://docs.discord.com/developers/resources/message#create-message
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import discord
from discord import InteractionResponseType, ui

from adapters.common.answers.showing import Showing, showing_for
from adapters.common.files import files_of
from adapters.common.layout.elements import ButtonElement, Effect
from adapters.discord.answers.command_strings import CommandStrings
from adapters.discord.answers.relabel import relabelled
from adapters.discord.api.calls import Calls
from adapters.discord.api.errors import is_already_done
from adapters.discord.interactions.context import Interaction
from adapters.discord.render import (
    APOLOGY,
    Rendered,
    apology,
    render_message,
)
from adapters.discord.render.files import are_heavy, with_files, without_files
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import command_string, parse
from bot.errors import NotAllowed, OutcomeUnknown, Rejected, RetryLater, SendError
from bot.replies.blocks import Level, Notice, Reply
from store.errors import StoreError
from store.records import Person

# Between attempts: Discord accepts a first response for three seconds, later ones for 15 minutes.
_FIRST_PAUSES = (0.3, 0.7)
_LATE_PAUSES = (0.3, 1.0, 2.0, 5.0, 10.0)
_MAX_CACHED = 128
# Codes of a malformed message, and of one that is empty without its components.
_MALFORMED = ("50035", "50006")
_log = logging.getLogger(__name__)

Call = Callable[[], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class RenderedAnswer:
    """A rendered answer, with its user and how it is shown."""

    reply: Reply
    showing: Showing
    rendered: Rendered
    user: Person

    @property
    def is_heavy(self) -> bool:
        """True if it may take longer to send than Discord waits for a first response."""
        return are_heavy(self.rendered.files)


class Responder:
    """Responds to interactions, and sends messages.

    Args:
        calls: runs API calls.
        command_strings: stores those that are too long for a button.
    """

    def __init__(self, calls: Calls, command_strings: CommandStrings) -> None:
        self._calls = calls
        self._command_strings = command_strings
        # Many users ask the same, and rendering takes longer than the query.
        self._cached_render = lru_cache(_MAX_CACHED)(_render)

    async def render(self, reply: Reply, requested: Showing, user: Person) -> RenderedAnswer:
        """Render an answer, and store the command strings of its buttons."""
        showing = showing_for(requested, reply)
        try:
            # Files are too large for the cache.
            render = _render if files_of(reply) else self._cached_render
            rendered = render(reply, showing, _shared_by(showing, user))
            await self._command_strings.save(rendered.kept, user)
        except StoreError as error:
            reply = Reply((Notice(Level.ERROR, error.sentence, error.remedy),), failed=True)
            showing = showing_for(requested, reply)  # an error is never shared
            return RenderedAnswer(reply, showing, _render(reply, showing), user)
        except Exception:  # noqa: BLE001 - the user gets an answer, whatever happened
            _log.exception("answer_failed")
            return RenderedAnswer(reply, showing, apology(), user)
        return RenderedAnswer(reply, showing, rendered, user)

    async def respond(self, interaction: Interaction, answer: RenderedAnswer) -> None:
        """Send an answer as the first response.

        Raises:
            SendError: if Discord refuses it.
        """
        if answer.showing.silent:
            await self._respond_silently(interaction, answer)
            return
        await self._with_files_or_without(answer, partial(self._respond, interaction))

    async def defer(self, interaction: Interaction, showing: Showing) -> bool:
        """Defer the response; return whether the interaction is ours to answer.

        It isn't if another process responded first.

        Raises:
            SendError: if Discord refuses it.
        """
        defer = partial(interaction.response.defer, ephemeral=showing.private)
        call = partial(defer, thinking=not (showing.replaces or showing.silent))
        return await self._retry("defer", call, _FIRST_PAUSES)

    async def edit_deferred(self, interaction: Interaction, answer: RenderedAnswer) -> None:
        """Replace a deferred response by an answer; a silent one deletes it.

        Raises:
            SendError: if Discord refuses it.
        """
        # A public message is not relabelled so late: the user gets an ephemeral message instead.
        if answer.showing.silent and not answer.reply.renamed:
            if interaction.response.type is InteractionResponseType.deferred_channel_message:
                delete = interaction.delete_original_response
                await self._retry("late_response", delete, _LATE_PAUSES)
            return
        await self._with_files_or_without(answer, partial(self._edit_deferred, interaction))

    async def relabel(self, interaction: Interaction, reply: Reply) -> None:
        """Relabel buttons of the message with the pressed button, after the first response.

        Raises:
            SendError: if Discord refuses it.
        """
        if view := relabelled(interaction.message, reply.renamed):
            edit = partial(interaction.edit_original_response, view=view)
            await self._retry("late_response", edit, _LATE_PAUSES)

    async def send(
        self,
        channel: discord.abc.Messageable,
        answer: RenderedAnswer,
        nonce: str,
        reference: discord.MessageReference | None = None,
    ) -> None:
        """Send an answer as a message, once for its nonce, as a reply to `reference` if given.

        Raises:
            SendError: if Discord refuses it.
        """
        nobody = discord.AllowedMentions.none()
        send = partial(channel.send, nonce=nonce, reference=reference, allowed_mentions=nobody)

        async def send_as(answer: RenderedAnswer) -> None:
            await self._first_accepted("answer", self._new_message(answer, send), _LATE_PAUSES)

        await self._with_files_or_without(answer, send_as)

    async def show_typing(self, channel: discord.abc.Messageable) -> None:
        """Show for some seconds that an answer is being made.

        Raises:
            SendError: if Discord refuses it.
        """
        await self._calls.run("typing", channel.typing())

    async def follow_up(self, interaction: Interaction, answer: RenderedAnswer) -> None:
        """Send a message after an answer.

        Raises:
            SendError: if Discord refuses it.
        """
        ephemeral, view = answer.showing.private, answer.rendered.view
        call = interaction.followup.send(view=view, ephemeral=ephemeral, wait=True)
        await self._calls.run("follow_up", call)

    async def open_modal(self, interaction: Interaction, modal: ui.Modal) -> None:
        """Open a modal as the first response to a button.

        Raises:
            SendError: if Discord refuses it.
        """
        send = partial(interaction.response.send_modal, modal)
        apologize = partial(interaction.response.send_message, content=APOLOGY, ephemeral=True)
        await self._first_accepted("modal", [send, apologize], _FIRST_PAUSES)

    async def _respond_silently(self, interaction: Interaction, answer: RenderedAnswer) -> None:
        """Acknowledge without a message, relabelling buttons; if that fails, send the message."""
        if not answer.reply.renamed:
            await self._retry("defer", interaction.response.defer, _FIRST_PAUSES)
            return
        send = partial(interaction.response.send_message, ephemeral=True)
        calls: list[Call] = [partial(send, view=answer.rendered.view)]
        if view := relabelled(interaction.message, answer.reply.renamed):
            calls.insert(0, partial(interaction.response.edit_message, view=view))
        await self._first_accepted("response", calls, _FIRST_PAUSES)

    async def _respond(self, interaction: Interaction, answer: RenderedAnswer) -> None:
        showing, view, files = answer.showing, answer.rendered.view, answer.rendered.files
        response = interaction.response
        send = partial(response.send_message, ephemeral=showing.private)
        if showing.replaces:
            edit = partial(response.edit_message, view=view, **_cleared(interaction))
            update = with_files(edit, files, "attachments")
            calls = _fallbacks(answer, update, partial(send, content=APOLOGY))
        else:
            calls = self._new_message(answer, send)
        await self._first_accepted("response", calls, _FIRST_PAUSES)

    def _new_message(
        self, answer: RenderedAnswer, send: Callable[..., Awaitable[Any]]
    ) -> Sequence[Call]:
        """Return the calls of which the first that Discord accepts sends a new message."""
        send_all = with_files(send, answer.rendered.files, "files")
        components = partial(send_all, view=answer.rendered.view, suppress_embeds=True)
        return _fallbacks(answer, components, partial(send, content=APOLOGY))

    async def _edit_deferred(self, interaction: Interaction, answer: RenderedAnswer) -> None:
        view, files = answer.rendered.view, answer.rendered.files
        edit = with_files(interaction.edit_original_response, files, "attachments")
        send = partial(interaction.followup.send, ephemeral=True)
        # An error keeps the message with the button: it replaces nothing.
        is_update = interaction.response.type is InteractionResponseType.deferred_message_update
        if is_update and not answer.showing.replaces:
            await self._calls.run("follow_up", with_files(send, files, "files")(view=view))
            return
        if is_update:
            update = partial(edit, view=view, **_cleared(interaction))
            apologize: Call = partial(send, content=APOLOGY)
            calls = _fallbacks(answer, update, apologize)
        else:
            components = partial(edit, view=view)
            apologize = partial(interaction.edit_original_response, content=APOLOGY)
            calls = _fallbacks(answer, components, apologize)
        await self._first_accepted("late_response", calls, _LATE_PAUSES)

    async def _with_files_or_without(
        self, answer: RenderedAnswer, send: Callable[[RenderedAnswer], Awaitable[None]]
    ) -> None:
        """Send an answer; if it is refused with its files, send it without and say why.

        Raises:
            SendError: if Discord refuses both.
        """
        try:
            await send(answer)
        except (Rejected, NotAllowed) as error:
            if not answer.rendered.files:
                raise
            reply = without_files(answer.reply, error)
            await send(await self.render(reply, answer.showing, answer.user))

    async def _first_accepted(
        self, name: str, calls: Sequence[Call], pauses: Sequence[float]
    ) -> None:
        """Run calls until Discord accepts the form of one.

        Raises:
            SendError: if it accepts none, or refuses one for another reason.
        """
        *others, last = calls
        for call in others:
            try:
                await self._retry(name, call, pauses)
            except Rejected as error:
                if error.code not in _MALFORMED:
                    raise
            else:
                return
        await self._retry(name, last, pauses)

    async def _retry(self, name: str, call: Call, pauses: Sequence[float]) -> bool:
        """Run an idempotent call, and run it again while its outcome is unknown.

        Return whether the interaction is ours: another process did not respond before the first
        attempt.

        Raises:
            SendError: if Discord refuses it.
        """
        for number, pause in enumerate((*pauses, None)):
            try:
                await self._calls.run(name, call())
            except (OutcomeUnknown, RetryLater):
                if pause is None:
                    raise
                await asyncio.sleep(pause)
            except SendError as error:
                if not is_already_done(error):
                    raise
                return number > 0
            else:
                return True
        raise AssertionError  # the last pause is None: its turn returns or raises


def _fallbacks(answer: RenderedAnswer, *calls: Call) -> Sequence[Call]:
    """Return calls without the last, an apology, for files: those are left out before."""
    return calls[:-1] if answer.rendered.files else calls


def _cleared(interaction: Interaction) -> dict[str, Any]:
    """Return the arguments that remove what a message with components v2 can't have.

    https://docs.discord.com/developers/components/using-message-components
    """
    message = interaction.message
    if message is None:
        return {}
    attached: dict[str, Any] = {"attachments": []} if message.attachments else {}
    return attached if message.flags.components_v2 else {**attached, "content": None, "embeds": []}


def _render(reply: Reply, showing: Showing, shared_by: int | None = None) -> Rendered:
    return render_message(reply, **_options(reply, showing, shared_by))


def _options(reply: Reply, showing: Showing, shared_by: int | None) -> dict[str, Any]:
    return {
        "part": showing.part,
        "share": showing.share,
        "shared_by": shared_by,
        "buttons": _extra_buttons(reply),
    }


def _shared_by(showing: Showing, user: Person) -> int | None:
    """Return the id of the user who posts an answer to the channel."""
    return int(user.external_id) if showing.shared else None


def _extra_buttons(reply: Reply) -> tuple[ButtonElement, ...]:
    """Return the buttons that an answer has beside its own: Refine, for a search."""
    command = reply.command or ""
    if command.partition(" ")[0] != SEARCH.name:
        return ()
    # A changed search has other pages.
    first_page = parse(command, [SEARCH]).arguments | {"page": None}
    return (ButtonElement("Refine", command_string(SEARCH, first_page), Effect.FORM),)
