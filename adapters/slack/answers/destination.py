"""Where the answer to a pressed button goes. Pure."""

from enum import Enum

from adapters.slack.render.buttons import Press, Verb
from adapters.slack.requests.payloads import Payload, Request
from bot.replies.blocks import Reply


class Place(Enum):
    """Where the answer to a pressed button goes."""

    INSTEAD = "in place of what was pressed"
    BELOW = "to the asker alone, below"
    AFTER = "in the conversation with the bot, as its next message"
    HOME = "App Home"
    MODAL = "the window that was pressed in"


def place_of(body: Payload, request: Request, press: Press) -> Place:
    """Return where the answer to a pressed button goes.

    Turning a page changes the message that one alone sees; what everybody sees stays.
    """
    view = body.get("view")
    if view:
        return Place.HOME if view.get("type") == "home" else Place.MODAL
    # What one alone sees, and a card under a link, may stand where the bot has no part.
    card = (body.get("container") or {}).get("type") == "message_attachment"
    direct = request.is_direct and not request.alone and not card
    if press.verb is Verb.TURN and (request.alone or direct):
        return Place.INSTEAD
    return Place.AFTER if direct else Place.BELOW


def fitting(place: Place, reply: Reply, request: Request) -> Place | None:
    """Return where this very answer to a pressed button goes, `None` where nothing is said.

    An error leaves what was pressed. A quiet answer needs no words where all see the message that
    was pressed in.
    """
    if reply.failed and place is Place.INSTEAD:
        return Place.BELOW if request.alone else Place.AFTER
    if reply.quiet and not reply.failed and place is Place.BELOW and not request.alone:
        return None
    return place
