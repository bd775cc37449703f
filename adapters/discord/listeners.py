"""The listeners to interactions: they run commands and have them answered."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import ui

from adapters.common.answers.driver import AnswerDriver, Asked, Run, given
from adapters.common.answers.showing import (
    Showing,
    showing_of_form,
    showing_of_line,
    showing_of_press,
)
from adapters.common.forms import open_form, submitted
from adapters.common.layout.elements import Effect
from adapters.discord.answers import CommandStrings, DiscordAnswer, InteractionVerbs
from adapters.discord.interactions.context import (
    Interaction,
    actor,
    origin_of,
    request_key,
)
from adapters.discord.interactions.modals import (
    FORM_LIMITS,
    modal_of,
    read_modal,
    read_modal_id,
    with_correct_button,
)
from adapters.discord.interactions.paper_lookup import look_up_papers
from adapters.discord.render.buttons import ComponentAction, is_kept
from bot.accounts import Workspaces
from bot.actor import Actor
from bot.app import Broadsheet
from bot.commands.interpretation import error_reply
from bot.commands.parser import command_string, parse
from bot.commands.permissions import may
from bot.commands.types import PRESSED, Call, Command, LineOrigin, Param
from bot.errors import Option, SendError, UserError
from bot.replies.blocks import Level, Notice, Reply, store_failure
from store.errors import StoreError

_log = logging.getLogger(__name__)
_UNKNOWN = Reply(
    (Notice(Level.ERROR, "What that stood for is no longer known.", "Ask anew: /papers"),),
    failed=True,
)


@dataclass(frozen=True, slots=True)
class InteractionListeners:
    """Passes interactions to the driver of answers."""

    app: Broadsheet
    workspaces: Workspaces
    driver: AnswerDriver[DiscordAnswer]
    verbs: Callable[[Interaction], InteractionVerbs]
    command_strings: CommandStrings

    async def on_command(
        self, interaction: Interaction, command: Command, arguments: dict[str, str]
    ) -> None:
        """Answer a slash command."""
        call = Call(command, arguments)
        await self._answer(
            interaction,
            lambda user: self.app.run(call, user, request_key(interaction)),
            showing_of_line(direct=origin_of(interaction).is_direct),
        )

    async def on_autocomplete(
        self, interaction: Interaction, command: Command, param: Param, prefix: str
    ) -> list[Option]:
        """Return the completions of an argument's prefix."""
        try:
            user = await actor(interaction, self.workspaces)
        except StoreError:
            return []
        others = {each.name for each in command.shown} - {param.name}
        arguments = {name: str(value) for name, value in interaction.namespace if name in others}
        return await self.app.options(param, prefix, user, arguments)

    async def on_message_command(self, interaction: Interaction, message: discord.Message) -> None:
        """Answer the message command: the papers that a message mentions."""
        await self._answer(
            interaction,
            lambda user: look_up_papers(
                message, lambda call: self.app.run(call, user, request_key(interaction))
            ),
            showing_of_line(direct=origin_of(interaction).is_direct),
        )

    async def on_component(self, interaction: Interaction, action: ComponentAction) -> None:
        """Answer a button or a select."""
        origin = line_origin(interaction, action)
        line = partial(self.command_strings.resolve, action.command)
        user = partial(actor, interaction, self.workspaces)
        is_form = action.effect is Effect.FORM
        if is_form and not await self.driver.asks_first(origin, line, user):
            await self._open_modal(interaction, action)
            return
        requested = showing_of_press(
            action,
            direct=origin_of(interaction).is_direct,
            own=is_in_ephemeral(interaction),
            offered=is_in_offer(interaction, action),
        )
        await self._answer(
            interaction, lambda user: self._run_action(interaction, action, user), requested
        )

    async def on_unknown_id(self, interaction: Interaction) -> None:
        """Answer a component or a modal with an unknown id, as of another version."""
        await self._answer(interaction, partial(given, _UNKNOWN), Showing(share=False))

    async def on_modal_submit(self, interaction: Interaction) -> None:
        """Answer a submitted modal: its command, changed by the submitted values."""
        data: dict[str, Any] = dict(interaction.data or {})
        action = read_modal_id(data)
        if action is None:
            await self.on_unknown_id(interaction)
            return
        await self._answer(
            interaction,
            lambda user: self._run_modal(interaction, action, data, user),
            showing_of_form(
                direct=origin_of(interaction).is_direct, own=is_in_ephemeral(interaction)
            ),
        )

    async def _answer(self, interaction: Interaction, run: Run, requested: Showing) -> None:
        """Answer an interaction; a shutdown waits for that."""
        if current := asyncio.current_task():
            self.driver.tasks.track(current)
        asked = Asked(lambda: actor(interaction, self.workspaces), run, requested)
        await self.driver.acknowledge(asked, self.verbs(interaction))

    async def _run_action(
        self, interaction: Interaction, action: ComponentAction, user: Actor
    ) -> Reply:
        command = await self.command_strings.resolve(action.command)
        if command is None:
            return _UNKNOWN
        origin = line_origin(interaction, action)
        return await self.app.run_text(command, user, request_key(interaction), origin)

    async def _run_modal(
        self, interaction: Interaction, action: ComponentAction, data: dict[str, Any], user: Actor
    ) -> Reply:
        opened = self._parsed(await self.command_strings.resolve(action.command))
        if opened is None:
            return _UNKNOWN
        entered = read_modal(data)
        command = opened.command.in_form(user, {**opened.arguments, **entered})
        call = submitted(Call(command, opened.arguments), entered)
        reply = await self.app.run(call, user, request_key(interaction))
        is_correctable = reply.failed and may(user, call.command)
        return with_correct_button(reply, call) if is_correctable else reply

    async def _open_modal(self, interaction: Interaction, action: ComponentAction) -> None:
        try:
            modal = await self._modal(interaction, action)
        except (StoreError, UserError) as error:
            reply = store_failure(error) if isinstance(error, StoreError) else error_reply(error)
            await self._answer(interaction, partial(given, reply), Showing())
            return
        if modal is None:
            await self.on_unknown_id(interaction)
            return
        try:
            await self.verbs(interaction).open_modal(modal)
        except SendError as error:
            _log.error("form_lost", extra={"reason": error.sentence, "code": error.code})

    async def _modal(self, interaction: Interaction, action: ComponentAction) -> ui.Modal | None:
        """Return the modal of a command string, `None` if that is unknown.

        Raises:
            StoreError: if the store does not answer.
            UserError: if the user may not run the command.
        """
        call = self._parsed(await self.command_strings.resolve(action.command))
        if call is None:
            return None
        user = await actor(interaction, self.workspaces)
        form = await open_form(self.app, call, user, FORM_LIMITS)
        line = command_string(form.kept.command, form.kept.arguments)
        modal = modal_of(form, line)
        kept = (line,) if is_kept(modal.custom_id, line) else ()
        await self.command_strings.save(kept, user.person)
        return modal

    def _parsed(self, command: str | None) -> Call | None:
        """Return the call of a command string, `None` if it can't be parsed any more."""
        try:
            return None if command is None else parse(command, self.app.commands)
        except UserError:
            return None


def is_in_ephemeral(interaction: Interaction) -> bool:
    """Tell whether the component belongs to an ephemeral message."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def is_in_offer(interaction: Interaction, action: ComponentAction) -> bool:
    """Tell whether the component belongs to the line below a mention.

    That is no post, which has a key, and no answer to an interaction.
    """
    message = interaction.message
    return message is not None and message.interaction_metadata is None and not action.key


def line_origin(interaction: Interaction, action: ComponentAction) -> LineOrigin:
    """Return where the line of a button comes from.

    Its id says who typed it. An answer that others see is that of the user who shared it; below a
    mention without an id somebody typed it whom nobody knows any more.
    """
    is_own = origin_of(interaction).is_direct or is_in_ephemeral(interaction)
    if action.by is not None:
        typed = not is_own and is_in_offer(interaction, action)
        return LineOrigin(typed=typed, by=action.by)
    message = interaction.message
    if message is None or is_own or action.key:
        return PRESSED
    if message.interaction_metadata is None:
        return LineOrigin(typed=True, by="")
    return LineOrigin(typed=False, by=str(message.interaction_metadata.user.id))
