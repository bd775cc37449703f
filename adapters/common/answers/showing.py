"""The rules by which an answer is shown: to whom, in whose place, or not at all. Pure."""

from dataclasses import dataclass, replace

from adapters.common.layout.elements import ButtonAction, Effect
from bot.replies.blocks import Reply, Visibility


@dataclass(frozen=True, slots=True)
class Showing:
    """The way an answer is shown.

    Attributes:
        part: which part of it, from 1.
        replaces: whether it replaces the message with the button, or is a new message.
        private: whether the user alone sees it.
        share: whether it has a button that posts it to the channel.
        shared: whether the user posts it to the channel by this button.
        in_public: whether the button belongs to a post or a shared answer, which show a change.
        silent: whether nothing is shown but that change.
    """

    part: int = 1
    replaces: bool = False
    private: bool = True
    share: bool = True
    shared: bool = False
    in_public: bool = False
    silent: bool = False


def showing_of_line(*, direct: bool) -> Showing:
    """Return how the answer to a command or a message is shown.

    In a user's conversation with the bot, which is `direct`, nothing is private and nothing needs
    sharing.
    """
    return Showing(private=not direct, share=not direct)


def showing_of_press(
    action: ButtonAction, *, direct: bool, own: bool, offered: bool = False
) -> Showing:
    """Return how the answer to a button is shown. A message that everybody sees is not replaced.

    Args:
        action: what the button does.
        direct: whether its message is in the user's conversation with the bot.
        own: whether the user alone sees the message.
        offered: whether the message is the line below a mention, which offers an answer.
    """
    if action.effect is Effect.SHARE:
        return Showing(action.part, private=False, share=False, shared=True)
    alone = direct or own
    return replace(
        showing_of_line(direct=direct),
        part=action.part,
        replaces=action.effect is Effect.TURN and alone,
        in_public=not (alone or offered),
    )


def showing_of_form(*, direct: bool, own: bool) -> Showing:
    """Return how the answer to a form is shown: in place of the message with its button."""
    return replace(showing_of_line(direct=direct), replaces=direct or own)


def showing_for(requested: Showing, reply: Reply) -> Showing:
    """Return how this very reply is shown.

    An error replaces nothing and is not shared. A reply for the channel is shown to everybody. A
    quiet reply to a button of a message that everybody sees is not shown.
    """
    if reply.failed:
        private = requested.private or requested.shared
        return replace(requested, private=private, replaces=False, shared=False, silent=False)
    silent = reply.quiet and requested.in_public
    showing = requested if silent is requested.silent else replace(requested, silent=silent)
    if reply.visibility is Visibility.CHANNEL and showing.private:
        return replace(showing, private=False, share=False)
    return showing
