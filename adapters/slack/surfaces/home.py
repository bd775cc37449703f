"""App Home: its first view when it is opened, and the answers to its buttons.

https://docs.slack.dev/surfaces/app-home
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from adapters.common.layout.elements import ButtonAction, Effect
from adapters.slack.answers.responder import Responder
from adapters.slack.answers.verbs import SlackVerbs
from adapters.slack.render import FileLocation, Rendered, render_view
from adapters.slack.render.buttons import button, plain_text
from adapters.slack.requests.payloads import Request
from adapters.slack.surfaces.modals import OPEN_SEARCH
from bot.commands.handlers.personal.forget import FORGET
from bot.commands.permissions import is_of_use
from bot.commands.types import Command
from bot.errors import SendError
from bot.replies.blocks import PaperList, Reply

_LATEST = ButtonAction(Effect.RUN, "latest")
# The answers below the buttons, of those commands that exist: the user's list, and an edition in
# short.
_SECTIONS = (ButtonAction(Effect.RUN, "saved"), _LATEST)
_BACK = "Back to the latest edition"
_BRIEF = ("Brief", "brief")
_BUTTONS = (
    ("Topics", "topic"),
    ("Sources", "sources"),
    ("Status", "status"),
    ("Settings", "settings"),
    ("Help", "help"),
)
# https://docs.slack.dev/reference/views/home-tab-views
_MOST_BLOCKS = 100
_TOP_BLOCKS, _WELCOME_BLOCKS = 2, 12
_Block = dict[str, Any]


class AppHome:
    """Publishes App Home; each button carries the command that it shows.

    Args:
        responder: runs commands.
    """

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    async def publish(self, request: Request, action: ButtonAction | None = None) -> None:
        """Publish the user's saved papers and the newest edition in short, or a button's answer.

        The files of an answer are sent in direct messages, because a view holds none.

        Raises:
            SendError: where Slack refuses the view.
        """
        commands = await self._commands(request)
        is_first_view = action is None or (action.command, action.part) == (_LATEST.command, 1)
        other = None if is_first_view else action
        top = _top_blocks(commands, has_back=other is not None)
        onboarding, welcome = self._responder.app.onboarding, None
        if onboarding and action is None:
            actor = await self._responder.actor(request)
            welcome = await onboarding.welcome(actor, self._responder.app.commands)
        if welcome:
            top[1:1] = render_view(welcome.reply, most_blocks=_WELCOME_BLOCKS).blocks
        sections = _existing_sections(commands)
        actions = [other] if other else sections
        # Nobody types there, so nothing of it is spoken of later.
        replies = [
            await self._responder.reply(request, each.command, remembers=False) for each in actions
        ]
        # An answer alone gets the room of one section too: its parts have to be the same in both.
        room = (_MOST_BLOCKS - _TOP_BLOCKS - _WELCOME_BLOCKS) // max(len(sections), 1) - 1
        answers = [
            render_view(
                in_short(reply) if each.command == _LATEST.command else reply,
                each.part,
                most_blocks=room,
                files=FileLocation.DIRECT,
            )
            for each, reply in zip(actions, replies, strict=True)
        ]
        try:
            await self._responder.api.call(
                await self._responder.token(request),
                "views.publish",
                user_id=request.user,
                view=home_view(top, answers),
            )
        except SendError as error:
            if onboarding and welcome:
                await onboarding.undo(welcome, error)
            raise
        if other and other.part == 1:  # further parts follow an answer whose files were shared
            await SlackVerbs(self._responder, request).upload(replies[0], FileLocation.DIRECT)

    async def refresh_after(self, request: Request, action: ButtonAction) -> None:
        """Publish App Home again after a button elsewhere deleted the user's data.

        Raises:
            SendError: where Slack refuses the view.
        """
        command, _, confirmed = action.command.partition(" ")
        if command == FORGET.name and confirmed:
            # With a button, since deleting all data must not send the welcome again.
            await self.publish(request, _LATEST)

    async def _commands(self, request: Request) -> list[Command]:
        """Return the commands that the user may run."""
        actor = await self._responder.actor(request)
        return [each for each in self._responder.app.commands if is_of_use(actor, each)]


def in_short(reply: Reply) -> Reply:
    """Return an answer whose lists have no line of text below each title."""
    blocks = (
        replace(block, papers=tuple(replace(paper, line=None) for paper in block.papers))
        if isinstance(block, PaperList)
        else block
        for block in reply.blocks
    )
    return replace(reply, blocks=tuple(blocks))


def home_view(top: Sequence[_Block], answers: Iterable[Rendered]) -> _Block:
    """Return the view of App Home with answers one below the other."""
    blocks = list(top)
    for section, rendered in enumerate(answers):
        unique = (_with_unique_ids(block, section) for block in rendered.blocks)
        blocks += [{"type": "divider"}, *unique]
    return {"type": "home", "blocks": blocks}


def _top_blocks(commands: Sequence[Command], *, has_back: bool) -> list[_Block]:
    """Return the title and the row of buttons."""
    names = {command.name for command in commands}
    if has_back:
        labelled = [(_BACK, _LATEST.command), _BRIEF, *_BUTTONS]
    else:
        labelled = [_BRIEF, ("Latest edition", _LATEST.command), *_BUTTONS]
    actions = [(label, ButtonAction(Effect.RUN, name)) for label, name in labelled if name in names]
    row = [_search_button(), *(button(*each, number) for number, each in enumerate(actions))]
    return [
        {"type": "header", "text": plain_text("Broadsheet")},
        {"type": "actions", "elements": row},
    ]


def _search_button() -> _Block:
    return {
        "type": "button",
        "text": plain_text("Search"),
        "action_id": OPEN_SEARCH,
        "style": "primary",
    }


def _existing_sections(commands: Sequence[Command]) -> list[ButtonAction]:
    names = {command.name for command in commands}
    return [action for action in _SECTIONS if action.command in names]


def _with_unique_ids(block: _Block, section: int) -> _Block:
    """Return a block whose action ids are unique among the sections of the view."""
    changed = {**block}
    if block["type"] == "actions":
        changed["elements"] = [_with_unique_id(each, section) for each in block["elements"]]
    if "accessory" in block:
        changed["accessory"] = _with_unique_id(block["accessory"], section)
    return changed


def _with_unique_id(element: _Block, section: int) -> _Block:
    return {**element, "action_id": f"{element['action_id']}-{section}"}
