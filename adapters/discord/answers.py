"""The verbs by which an interaction is answered, and the command strings of its buttons.

Discord takes one first response to an interaction, and one message with a nonce within a few
minutes, so repeating them after a lost connection is safe.
https://docs.discord.com/developers/interactions/receiving-and-responding
https://docs.discord.com/developers/resources/message#create-message
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from typing import Any

from discord import InteractionResponseType, ui

from adapters.common.answers.driver import Answer, Verbs
from adapters.common.answers.showing import Showing
from adapters.common.files import files_of
from adapters.common.layout.elements import ButtonElement, Effect
from adapters.common.tasks import may_pass, retried
from adapters.discord.api.calls import Calls
from adapters.discord.api.errors import is_already_done
from adapters.discord.interactions.context import Interaction, origin_of, person
from adapters.discord.render import APOLOGY, RenderedMessage, render_message
from adapters.discord.render.buttons import digest, kept_digest, relabelled
from adapters.discord.render.files import are_heavy, with_files, without_files
from bot.cache import Cache
from bot.clock import Clock
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import command_string, parse, read_head
from bot.commands.types import Command, Group
from bot.errors import Rejected, SendError
from bot.replies.blocks import Button, Reply
from store.database import Database
from store.records import Person
from store.workspaces import command_strings as stored

# Between attempts: Discord accepts a first response for three seconds, later ones for 15 minutes.
_FIRST_PAUSES = (0.3, 0.7)
LATE_PAUSES = (0.3, 1.0, 2.0, 5.0, 10.0)
_MAX_RENDERED, _MAX_SAVED = 128, 512  # cached
# Codes of a malformed message, and of one that is empty without its components.
_MALFORMED = ("50035", "50006")

Call = Callable[[], Awaitable[Any]]


class CommandStrings:
    """The stored command strings of buttons.

    Args:
        database: the store.
        clock: the bot's clock.
        commands: the commands in command strings.
    """

    def __init__(self, database: Database, clock: Clock, commands: Sequence[Command]) -> None:
        self._database = database
        self._clock = clock
        self._commands = commands
        self._saved_on: Cache[str, date] = Cache(_MAX_SAVED)

    async def save(self, strings: tuple[str, ...], person: Person | None = None) -> None:
        """Store command strings before a button with their digest is sent, once a day.

        Those of list commands may hold a person's own words and are deleted with the person.

        Raises:
            StoreError: as `Database.write`.
        """
        now = self._clock.now()
        if person is not None:
            personal = tuple(each for each in strings if self._is_personal(each))
            strings = tuple(each for each in strings if each not in personal)
            if personal:
                by_digest = {digest(each): each for each in personal}
                await self._database.write(stored.save_personal, person, by_digest, now)
        new = {digest(each): each for each in strings if self._saved_on.get(each) != now.date()}
        if not new:
            return
        await self._database.write(stored.save, new, now)
        for each in new.values():
            self._saved_on.put(each, now.date())

    async def resolve(self, text: str) -> str | None:
        """Return the command string in an id, or of its digest; `None` if that is unknown.

        Raises:
            StoreError: as `Database.read`.
        """
        name = kept_digest(text)
        return text if name is None else await self._database.read(stored.find, name)

    def _is_personal(self, command: str) -> bool:
        found = read_head(command, self._commands).command
        return found is not None and found.group is Group.LIST


@dataclass(frozen=True)
class DiscordAnswer(Answer):
    """An answer rendered for Discord."""

    rendered: RenderedMessage


class DiscordVerbs(Verbs[DiscordAnswer]):
    """The verbs that interactions and messages have in common.

    Args:
        calls: runs API calls.
        command_strings: stores those that are too long for a button.
        user: the user of the request.
    """

    def __init__(self, calls: Calls, command_strings: CommandStrings, user: Person) -> None:
        self._calls = calls
        self._command_strings = command_strings
        self._user = user

    async def render(self, reply: Reply, showing: Showing) -> DiscordAnswer:
        """Render a reply, and store the command strings of its buttons.

        Raises:
            StoreError: if those can't be stored.
        """
        # Files are too large for the cache.
        render = _render if files_of(reply) else _cached_render
        rendered = render(reply, showing, int(self._user.external_id) if showing.shared else None)
        await self._command_strings.save(rendered.kept, self._user)
        return DiscordAnswer(reply, showing, rendered)

    def without_files(self, answer: DiscordAnswer, error: SendError) -> Reply | None:
        """Return a reply without the files that it was refused with, `None` if it has none."""
        return without_files(answer.reply, error) if answer.rendered.files else None

    async def finish(self, _answer: DiscordAnswer) -> None:
        """Do nothing: an answer has its files in it."""

    async def _send_new(
        self,
        name: str,
        answer: DiscordAnswer,
        send: Callable[..., Awaitable[Any]],
        pauses: Sequence[float],
    ) -> None:
        """Send an answer as a new message; `name` labels the call in logs and metrics.

        Raises:
            SendError: if Discord refuses it.
        """
        send_all = with_files(send, answer.rendered.files, "files")
        components = partial(send_all, view=answer.rendered.view, suppress_embeds=True)
        apologize = _unless_files(answer, partial(send, content=APOLOGY))
        await self._send_or_apologize(name, components, apologize, pauses)

    async def _send_or_apologize(
        self, name: str, send: Call, apologize: Call | None, pauses: Sequence[float]
    ) -> None:
        """Send something; if Discord does not accept its form, apologize where that is given.

        Raises:
            SendError: if it refuses that too, or for another reason.
        """
        try:
            await self._retry(name, send, pauses)
        except Rejected as error:
            if apologize is None or error.code not in _MALFORMED:
                raise
            await self._retry(name, apologize, pauses)

    async def _retry(self, name: str, call: Call, pauses: Sequence[float]) -> bool:
        """Run an idempotent call, and run it again while its outcome is unknown.

        Return whether the interaction is ours: another process did not respond before the first
        attempt.

        Raises:
            SendError: if Discord refuses it.
        """
        attempts = 0

        async def attempt() -> None:
            nonlocal attempts
            attempts += 1
            await self._calls.run(name, call())

        try:
            await retried(attempt, pauses, may_pass)
        except SendError as error:
            if not is_already_done(error):
                raise
            return attempts > 1
        return True


class InteractionVerbs(DiscordVerbs):
    """The verbs for an interaction."""

    def __init__(
        self, calls: Calls, command_strings: CommandStrings, interaction: Interaction
    ) -> None:
        super().__init__(calls, command_strings, person(interaction.user))
        self._interaction = interaction
        # The library does not know of a response that arrived though its connection broke.
        self._is_answered = self._is_deferred = False

    def holds(self, answer: DiscordAnswer) -> bool:
        """Tell whether an answer takes no longer to send than Discord waits for the first."""
        return not are_heavy(answer.rendered.files)

    async def acknowledge(self, answer: DiscordAnswer) -> None:
        """Send an answer as the first response."""
        interaction, rendered = self._interaction, answer.rendered
        send = partial(interaction.response.send_message, ephemeral=answer.showing.private)
        if answer.showing.replaces:
            cleared = _cleared(interaction)
            edit = partial(interaction.response.edit_message, view=rendered.view, **cleared)
            update = with_files(edit, rendered.files, "attachments")
            apologize = _unless_files(answer, partial(send, content=APOLOGY))
            await self._send_or_apologize("response", update, apologize, _FIRST_PAUSES)
        else:
            await self._send_new("response", answer, send, _FIRST_PAUSES)
        self._is_answered = True

    async def defer(self, showing: Showing) -> bool:
        """Defer the response; return whether the interaction is ours to answer.

        It isn't if another process responded first.
        """
        defer = partial(self._interaction.response.defer, ephemeral=showing.private)
        call = partial(defer, thinking=not (showing.replaces or showing.silent))
        is_ours = await self._retry("defer", call, _FIRST_PAUSES)
        self._is_answered = self._is_deferred = True
        return is_ours

    async def follow_up(self, answer: DiscordAnswer) -> None:
        """Replace a deferred response by an answer."""
        interaction, showing = self._interaction, answer.showing
        view, files = answer.rendered.view, answer.rendered.files
        edit = partial(interaction.edit_original_response, view=view)
        send = partial(interaction.followup.send, ephemeral=True)
        apologize: Call = partial(interaction.edit_original_response, content=APOLOGY)
        if interaction.response.type is InteractionResponseType.deferred_message_update:
            # An error keeps the message with the button: it replaces nothing.
            if not showing.replaces:
                await self._calls.run("follow_up", with_files(send, files, "files")(view=view))
                return
            edit, apologize = partial(edit, **_cleared(interaction)), partial(send, content=APOLOGY)
        edit_all = with_files(edit, files, "attachments")
        sorry = _unless_files(answer, apologize)
        await self._send_or_apologize("late_response", edit_all, sorry, LATE_PAUSES)

    async def relabel(self, buttons: Sequence[Button]) -> bool:
        """Give the buttons of the message new labels; return whether it has any of them.

        After a deferred response that is not possible.
        """
        interaction = self._interaction
        view = relabelled(interaction.message, buttons)
        if view is None or self._is_deferred:
            return False
        if self._is_answered:
            again = partial(interaction.edit_original_response, view=view)
            await self._retry("late_response", again, LATE_PAUSES)
        else:
            edit = partial(interaction.response.edit_message, view=view)
            await self._retry("response", edit, _FIRST_PAUSES)
            self._is_answered = True
        return True

    async def show_nothing(self) -> None:
        """Acknowledge without a message, or delete the one that says that an answer comes."""
        response = self._interaction.response
        if not self._is_deferred:
            await self._retry("defer", response.defer, _FIRST_PAUSES)
        elif response.type is InteractionResponseType.deferred_channel_message:
            delete = self._interaction.delete_original_response
            await self._retry("late_response", delete, LATE_PAUSES)

    async def tell(self, reply: Reply) -> None:
        """Send a message after the answer, or as the first response if there is none."""
        private = not origin_of(self._interaction).is_direct
        answer = await self.render(reply, Showing(private=private, share=False))
        if not self._is_answered:
            await self.acknowledge(answer)
            return
        send = partial(self._interaction.followup.send, ephemeral=private, wait=True)
        await self._calls.run("follow_up", send(view=answer.rendered.view))

    async def open_modal(self, modal: ui.Modal) -> None:
        """Open a modal as the first response to a button.

        Raises:
            SendError: if Discord refuses it.
        """
        response = self._interaction.response
        apologize = partial(response.send_message, content=APOLOGY, ephemeral=True)
        send = partial(response.send_modal, modal)
        await self._send_or_apologize("modal", send, apologize, _FIRST_PAUSES)


def _unless_files(answer: DiscordAnswer, apologize: Call) -> Call | None:
    """Return an apology, but none for files, which are left out before."""
    return None if answer.rendered.files else apologize


def _cleared(interaction: Interaction) -> dict[str, Any]:
    """Return the arguments that remove what a message with components v2 can't have.

    https://docs.discord.com/developers/components/using-message-components
    """
    message = interaction.message
    if message is None:
        return {}
    attached: dict[str, Any] = {"attachments": []} if message.attachments else {}
    return attached if message.flags.components_v2 else {**attached, "content": None, "embeds": []}


def _render(reply: Reply, showing: Showing, shared_by: int | None) -> RenderedMessage:
    return render_message(
        reply,
        showing.part,
        share=showing.share,
        shared_by=shared_by,
        buttons=_extra_buttons(reply),
    )


# Many users ask the same, and rendering takes longer than the query.
_cached_render = lru_cache(_MAX_RENDERED)(_render)


def _extra_buttons(reply: Reply) -> tuple[ButtonElement, ...]:
    """Return the buttons that an answer has beside its own: Refine, for a search."""
    command = reply.command or ""
    if command.partition(" ")[0] != SEARCH.name:
        return ()
    if " page:" in command:  # a changed search has other pages
        first_page = parse(command, [SEARCH]).arguments | {"page": None}
        command = command_string(SEARCH, first_page)
    return (ButtonElement("Refine", command, Effect.FORM),)
