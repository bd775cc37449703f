"""Asking arXiv about papers, a batch after the other.

ids that are due | wait for a turn | ask | read | note, and again until none is due
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Protocol
from urllib.parse import quote

from bot.clock import Clock
from bot.coordination.jobs import Ended, backed_off
from bot.coordination.rate_limiter import Lane
from bot.errors import Crowded, DocumentError, FetchError, FetchLater, PageGone, SourceError
from bot.sources.arxiv_response import Answer, read_answer, same_id
from bot.sources.fetcher import Fetcher
from store.database import Database
from store.library import arxiv
from store.library.arxiv import ArxivPaper

_log = logging.getLogger(__name__)

# One request in three seconds of all processes together, as arXiv's terms have it:
# https://info.arxiv.org/help/api/tou.html
LANE = Lane("arxiv:api", 3.0)
_AT_ONCE = 100
_AGAIN = timedelta(hours=6)
# Some papers have thousands of authors.
_LONGEST_ANSWER = 16 * 1024 * 1024
_TYPES = "application/atom+xml, application/xml, text/xml"
# So it answers where an id has no good form, and where it is asked about too many.
_REFUSALS = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_URI_TOO_LONG})
_MOST_REFUSALS = 20


class Turns(Protocol):
    """Hands out turns over all processes, as `bot.coordination.rate_limiter.Lanes` does."""

    async def turn(self, lanes: Sequence[Lane]) -> None:
        """Wait until a request may leave that counts in these lanes.

        Raises:
            Crowded: where that is too far away.
        """


class Enriching:
    """Asks arXiv about the papers that editions mention.

    Args:
        database: the store.
        fetcher: gets what arXiv answers.
        clock: the time, which a setting may move; editions go by it.
        wall: the time that no setting moves.
        turns: says when arXiv may be asked.
        api: where arXiv answers.
    """

    def __init__(  # noqa: PLR0913 - the two clocks stand beside what is asked and noted
        self,
        database: Database,
        fetcher: Fetcher,
        clock: Clock,
        wall: Clock,
        turns: Turns,
        *,
        api: str,
    ) -> None:
        self._database = database
        self._fetcher = fetcher
        self._clock = clock
        self._wall = wall
        self._turns = turns
        self._api = api

    async def run(self, failures: int) -> Ended:
        """Ask about all that is to be asked about; return when to do that again.

        What was noted stays where something goes wrong then, and the rest is asked about later.

        Args:
            failures: how often in a row it went wrong before.

        Raises:
            StoreError: where the store can't be read or written.
        """
        try:
            await self._ask_all()
        except Crowded as error:  # another process has only just asked
            return Ended(self._wall.now() + timedelta(seconds=error.after or LANE.every))
        except SourceError as error:
            return self._failed(error, failures + 1)
        return Ended(self._wall.now() + _AGAIN)

    async def _ask_all(self) -> None:
        """Ask until nothing is due; of a question that is refused ask each half."""
        halves: list[Sequence[str]] = []
        refusals = 0
        while ids := halves.pop() if halves else await self._due():
            answer = await self._answer(ids)
            if answer.refused is None or len(ids) == 1:
                await self._note(ids, answer)
                continue
            refusals += 1
            if refusals > _MOST_REFUSALS:
                raise DocumentError(f"arXiv refuses what it is asked: {answer.refused}.")
            halves += parted(ids, answer.refused_id)

    async def _due(self) -> Sequence[str]:
        today = self._clock.now().date()
        return await self._database.read(arxiv.due, self._wall.now(), today, _AT_ONCE)

    async def _answer(self, ids: Sequence[str]) -> Answer:
        await self._turns.turn([LANE])
        try:
            page = await self._fetcher.fetch(self._url(ids), accept=_TYPES, most=_LONGEST_ANSWER)
        except PageGone as error:
            if error.status not in _REFUSALS:
                raise
            return Answer(refused=error.sentence.rstrip("."))
        # It was asked for without validators, so that it can't be as it was.
        return read_answer(page.body) if page else Answer()

    def _url(self, ids: Sequence[str]) -> str:
        asked = quote(",".join(ids), safe=",/")
        # Ten is how many it tells of where it is not told how many.
        return f"{self._api}?id_list={asked}&start=0&max_results={len(ids)}"

    async def _note(self, ids: Sequence[str], answer: Answer) -> None:
        """Note what was said.

        Raises:
            FetchLater: where that was nothing of any of several papers. arXiv gives such answers
                at times, and the next one is no better:
                https://github.com/lukasschwab/arxiv.py/issues/129
        """
        told = answered(ids, answer)
        now, changed_at = self._wall.now(), self._clock.now()
        is_news = await self._database.write(arxiv.note, ids, told, now, changed_at)
        facts = {"papers": len(ids), "told": len(told), "news": is_news}
        _log.info("arxiv_asked", extra=facts)
        if not told and len(ids) > 1:
            raise FetchLater(f"arXiv says nothing of any of {len(ids)} papers.")

    def _failed(self, error: SourceError, failures: int) -> Ended:
        after = error.after if isinstance(error, FetchError) else None
        wait = max(backed_off(failures), timedelta(seconds=after or 0.0))
        return Ended(self._wall.now() + wait, failed=True, reason=error.sentence)


def answered(ids: Sequence[str], answer: Answer) -> list[ArxivPaper]:
    """Return what was said of ids that were asked about, each under the id as we have it. Pure."""
    papers = {same_id(paper.arxiv_id): paper for paper in answer.papers}
    return [
        replace(papers[same_id(each)], arxiv_id=each) for each in ids if same_id(each) in papers
    ]


def parted(ids: Sequence[str], refused: str | None) -> list[Sequence[str]]:
    """Part a question: the id that it was refused for and the others, else its halves. Pure."""
    if refused is not None and refused in ids:
        return [[refused], [each for each in ids if each != refused]]
    half = len(ids) // 2
    return [ids[:half], ids[half:]]
