"""Modals: forms, the search with its results, and the answers to buttons in a modal.

https://docs.slack.dev/surfaces/modals
"""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

from adapters.common.answers.acknowledgement import WAIT_SECONDS
from adapters.slack.answers.responder import Responder
from adapters.slack.api.client import Api
from adapters.slack.render.buttons import ButtonAction
from adapters.slack.requests.payloads import LOOKUP_SHORTCUT, Payload, Request, from_mrkdwn
from adapters.slack.surfaces.modal_answers import ModalAnswers
from adapters.slack.surfaces.modal_views import (
    Metadata,
    View,
    error_modal,
    loading_modal,
    options_payload,
    read_metadata,
    search_modal,
    submitted_modal,
    update_response,
)
from bot.app import Broadsheet
from bot.errors import SendError
from bot.replies.blocks import Level, Notice, Reply

# The action id of a button that opens the search.
OPEN_SEARCH = "open-search"
_EXPIRED = ("expired_trigger_id", "trigger_expired")
_log = logging.getLogger(__name__)


class Modals:
    """Opens and updates modals.

    Args:
        responder: runs commands.
        api: the Web API.
        app: checks arguments of forms.
    """

    def __init__(self, responder: Responder, api: Api, app: Broadsheet) -> None:
        self._responder = responder
        self._api = api
        self._answers = ModalAnswers(responder, app)

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
        return update_response(self._answers.placeholder(view))

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
