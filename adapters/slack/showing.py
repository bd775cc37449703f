"""What windows show: the answer to a form, to a button pressed in a window, to a message."""

from collections.abc import Sequence
from typing import Any

from adapters.slack.answering import Answering
from adapters.slack.buttons import Press, Verb
from adapters.slack.forms import Entered, errors_beside, options_payload, read_form
from adapters.slack.inbound import Payload, Request
from adapters.slack.modals import View, answer_window, instead, search_window
from bot.app import Broadsheet
from bot.command import Call
from bot.commands.papers import SHOW
from bot.commands.search import SEARCH
from bot.errors import Option, UserError
from bot.linked import (
    ids_in_line,
    linked_papers,
    may_be_title,
    papers_line,
    papers_reply,
    words_of,
)
from bot.parsing import parse, write
from bot.replies import Level, Notice, Reply


class Showing:
    """Makes windows of answers.

    Args:
        answering: gives the answers.
        app: knows what the form's arguments may be.
    """

    def __init__(self, answering: Answering, app: Broadsheet) -> None:
        self._answering = answering
        self._app = app

    async def submitted(self, request: Request, view: Payload) -> View:
        """Return what acknowledges a submitted form: the errors in it, or its window's answer."""
        entered = read_form(SEARCH, view)
        if errors := await self._errors(request, entered):
            return {"response_action": "errors", "errors": errors_beside(view, errors)}
        return instead(await self.pressed(request, Press(Verb.RUN, _line(entered))))

    async def _errors(self, request: Request, entered: Entered) -> dict[str, str]:
        actor = await self._answering.actor(request)
        errors: dict[str, str] = {}
        for param in SEARCH.shown:
            if param.name in entered:
                error = await self._app.check(param, entered[param.name].value, actor)
                errors |= {param.name: str(error)} if error else {}
        return errors

    async def options(self, request: Request, body: Payload) -> dict[str, Any]:
        """Return what a select of the form offers for what was typed into it."""
        asked = [param for param in SEARCH.shown if param.name == body.get("action_id")]
        actor = await self._answering.actor(request)
        beginning = str(body.get("value") or "")
        offers = [await self._app.options(param, beginning, actor) for param in asked]
        return options_payload([option for each in offers for option in each])

    async def pressed(self, request: Request, press: Press, back: str = SEARCH.name) -> View:
        """Return the window that shows the answer to a button, and the way back from there.

        It is made of the line and nothing else, so that the parts of a long answer fit together.
        """
        if ids := ids_in_line(press.line):
            shown = [await self._shown(request, each) for each in ids]
            return answer_window(papers_reply(shown), SEARCH.name, here=press.line)
        call = self._search(press.line)
        if call is None:
            reply = await self._answering.reply(request, press.line)
            return answer_window(reply, back, part=press.part)
        entered = await self._entered(request, call)
        if not entered:
            return search_window({})
        reply = await self._answering.reply(request, press.line)
        return search_window(entered, reply, press.line, press.part)

    def _search(self, line: str) -> Call | None:
        try:
            call = parse(line, self._app.commands)
        except UserError:
            return None
        return call if call.command.name == SEARCH.name else None

    async def _entered(self, request: Request, call: Call) -> dict[str, Option]:
        """Return what stands in the form where a line was asked, as its selects would offer it."""
        actor = await self._answering.actor(request)
        entered = {}
        for param in SEARCH.shown:
            if value := call.arguments.get(param.name):
                offers = [] if param.type.free else await self._app.options(param, value, actor)
                same = (offer for offer in offers if offer.value == value)
                entered[param.name] = next(same, Option(value))
        return entered

    async def looked_up(self, request: Request, text: str) -> View:
        """Return the window on a message: the papers it speaks of, else the search for it."""
        words, ids = words_of(text), linked_papers(text)
        entered = {"query": Option(words)} if words else {}
        shown = {each: await self._shown(request, each) for each in ids}
        known = {each: reply for each, reply in shown.items() if not reply.failed}
        if len(known) > 1:
            here = papers_line(known)
            return answer_window(papers_reply(list(known.values())), _line(entered), here=here)
        if not ids and may_be_title(words):
            known = {words: await self._shown(request, words)}
        for reply in known.values():
            if not reply.failed:
                return answer_window(reply, _line(entered))
        return search_window(entered, _unknown(ids))

    async def _shown(self, request: Request, paper: str) -> Reply:
        return await self._answering.reply(request, write(SHOW, {"paper": paper}))


def _line(entered: Entered) -> str:
    return write(SEARCH, {name: option.value for name, option in entered.items()})


def _unknown(ids: Sequence[str]) -> Reply | None:
    if not ids:
        return None
    sentence = f"No edition that is stored names {', '.join(ids)}."
    return Reply((Notice(Level.INFO, sentence, "Perhaps under another name?"),))
