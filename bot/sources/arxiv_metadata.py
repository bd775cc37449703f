"""Refresh of the papers' metadata from arXiv's API, in batches.

due ids | wait for a slot | fetch | read | store, and again until none is due
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Protocol
from urllib.parse import quote

from bot.clock import Clock
from bot.coordination.jobs import JobOutcome, backoff
from bot.coordination.rate_limiter import RateLimit
from bot.errors import DocumentError, FetchError, FetchLater, PageGone, QueueFull, SourceError
from bot.sources.arxiv_response import Answer, normalized_id, read_answer
from bot.sources.fetcher import Fetcher
from store.database import Database
from store.library import arxiv
from store.library.arxiv import ArxivPaper

_log = logging.getLogger(__name__)

# One request in three seconds of all processes together, by arXiv's terms:
# https://info.arxiv.org/help/api/tou.html
RATE_LIMIT = RateLimit("arxiv:api", 3.0)
_AT_ONCE = 100
_AGAIN = timedelta(hours=6)
# Some papers have thousands of authors.
_LONGEST_ANSWER = 16 * 1024 * 1024
_TYPES = "application/atom+xml, application/xml, text/xml"
# arXiv's answers for a malformed id, and for too many ids.
_REFUSALS = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_URI_TOO_LONG})
_MOST_REFUSALS = 20


class RequestSlots(Protocol):
    """Hands out slots over all processes, as `bot.coordination.rate_limiter` does."""

    async def acquire(self, limits: Sequence[RateLimit]) -> None:
        """Wait for a slot of these rate limits.

        Raises:
            QueueFull: where the next slot is too far away.
        """


class MetadataRefresh:
    """Fetches the metadata of the papers that editions mention.

    Args:
        database: the store.
        fetcher: fetches arXiv's answers.
        clock: the clock of editions, which a setting may move.
        system_clock: the clock that no setting moves.
        slots: hands out the slots of arXiv's rate limit.
        api: the address of arXiv's API.
    """

    def __init__(  # noqa: PLR0913 - two clocks beside the store and the ports
        self,
        database: Database,
        fetcher: Fetcher,
        clock: Clock,
        system_clock: Clock,
        slots: RequestSlots,
        *,
        api: str,
    ) -> None:
        self._database = database
        self._fetcher = fetcher
        self._clock = clock
        self._system_clock = system_clock
        self._slots = slots
        self._api = api

    async def run(self, failures: int) -> JobOutcome:
        """Refresh all papers that are due; return when to run again.

        Stored metadata stays where a later request fails; the rest is fetched the next time.

        Args:
            failures: the number of failures in a row before.

        Raises:
            StoreError: where the store can't be read or written.
        """
        try:
            await self._refresh_all()
        except QueueFull as error:  # another process sent a request just now
            return JobOutcome(
                self._system_clock.now() + timedelta(seconds=error.after or RATE_LIMIT.every)
            )
        except SourceError as error:
            return self._failed(error, failures + 1)
        return JobOutcome(self._system_clock.now() + _AGAIN)

    async def _refresh_all(self) -> None:
        """Send requests until nothing is due; split a refused one into halves."""
        halves: list[Sequence[str]] = []
        refusals = 0
        while ids := halves.pop() if halves else await self._due():
            answer = await self._answer(ids)
            if answer.refused is None or len(ids) == 1:
                await self._store(ids, answer)
                continue
            refusals += 1
            if refusals > _MOST_REFUSALS:
                raise DocumentError(f"arXiv refuses what it is asked: {answer.refused}.")
            halves += split_question(ids, answer.refused_id)

    async def _due(self) -> Sequence[str]:
        today = self._clock.now().date()
        return await self._database.read(arxiv.due, self._system_clock.now(), today, _AT_ONCE)

    async def _answer(self, ids: Sequence[str]) -> Answer:
        await self._slots.acquire([RATE_LIMIT])
        try:
            page = await self._fetcher.fetch(self._url(ids), accept=_TYPES, most=_LONGEST_ANSWER)
        except PageGone as error:
            if error.status not in _REFUSALS:
                raise
            return Answer(refused=error.sentence.rstrip("."))
        # A request without validators is never answered by "not modified".
        return read_answer(page.body) if page else Answer()

    def _url(self, ids: Sequence[str]) -> str:
        listed = quote(",".join(ids), safe=",/")
        # Without `max_results` arXiv answers ten at most.
        return f"{self._api}?id_list={listed}&start=0&max_results={len(ids)}"

    async def _store(self, ids: Sequence[str], answer: Answer) -> None:
        """Store the metadata of an answer.

        Raises:
            FetchLater: where the answer has none of several papers. arXiv answers so at times, and
                to a repeated request too: https://github.com/lukasschwab/arxiv.py/issues/129
        """
        papers = match_papers(ids, answer)
        now, changed_at = self._system_clock.now(), self._clock.now()
        is_news = await self._database.write(arxiv.store_answers, ids, papers, now, changed_at)
        facts = {"requested": len(ids), "found": len(papers), "changed": is_news}
        _log.info("arxiv_refreshed", extra=facts)
        if not papers and len(ids) > 1:
            raise FetchLater(f"arXiv says nothing of any of {len(ids)} papers.")

    def _failed(self, error: SourceError, failures: int) -> JobOutcome:
        after = error.after if isinstance(error, FetchError) else None
        wait = max(backoff(failures), timedelta(seconds=after or 0.0))
        return JobOutcome(self._system_clock.now() + wait, failed=True, reason=error.sentence)


def match_papers(ids: Sequence[str], answer: Answer) -> list[ArxivPaper]:
    """Return the papers of an answer under the ids of the request, as we spell them. Pure."""
    papers = {normalized_id(paper.arxiv_id): paper for paper in answer.papers}
    return [
        replace(papers[normalized_id(arxiv_id)], arxiv_id=arxiv_id)
        for arxiv_id in ids
        if normalized_id(arxiv_id) in papers
    ]


def split_question(ids: Sequence[str], refused: str | None) -> list[Sequence[str]]:
    """Split a request: the id that it was refused for and the others, else its halves. Pure."""
    if refused is not None and refused in ids:
        return [[refused], [other for other in ids if other != refused]]
    half = len(ids) // 2
    return [ids[:half], ids[half:]]
