"""The way an answer is displayed: where, and to whom. Pure."""

from dataclasses import dataclass, replace

from adapters.common.layout.elements import ButtonElement, Effect
from adapters.discord.interactions.context import Origin
from adapters.discord.render.buttons import ButtonAction, Verb
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import command_string, parse
from bot.replies.blocks import Reply, Visibility


@dataclass(frozen=True, slots=True)
class Display:
    """The way an answer is displayed.

    Attributes:
        part: which part of it is shown, from 1.
        update: whether it replaces the message with the button, or is a new message.
        ephemeral: whether only the user sees it.
        share: whether it has a button that posts it to the channel.
        shared_by: the id of the user who posts it to the channel.
        in_public: whether the button belongs to a post or a shared answer, which show a change.
        silent: whether nothing is shown.
    """

    part: int = 1
    update: bool = False
    ephemeral: bool = True
    share: bool = True
    shared_by: int | None = None
    in_public: bool = False
    silent: bool = False


def display_of_command(origin: Origin) -> Display:
    """Return how the answer to a command is displayed: ephemeral except in direct messages."""
    return Display(ephemeral=not origin.is_direct, share=not origin.is_direct)


def display_of_action(
    action: ButtonAction, origin: Origin, user: int, *, in_ephemeral: bool, in_offer: bool = False
) -> Display:
    """Return how the answer to a button is displayed.

    Args:
        action: the button's action.
        origin: where it was pressed.
        user: the id of the user.
        in_ephemeral: whether the button belongs to an ephemeral message.
        in_offer: whether it belongs to the line below a mention.
    """
    if action.verb is Verb.SHARE:
        return Display(action.part, ephemeral=False, share=False, shared_by=user)
    direct = origin.is_direct
    # A message that everybody sees is never replaced.
    update = action.verb is Verb.TURN and (in_ephemeral or direct)
    in_public = not (direct or in_ephemeral or in_offer)
    return Display(action.part, update, ephemeral=not direct, share=not direct, in_public=in_public)


def display_of_modal(origin: Origin, *, in_ephemeral: bool) -> Display:
    """Return how the answer to a modal is displayed: it replaces the message with its button."""
    direct = origin.is_direct
    return Display(update=in_ephemeral or direct, ephemeral=not direct, share=not direct)


def display_for(requested: Display, reply: Reply) -> Display:
    """Return how this very reply is displayed.

    An error is ephemeral and replaces nothing. A reply for the channel is shown to everybody. A
    quiet reply to a button of a public message is not shown.
    """
    display = requested
    silent = reply.quiet and display.in_public and not reply.failed
    if silent != display.silent:
        display = replace(display, silent=silent)
    if reply.failed and display.shared_by is not None:
        return replace(display, ephemeral=True, shared_by=None)
    if reply.failed and display.update:
        return replace(display, update=False)
    if reply.visibility is Visibility.CHANNEL and display.ephemeral:
        return replace(display, ephemeral=False, share=False)
    return display


def extra_buttons(reply: Reply) -> tuple[ButtonElement, ...]:
    """Return the buttons that an answer has beside its own: Refine, for a search."""
    command = reply.command or ""
    if command.partition(" ")[0] != SEARCH.name:
        return ()
    # A changed search has other pages.
    first_page = parse(command, [SEARCH]).arguments | {"page": None}
    return (ButtonElement("Refine", command_string(SEARCH, first_page), Effect.FORM),)
