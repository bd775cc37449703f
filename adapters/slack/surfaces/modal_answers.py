"""The contents of modals: forms, and the answers to forms, buttons and message shortcuts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from adapters.slack.answers.responder import Responder
from adapters.slack.render.buttons import ButtonAction, Verb
from adapters.slack.requests.payloads import Payload, Request
from adapters.slack.surfaces.forms import (
    Values,
    errors_by_block,
    is_external_select,
    is_static_select,
    options_payload,
    read_form,
)
from adapters.slack.surfaces.modal_views import (
    LOOKING,
    Form,
    Metadata,
    View,
    answer_modal,
    form_modal,
    loading_modal,
    read_metadata,
    search_modal,
    update_response,
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


class ModalAnswers:
    """Makes the views of answers.

    Args:
        responder: runs commands.
        app: checks arguments and returns their options.
    """

    def __init__(self, responder: Responder, app: Broadsheet) -> None:
        self._responder = responder
        self._app = app

    async def submission(self, request: Request, view: Payload) -> View:
        """Return the acknowledgement of a submitted form: errors at its inputs, or the answer.

        A form whose command failed stays open, with the reason below it.
        """
        metadata = read_metadata(view)
        request = _in_channel(request, metadata)
        command = await self._command(request, view)
        values = read_form(command, view)
        if errors := await self._errors(request, command, values):
            return {"response_action": "errors", "errors": errors_by_block(view, errors)}
        texts = _texts(values)
        # A change has to name the arguments that the user cleared.
        emptied = cleared(command, texts) if metadata.hidden else {}
        text = command_string(command, {**metadata.hidden, **texts, **emptied})
        action = ButtonAction(Verb.RUN, text)
        if command.name == SEARCH.name:
            return update_response(await self.button(request, action, metadata))
        channel = metadata.channel or _chosen_channel(command, values)
        metadata = replace(metadata, channel=channel)
        reply = await self._responder.reply(request, text, channel)
        if reply.failed:
            return update_response(await self.form_with_reply(request, view, reply))
        return update_response(_answer_view(action, command, reply, metadata))

    async def form_with_reply(self, request: Request, view: Payload, reply: Reply) -> View:
        """Return a submitted form with its values, and a reply below it."""
        metadata = read_metadata(view)
        request = _in_channel(request, metadata)
        command = await self._command(request, view)
        options = await self._static_options(request, command)
        return form_modal(Form(command, read_form(command, view), options), metadata, reply)

    def placeholder(self, view: Payload) -> View:
        """Return the view that is shown until the answer to a submitted form is ready."""
        if view.get("callback_id") == SEARCH.name:
            return search_modal(read_form(SEARCH, view), read_metadata(view), LOOKING)
        return loading_modal()

    async def _errors(self, request: Request, command: Command, values: Values) -> dict[str, str]:
        actor = await self._responder.actor(request)
        errors: dict[str, str] = {}
        for param in command.shown:
            if param.name in values:
                error = await self._app.check(param, values[param.name].value, actor)
                errors |= {param.name: str(error)} if error else {}
        return errors

    async def options(self, request: Request, body: Payload) -> dict[str, Any]:
        """Return the options of a select for the text that the user typed into it."""
        view = body.get("view") or {}
        request = _in_channel(request, read_metadata(view))
        command = await self._command(request, view)
        params = [param for param in command.shown if param.name == body.get("action_id")]
        actor = await self._responder.actor(request)
        typed = str(body.get("value") or "")
        options = [await self._app.options(param, typed, actor) for param in params]
        return options_payload([option for each in options for option in each])

    async def button(self, request: Request, action: ButtonAction, metadata: Metadata) -> View:
        """Return the view of the answer to a button, with a back button.

        Only the command decides about it, so that the parts of a long answer fit together.

        Args:
            request: the user's request.
            action: what the button does.
            metadata: the state of the modal with the button.
        """
        request = _in_channel(request, metadata)
        if ids := ids_in_line(action.command):
            found = papers_reply([await self._paper_line(request, each) for each in ids])
            return answer_modal(found, replace(metadata, back=action.command), SEARCH.name)
        call = self._parse(action.command)
        if call and action.verb is Verb.FORM and await self._may(request, call.command):
            return await self._form(request, call, metadata)
        if call and call.command.name == SEARCH.name:
            return await self._search(request, call, action, metadata)
        reply = await self._responder.reply(request, action.command)
        return _answer_view(action, call.command if call else None, reply, metadata)

    async def _search(
        self, request: Request, call: Call, action: ButtonAction, metadata: Metadata
    ) -> View:
        values = await self._values(request, call)
        if not values:
            return search_modal({}, replace(metadata, back=SEARCH.name))
        reply = await self._responder.reply(request, action.command)
        return search_modal(values, replace(metadata, back=action.command), reply, action.part)

    async def _form(self, request: Request, call: Call, metadata: Metadata) -> View:
        """Return the form of a command, filled with the arguments of a call.

        A new subscription is for the channel of the request, unless the user chooses another.
        """
        call = await self._app.form(call, await self._responder.actor(request))
        command, values = call.command, await self._values(request, call)
        names = {param.name for param in command.shown}
        hidden = {name: text for name, text in call.arguments.items() if name not in names}
        if command.name == SEARCH.name:
            return search_modal(values, replace(metadata, back=SEARCH.name))
        if metadata.channel and not hidden:
            values = dict.fromkeys(_channel_names(command), Option(metadata.channel)) | values
        form = Form(command, values, await self._static_options(request, command))
        return form_modal(form, replace(metadata, hidden=hidden))

    async def _may(self, request: Request, command: Command) -> bool:
        return may(await self._responder.actor(request), command)

    async def _command(self, request: Request, view: Payload) -> Command:
        """Return the command of a form, with the parameters that the form shows this user."""
        command = find(str(view.get("callback_id")), self._app.commands)
        return command.in_form(await self._responder.actor(request))

    def _parse(self, text: str) -> Call | None:
        try:
            return parse(text, self._app.commands)
        except UserError:
            return None

    async def _values(self, request: Request, call: Call) -> dict[str, Option]:
        """Return the initial values of a form from a call, with the labels of its selects."""
        actor = await self._responder.actor(request)
        values = {}
        arguments = filled(call.command, call.arguments)
        for param in call.command.shown:
            if text := arguments.get(param.name):
                is_select = is_external_select(param) or is_static_select(param)
                options = await self._app.options(param, text, actor) if is_select else []
                # A static select holds the full form of an abbreviation such as `mon`.
                closest = options[:1] if is_static_select(param) else []
                equal = [option for option in options if option.value == text]
                values[param.name] = next(iter([*equal, *closest]), Option(text))
        return values

    async def _static_options(self, request: Request, command: Command) -> dict[str, list[Option]]:
        """Return the options of a form's static selects."""
        actor = await self._responder.actor(request)
        params = [param for param in command.shown if is_static_select(param)]
        return {param.name: await self._app.options(param, "", actor) for param in params}

    async def message(self, request: Request, text: str) -> View:
        """Return the view about a message: the papers that it names, else a search for its words.

        Several papers are only listed, which doesn't count as opening them.
        """
        words, ids = words_of(text), linked_papers(text)
        values = {"query": Option(words)} if words else {}
        back = command_string(SEARCH, _texts(values))
        metadata = Metadata(back, request.channel)
        names = ids or ([words] if may_be_title(words) else [])
        replies = {name: await self._paper_line(request, name) for name in names}
        known = {name: reply for name, reply in replies.items() if not reply.failed}
        if len(known) > 1:
            found = papers_reply(list(known.values()))
            return answer_modal(found, replace(metadata, back=papers_line(known)), back)
        for name in known:
            reply = await self._responder.reply(request, Call(SHOW, {"paper": name}))
            return answer_modal(reply, metadata, back)
        return search_modal(values, replace(metadata, back=SEARCH.name), _unknown(ids))

    async def _paper_line(self, request: Request, paper: str) -> Reply:
        """Return the entry of a paper in a list."""
        return await self._responder.reply(request, Call(MENTION, {"paper": paper}))


