"""Which of Slack's requests are heard, and what each sets going.

Slash commands, submitted forms and requests for options are answered in their acknowledgement;
events and buttons are acknowledged empty at once and worked on in a task of their own.
"""

import logging
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse

from adapters.common.tasks import Tasks
from adapters.slack.answers.acknowledgement import Ack, Acknowledger, Written
from adapters.slack.answers.answering import Answering
from adapters.slack.answers.destination import Place, place_of
from adapters.slack.connection.bolt_app import ARRIVED
from adapters.slack.installs.installs import Installed
from adapters.slack.render.buttons import Press, Verb, read_press
from adapters.slack.requests.payloads import (
    Payload,
    Request,
    asked_in_mention,
    from_command,
    from_event,
    from_interaction,
)
from adapters.slack.surfaces.home import Home
from adapters.slack.surfaces.modals import Windows
from adapters.slack.surfaces.unfurls import Unfurling
from bot.errors import SendError
from store.errors import StoreError

_log = logging.getLogger(__name__)
_COMMAND = re.compile(r"^/")
_ANY = re.compile(r".*", re.DOTALL)
_Work = Callable[[Request], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Listeners:
    """All that listens, and what it hands requests to."""

    acknowledger: Acknowledger
    tasks: Tasks
    answering: Answering
    home: Home
    windows: Windows
    unfurling: Unfurling
    installed: Installed

    def register(self, app: AsyncApp) -> None:
        """Make an app listen. Of those that match a request the first alone hears it."""
        app.command(_COMMAND)(self.command)
        app.event("app_mention")(self.mention)
        app.event("message")(self.message)
        app.event("app_home_opened")(self.home_opened)
        app.event("link_shared")(self.link_shared)
        app.event("app_uninstalled")(self.uninstalled)
        app.event("tokens_revoked")(self.revoked)
        app.shortcut(_ANY)(self.shortcut)
        app.view(_ANY)(self.submitted)
        app.options(_ANY)(self.options)
        app.action(_ANY)(self.pressed)

    async def command(self, body: dict[str, Any], context: dict[str, Any]) -> BoltResponse:
        """A slash command, answered in its acknowledgement or through its response URL."""
        request, response = from_command(body), BoltResponse(status=200)

        async def acknowledge(answer: Written | None = None) -> None:
            if answer is not None:
                response.body = answer.json
                response.headers["content-type"] = ["application/json"]
                if answer.enclosed:
                    # It takes calls of its own, and so comes after the words.
                    self.tasks.start(self.answering.bring(request, answer.enclosed), "files")

        await self.acknowledger.answer(
            request.key,
            context[ARRIVED],
            acknowledge,
            partial(self.answering.command, request),
            partial(self.answering.follow_up, request),
        )
        return response

    async def submitted(self, ack: Ack, body: dict[str, Any], context: dict[str, Any]) -> None:
        """A submitted form: its window shows the answer."""
        request = from_interaction(body)

        async def acknowledge(answer: Payload | None = None) -> None:
            # Empty it would close the window that is to show the answer later.
            await ack(answer or self.windows.meanwhile(body["view"]))

        await self.acknowledger.answer(
            request.key,
            context[ARRIVED],
            acknowledge,
            partial(self.windows.submitted, request, body["view"]),
            partial(self.windows.submitted_later, request, body["view"]),
        )

    async def options(self, ack: Ack, body: dict[str, Any], context: dict[str, Any]) -> None:
        """What a select offers for what was typed into it; too late is as good as nothing."""
        request = from_interaction(body)
        await self.acknowledger.answer(
            request.key,
            context[ARRIVED],
            ack,
            partial(self.windows.options, request, body),
            _drop,
        )

    async def pressed(self, ack: Ack, body: dict[str, Any]) -> None:
        """A button, wherever it stands; what is no button of ours needs no more than a nod."""
        await ack()
        action: Payload = next(iter(body.get("actions") or ()), {})
        request, press = from_interaction(body), read_press(action)
        if press is not None:
            self._begin("press", request, partial(self._answer_press, body, press))
        elif str(action.get("action_id", "")).startswith("open-"):
            self._begin("open", request, partial(self.windows.open, action, body))

    async def shortcut(self, ack: Ack, body: dict[str, Any]) -> None:
        """A shortcut, from anywhere or on a message: it opens the search."""
        await ack()
        request = from_interaction(body)
        self._begin("shortcut", request, partial(self.windows.shortcut, body))

    async def mention(self, body: dict[str, Any], context: dict[str, Any]) -> None:
        """A mention: what stands behind it is the command."""
        event = body["event"]
        if event.get("bot_id") or event.get("subtype") or str(event.get("channel", ""))[:1] == "D":
            return  # in a direct message the message itself comes too
        line = asked_in_mention(event, context.get("bot_user_id"))
        self._begin("mention", from_event(body), lambda r: self.answering.mention(r, line))

    async def message(self, body: dict[str, Any], context: dict[str, Any]) -> None:
        """A direct message: all of it is the command, with or without a mention."""
        event = body["event"]
        # Edits, joins and the like are messages too; a person's own has no subtype.
        if event.get("channel_type") != "im" or event.get("bot_id") or event.get("subtype"):
            return
        line = asked_in_mention(event, context.get("bot_user_id"))
        line = line.removeprefix("/papers").strip()
        self._begin("message", from_event(body), lambda r: self.answering.direct_message(r, line))

    async def home_opened(self, body: dict[str, Any]) -> None:
        """App Home was opened, on one of its tabs."""
        if body["event"].get("tab", "home") == "home":
            self._begin("home", from_event(body), self.home.show)

    async def link_shared(self, body: dict[str, Any]) -> None:
        """A message holds links to a site that we know papers of."""
        event = body["event"]
        self._begin("links", from_event(body), lambda r: self.unfurling.unfurl(r, event))

    async def uninstalled(self, body: dict[str, Any]) -> None:
        """A workspace took the app away."""
        self._begin("uninstall", from_event(body), self.installed.removed)

    async def revoked(self, body: dict[str, Any]) -> None:
        """A workspace revoked tokens; only the bot's matter, for we keep no person's."""
        if (body["event"].get("tokens") or {}).get("bot"):
            self._begin("revocation", from_event(body), self.installed.removed)

    async def _answer_press(self, body: Payload, press: Press, request: Request) -> None:
        if press.verb is Verb.FORM:
            await self.windows.form(request, press, body.get("view"))
            return
        match place_of(body, request, press):
            case Place.HOME:
                await self.home.show(request, press)
            case Place.MODAL:
                await self.windows.turn(request, press, body["view"])
                await self.home.show_after(request, press)
            case place:
                seen = body.get("message") or {}
                await self.answering.pressed(request, press, place, seen)
                await self.home.show_after(request, press)

    def _begin(self, what: str, request: Request, work: _Work) -> None:
        self.tasks.start(self._once(what, request, work), what)

    async def _once(self, what: str, request: Request, work: _Work) -> None:
        """Work on a request unless it was delivered before; its errors end here, in the log."""
        try:
            if await self.answering.once(request, what):
                await work(request)
        except SendError as error:
            _log.warning("request_failed", extra={"what": what, "reason": str(error)})
        except StoreError as error:
            _log.warning("request_failed", extra={"what": what, "reason": str(error)})
            await self.answering.excuse(request, error)


async def _drop(_payload: dict[str, Any]) -> None:
    """Send nothing."""
