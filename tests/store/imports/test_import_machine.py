"""Imports, judgements and arXiv's notes in whatever order: the store says what its entries say.

Small editions of three sources and three weeks come, are corrected, and share ids, titles and wrong
links; operators merge and split; arXiv withdraws and takes back. After each step papers, consensus
and indexes are what they would be had all been computed from the entries at once.
"""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import false, select
from sqlmodel import col

from bot.domain.drafts import DocumentKind, EditionDraft, EntryDraft
from bot.ingest.decide import contribute, decide
from store.database import Database, Session
from store.imports import apply_edition, merge_papers
from store.library import arxiv, mentions
from store.library.arxiv import ArxivPaper
from store.library.editions import iso_week
from store.maintenance.health import check
from store.posting.queue import enqueue
from store.posting.subscriptions import add_subscription
from store.records import Edition, Mention, Source
from store.sources import CONSENSUS
from store.tables.library import EditionRow, EntryRow
from tests.conftest import few_examples, fresh_postgres
from tests.store.imports.expected_store import Noted, Shown, noted, shown, wrong
from tests.store.imports.random_editions import DAYS, ENTRIES, IDS, KINDS, Key, drafted
from tests.store.posting.delivery_rows import DUE, ORDER

BEGIN = datetime(2026, 1, 20, 9, tzinfo=UTC)
Stores = Callable[[], AbstractContextManager[str]]


