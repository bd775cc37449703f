"""What windows show: a form, the answer to one or to a button pressed there, to a message."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from adapters.slack.answers.answering import Answering
from adapters.slack.render.buttons import Press, Verb
from adapters.slack.requests.payloads import Payload, Request
from adapters.slack.surfaces.forms import Entered, errors_beside, options_payload, read_form
from adapters.slack.surfaces.inputs import is_listed, is_sought
from adapters.slack.surfaces.modal_views import (
    LOOKING,
    Form,
    Kept,
    View,
    answer_window,
    form_window,
    instead,
    kept_in,
    search_window,
    waiting_window,
)
from bot.app import Broadsheet
from bot.commands.handlers.papers import MENTION, SHOW
from bot.commands.handlers.search import SEARCH
from bot.commands.params.channels_and_roles import channel_id
from bot.commands.params.topics_and_sources import cleared, filled
from bot.commands.parser import command_string, find, parse
from bot.commands.permissions import may
from bot.commands.types import Call, Command, Group, Kind
from bot.errors import Option, UserError
from bot.library.links_in_text import (
    ids_in_line,
    linked_papers,
    may_be_title,
    papers_line,
    papers_reply,
    words_of,
)
from bot.replies.blocks import Level, Notice, Reply

_POSTS = "Weekly posts"


class Showing:
    """Makes windows of answers.

    Args:
        answering: gives the answers.
        app: knows what a form's arguments may be.
    """

    def __init__(self, answering: Answering, app: Broadsheet) -> None:
        self._answering = answering
        self._app = app

    async def submitted(self, request: Request, view: Payload) -> View:
        """Return what acknowledges a submitted form: the errors in it, or its window's answer.

        A form that could not be carried out stays as it is, with the reason below it.
        """
        kept = kept_in(view)
        request = _in_channel(request, kept)
        command = await self._command(request, view)
        entered = read_form(command, view)
        if errors := await self._errors(request, command, entered):
            return {"response_action": "errors", "errors": errors_beside(view, errors)}
        texts = _texts(entered)
        # What changes something says of the topics that are gone that they are.
        gone = cleared(command, texts) if kept.hidden else {}
        line = command_string(command, {**kept.hidden, **texts, **gone})
        if command.name == SEARCH.name:
            return instead(await self.pressed(request, Press(Verb.RUN, line), kept))
        kept = replace(kept, channel=kept.channel or _chosen_channel(command, entered))
        reply = await self._answering.reply(request, line, kept.channel)
        if reply.failed:
            return instead(await self.again(request, view, reply))
        return instead(_answered(Press(Verb.RUN, line), command, reply, kept))

    async def again(self, request: Request, view: Payload, reply: Reply) -> View:
        """Return a submitted form as it is, with a reply below it."""
        kept = kept_in(view)
        request = _in_channel(request, kept)
        command = await self._command(request, view)
        offers = await self._offers(request, command)
        return form_window(Form(command, read_form(command, view), offers), kept, reply)

    def meanwhile(self, view: Payload) -> View:
        """Return the window that waits for the answer to a submitted form."""
        if view.get("callback_id") == SEARCH.name:
            return search_window(read_form(SEARCH, view), kept_in(view), LOOKING)
        return waiting_window()

    async def _errors(self, request: Request, command: Command, entered: Entered) -> dict[str, str]:
        actor = await self._answering.actor(request)
        errors: dict[str, str] = {}
        for param in command.shown:
            if param.name in entered:
                error = await self._app.check(param, entered[param.name].value, actor)
                errors |= {param.name: str(error)} if error else {}
        return errors

    async def options(self, request: Request, body: Payload) -> dict[str, Any]:
        """Return what a select of the form offers for what was typed into it."""
        view = body.get("view") or {}
        request = _in_channel(request, kept_in(view))
        command = await self._command(request, view)
        asked = [param for param in command.shown if param.name == body.get("action_id")]
        actor = await self._answering.actor(request)
        beginning = str(body.get("value") or "")
        offers = [await self._app.options(param, beginning, actor) for param in asked]
        return options_payload([option for each in offers for option in each])

    async def pressed(self, request: Request, press: Press, kept: Kept) -> View:
        """Return the window that shows the answer to a button, and the way back from there.

        It is made of the line and nothing else, so that the parts of a long answer fit together.

        Args:
            request: the press.
            press: the button.
            kept: what the window before it keeps.
        """
        request = _in_channel(request, kept)
        if ids := ids_in_line(press.line):
            told = [await self._told(request, each) for each in ids]
            return answer_window(papers_reply(told), replace(kept, line=press.line), SEARCH.name)
        call = self._call(press.line)
        if call and press.verb is Verb.FORM and await self._may(request, call.command):
            return await self._form(request, call, kept)
        if call and call.command.name == SEARCH.name:
            return await self._search(request, call, press, kept)
        reply = await self._answering.reply(request, press.line)
        return _answered(press, call.command if call else None, reply, kept)

    async def _search(self, request: Request, call: Call, press: Press, kept: Kept) -> View:
        entered = await self._entered(request, call)
        if not entered:
            return search_window({}, replace(kept, line=SEARCH.name))
        reply = await self._answering.reply(request, press.line)
        return search_window(entered, replace(kept, line=press.line), reply, press.part)

    async def _form(self, request: Request, call: Call, kept: Kept) -> View:
        """Return the form of a command, with the arguments of a call in it.

        What is not changed by it is about the channel it was asked in, unless another is chosen.
        """
        call = await self._app.form(call, await self._answering.actor(request))
        command, entered = call.command, await self._entered(request, call)
        asked = {param.name for param in command.shown}
        hidden = {name: text for name, text in call.arguments.items() if name not in asked}
        if command.name == SEARCH.name:
            return search_window(entered, replace(kept, line=SEARCH.name))
        if kept.channel and not hidden:
            entered = dict.fromkeys(_channel_names(command), Option(kept.channel)) | entered
        form = Form(command, entered, await self._offers(request, command))
        return form_window(form, replace(kept, hidden=hidden))

    async def _may(self, request: Request, command: Command) -> bool:
        return may(await self._answering.actor(request), command)

    async def _command(self, request: Request, view: Payload) -> Command:
        """Return the command of a form, as that asks for it."""
        command = find(str(view.get("callback_id")), self._app.commands)
        return (
            command.in_form(await self._answering.actor(request))
            if command.custom_form
            else command
        )

    def _call(self, line: str) -> Call | None:
        try:
            return parse(line, self._app.commands)
        except UserError:
            return None

    async def _entered(self, request: Request, call: Call) -> dict[str, Option]:
        """Return what stands in the form where a line was asked, as its selects would offer it."""
        actor = await self._answering.actor(request)
        entered = {}
        given = filled(call.command, call.arguments)
        for param in call.command.shown:
            if value := given.get(param.name):
                is_chosen = is_sought(param) or is_listed(param)
                offers = await self._app.options(param, value, actor) if is_chosen else []
                # A list has what is typed in short in full.
                meant = offers[:1] if is_listed(param) else []
                same = [offer for offer in offers if offer.value == value]
                entered[param.name] = next(iter([*same, *meant]), Option(value))
        return entered

    async def _offers(self, request: Request, command: Command) -> dict[str, list[Option]]:
        """Return what the lists of a form offer."""
        actor = await self._answering.actor(request)
        listed = [param for param in command.shown if is_listed(param)]
        return {param.name: await self._app.options(param, "", actor) for param in listed}

    async def looked_up(self, request: Request, text: str) -> View:
        """Return the window on a message: the papers it speaks of, else the search for it.

        Several are listed, and by that nobody has opened one.
        """
        words, ids = words_of(text), linked_papers(text)
        entered = {"query": Option(words)} if words else {}
        back = command_string(SEARCH, _texts(entered))
        kept = Kept(back, request.channel)
        named = ids or ([words] if may_be_title(words) else [])
        told = {each: await self._told(request, each) for each in named}
        known = {each: reply for each, reply in told.items() if not reply.failed}
        if len(known) > 1:
            here = replace(kept, line=papers_line(known))
            return answer_window(papers_reply(list(known.values())), here, back)
        for each in known:
            shown = await self._answering.reply(request, Call(SHOW, {"paper": each}))
            return answer_window(shown, kept, back)
        return search_window(entered, replace(kept, line=SEARCH.name), _unknown(ids))

    async def _told(self, request: Request, paper: str) -> Reply:
        """Return what is known of a paper that is to be listed."""
        return await self._answering.reply(request, Call(MENTION, {"paper": paper}))


def _answered(press: Press, command: Command | None, reply: Reply, kept: Kept) -> View:
    """Return the window of an answer.

    One about the channel's posts leads nowhere back; what is opened from it leads back to that.
    """
    kept = replace(kept, hidden={})
    if command is None or command.group is not Group.CHANNEL:
        return answer_window(reply, kept, kept.line, press.part)
    title = command.custom_form.title if command.custom_form else _POSTS
    return answer_window(reply, replace(kept, line=reply.command or ""), "", press.part, title)


def _in_channel(request: Request, kept: Kept) -> Request:
    """Return a request as asked where the first window was opened."""
    return replace(request, channel=kept.channel or request.channel)


def _channel_names(command: Command) -> list[str]:
    return [param.name for param in command.shown if param.type.kind is Kind.CHANNEL]


def _chosen_channel(command: Command, entered: Entered) -> str | None:
    names = (name for name in _channel_names(command) if name in entered)
    return next((channel_id(entered[name].value) for name in names), None)


def _texts(entered: Entered) -> Mapping[str, str]:
    return {name: option.value for name, option in entered.items()}


def _unknown(ids: Sequence[str]) -> Reply | None:
    if not ids:
        return None
    sentence = f"No edition that is stored names {', '.join(ids)}."
    return Reply((Notice(Level.INFO, sentence, "Perhaps under another name?"),))
