"""Contents of deliveries, laid out as they are now: editions, and what alerts found."""

from collections.abc import Hashable, Mapping
from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.accounts import counted_in
from bot.cache import Cache
from bot.clock import Clock
from bot.library.alerts import papers_told
from bot.library.profile import personal_picks
from bot.posting.digest.alerts import MOST_LISTED, lay_out_alerts
from bot.posting.digest.layouts import Post, lay_out_post
from bot.posting.digest.paper_list import Fits
from bot.posting.digest.personal import lay_out_personal
from store.database import Database
from store.posting.claim import ClaimedDelivery, ClaimedEdition
from store.records import Delivery, Subscription

_CACHED_POSTS = 128


class Contents:
    """Lays out what deliveries post, as of the time that `clock` has."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._editions = _EditionCache()

    async def post_of(self, work: ClaimedDelivery, platform: str, fits: Fits) -> Post | None:
        """Return the post of a delivery, `None` if there is nothing to post.

        Raises:
            StoreError: where the store can't be read.
        """
        if work.of_edition is not None:
            return self._editions.of(work.of_edition, platform, fits)
        if work.subscription is not None:
            return await self._digest_of(work.subscription, work.delivery, fits)
        found = await self._database.read(papers_told, work.delivery.id, MOST_LISTED)
        return lay_out_alerts(found, fits) if found else None

    async def _digest_of(
        self, subscription: Subscription, delivery: Delivery, fits: Fits
    ) -> Post | None:
        planned = {ref for part in delivery.parts for ref in part.refs}
        now = self._clock.now()
        picks = await self._database.read(
            personal_picks, subscription, now, delivery=delivery.id, planned=planned
        )
        day = delivery.due_at.astimezone(ZoneInfo(subscription.zone)).date()
        return lay_out_personal(picks, day, fits)


class _EditionCache:
    """The posts laid out last: at the same hour many channels get the same one."""

    def __init__(self) -> None:
        self._posts: Cache[Hashable, Post | None] = Cache(_CACHED_POSTS)

    def of(self, work: ClaimedEdition, platform: str, fits: Fits) -> Post | None:
        """Return the post of an edition with its votes, `None` if its filters select nothing."""
        subscription, edition = work.subscription, work.edition
        key = (
            platform, edition.source, edition.first_day, work.changed_at,
            subscription.layout, subscription.size, subscription.topics, subscription.not_topics,
        )  # fmt: skip
        post = self._posts.compute(key, lambda: lay_out_post(edition, subscription, fits))
        if post is None or not work.votes:
            return post
        # Votes are those of one workspace; they change nothing else of the layout.
        voted = (*key, frozenset(work.votes.items()))
        return self._posts.compute(voted, lambda: _with_votes(post, work.votes))


def _with_votes(post: Post, votes: Mapping[str, int]) -> Post:
    drafts = (replace(draft, reply=counted_in(draft.reply, votes)) for draft in post.messages)
    return replace(post, messages=tuple(drafts))
