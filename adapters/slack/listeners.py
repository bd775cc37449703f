"""The listeners for Slack's requests.

Slash commands, submitted forms and requests for options are answered in their acknowledgement;
events and buttons are acknowledged empty at once and handled in a background task.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse

from adapters.common.answers.driver import AnswerDriver, given
from adapters.common.answers.showing import Showing, showing_of_line, showing_of_press
from adapters.common.layout.elements import ButtonAction, Effect
from adapters.common.tasks import Tasks
from adapters.slack.answers.responder import Responder
from adapters.slack.answers.verbs import SlackAnswer, SlackVerbs
from adapters.slack.connection import ARRIVED
from adapters.slack.installs.installs import Installations
from adapters.slack.render.buttons import read_action
from adapters.slack.requests.payloads import (
    Payload,
    Request,
    addressed_to,
    command_in_mention,
    from_command,
    from_event,
    from_interaction,
    is_by_person,
    mentioned_users,
)
from adapters.slack.surfaces.home import AppHome
from adapters.slack.surfaces.modals import OPEN_SEARCH, Modals
from adapters.slack.surfaces.unfurls import Unfurler
from bot.commands.types import TYPED, LineOrigin
from bot.errors import SendError
from bot.replies.blocks import store_failure
from store.errors import StoreError

_log = logging.getLogger(__name__)
_COMMAND = re.compile(r"^/")
_ANY = re.compile(r".*", re.DOTALL)
_LINES = ("message", "mention")  # what a person typed, and waits for an answer to
_Handler = Callable[[Request], Coroutine[Any, Any, None]]
_Ack = Callable[..., Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Listeners:
    """The listeners and the services that they call."""

    driver: AnswerDriver[SlackAnswer]
    tasks: Tasks
    responder: Responder
    home: AppHome
    modals: Modals
    unfurler: Unfurler
    installations: Installations

    def register(self, app: AsyncApp) -> None:
        """Add the listeners to an app, which calls only the first that matches a request."""
        app.command(_COMMAND)(self.on_command)
        app.event("app_mention")(self.on_mention)
        app.event("message")(self.on_message)
        app.event("app_home_opened")(self.on_home_opened)
        app.event("link_shared")(self.on_link_shared)
        app.event("app_uninstalled")(self.on_uninstalled)
        app.event("tokens_revoked")(self.on_uninstalled)
        app.shortcut(_ANY)(self.on_shortcut)
        app.view(_ANY)(self.on_view_submission)
        app.options(_ANY)(self.on_options)
        app.action(_ANY)(self.on_action)

    async def on_command(self, body: dict[str, Any], context: dict[str, Any]) -> BoltResponse:
        """Answer a slash command in its acknowledgement or through its response URL."""
        request = await self.installations.settled(from_command(body))
        verbs = SlackVerbs(self.responder, request)
        asked = self.responder.asked(request, request.text, showing_of_line(direct=False), TYPED)
        await self.driver.acknowledge(asked, verbs, key=request.key, arrived=context[ARRIVED])
        return verbs.acknowledged

    async def on_view_submission(
        self, ack: _Ack, body: dict[str, Any], context: dict[str, Any]
    ) -> None:
        """Show the answer to a submitted form in its modal."""
        request, view = await self.installations.settled(from_interaction(body)), body["view"]

        async def defer(_answer: Payload | None) -> bool:
            await ack(self.modals.placeholder(view))
            return True

        await self.driver.acknowledger.answer(
            partial(self.modals.submit, request, view),
            ack,
            defer,
            partial(self.modals.show_late, request, view),
            key=request.key,
            arrived=context[ARRIVED],
        )

    async def on_options(self, ack: _Ack, body: dict[str, Any], context: dict[str, Any]) -> None:
        """Return the options of a select; options that are late are dropped."""
        request = await self.installations.settled(from_interaction(body))

        async def drop(_answer: Payload | None) -> bool:
            await ack()
            return True

        await self.driver.acknowledger.answer(
            partial(self.modals.options, request, body),
            ack,
            drop,
            None,
            key=request.key,
            arrived=context[ARRIVED],
        )

    async def on_action(self, ack: _Ack, body: dict[str, Any]) -> None:
        """Handle a button, wherever it is; an unknown one is only acknowledged."""
        await ack()
        element: Payload = next(iter(body.get("actions") or ()), {})
        request, action = from_interaction(body), read_action(element)
        if action is not None:
            self._start("press", request, partial(self._on_button, body, action))
        elif element.get("action_id") == OPEN_SEARCH:
            self._start("open", request, self.modals.open_search)

    async def on_shortcut(self, ack: _Ack, body: dict[str, Any]) -> None:
        """Open a modal for a global shortcut or a message shortcut."""
        await ack()
        request = from_interaction(body)
        self._start("shortcut", request, partial(self.modals.open_shortcut, body))

    async def on_mention(self, body: dict[str, Any], context: dict[str, Any]) -> None:
        """Answer a mention of the bot, which is followed by a command."""
        event = body["event"]
        if not is_by_person(event) or str(event.get("channel", ""))[:1] == "D":
            return  # a direct message also arrives as a message event
        self.tasks.start(self._on_mention(body, context.get("bot_user_id")), "mention")

    async def on_message(self, body: dict[str, Any], context: dict[str, Any]) -> None:
        """Answer a direct message, which is a command with or without a mention."""
        event = body["event"]
        if event.get("channel_type") != "im" or not is_by_person(event):
            return
        command = command_in_mention(event, context.get("bot_user_id"))
        line = command.removeprefix("/papers").strip()
        self._start("message", from_event(body), lambda r: self._answer_message(r, line))

    async def on_home_opened(self, body: dict[str, Any]) -> None:
        """Publish App Home when its home tab is opened."""
        if body["event"].get("tab", "home") == "home":
            self._start("home", from_event(body), self.home.publish)

    async def on_link_shared(self, body: dict[str, Any]) -> None:
        """Show cards under links in a message."""
        event = body["event"]
        self._start("links", from_event(body), lambda r: self.unfurler.unfurl(r, event))

    async def on_uninstalled(self, body: dict[str, Any]) -> None:
        """Forget a workspace that uninstalled the app, or revoked the bot's token.

        Users' tokens are not kept.
        """
        revoked = body["event"].get("tokens")
        if revoked is None or revoked.get("bot"):
            uninstalled = self.installations.on_uninstalled
            self._start("uninstall", from_event(body), uninstalled, settles=False)

    async def _on_mention(self, body: Payload, bot: str | None) -> None:
        """Answer a mention as the bot that it names.

        Several installations may see a channel that organisations share, and Slack delivers an
        event for any one of them: https://github.com/slackapi/bolt-python/issues/1107
        """
        users = mentioned_users(body["event"])
        if bot and bot not in users:
            body, bot = await self._readdressed(body, users) or (body, bot)
        command = command_in_mention(body["event"], bot)
        showing = showing_of_line(direct=False)
        await self._handle_once(
            "mention",
            from_event(body),
            lambda r: self._answer(SlackVerbs(self.responder, r), command, showing),
        )

    async def _answer_message(self, request: Request, line: str) -> None:
        """Answer a direct message, in the thread that it is in or begins."""
        place = await self.responder.place_of(request)
        verbs = SlackVerbs(self.responder, place, is_plain=True, line=line)
        await self._answer(verbs, line, showing_of_line(direct=True))

    async def _on_button(self, body: Payload, action: ButtonAction, request: Request) -> None:
        origin = LineOrigin(typed=False, by=action.by)
        line, actor = partial(given, action.command), partial(self.responder.actor, request)
        is_form = action.effect is Effect.FORM
        if is_form and not await self.driver.asks_first(origin, line, actor):
            await self.modals.open_form(request, action, body.get("view"))
            return
        view = body.get("view") or {}
        if view.get("type") == "home":
            await self.home.publish(request, action)
            return
        if view:
            await self.modals.update(request, action, view)
        else:
            await self._answer_press(body, request, action, origin)
        await self.home.refresh_after(request, action)

    async def _answer_press(
        self, body: Payload, request: Request, action: ButtonAction, origin: LineOrigin
    ) -> None:
        """Answer a button in a message, in the thread of the message where it is answered there."""
        requested, original = requested_by(body, request, action), body.get("message") or {}
        is_plain = not (requested.private or requested.shared)
        if is_plain or requested.replaces:
            request = await self.responder.place_of(request)
        verbs = SlackVerbs(self.responder, request, is_plain=is_plain, original=original)
        await self._answer(verbs, action.command, requested, origin)

    async def _answer(
        self, verbs: SlackVerbs, line: str, requested: Showing, origin: LineOrigin = TYPED
    ) -> None:
        """Answer a line, whose request is acknowledged."""
        await self.driver.follow_up(
            self.responder.asked(verbs.request, line, requested, origin), verbs
        )

    async def _readdressed(self, body: Payload, users: list[str]) -> tuple[Payload, str] | None:
        """Return an event as it is delivered for the first bot among some users, and that bot."""
        try:
            found = await self.installations.of_bots(users)
        except StoreError as error:
            _log.warning("request_failed", extra={"what": "mention", "reason": str(error)})
            return None
        bot = next((user for user in users if user in found), None)
        if bot is None:
            return None
        key = found[bot]
        return addressed_to(body, key.team_id or None, key.enterprise_id or None), bot

    def _start(
        self, name: str, request: Request, handler: _Handler, *, settles: bool = True
    ) -> None:
        self.tasks.start(self._handle_once(name, request, handler, settles=settles), name)

    async def _handle_once(
        self, name: str, request: Request, handler: _Handler, *, settles: bool = True
    ) -> None:
        """Handle a request unless it was delivered before; log its errors."""
        if settles:
            request = await self.installations.settled(request)
        try:
            if await self.responder.is_first_delivery(request, name):
                await handler(request)
        except SendError as error:
            _log.warning("request_failed", extra={"what": name, "reason": str(error)})
        except StoreError as error:
            _log.warning("request_failed", extra={"what": name, "reason": str(error)})
            if request.response_url or name in _LINES:
                await self._report(request, error)

    async def _report(self, request: Request, error: StoreError) -> None:
        """Tell a user why their line or press had no effect, if there is a way to."""
        try:
            await SlackVerbs(self.responder, request).tell(store_failure(error))
        except (SendError, StoreError) as failure:
            _log.error("answer_lost", extra={"reason": failure.sentence})


def requested_by(body: Payload, request: Request, action: ButtonAction) -> Showing:
    """Return how a button in a message asks its answer to be shown."""
    # The bot may not be in the conversation of an ephemeral message or of a card under a link.
    is_card = (body.get("container") or {}).get("type") == "message_attachment"
    direct = request.is_direct and not request.is_ephemeral and not is_card
    return showing_of_press(action, direct=direct, own=request.is_ephemeral)