def _answer_view(
    action: ButtonAction, command: Command | None, reply: Reply, metadata: Metadata
) -> View:
    """Return the view of an answer.

    A view about the channel's posts has no back button, and the views opened from it lead back
    to it.
    """
    metadata = replace(metadata, hidden={})
    if command is None or command.group is not Group.CHANNEL:
        return answer_modal(reply, metadata, metadata.back, action.part)
    title = command.form.title or _POSTS
    metadata = replace(metadata, back=reply.command or "")
    return answer_modal(reply, metadata, "", action.part, title)


def _in_channel(request: Request, metadata: Metadata) -> Request:
    """Return a request with the channel in which the first modal was opened."""
    return replace(request, channel=metadata.channel or request.channel)


def _channel_names(command: Command) -> list[str]:
    return [param.name for param in command.shown if param.type.kind is Kind.CHANNEL]


def _chosen_channel(command: Command, values: Values) -> str | None:
    names = (name for name in _channel_names(command) if name in values)
    return next((channel_id(values[name].value) for name in names), None)


def _texts(values: Values) -> Mapping[str, str]:
    return {name: option.value for name, option in values.items()}


def _unknown(ids: Sequence[str]) -> Reply | None:
    if not ids:
        return None
    sentence = f"No edition that is stored names {', '.join(ids)}."
    return Reply((Notice(Level.INFO, sentence, "Perhaps under another name?"),))
