"""What posts are sent as: each laid out and written once, whatever the channels it goes to."""

from dataclasses import dataclass
from functools import lru_cache
from json import dumps
from json.encoder import encode_basestring_ascii

from adapters.slack.render import render_message
from bot.cache import Cache, Identity
from bot.replies.blocks import Reply

EVENT_TYPE = "broadsheet_post"
_MOST_KEPT = 64
# What chooses how to write a value would take as long as all else.
_json = encode_basestring_ascii
# A message's key stands where nobody sees it: https://docs.slack.dev/messaging/message-metadata
_MARKED = f',"metadata":{{"event_type":"{EVENT_TYPE}","event_payload":{{"key":'
# No address in a post gets a preview card.
_NO_CARDS = b',"unfurl_links":false,"unfurl_media":false}'


@dataclass(frozen=True, slots=True)
class Shape:
    """A reply laid out: in how many messages, and what the first of them says as JSON.

    `posted` and `edited` are what follows the key in a body.
    """

    parts: int
    posted: bytes
    edited: bytes


class Bodies:
    """Writes the bodies of requests. Pure, but for what it remembers."""

    def __init__(self) -> None:
        self._shaped = lru_cache(_MOST_KEPT)(_shape)
        # To find a reply by what it says takes longer than to write a body.
        self._at_hand: Cache[Identity[Reply], Shape] = Cache(_MOST_KEPT)

    def shape(self, reply: Reply) -> Shape:
        """Return how a reply is laid out."""
        return self._at_hand.compute(Identity(reply), lambda: self._shaped(reply))

    def post(self, channel: str, key: str, reply: Reply, thread: str | None = None) -> bytes:
        """Return what posts a reply, by which message it replies to where there is one.

        https://docs.slack.dev/reference/methods/chat.postMessage
        """
        within = f',"thread_ts":{_json(thread)}' if thread else ""
        head = f'{{"channel":{_json(channel)}{within}{_MARKED}{_json(key)}'
        return head.encode() + self.shape(reply).posted

    def edit(self, channel: str, ts: str, key: str, reply: Reply) -> bytes:
        """Return what puts a reply in the place of a message.

        https://docs.slack.dev/reference/methods/chat.update
        """
        head = f'{{"channel":{_json(channel)},"ts":{_json(ts)}{_MARKED}{_json(key)}'
        return head.encode() + self.shape(reply).edited


def _shape(reply: Reply) -> Shape:
    shown = render_message(reply)
    blocks = dumps(shown.blocks)
    said = f'}}}},"text":{dumps(shown.text)},"blocks":{blocks}'.encode()
    return Shape(shown.parts, said + _NO_CARDS, said + b"}")
