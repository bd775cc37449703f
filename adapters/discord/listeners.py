"""What is heard in Discord, and what each sets going."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ui

from adapters.discord.answers.answering import Answering, Ask
from adapters.discord.answers.command_strings import Lines
from adapters.discord.answers.visibility import Showing, of_command, of_form, of_press
from adapters.discord.interactions.context import Interaction, actor, request_key, scene
from adapters.discord.interactions.forms import (
    correctable,
    fields_of,
    form,
    is_chosen,
    merged,
    read_form_id,
    unasked,
)
from adapters.discord.interactions.paper_lookup import looked_up
from adapters.discord.render.buttons import Press, Verb, is_kept
from bot.accounts.workspaces import Workspaces
from bot.app import Broadsheet
from bot.commands.parser import parse
from bot.commands.permissions import may
from bot.commands.types import Call, Command, Param
from bot.errors import Option, UserError
from bot.replies.blocks import Level, Notice, Reply, store_failure
from bot.replies.paper_actions import as_shared
from store.errors import StoreError

_UNKNOWN = Reply(
    (Notice(Level.ERROR, "What that stood for is no longer known.", "Ask anew: /papers"),),
    failed=True,
)


@dataclass(frozen=True, slots=True)
class Listeners:
    """Hands what is heard to the bot, and its answers on."""

    app: Broadsheet
    workspaces: Workspaces
    answering: Answering
    lines: Lines

    async def asked(
        self, interaction: Interaction, command: Command, arguments: dict[str, str]
    ) -> None:
        """A slash command."""
        call = Call(command, arguments)
        await self._answer(
            interaction, lambda: self._run(interaction, call), of_command(scene(interaction))
        )

    async def completing(
        self, interaction: Interaction, command: Command, param: Param, beginning: str
    ) -> list[Option]:
        """Somebody is typing an argument: return what it may become."""
        try:
            asker = await actor(interaction, self.workspaces)
        except StoreError:
            return []
        names = {each.name for each in command.shown} - {param.name}
        given = {name: str(value) for name, value in interaction.namespace if name in names}
        return await self.app.options(param, beginning, asker, given)

    async def looked_up(self, interaction: Interaction, message: discord.Message) -> None:
        """The menu of a message: the papers that it speaks of."""
        await self._answer(
            interaction,
            lambda: looked_up(message, lambda call: self._run(interaction, call)),
            of_command(scene(interaction)),
        )

    async def pressed(self, interaction: Interaction, press: Press) -> None:
        """A button, wherever it stands."""
        if press.verb is Verb.FORM:
            await self._open_form(interaction, press)
            return
        showing = of_press(
            press, scene(interaction), interaction.user.id, alone=_is_alone(interaction)
        )
        await self._answer(interaction, lambda: self._answer_press(interaction, press), showing)

    async def unknown(self, interaction: Interaction) -> None:
        """A button or a form that means nothing, as one of another version may."""
        await self.answering.answer(interaction, lambda: _ready(_UNKNOWN), Showing(share=False))

    async def submitted(self, interaction: Interaction) -> None:
        """A submitted form: the line that it was opened with, changed by what was entered."""
        data: dict[str, Any] = dict(interaction.data or {})
        press = read_form_id(data)
        if press is None:
            await self.unknown(interaction)
            return
        await self._answer(
            interaction,
            lambda: self._answer_form(interaction, press, data),
            of_form(scene(interaction), alone=_is_alone(interaction)),
        )

    async def _answer(self, interaction: Interaction, ask: Ask, showing: Showing) -> None:
        """Answer, and below that explain the bot to whom it is new."""
        shown = await self.answering.answer(interaction, ask, showing)
        if shown is None or shown.showing.shared_by is not None or self.app.onboarding is None:
            return
        try:
            asker = await actor(interaction, self.workspaces)
        except StoreError:
            return  # whoever asks again is told then
        if not self.app.onboarding.may_follow(shown.reply, asker.person, asker.workspace):
            return
        if news := await self.app.onboarding.welcome(asker, self.app.commands):
            private = not scene(interaction).is_direct
            if not await self.answering.below(interaction, news.reply, private=private):
                await self.app.onboarding.undo(news)

    async def _run(self, interaction: Interaction, call: Call) -> Reply:
        asker = await actor(interaction, self.workspaces)
        return await self.app.run(call, asker, request_key(interaction))

    async def _answer_press(self, interaction: Interaction, press: Press) -> Reply:
        line = await self.lines.read(press.line)
        if line is None:
            return _UNKNOWN
        asker = await actor(interaction, self.workspaces)
        shares = press.verb is Verb.SHARE
        asker = replace(asker, shares=shares)
        reply = await self.app.run_text(line, asker, request_key(interaction))
        return as_shared(reply) if shares else reply

    async def _answer_form(
        self, interaction: Interaction, press: Press, data: dict[str, Any]
    ) -> Reply:
        opened = self._parsed(await self.lines.read(press.line))
        if opened is None:
            return _UNKNOWN
        asker = await actor(interaction, self.workspaces)
        call = merged(Call(opened.command.in_form(asker), opened.arguments), data)
        reply = await self.app.run(call, asker, request_key(interaction))
        return correctable(reply, call) if reply.failed and may(asker, call.command) else reply

    async def _open_form(self, interaction: Interaction, press: Press) -> None:
        try:
            modal = await self._form(interaction, press)
        except (StoreError, UserError) as error:
            told = store_failure(error) if isinstance(error, StoreError) else _refused(error)
            await self.answering.answer(interaction, lambda: _ready(told), Showing())
            return
        if modal is None:
            await self.unknown(interaction)
        else:
            await self.answering.open_form(interaction, modal)

    async def _form(self, interaction: Interaction, press: Press) -> ui.Modal | None:
        """Return the form of a line's command, `None` where nobody knows that any more.

        Raises:
            StoreError: where the store does not answer.
            UserError: where the asker may not use that command.
        """
        line = await self.lines.read(press.line)
        call = self._parsed(line)
        if line is None or call is None:
            return None
        asker = await actor(interaction, self.workspaces)
        if call.command.custom_form:
            call = await self.app.form(call, asker)
            line = unasked(call)
        chosen = [param for param in fields_of(call.command) if is_chosen(param)]
        offered = await asyncio.gather(*(self.app.options(each, "", asker) for each in chosen))
        offers = {param.name: each for param, each in zip(chosen, offered, strict=True)}
        modal = form(call, line, offers)
        kept = (line,) if is_kept(modal.custom_id, line) else ()
        await self.lines.keep(kept, asker.person)
        return modal

    def _parsed(self, line: str | None) -> Call | None:
        """Return the call of a line, `None` where it is not understood any more."""
        try:
            return None if line is None else parse(line, self.app.commands)
        except UserError:
            return None


def _refused(error: UserError) -> Reply:
    return Reply((Notice(Level.ERROR, error.sentence, error.remedy),), failed=True)


async def _ready(reply: Reply) -> Reply:
    return reply


def _is_alone(interaction: Interaction) -> bool:
    """Tell whether the asker alone sees the message that was pressed in."""
    return interaction.message is not None and interaction.message.flags.ephemeral
