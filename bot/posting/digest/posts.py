"""Posts: the messages that an edition becomes in a channel, and what one of them says later.

Pure.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from bot.posting.digest.cards import Page, laid_out, pages
from bot.posting.digest.filters import kept
from bot.posting.digest.fitting import Fits, with_room_for_votes
from bot.posting.digest.listing import listing
from bot.replies.blocks import Reply, to_json
from bot.replies.papers import edition_title
from store.records import Edition, Entry, Layout, Subscription

_LONGEST_NAME = 65  # of a forum's thread, whose days after it stay whole


@dataclass(frozen=True)
class Draft:
    """One message of a post and the entries that it shows.

    It is `threaded` where it replies to the first. The root of a thread, which stands for all of
    its edition, has no `refs`.
    """

    reply: Reply
    refs: tuple[str, ...] = ()
    threaded: bool = False

    @cached_property
    def digest(self) -> str:
        """What `digest_of` says of the reply, reckoned once for all channels that get it."""
        return digest_of(self.reply)


@dataclass(frozen=True, slots=True)
class Post:
    """What an edition becomes in a channel; `topics` are slugs, the most frequent first."""

    title: str
    topics: tuple[str, ...]
    messages: tuple[Draft, ...]


def post(edition: Edition, order: Subscription, fits: Fits) -> Post | None:
    """Lay an edition out as an order wants it, `None` where its filters keep nothing.

    Args:
        edition: what is posted.
        order: whose filters and layout count.
        fits: tells whether one message holds a reply, as each of the post's will.
    """
    entries = kept(edition, order)
    if not entries:
        return None
    topics = Counter(topic for entry in entries for topic in entry.topics)
    messages = _LAYOUTS[order.layout](edition, order, entries, with_room_for_votes(fits))
    frequent = tuple(topic for topic, _ in topics.most_common())
    return Post(edition_title(edition, _LONGEST_NAME), frequent, tuple(messages))


def again(  # noqa: PLR0913 - all that is known of a message that was planned
    edition: Edition,
    order: Subscription,
    refs: Sequence[str],
    *,
    number: int,
    threaded: bool,
    fits: Fits,
) -> Reply:
    """Return what one message of a post says now that may have been posted earlier.

    The first lists what the order wants of the edition as it is now. Any other shows the entries
    that it showed, and says which of them are no longer there; so does the first of full ones.

    Args:
        edition: what was posted, as it is now.
        order: the order as it was carried out.
        refs: the entries that the message shows.
        number: which message of the post it is, from 1.
        threaded: whether it replies to the first; then it never opens the post.
        fits: tells whether one message holds a reply.
    """
    fits = with_room_for_votes(fits)
    opens = number == 1 and not threaded
    if opens and order.layout is not Layout.FULL:
        return listing(edition, order, fits, lined=bool(refs))
    known = {entry.ref: entry for entry in edition.entries}
    # A paper of the consensus may be shown by another source's entry than it was.
    known |= {other: known[ref] for other, ref in edition.others if ref in known}
    entries = tuple(known[ref] for ref in refs if ref in known)
    gone = tuple(ref for ref in refs if ref not in known)
    return laid_out(edition, order, Page(entries, gone, opens=opens), fits)


def digest_of(reply: Reply) -> str:
    """Return a digest of what a message says: 32 hexadecimal digits."""
    said = json.dumps(to_json(reply), sort_keys=True)
    return blake2b(said.encode(), digest_size=16).hexdigest()


def _compact(
    edition: Edition, order: Subscription, entries: Sequence[Entry], fits: Fits
) -> list[Draft]:
    return [Draft(listing(edition, order, fits, lined=True), _refs(entries))]


def _full(
    edition: Edition, order: Subscription, entries: Sequence[Entry], fits: Fits
) -> list[Draft]:
    split = pages(edition, order, entries, fits)
    return [Draft(laid_out(edition, order, page, fits), _refs(page.entries)) for page in split]


def _thread(
    edition: Edition, order: Subscription, entries: Sequence[Entry], fits: Fits
) -> list[Draft]:
    root = Draft(listing(edition, order, fits, lined=False))
    replies = (laid_out(edition, order, Page((entry,)), fits) for entry in entries)
    return [
        root,
        *(
            Draft(reply, (entry.ref,), threaded=True)
            for entry, reply in zip(entries, replies, strict=True)
        ),
    ]


def _refs(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(entry.ref for entry in entries)


_LAYOUTS = {Layout.COMPACT: _compact, Layout.FULL: _full, Layout.THREAD: _thread}
