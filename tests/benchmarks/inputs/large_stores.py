"""Build stores of any size from a few hundred entries, written as an import writes.

The texts are nonsense, but their words are as frequent as in the original: titles are joined from
halves of titles, all other text from whole sentences.
"""

import asyncio
import random
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from bot.domain.drafts import DocumentKind, EditionDraft, EntryDraft, ParseOptions, YearRule
from bot.ingest import documents
from bot.ingest.decide import contribute, decide
from store.database import Session
from store.imports import apply_edition
from store.records import Highlight, Link, Source
from tests.benchmarks.inputs.setup import Stage, opened

_ENTRIES_OF_A_WEEK = 10
_WEEKS_OF_A_SOURCE = 500
_WEEKS_AT_ONCE = 20  # in one transaction
_NEWEST_WEEK = date(2026, 1, 5)
_NOW = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Pool:
    """The pieces of generated texts. `shapes` are the original entries, whose lengths are kept."""

    shapes: Sequence[EntryDraft]
    titles: Sequence[str]
    sentences: Sequence[str]
    leads: Sequence[str | None]


def grow(stage: Stage, papers: int) -> Path:
    """Return a store with so many papers of the stage's archive's kind, the same each time.

    At most 100,000: each has an arXiv id of its own, whose last part has five digits.
    """
    path = stage.folder / f"grown-{papers}.db"
    if path.exists():
        return path
    shutil.copy(stage.empty, path)
    pool = pool_of(stage.archive.read_bytes())

    weeks = papers // _ENTRIES_OF_A_WEEK

    def write(session: Session, first: int) -> None:
        for number in range(first, min(first + _WEEKS_AT_ONCE, weeks)):
            _write(session, *week(pool, number))

    with opened(path) as database:
        asyncio.run(database.write_each(write, range(0, weeks, _WEEKS_AT_ONCE)))
    return path


def pool_of(archive: bytes) -> Pool:
    """Split the texts of an archive into pieces."""
    document = documents.read("archive.md", archive).document
    parsed = documents.parse(document, ParseOptions(_NOW.date()))
    shapes = [entry for edition in parsed.editions for entry in edition.entries]
    bullets = [bullet for entry in shapes for bullet in entry.highlights]
    texts = [*(entry.summary or "" for entry in shapes), *(bullet.text for bullet in bullets)]
    return Pool(
        shapes,
        titles=[entry.title for entry in shapes],
        sentences=[sentence for text in texts for sentence in _sentences(text)],
        leads=[bullet.lead for bullet in bullets],
    )


def week(pool: Pool, number: int) -> tuple[Source, EditionDraft]:
    """Return the edition of a number from 0, with its source: the newest week first."""
    place, ago = divmod(number, _WEEKS_OF_A_SOURCE)
    monday = _NEWEST_WEEK - timedelta(weeks=ago)
    chance = random.Random(number)  # noqa: S311 - texts that repeat, not a secret
    first = number * _ENTRIES_OF_A_WEEK
    entries = (
        _entry(pool, chance, rank, f"{monday:%y%m}.{first + rank - 1:05}")
        for rank in range(1, _ENTRIES_OF_A_WEEK + 1)
    )
    draft = EditionDraft(
        line=0,
        kind=DocumentKind.ARCHIVE,
        title=f"Grown Papers of the Week {ago}",
        first_day=monday,
        last_day=monday + timedelta(days=6),
        year_rule=YearRule.HEADING,
        entries=tuple(entries),
    )
    return Source(f"grown-{place}", f"Grown Papers {place}"), draft


def _entry(pool: Pool, chance: random.Random, rank: int, arxiv_id: str) -> EntryDraft:
    shape = chance.choice(pool.shapes)
    highlights = (
        Highlight(chance.choice(pool.leads), _text(pool, chance, bullet.text))
        for bullet in shape.highlights
    )
    return EntryDraft(
        line=0,
        rank=rank,
        title=_title(*chance.choices(pool.titles, k=2)),
        summary=_text(pool, chance, shape.summary or ""),
        highlights=tuple(highlights),
        links=(Link("Paper", f"https://arxiv.org/abs/{arxiv_id}"),),
    )


def _title(one: str, other: str) -> str:
    """Join the first half of a title, by words, and the second half of another."""
    first, last = one.split(), other.split()
    return " ".join(first[: (len(first) + 1) // 2] + last[len(last) // 2 :])


def _text(pool: Pool, chance: random.Random, shape: str) -> str:
    return " ".join(chance.choices(pool.sentences, k=len(_sentences(shape))))


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence]


def _write(session: Session, source: Source, draft: EditionDraft) -> None:
    contribution = contribute(draft, sample=False)
    change = decide(source.slug, draft, contribution, stored=None).change
    if change:
        apply_edition.apply(session, source, change, None, _NOW)
