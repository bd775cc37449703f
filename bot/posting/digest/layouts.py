"""Posts: the messages that an edition becomes in a channel, and their redrawing later. Pure."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from bot.posting.digest.cards import PostPage, lay_out_page, pages
from bot.posting.digest.filters import selected_entries
from bot.posting.digest.paper_list import Fits, lay_out_list
from bot.replies.blocks import Reply, to_json
from bot.replies.paper_actions import with_votes
from bot.replies.papers import edition_title
from store.records import Edition, Entry, Layout, Subscription

_LONGEST_NAME = 65  # of a forum's thread, whose days after it stay whole
_MANY_VOTES = 9_999  # more than a workspace has readers


@dataclass(frozen=True)
class Draft:
    """One message of a post, laid out, and the refs of the entries that it shows.

    A `threaded` message replies to the first. The root of a thread, which stands for all of its
    edition, has no `refs`.
    """

    reply: Reply
    refs: tuple[str, ...] = ()
    threaded: bool = False

    @cached_property
    def digest(self) -> str:
        """The content digest, computed once for all channels."""
        return content_digest(self.reply)


@dataclass(frozen=True, slots=True)
class Post:
    """The messages that an edition becomes; `topics` are slugs, the most frequent first."""

    title: str
    topics: tuple[str, ...]
    messages: tuple[Draft, ...]


def lay_out_post(edition: Edition, subscription: Subscription, fits: Fits) -> Post | None:
    """Lay an edition out for a subscription; return `None` if its filters select nothing."""
    entries = selected_entries(edition, subscription)
    if not entries:
        return None
    fits = with_room_for_votes(fits)
    match subscription.layout:
        case Layout.COMPACT:
            listed = lay_out_list(edition, subscription, fits)
            messages = [Draft(listed, _refs(entries))]
        case Layout.FULL:
            messages = [
                Draft(lay_out_page(edition, subscription, page, fits), _refs(page.entries))
                for page in pages(edition, subscription, entries, fits)
            ]
        case _:  # a thread
            messages = [Draft(lay_out_list(edition, subscription, fits))]
            for place, entry in enumerate(entries, start=1):
                reply = lay_out_page(edition, subscription, PostPage((entry,), (place,)), fits)
                messages.append(Draft(reply, (entry.ref,), threaded=True))
    topics = Counter(topic for entry in entries for topic in entry.topics)
    frequent = tuple(topic for topic, _ in topics.most_common())
    return Post(edition_title(edition, _LONGEST_NAME), frequent, tuple(messages))


def count_messages(edition: Edition, subscription: Subscription) -> int:
    """Return how many messages a post takes where a platform takes each as it is."""
    post = lay_out_post(edition, subscription, lambda _: True)
    return len(post.messages) if post else 0


def redraw(  # noqa: PLR0913 - all that is known of a planned message
    edition: Edition,
    subscription: Subscription,
    refs: Sequence[str],
    *,
    number: int,
    threaded: bool,
    before: int,
    fits: Fits,
) -> Reply:
    """Return what one message of a post, planned or posted earlier with `refs`, shows now.

    The first lists what the subscription selects of the edition now. Any other shows the entries
    that it showed, and says which of them are gone; so does the first of a full layout.
    The `subscription` is as it was when the delivery was begun; `number` is the message's in the
    post, from 1, and `before` how many papers were planned in those before it; one that is
    `threaded` never opens the post.
    """
    fits = with_room_for_votes(fits)
    opens = number == 1 and not threaded
    if opens and subscription.layout is not Layout.FULL:
        return lay_out_list(edition, subscription, fits)
    known = {entry.ref: entry for entry in edition.entries}
    # A paper of the consensus may be shown by another source's entry than it was.
    known |= {other: known[ref] for other, ref in edition.others if ref in known}
    places = {ref: place for place, ref in enumerate(refs, start=before + 1) if ref in known}
    entries = tuple(known[ref] for ref in places)
    gone = tuple(ref for ref in refs if ref not in known)
    page = PostPage(entries, tuple(places.values()), gone, opens=opens)
    return lay_out_page(edition, subscription, page, fits)


def content_digest(reply: Reply) -> str:
    """Return a digest of what a message shows: 32 hexadecimal digits."""
    content = json.dumps(to_json(reply), sort_keys=True)
    return blake2b(content.encode(), digest_size=16).hexdigest()


def with_room_for_votes(fits: Fits) -> Fits:
    """Return a check of replies as if their papers had many votes.

    A vote then never changes the layout of a message, nor makes it too long.
    """
    return lambda reply: fits(with_votes(reply, lambda _ref: _MANY_VOTES))


def _refs(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(entry.ref for entry in entries)
