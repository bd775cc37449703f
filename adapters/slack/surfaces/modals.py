"""Modals: forms, and the answers to forms, buttons and message shortcuts.

https://docs.slack.dev/surfaces/modals
"""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adapters.common.answers.acknowledgement import WAIT_SECONDS
from adapters.common.forms import OpenedForm, open_form, submitted
from adapters.common.layout.elements import ButtonAction, Effect
from adapters.slack.answers.responder import Responder
from adapters.slack.requests.payloads import LOOKUP_SHORTCUT, Payload, Request, from_mrkdwn
from adapters.slack.surfaces.modal_views import (
    FORM_LIMITS,
    LOOKING,
    Metadata,
    View,
    answer_modal,
    error_modal,
    errors_by_block,
    form_modal,
    loading_modal,
    options_payload,
    read_form,
    read_metadata,
    search_modal,
    submitted_modal,
    update_response,
)
from bot.actor import Actor
from bot.commands.handlers.papers import MENTION, SHOW
from bot.commands.handlers.search import SEARCH
from bot.commands.interpretation import error_reply
from bot.commands.params.channels_and_roles import channel_id
from bot.commands.parser import command_string, fields_as_meant, parse
from bot.commands.types import Call, Command, Group, Kind
from bot.commands.unknown_command import find_command
from bot.errors import SendError, UserError
from bot.library.links_in_text import (
    ids_in_line,
    linked_papers,
    may_be_title,
    papers_line,
    papers_reply,
    words_of,
)
from bot.replies.blocks import Level, Notice, Reply

# The action id of a button that opens the search.
OPEN_SEARCH = "open-search"
_POSTS = "Weekly posts"
_PAGE = "page"
_EXPIRED = ("expired_trigger_id", "trigger_expired")
_log = logging.getLogger(__name__)


class Modals:
    """Opens and updates modals.

    Args:
        responder: runs commands.
    """

    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._api = responder.api
        self._answers = _Answers(responder)

    async def open_shortcut(self, body: Payload, request: Request) -> None:
        """Open the search, or for a message shortcut the papers that the message names.

        Raises:
            SendError: where Slack refuses to open it.
        """
        if body.get("callback_id") != LOOKUP_SHORTCUT:
            await self.open_search(request)
            return
        text = from_mrkdwn((body.get("message") or {}).get("text") or "")
        await self._open_with(request, self._answers.message(request, text))

    async def open_form(self, request: Request, action: ButtonAction, view: Payload | None) -> None:
        """Open the form of a button's command, in the modal with the button if it is in one.

        Raises:
            SendError: where Slack refuses to open or update it.
        """
        if view and view.get("type") == "modal":
            await self.update(request, action, view)
            return
        metadata = Metadata(channel=request.channel)
        await self._open_with(request, self._answers.button(request, action, metadata))

    async def open_search(self, request: Request) -> None:
        """Open the search.

        Raises:
            SendError: where Slack refuses to open it.
        """
        await self._open(request, search_modal())

    def placeholder(self, view: Payload) -> View:
        """Return the acknowledgement of a submitted form whose answer is not ready.

        An empty acknowledgement would close the modal.
        """
        is_search = view.get("callback_id") == SEARCH.name
        return update_response(submitted_modal(view, LOOKING) if is_search else loading_modal())

    async def submit(self, request: Request, view: Payload) -> View:
        """Return the acknowledgement of a submitted form: errors at its inputs, or the answer."""
        answer = self._answers.submission(request, view)
        return await _or_fallback(answer, update_response(error_modal()))

    async def show_late(self, request: Request, view: Payload, response: View) -> None:
        """Show the late answer to a submitted form that was acknowledged by a placeholder.

        Raises:
            SendError: where Slack refuses the update.
        """
        answer = response.get("view")
        if answer is None:
            notices = (Notice(Level.ERROR, each) for each in response["errors"].values())
            answer = submitted_modal(view, Reply(tuple(notices), failed=True))
        await self._update(request, view, answer)

    async def options(self, request: Request, body: Payload) -> dict[str, Any]:
        """Return the options of a select for the text that the user typed into it."""
        return await _or_fallback(self._answers.options(request, body), options_payload([]))

    async def update(self, request: Request, action: ButtonAction, view: Payload) -> None:
        """Show the answer to a button in the modal with the button.

        Raises:
            SendError: where Slack refuses the update.
        """
        answer = self._answers.button(request, action, read_metadata(view))
        new_view = await _or_fallback(answer, error_modal())
        await self._update(request, view, new_view, view["hash"])

    async def _open_with(self, request: Request, answer: Awaitable[View]) -> None:
        """Open a modal with its contents; if they are late, open it empty and update it."""
        task = asyncio.ensure_future(_or_fallback(answer, error_modal()))
        try:
            done, _ = await asyncio.wait({task}, timeout=WAIT_SECONDS)
            opened = await self._open(request, task.result() if done else loading_modal())
            if not done:
                await self._update(request, opened, await task, opened["hash"])
        finally:
            task.cancel()

    async def _open(self, request: Request, view: View) -> Payload:
        token = await self._responder.token(request)
        try:
            data = await self._api.call(
                token, "views.open", trigger_id=request.trigger_id, view=view
            )
        except SendError as error:
            if error.code in _EXPIRED:
                await self._responder.report_send_error(request, error)
            raise
        opened: Payload = data["view"]
        return opened

    async def _update(
        self, request: Request, view: Payload, new_view: View, seen_hash: str | None = None
    ) -> None:
        """Replace a view; with `seen_hash` only if it is still the one that the user saw."""
        token = await self._responder.token(request)
        await self._api.call(
            token, "views.update", view_id=view["id"], view=new_view, hash=seen_hash
        )


