"""Windows: forms, the search with what it found, and the answers to buttons pressed in one.

https://docs.slack.dev/surfaces/modals
"""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

from adapters.slack.answers.acknowledgement import SECONDS
from adapters.slack.answers.answering import Answering
from adapters.slack.api.client import Api
from adapters.slack.render.buttons import Press
from adapters.slack.requests.payloads import LOOKUP_SHORTCUT, Payload, Request, plain
from adapters.slack.surfaces.forms import options_payload
from adapters.slack.surfaces.modal_answers import Showing
from adapters.slack.surfaces.modal_views import (
    Kept,
    View,
    instead,
    kept_in,
    search_window,
    sorry_window,
    waiting_window,
)
from bot.app import Broadsheet
from bot.errors import SendError
from bot.replies.blocks import Level, Notice, Reply

# The action of a button that opens the search.
OPEN_SEARCH = "open-search"
_EXPIRED = ("expired_trigger_id", "trigger_expired")
_log = logging.getLogger(__name__)


class Windows:
    """Opens windows and keeps them up to date.

    Args:
        answering: gives the answers.
        api: Slack.
        app: knows what the form's arguments may be.
        patience: how many seconds a window may wait for what it shows before it opens without.
    """

    def __init__(
        self, answering: Answering, api: Api, app: Broadsheet, patience: float = SECONDS
    ) -> None:
        self._answering = answering
        self._api = api
        self._showing = Showing(answering, app)
        self._patience = patience

    async def shortcut(self, body: Payload, request: Request) -> None:
        """Open the search, or what the store knows of the message that a shortcut was used on.

        Raises:
            SendError: where Slack does not open it.
        """
        if body.get("callback_id") != LOOKUP_SHORTCUT:
            await self._open(request, search_window({}))
            return
        text = plain((body.get("message") or {}).get("text") or "")
        await self._open_soon(request, self._showing.looked_up(request, text))

    async def form(self, request: Request, press: Press, view: Payload | None) -> None:
        """Open the form of a command for a button, in the window that this was pressed in if any.

        Raises:
            SendError: where Slack does not open or take it.
        """
        if view and view.get("type") == "modal":
            await self.turn(request, press, view)
            return
        kept = Kept(channel=request.channel)
        await self._open_soon(request, self._showing.pressed(request, press, kept))

    async def open(self, _action: Payload, _body: Payload, request: Request) -> None:
        """Open the search for a button.

        Raises:
            SendError: where Slack does not open it.
        """
        await self._open(request, search_window({}))

    def meanwhile(self, view: Payload) -> View:
        """Return what acknowledges a submitted form whose answer is not ready.

        An empty acknowledgement would close the window.
        """
        return instead(self._showing.meanwhile(view))

    async def submitted(self, request: Request, view: Payload) -> View:
        """Return what acknowledges a submitted form: the errors in it, or its window's answer."""
        return await _safely(self._showing.submitted(request, view), instead(sorry_window()))

    async def submitted_later(self, request: Request, view: Payload, payload: View) -> None:
        """Show the answer to a submitted form that was acknowledged before it was ready.

        Raises:
            SendError: where Slack does not take it.
        """
        shown = payload.get("view")
        if shown is None:
            notices = (Notice(Level.ERROR, each) for each in payload["errors"].values())
            reply = Reply(tuple(notices), failed=True)
            shown = await _safely(self._showing.again(request, view, reply), sorry_window())
        await self._update(request, view, shown)

    async def options(self, request: Request, body: Payload) -> dict[str, Any]:
        """Return what a select of the form offers for what was typed into it."""
        return await _safely(self._showing.options(request, body), options_payload([]))

    async def turn(self, request: Request, press: Press, view: Payload) -> None:
        """Show the answer to a button where it was pressed.

        Raises:
            SendError: where Slack does not take it.
        """
        pressed = self._showing.pressed(request, press, kept_in(view))
        shown = await _safely(pressed, sorry_window())
        await self._update(request, view, shown, view["hash"])

    async def _open_soon(self, request: Request, work: Awaitable[View]) -> None:
        """Open a window with what it shows, or without where that is not ready soon."""
        task = asyncio.ensure_future(_safely(work, sorry_window()))
        try:
            done, _ = await asyncio.wait({task}, timeout=self._patience)
            opened = await self._open(request, task.result() if done else waiting_window())
            if not done:
                await self._update(request, opened, await task, opened["hash"])
        finally:
            task.cancel()

    async def _open(self, request: Request, view: View) -> Payload:
        token = await self._answering.token(request)
        try:
            answer = await self._api.call(
                token, "views.open", trigger_id=request.trigger, view=view
            )
        except SendError as error:
            if error.code in _EXPIRED:
                await self._answering.tell(request, error)
            raise
        opened: Payload = answer["view"]
        return opened

    async def _update(
        self, request: Request, view: Payload, shown: View, seen: str | None = None
    ) -> None:
        token = await self._answering.token(request)
        await self._api.call(token, "views.update", view_id=view["id"], view=shown, hash=seen)


async def _safely(work: Awaitable[View], otherwise: View) -> View:
    """Return what work gives; whoever looks at a window sees no more than that it failed."""
    try:
        return await work
    except Exception:  # noqa: BLE001 - the last resort: Slack shows no error of ours in a window
        _log.exception("window_failed")
        return otherwise
