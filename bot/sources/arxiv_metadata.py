"""Metadata of the papers from arXiv's API, refreshed in batches.

due ids | wait for a slot | fetch | read | store, and again until none is due

Answers are Atom feeds with an entry for each paper:
https://info.arxiv.org/help/api/user-manual.html, 3.3 and 3.4 for errors. The format has no field
for a withdrawal. Authors state one at the beginning of the comment or of the abstract
(https://info.arxiv.org/help/withdraw.html) in words of their own; only known wordings count, since
other papers are about withdrawn ones.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from urllib.parse import quote
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, ParseError, XMLParser
from xml.parsers import expat

from bot.clock import Clock
from bot.coordination.jobs import JobOutcome
from bot.coordination.rate_limiter import RateLimit
from bot.domain.untrusted_text import without_controls
from bot.errors import DocumentError, FetchLater, PageGone, QueueFull, SourceError
from bot.sources.fetcher import Fetcher
from bot.sources.followed import next_retry
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

_ATOM, _ARXIV = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"

# Newer answers have https, https://info.arxiv.org/help/arxiv_identifier.html
_PAPER = re.compile(r"https?://(?:www\.|export\.)?arxiv\.org/abs/(?P<id>\S+?)v(?P<version>\d{1,4})")

# The id of the entry in place of a paper where a request was refused.
_ERROR = re.compile(r"https?://(?:export\.)?arxiv\.org/api/errors")
_REFUSED_ID = re.compile(r"incorrect id format for (?P<id>\S+)")
_SUBJECT_CLASS = re.compile(r"\.[a-z]{2}(?=/)")
_LONGEST_WORDS = 200
_NOUN = (
    r"(?:paper|article|manuscript|submission|preprint|e-?print|document|work|report|note|version)"
)
_GONE = r"(?:withdrawn|retracted)"
_WHO = (
    r"(?:(?:the|its|their|all|both|first|corresponding|submitting)\s)*"
    r"(?:authors?|author\(s\)|submitters?|arXiv)\b"
)

# A paper may also be withdrawn from a conference.
_FROM_HERE = r"(?!\sfrom\s(?!arXiv\b|the\sarXiv\b))"

# "This paper has been withdrawn", "The authors have withdrawn this paper", "We withdraw our paper".
_SENTENCE = (
    rf"(?:this|the|the\spresent|our)\s{_NOUN}\s"
    rf"(?:(?:has|have)(?:\s(?:now|since))?\sbeen|was|is(?:\s(?:now|being))?)"
    rf"\s(?:temporarily\s)?{_GONE}\b{_FROM_HERE}"
    rf"|(?:this|the)\s{_NOUN}\s(?:has\sbeen|was)\sremoved\sby\sarXiv\b"
    rf"|(?:{_WHO}|we|I)\s(?:(?:have|has|hereby|wish\sto|would\slike\sto|decided\sto)\s)*"
    rf"(?:withdraw|withdrew|withdrawn|retract|retracted)\s(?:this|the|our|my)\s{_NOUN}\b{_FROM_HERE}"
)

# "Withdrawn by the authors", "Paper withdrawn due to an error", and the bare word.
_REMARK = (
    rf"(?:{_NOUN}\s)?(?:temporarily\s)?{_GONE}"
    rf"(?:\s*[.;!)\]]|\s*$|\sby\s{_WHO}|\sfrom\s(?:the\s)?arXiv\b"
    r"|,?\s(?:due\sto|because|pending|in\sfavou?r\sof|owing\sto)\b)"
)
_ADMIN = r"(?:arXiv\sadmin\s(?:note|comment)\s?:\s*)?"
_BEGINS = re.compile(rf"[\W_]*{_ADMIN}(?:{_SENTENCE}|{_REMARK})", re.IGNORECASE)

# A comment often names pages and figures first.
_SAYS = re.compile(rf"(?<=[.;!])\s{_ADMIN}(?:{_SENTENCE})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ArxivAnswer:
    """An answer of arXiv: papers, or the reason for a refusal in its own words.

    `refused_id` is the id that the request was refused for, if the answer names it.
    """

    papers: tuple[ArxivPaper, ...] = ()
    refused: str | None = None
    refused_id: str | None = None


class MetadataRefresh:
    """Fetches the metadata of the papers that editions mention.

    `clock` is the clock of editions, which a setting may move, `system_clock` the one that no
    setting moves; `acquire` waits for a slot of rate limits, as `RateLimiter.acquire` does; `api`
    is the address of arXiv's API.
    """

    def __init__(  # noqa: PLR0913 - two clocks beside the store and the ports
        self,
        database: Database,
        fetcher: Fetcher,
        clock: Clock,
        system_clock: Clock,
        acquire: Callable[[Sequence[RateLimit]], Awaitable[None]],
        *,
        api: str,
    ) -> None:
        self._database = database
        self._fetcher = fetcher
        self._clock = clock
        self._system_clock = system_clock
        self._acquire = acquire
        self._api = api

    async def run(self, failures: int) -> JobOutcome:
        """Refresh all papers that are due; return when to run again, after so many failures.

        Stored metadata stays where a later request fails; the rest is fetched the next time.

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
            at = next_retry(failures + 1, error.after, self._system_clock.now(), spread=0.0)
            return JobOutcome(at, failed=True, reason=error.sentence)
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

    async def _answer(self, ids: Sequence[str]) -> ArxivAnswer:
        await self._acquire([RATE_LIMIT])
        try:
            page = await self._fetcher.fetch(self._url(ids), accept=_TYPES, most=_LONGEST_ANSWER)
        except PageGone as error:
            if error.status not in _REFUSALS:
                raise
            return ArxivAnswer(refused=error.sentence.rstrip("."))
        # A request without validators is never answered by "not modified".
        return read_answer(page.body) if page else ArxivAnswer()

    def _url(self, ids: Sequence[str]) -> str:
        listed = quote(",".join(ids), safe=",/")
        # Without `max_results` arXiv answers ten at most.
        return f"{self._api}?id_list={listed}&start=0&max_results={len(ids)}"

    async def _store(self, ids: Sequence[str], answer: ArxivAnswer) -> None:
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