class Knowing(RuleBasedStateMachine):
    """A store, and what was imported into it."""

    stores: Stores

    @initialize(samples=st.lists(st.tuples(DAYS, st.lists(ENTRIES, max_size=2)), max_size=2))
    def begin(self, samples: list[tuple[date, list[EntryDraft]]]) -> None:
        """Open a store, with some samples."""
        self.stack = ExitStack()
        self.database = Database(self.stack.enter_context(self.stores()))
        self.loop = self.stack.enter_context(asyncio.Runner())
        self.now = BEGIN
        self.drafts: dict[Key, EditionDraft] = {}
        self.before: tuple[Shown, Noted] | None = None
        self.order = self.write(add_subscription, replace(ORDER, sources=(CONSENSUS,)))
        for slug, (first_day, entries) in zip(("sample-a", "sample-b"), samples, strict=False):
            draft = drafted((slug, first_day, DocumentKind.NEWSLETTER), 6, entries)
            self.write(self._take_in, slug, draft, sample=True)

    def write(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Do something in one transaction, a minute after what was done before."""
        self.now += timedelta(minutes=1)
        return self.loop.run(self.database.write(fn, *args, **kwargs))

    def read(self, fn: Any, *args: Any) -> Any:
        """Read something."""
        return self.loop.run(self.database.read(fn, *args))

    def _take_in(self, session: Session, slug: str, draft: EditionDraft, *, sample: bool) -> None:
        before = apply_edition.load(session, slug, draft.first_day)
        decision = decide(slug, draft, contribute(draft, sample=sample), before)
        if decision.change:
            apply_edition.apply(session, Source(slug, slug), decision.change, before, self.now)

    @rule(
        data=st.data(),
        slug=st.sampled_from(sorted(KINDS)),
        first_day=DAYS,
        days=st.sampled_from([6, 6, 6, 2]),
        entries=st.lists(ENTRIES, max_size=4),
    )
    def an_edition_comes(
        self, data: st.DataObject, slug: str, first_day: date, days: int, entries: list[EntryDraft]
    ) -> None:
        """A document says something of an edition, new or not."""
        key = slug, first_day, data.draw(KINDS[slug])
        self.drafts[key] = drafted(key, days, entries)
        self.write(self._take_in, slug, self.drafts[key], sample=False)

    @precondition(lambda self: any(each.entries for each in self.drafts.values()))
    @rule(data=st.data(), changed=st.none() | ENTRIES, days=st.sampled_from([6, 2]))
    def an_edition_is_corrected(
        self, data: st.DataObject, changed: EntryDraft | None, days: int
    ) -> None:
        """One of its entries goes or becomes another; perhaps it ends on another day."""
        known = sorted(key for key, draft in self.drafts.items() if draft.entries)
        key = data.draw(st.sampled_from(known))
        entries = list(self.drafts[key].entries)
        place = data.draw(st.integers(0, len(entries) - 1))
        entries[place : place + 1] = [changed] if changed else []
        self.drafts[key] = drafted(key, days, entries)
        self.write(self._take_in, key[0], self.drafts[key], sample=False)

    @rule()
    def the_same_comes_again(self) -> None:
        """All documents are imported once more, which changes nothing."""
        for (slug, _, _), draft in self.drafts.items():
            self.write(self._take_in, slug, draft, sample=False)
        if self.before:
            assert self.read(noted) == self.before[1]

    @precondition(lambda self: self.drafts)
    @rule(data=st.data())
    def papers_are_merged(self, data: st.DataObject) -> None:
        """Somebody says that two papers are one."""
        if found := self.read(_mentioned):
            one, other = (data.draw(st.sampled_from(found)) for _ in range(2))
            self.write(merge_papers.merge, one, other, self.now + timedelta(minutes=1))

    @precondition(lambda self: self.drafts)
    @rule(data=st.data(), is_entry=st.booleans())
    def a_paper_is_split(self, data: st.DataObject, *, is_entry: bool) -> None:
        """Somebody says that a paper, or an entry, stands by itself."""
        if found := self.read(_mentioned):
            mention = data.draw(st.sampled_from(found))
            at = self.now + timedelta(minutes=1)
            self.write(merge_papers.split, mention, at, is_entry=is_entry)

    @precondition(lambda self: self.drafts)
    @rule(data=st.data())
    def papers_are_two(self, data: st.DataObject) -> None:
        """Somebody says that two mentions are of two papers."""
        if found := self.read(_mentioned):
            one, other = (data.draw(st.sampled_from(found)) for _ in range(2))
            self.write(merge_papers.separate, one, other, self.now + timedelta(minutes=1))

    @rule(number=st.sampled_from(IDS), told=st.booleans(), withdrawn=st.booleans())
    def arxiv_answers(self, number: str, *, told: bool, withdrawn: bool) -> None:
        """ArXiv says whether a paper was withdrawn, or nothing."""
        papers = [_paper(number, withdrawn=withdrawn)] if told else []
        at = self.now + timedelta(minutes=1)
        self.write(arxiv.store_answers, [number], papers, at, at)

    @rule(data=st.data())
    def a_consensus_is_owed(self, data: st.DataObject) -> None:
        """A delivery holds a consensus."""
        if found := self.read(_fused):
            self.write(enqueue, [self.order], data.draw(st.sampled_from(found)), DUE, DUE)

    @invariant()
    def it_says_what_its_entries_say(self) -> None:
        """Papers, consensus and indexes are those that the entries make."""
        if hasattr(self, "database"):
            assert self.read(wrong) == []

    @invariant()
    def who_shows_it_hears_of_every_change(self) -> None:
        """The content has another version, and each edition that differs the time of the change.

        What was posted of a consensus stays as it is where the week has none any more.
        """
        if not hasattr(self, "database"):
            return
        now: tuple[Shown, Noted] = self.read(shown), self.read(noted)
        if self.before:
            before, of_before = self.before
            assert (now[0] != before) == (now[1].version != of_before.version)
            for key in now[0].editions.keys() & before.editions:
                left = key[0] == CONSENSUS and not _has_consensus(now[0], now[0].editions[key])
                if now[0].editions[key] != before.editions[key] and not left:
                    assert now[1].changed_at[key] == self.now, key
        self.before = now

    def teardown(self) -> None:
        """The whole store is sound."""
        if hasattr(self, "database"):
            assert self.loop.run(self.database.run(check)) == []
            self.database.close()
            self.stack.close()


def _paper(number: str, *, withdrawn: bool) -> ArxivPaper:
    about = ("Kites", ("A. Flyer",), "Of kites.", ("cs.LG",))
    return ArxivPaper(number, 1, *about, BEGIN, BEGIN, withdrawn=withdrawn)


def _mentioned(session: Session) -> list[Mention]:
    refs = session.connection().scalars(select(col(EntryRow.ref)))
    return [each for ref in sorted(set(refs)) for each in mentions.by_ref(session, ref)]


def _has_consensus(store: Shown, consensus: Edition) -> bool:
    """Tell whether two sources have papers in the week of a consensus."""
    week = iso_week(consensus.first_day, consensus.last_day)
    editions = [each for each in store.editions.values() if each.source != CONSENSUS]
    of_week = [each for each in editions if iso_week(each.first_day, each.last_day) == week]
    return len({each.source for each in of_week if each.entries}) > 1


def _fused(session: Session) -> list[int]:
    query = (
        select(col(EditionRow.id))
        .where(col(EditionRow.source) == CONSENSUS, col(EditionRow.sample) == false())
        .order_by(col(EditionRow.week))
    )
    return list(session.connection().scalars(query))


@pytest.mark.parametrize("on", ["sqlite", "postgres"])
def test_the_store_says_what_its_entries_say(
    on: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Over many orders of events nothing that is made of the entries is ever behind them."""
    if on == "sqlite":
        template = request.getfixturevalue("sqlite_template")
        stores, examples = partial(_copied, template, tmp_path), few_examples()
    else:
        server = request.getfixturevalue("postgres_server")
        template = request.getfixturevalue("postgres_template")
        options = f"TEMPLATE {template} STRATEGY file_copy"
        stores, examples = partial(fresh_postgres, server, options), few_examples() // 3
    machine = type("TestedKnowing", (Knowing,), {"stores": staticmethod(stores)})
    checks = partial(settings, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(
        machine, settings=checks(max_examples=examples, stateful_step_count=15)
    )


@contextmanager
def _copied(template: Path, folder: Path) -> Iterator[str]:
    path = folder / "store.db"
    shutil.copy(template, path)
    yield f"sqlite:///{path}"
    path.unlink()