async def _or_fallback(answer: Awaitable[View], fallback: View) -> View:
    """Return an answer, or a fallback where it raises."""
    try:
        return await answer
    except Exception:  # noqa: BLE001 - the last resort, for a modal shows the user no error of ours
        _log.exception("modal_failed")
        return fallback


class _Answers:
    """Makes the views of answers."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._app = responder.app

    async def submission(self, request: Request, view: Payload) -> View:
        """Return the acknowledgement of a submitted form: errors at its inputs, or the answer.

        A form whose command failed stays open, with the reason below it.
        """
        metadata = read_metadata(view)
        request = _in_channel(request, metadata)
        actor = await self._responder.actor(request)
        hidden, entered = dict(metadata.hidden), read_form(view)
        opened = Call(self._command(view, actor, {**hidden, **entered}), hidden)
        call = submitted(opened, entered)
        if errors := await self._errors(call, actor):
            return {"response_action": "errors", "errors": errors_by_block(view, errors)}
        is_search = call.command.name == SEARCH.name
        if is_search and not call.arguments:
            return update_response(search_modal())
        channel = metadata.channel or _chosen_channel(call)
        metadata = replace(metadata, channel=channel)
        reply = await self._responder.reply(request, call, channel)
        if reply.failed:
            return update_response(submitted_modal(view, reply))
        if is_search:
            line = command_string(SEARCH, fields_as_meant(call).arguments)
            return update_response(await self._search(request, line, reply, metadata))
        return update_response(_answer_view(call.command, reply, metadata))

    async def _errors(self, call: Call, actor: Actor) -> dict[str, str]:
        """Return what is wrong with arguments that have an input, by parameter name."""
        errors: dict[str, str] = {}
        for param in call.command.shown:
            if text := call.arguments.get(param.name):
                error = await self._app.check(param, text, actor)
                errors |= {param.name: str(error)} if error else {}
        return errors

    async def options(self, request: Request, body: Payload) -> dict[str, Any]:
        """Return the options of a select for the text that the user typed into it."""
        view = body.get("view") or {}
        metadata = read_metadata(view)
        request = _in_channel(request, metadata)
        actor = await self._responder.actor(request)
        shown = self._command(view, actor, dict(metadata.hidden)).shown
        params = [param for param in shown if param.name == body.get("action_id")]
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
        command = call.command if call else None
        is_search = call is not None and call.command.name == SEARCH.name
        if call and (action.effect is Effect.FORM or (is_search and not call.arguments)):
            try:
                return await self._form(request, call, metadata)
            except UserError as error:
                return _answer_view(command, error_reply(error), metadata)
        reply = await self._responder.reply(request, action.command)
        if is_search:
            return await self._search(request, action.command, reply, metadata, action.part)
        return _answer_view(command, reply, metadata, action.part)

    async def _search(
        self, request: Request, line: str, reply: Reply, metadata: Metadata, part: int = 1
    ) -> View:
        """Return the search with the answer to a line below it; the line is the way back to it."""
        form = await self._opened(request, parse(line, self._app.commands))
        return form_modal(form, replace(metadata, back=line), reply, part)

    async def _form(
        self, request: Request, call: Call, metadata: Metadata, reply: Reply | None = None
    ) -> View:
        """Return the form of a command, filled with the arguments of a call.

        Raises:
            UserError: if the user may not use the command.
        """
        back = SEARCH.name if call.command.name == SEARCH.name else metadata.back
        form = await self._opened(request, call)
        return form_modal(form, replace(metadata, back=back), reply)

    async def _opened(self, request: Request, call: Call) -> OpenedForm:
        # A changed search has other pages.
        arguments = {name: text for name, text in call.arguments.items() if name != _PAGE}
        actor = await self._responder.actor(request)
        return await open_form(self._app, replace(call, arguments=arguments), actor, FORM_LIMITS)

    def _command(self, view: Payload, actor: Actor, arguments: Mapping[str, str]) -> Command:
        """Return the command of a form, with the parameters that the form asks an actor for."""
        command = find_command(str(view.get("callback_id")), self._app.commands)
        return command.in_form(actor, arguments)

    def _parse(self, text: str) -> Call | None:
        try:
            return parse(text, self._app.commands)
        except UserError:
            return None

    async def message(self, request: Request, text: str) -> View:
        """Return the view about a message: the papers that it names, else a search for its words.

        Several papers are only listed, which doesn't count as opening them.
        """
        words, ids = words_of(text), linked_papers(text)
        search = Call(SEARCH, {"query": words} if words else {})
        back = command_string(SEARCH, search.arguments)
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
        return await self._form(request, search, metadata, _unknown(ids))

    async def _paper_line(self, request: Request, paper: str) -> Reply:
        """Return the entry of a paper in a list."""
        return await self._responder.reply(request, Call(MENTION, {"paper": paper}))


def _answer_view(command: Command | None, reply: Reply, metadata: Metadata, part: int = 1) -> View:
    """Return the view of an answer.

    A view about the channel's posts has no back button, and the views opened from it lead back
    to it.
    """
    metadata = replace(metadata, hidden={})
    if command is None or command.group is not Group.CHANNEL:
        return answer_modal(reply, metadata, metadata.back, part)
    metadata = replace(metadata, back=reply.command or "")
    return answer_modal(reply, metadata, "", part, command.form.title or _POSTS)


def _in_channel(request: Request, metadata: Metadata) -> Request:
    """Return a request with the channel in which the first modal was opened."""
    return replace(request, channel=metadata.channel or request.channel)


def _chosen_channel(call: Call) -> str | None:
    kinds = {param.name: param.type.kind for param in call.command.shown}
    chosen = (text for name, text in call.arguments.items() if kinds.get(name) is Kind.CHANNEL)
    return next(map(channel_id, chosen), None)


def _unknown(ids: Sequence[str]) -> Reply | None:
    if not ids:
        return None
    sentence = f"No edition that is stored names {', '.join(ids)}."
    return Reply((Notice(Level.INFO, sentence, "Perhaps under another name?"),))
