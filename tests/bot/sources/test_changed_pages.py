"""A page that reads otherwise than before is told so, in words, and what was taken in stays."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from bot.domain.drafts import DocumentKind, EditionDraft
from bot.sources.fetcher import FetchedPage
from bot.sources.sync import SourceSync, SyncResult
from store.database import Database
from store.library.editions import export_editions
from store.sources import Validators, add_address, list_followed
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.formats.archive.documents import archive, row, week
from tests.bot.ingest.formats.feed.printer import Printed, print_markup, print_rss
from tests.bot.ingest.formats.newsletter.printer import print_edition
from tests.bot.ingest.formats.review.page_documents import page_of
from tests.fakes.pages import MemoryFetcher

NOW = datetime(2026, 3, 20, 9, tzinfo=UTC)
HERE = "https://here.example/weekly"
CHANGED = re.compile("mark-?up (may|seems to) have changed")
WEEK = edition(
    *(entry(rank, f"Invented Paper {rank}", f"It does thing {rank}.") for rank in range(1, 4)),
    title="The Top AI Papers of the Week (January 5-11)",
)
_DESIGN = (
    "<!doctype html><html><head><title>Spoons</title></head>"
    "<body><main><h1>All about spoons</h1><p>We have a new design.</p></main></body></html>"
)
_FEED, _REVIEW = print_rss(Printed(print_markup(WEEK))), page_of()
_ARCHIVE = archive(week("January 5 - January 11", [row(1), row(2)]))
_NEWSLETTER = print_edition("Top AI Papers", WEEK)
GOOD = {"feed": _FEED, "review": _REVIEW, "archive": _ARCHIVE, "newsletter": _NEWSLETTER}
# Without its last rows a list is another list, so that it is tried apart from the others.
_LIST = "Title,URL\nKites,https://here.example/kites\nSails,https://here.example/sails\n"
# Other documents, sound in themselves.
OTHERS = {
    "page": _DESIGN,
    "json": '{"error": "We moved."}',
    "text": "We moved.\nCome and see.\n",
    "feed": print_rss(Printed("<p>All about spoons.</p>")),
    "no posts": print_rss(),
    "xml": '<?xml version="1.0"?><urlset><url>https://here.example/</url></urlset>',
    "markdown": "# Spoons\n\n| Spoon | Shop |\n| --- | --- |\n| Large | here.example |\n",
}
# The same papers, printed so that they can't be told.
REPRINTED = {
    "feed": _FEED.replace("content:encoded", "content:short"),
    "review": page_of(("<a href='/episodes/", "<a href='/e/"), ("E20", "#20")),
    "archive": _ARCHIVE.replace("|", "!"),
    "newsletter": _NEWSLETTER.replace("(January 5-11)", ""),
}


@dataclass
class Stage:
    """A store that follows a page, which was read once."""

    database: Database
    kind: str | None
    good: str
    fetcher: MemoryFetcher = field(default_factory=MemoryFetcher)
    at: datetime = NOW

    def now(self) -> datetime:
        """Return the time."""
        return self.at

    async def begin(self) -> list[object]:
        """Take the good page in and return what is stored then."""
        await self.database.write(add_address, "weekly", HERE, self.kind)
        synced = await self.sync(self.good)
        assert synced.error is None
        return await self.stored()

    async def sync(self, text: str | bytes) -> SyncResult:
        """Fetch what is there the next day."""
        self.at += timedelta(days=1)
        body = text if isinstance(text, bytes) else text.encode()
        self.fetcher.pages[HERE] = FetchedPage(HERE, body, Validators(_etag(body)))
        [synced] = await SourceSync(self.database, self.fetcher, self).sync()
        return synced

    async def stored(self) -> list[object]:
        """Return what is stored."""
        return list(await self.database.read(export_editions))


@pytest.fixture(params=[(kind, told) for kind in GOOD for told in (True, False)], ids=str)
def stage(request: pytest.FixtureRequest, database: Database) -> Stage:
    """Return a store that follows a page of each kind, whether that was told or not."""
    kind, told = request.param
    return Stage(database, kind if told else None, GOOD[kind])


async def _check_others_are_told_as_changed(stage: Stage) -> None:
    before = await stage.begin()
    for name, text in OTHERS.items():
        synced = await stage.sync(text)
        assert (name, _is_told_as_changed(synced)) == (name, True)
        assert await stage.stored() == before
    assert (await stage.sync(stage.good)).error is None


async def test_what_reads_otherwise_is_told_as_changed(stage: Stage) -> None:
    """The page is there, so what it was last stays; a good one is taken in again."""
    await _check_others_are_told_as_changed(stage)


async def test_what_is_cut_or_of_another_type_is_told_as_it_is(stage: Stage) -> None:
    """That is no change of its markup: it comes whole again, or it is no text."""
    before = await stage.begin()
    picture = b"\x89PNG\r\n\x1a\n\x00\x00"
    for text in (stage.good[: len(stage.good) * 2 // 3], "", picture, b"Spoons \xff\n"):
        synced = await stage.sync(text)
        assert synced.error
        assert not _is_told_as_changed(synced)
        assert await stage.stored() == before


async def test_what_fails_is_asked_for_as_before(stage: Stage) -> None:
    """By the validators of the last good page, and it is told since when it fails."""
    await stage.begin()
    since = stage.at + timedelta(days=1)
    for _ in range(2):
        assert (await stage.sync(_DESIGN)).failing_since == since
    [source] = await stage.database.read(list_followed)
    assert source.addresses[0].validators == Validators(_etag(stage.good.encode()))
    assert source.addresses[0].fetched_at == since - timedelta(days=1)


async def test_a_list_that_is_none_any_more_stays(database: Database) -> None:
    """A followed list whose address now has a page or an error is left as it was."""
    await _check_others_are_told_as_changed(Stage(database, "list", _LIST))


@pytest.mark.parametrize("kind", GOOD)
async def test_a_page_that_was_never_read_has_not_changed(kind: str, database: Database) -> None:
    """A wrong address is told by what stands there."""
    stage = Stage(database, kind, GOOD[kind])
    await database.write(add_address, "weekly", HERE, kind)
    for text in (OTHERS["text"], OTHERS["json"]):
        synced = await stage.sync(text)
        assert synced.error
        assert not _is_told_as_changed(synced)


@pytest.mark.parametrize("kind", REPRINTED)
async def test_papers_in_another_print_are_told_as_changed(kind: str, database: Database) -> None:
    """The papers are there, and nothing is left of what they were told by."""
    stage = Stage(database, kind, GOOD[kind])
    before = await stage.begin()
    synced = await stage.sync(REPRINTED[kind])
    assert _is_told_as_changed(synced)
    assert await stage.stored() == before


@pytest.mark.parametrize("kind", ["newsletter", "feed", "archive"])
async def test_only_the_first_of_its_entries_are_no_news(kind: str, database: Database) -> None:
    """A page that was cut between two entries, and mended by its host, takes nothing away."""
    short = {
        "newsletter": print_edition("Top AI Papers", _first_two()),
        "feed": print_rss(Printed(print_markup(_first_two()))),
        "archive": archive(week("January 5 - January 11", [row(1)])),
    }
    stage = Stage(database, kind, GOOD[kind])
    before = await stage.begin()
    synced = await stage.sync(short[kind])
    assert "holds only the first" in (synced.error or "")
    assert await stage.stored() == before


def _etag(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()}"'


def _is_told_as_changed(synced: SyncResult) -> bool:
    return CHANGED.search(synced.error or "") is not None


def _first_two() -> EditionDraft:
    return edition(*WEEK.entries[:2], title=WEEK.title)


def test_every_kind_is_tried() -> None:
    """All but daily papers, which come in pages, and own lists, which have tests of their own."""
    assert {*GOOD} == {each.value for each in DocumentKind} - {"hf-daily", "list"}
