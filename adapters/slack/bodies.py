"""What posts are sent as: each laid out and written once, whatever the channels it goes to."""

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from json import JSONEncoder

from adapters.slack.render import render_message
from bot.replies import Reply

EVENT_TYPE = "broadsheet_post"
_MOST_KEPT = 64
_json = JSONEncoder().encode
# No address in a post gets a preview card.
_NO_CARDS = b',"unfurl_links":false,"unfurl_media":false}'


@dataclass(frozen=True, slots=True)
class Shape:
    """A reply laid out: in how many messages, and what the first of them says as JSON."""

    parts: int
    said: bytes


class Bodies:
    """Writes the bodies of requests. Pure, but for what it remembers."""

    def __init__(self) -> None:
        self._shaped = lru_cache(_MOST_KEPT)(_shape)
        # To find a reply by what it says takes longer than to write a body.
        self._at_hand: OrderedDict[int, tuple[Reply, Shape]] = OrderedDict()

    def shape(self, reply: Reply) -> Shape:
        """Return how a reply is laid out."""
        found = self._at_hand.get(id(reply))
        if found and found[0] is reply:
            return found[1]
        shape = self._shaped(reply)
        self._at_hand[id(reply)] = reply, shape
        if len(self._at_hand) > _MOST_KEPT:
            self._at_hand.popitem(last=False)
        return shape

    def post(self, channel: str, key: str, reply: Reply, thread: str | None = None) -> bytes:
        """Return what posts a reply, by which message it replies to where there is one.

        https://docs.slack.dev/reference/methods/chat.postMessage
        """
        within = f'"thread_ts":{_json(thread)},' if thread else ""
        return b"".join((_head(channel, key, within), self.shape(reply).said, _NO_CARDS))

    def edit(self, channel: str, ts: str, key: str, reply: Reply) -> bytes:
        """Return what puts a reply in the place of a message.

        https://docs.slack.dev/reference/methods/chat.update
        """
        head = _head(channel, key, f'"ts":{_json(ts)},')
        return b"".join((head, self.shape(reply).said, b"}"))


def _head(channel: str, key: str, more: str) -> bytes:
    """Return what differs from message to message, its key where nobody sees it.

    https://docs.slack.dev/messaging/message-metadata
    """
    marked = f'{{"event_type":"{EVENT_TYPE}","event_payload":{{"key":{_json(key)}}}}}'
    return f'{{"channel":{_json(channel)},{more}"metadata":{marked},'.encode()


def _shape(reply: Reply) -> Shape:
    shown = render_message(reply)
    said = f'"text":{_json(shown.text)},"blocks":{_json(shown.blocks)}'
    return Shape(shown.parts, said.encode())
