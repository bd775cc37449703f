"""App Home: what stands there when it is opened, and the answers to its buttons.

https://docs.slack.dev/surfaces/app-home
"""

from collections.abc import Iterable, Sequence
from typing import Any

from adapters.slack.answers.answering import Answering
from adapters.slack.answers.files import enclosed_in
from adapters.slack.api.client import Api
from adapters.slack.render import Rendered, Where, render_view
from adapters.slack.render.buttons import Press, Verb, button
from adapters.slack.requests.payloads import Request
from adapters.slack.surfaces.modals import OPEN_SEARCH
from bot.commands.handlers.forget import FORGET
from bot.commands.permissions import is_of_use
from bot.commands.types import Command
from bot.errors import SendError
from bot.replies.blocks import Reply

_LATEST = Press(Verb.RUN, "latest")
# What Home shows below its buttons, as far as there is such a command.
_SECTIONS = (_LATEST, Press(Verb.RUN, "saved"))
_BACK = "Back to the latest edition"
_BUTTONS = (
    ("Brief", "brief"),
    ("Topics", "topic"),
    ("Sources", "sources"),
    ("Status", "status"),
    ("Settings", "settings"),
    ("Help", "help"),
)
# https://docs.slack.dev/reference/views/home-tab-views
_MOST_BLOCKS = 100
_TOP_BLOCKS, _NEWS_BLOCKS = 2, 12
_Object = dict[str, Any]


class Home:
    """The App Home of everybody; what each of its buttons shows stands in the button."""

    def __init__(self, answering: Answering, api: Api) -> None:
        self._answering = answering
        self._api = api

    async def show(self, request: Request, press: Press | None = None) -> None:
        """Show somebody the newest edition and what is theirs, or the answer to a button.

        The files of that answer come in direct messages: no view holds any.

        Raises:
            SendError: where Slack does not take it.
        """
        commands = await self._commands(request)
        is_home = press is None or (press.line, press.part) == (_LATEST.line, _LATEST.part)
        other = None if is_home else press
        top = _top(commands, has_back=other is not None)
        news = await self._answering.news(request) if press is None else None
        if news:
            top[1:1] = render_view(news.reply, most_blocks=_NEWS_BLOCKS).blocks
        sections = _existing(commands)
        wanted = [other] if other else sections
        replies = [await self._answering.reply(request, each.line) for each in wanted]
        room = (_MOST_BLOCKS - _TOP_BLOCKS - _NEWS_BLOCKS) // max(len(sections), 1) - 1
        shown = [_rendered(reply, each, room) for each, reply in zip(wanted, replies, strict=True)]
        try:
            await self._api.call(
                await self._answering.token(request),
                "views.publish",
                user_id=request.user,
                view=home_view(top, shown),
            )
        except SendError as error:
            if news:
                await self._answering.not_told(news, error)
            raise
        if other and other.part == 1:  # of a further one they came before
            enclosed = enclosed_in(replies[0], request, Where.DIRECT)
            await self._answering.bring(request, enclosed)

    async def show_after(self, request: Request, press: Press) -> None:
        """Show Home anew where a button that was pressed elsewhere deleted what stands there.

        Raises:
            SendError: where Slack does not take it.
        """
        command, _, confirmed = press.line.partition(" ")
        if command == FORGET.name and confirmed:
            # As from a button of its own, for whoever has all deleted is not welcomed for that.
            await self.show(request, _LATEST)

    async def _commands(self, request: Request) -> list[Command]:
        """Return what somebody may ask."""
        actor = await self._answering.actor(request)
        return [each for each in self._answering.commands if is_of_use(actor, each)]


def _rendered(reply: Reply, press: Press, room: int) -> Rendered:
    """Return an answer in the room of one section, also alone: the parts of each are the same.

    What differed would be left out between the first part and the second.
    """
    return render_view(reply, press.part, most_blocks=room, files=Where.DIRECT)


def home_view(top: Sequence[_Object], shown: Iterable[Rendered]) -> _Object:
    """Return Home with these answers one below the other."""
    blocks = list(top)
    for place, rendered in enumerate(shown):
        blocks += [{"type": "divider"}, *(_apart(block, place) for block in rendered.blocks)]
    return {"type": "home", "blocks": blocks}


def _top(commands: Sequence[Command], *, has_back: bool) -> list[_Object]:
    """Return what stands above all answers."""
    names = {command.name for command in commands}
    latest = _BACK if has_back else "Latest edition"
    shown = [(latest, _LATEST.line), *_BUTTONS]
    presses = [(label, Press(Verb.RUN, line)) for label, line in shown if line in names]
    row = [_search_button(), *(button(*each, number) for number, each in enumerate(presses))]
    title = {"type": "plain_text", "text": "Broadsheet", "emoji": False}
    return [{"type": "header", "text": title}, {"type": "actions", "elements": row}]


def _search_button() -> _Object:
    return {
        "type": "button",
        "text": {"type": "plain_text", "text": "Search", "emoji": False},
        "action_id": OPEN_SEARCH,
        "style": "primary",
    }


def _existing(commands: Sequence[Command]) -> list[Press]:
    names = {command.name for command in commands}
    return [press for press in _SECTIONS if press.line in names]


def _apart(block: _Object, place: int) -> _Object:
    """Return a block whose buttons are told from those of the other answers in the view."""
    if block["type"] != "actions":
        return block
    elements = [
        {**element, "action_id": f"{element['action_id']}-{place}"} for element in block["elements"]
    ]
    return {**block, "elements": elements}