def match_papers(ids: Sequence[str], answer: ArxivAnswer) -> list[ArxivPaper]:
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


def read_answer(body: bytes) -> ArxivAnswer:
    """Read an answer; an entry without the fields that every paper has is left out.

    Raises:
        DocumentError: if it is no Atom feed, breaks off, is not well-formed XML, or declares
            entities.
    """
    root = _tree(body)
    if root.tag != f"{_ATOM}feed":
        raise DocumentError("arXiv's answer is no Atom feed.")
    entries = root.findall(f"{_ATOM}entry")
    for entry in entries:
        if _ERROR.match(_text(entry, "id")):
            words = _text(entry, "summary")[:_LONGEST_WORDS]
            named = _REFUSED_ID.search(words)
            return ArxivAnswer(
                (), words or "an error without words", named["id"] if named else None
            )
    return ArxivAnswer(tuple(paper for entry in entries if (paper := _paper(entry))))


def normalized_id(arxiv_id: str) -> str:
    """Return an id in its normal spelling: arXiv drops `.GT` of `math.GT/…`."""
    return _SUBJECT_CLASS.sub("", arxiv_id.lower())


def _tree(body: bytes) -> Element:
    """Parse XML; entities are refused, since a few lines of them expand to gigabytes."""
    if b"<!ENTITY" in body:
        raise DocumentError("arXiv's answer declares XML entities of its own.")
    try:
        return ET.fromstring(body, XMLParser(encoding="utf-8"))  # noqa: S314 - none is left
    except ParseError as error:
        problem, line = expat.ErrorString(error.code), error.position[0]
        raise DocumentError(
            f"arXiv's answer is not well-formed XML: {problem} in line {line}."
        ) from error


def _paper(entry: Element) -> ArxivPaper | None:
    named = _PAPER.fullmatch(_text(entry, "id"))
    title = _text(entry, "title")
    submitted, updated = _instant(entry, "published"), _instant(entry, "updated")
    if not (named and title and submitted and updated):
        return None
    comment, abstract = _arxiv_text(entry, "comment"), _text(entry, "summary")
    return ArxivPaper(
        arxiv_id=named["id"],
        version=int(named["version"]),
        title=title,
        authors=tuple(_authors(entry)),
        abstract=abstract,
        categories=tuple(dict.fromkeys(_categories(entry))),
        submitted_at=submitted,
        updated_at=updated,
        comment=comment,
        journal_ref=_arxiv_text(entry, "journal_ref"),
        doi=_arxiv_text(entry, "doi"),
        withdrawn=is_withdrawn(comment, abstract),
    )


def _authors(entry: Element) -> Iterator[str]:
    names = (_text(author, "name") for author in entry.findall(f"{_ATOM}author"))
    return (name for name in names if name)


def _categories(entry: Element) -> Iterator[str]:
    """Yield the categories, the primary one first, which the others repeat."""
    found = [entry.find(f"{_ARXIV}primary_category"), *entry.findall(f"{_ATOM}category")]
    terms = (element.get("term", "").strip() for element in found if element is not None)
    return (term for term in terms if term)


def _text(element: Element, name: str) -> str:
    return _folded(element.findtext(f"{_ATOM}{name}"))


def _arxiv_text(entry: Element, name: str) -> str | None:
    return _folded(entry.findtext(f"{_ARXIV}{name}")) or None


def _folded(text: str | None) -> str:
    """Return a text on one line: arXiv wraps titles and abstracts where its own lines ended."""
    return " ".join(without_controls(text or "").split())


def _instant(entry: Element, name: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(_text(entry, name))
        return at.astimezone(UTC) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None


def is_withdrawn(comment: str | None, abstract: str) -> bool:
    """Tell whether a paper was withdrawn by its comment and abstract, each on one line."""
    if comment and (_BEGINS.match(comment) or _SAYS.search(comment)):
        return True
    return _BEGINS.match(abstract) is not None
