"""The destination of the answer to a pressed button. Pure."""

from enum import Enum

from adapters.slack.render.buttons import ButtonAction, Verb
from adapters.slack.requests.payloads import Payload, Request
from bot.replies.blocks import Reply


class Destination(Enum):
    """The place where the answer to a pressed button is shown."""

    ORIGINAL = "replaces the message with the button"
    EPHEMERAL = "an ephemeral message to the user"
    MESSAGE = "the next message in the conversation with the bot"
    HOME = "App Home"
    MODAL = "the modal with the button"


def destination_of(body: Payload, request: Request, action: ButtonAction) -> Destination:
    """Return where a button asks its answer to be shown.

    Turning a page replaces a message that only the user sees; a shared message stays as it is.
    """
    view = body.get("view")
    if view:
        return Destination.HOME if view.get("type") == "home" else Destination.MODAL
    # The bot may not be in the conversation of an ephemeral message or of a card under a link.
    is_card = (body.get("container") or {}).get("type") == "message_attachment"
    is_direct = request.is_direct and not request.is_ephemeral and not is_card
    if action.verb is Verb.TURN and (request.is_ephemeral or is_direct):
        return Destination.ORIGINAL
    return Destination.MESSAGE if is_direct else Destination.EPHEMERAL


def destination_for(requested: Destination, reply: Reply, request: Request) -> Destination | None:
    """Return where this very reply is shown, `None` if it is not shown at all.

    An error never replaces the message. A quiet reply is not shown where the button belongs to a
    message that everybody sees.
    """
    if reply.failed and requested is Destination.ORIGINAL:
        return Destination.EPHEMERAL if request.is_ephemeral else Destination.MESSAGE
    is_shared = requested is Destination.EPHEMERAL and not request.is_ephemeral
    return None if reply.quiet and not reply.failed and is_shared else requested
