"""Deciding: what an edition is, given what each kind of document said. All pure."""

from dataclasses import astuple, replace
from datetime import date, timedelta
from itertools import permutations

from bot.domain.drafts import DocumentKind, EditionDraft, YearRule
from bot.ingest.decide import compute, contribute, decide, draft_of, is_truncation
from store.records import StoredEdition
from tests.bot.ingest.drafts import MONDAY, edition, entry

ARCHIVE = DocumentKind.ARCHIVE


def _stored(*drafts: EditionDraft, sample: bool = False) -> StoredEdition | None:
    if not drafts:
        return None
    edition = replace(compute("dair", drafts)[0], sample=sample)
    return StoredEdition(1, edition, tuple(contribute(draft, sample=sample) for draft in drafts))


def _decide(draft: EditionDraft, *before: EditionDraft) -> tuple[str, int, int, int, int]:
    decision = decide("dair", draft, contribute(draft, sample=False), _stored(*before))
    new, changed, unchanged, removed = astuple(decision.entries)
    return decision.outcome, new, changed, unchanged, removed


def test_an_entry_may_be_taken_back() -> None:
    """An entry that a correction no longer holds is removed from the edition."""
    draft = edition(entry(1, "One"), entry(2, "Two"))
    assert _decide(edition(entry(2, "Two")), draft) == ("changed", 0, 0, 1, 1)


def test_a_correction_replaces_only_its_own_contribution() -> None:
    """What the archive said of a rank stays when the newsletter is corrected."""
    archive = edition(entry(1, "One", links=["https://arxiv.org/abs/2601.00001"]), kind=ARCHIVE)
    corrected = edition(entry(1, "One", "A summary, at last."))
    stored = _stored(archive, edition(entry(1, "One")))
    decision = decide("dair", corrected, contribute(corrected, sample=False), stored)
    assert decision.change
    [united] = decision.change.edition.entries
    assert (united.summary, united.arxiv_id) == ("A summary, at last.", "2601.00001")


def test_text_comes_whole_from_the_kind_that_says_more() -> None:
    """More highlights win, then more words; title, summary and highlights stay together."""
    newsletter = edition(entry(1, "Short", "Brief.", highlights=["one"]))
    archive = edition(entry(1, "Longer title", "A far longer summary than that."), kind=ARCHIVE)
    [chosen] = compute("dair", [archive, newsletter])[0].entries
    assert (chosen.title, chosen.summary) == ("Short", "Brief.")
    plain = edition(entry(1, "Short", "Brief."))
    [chosen] = compute("dair", [plain, archive])[0].entries
    assert (chosen.title, chosen.highlights) == ("Longer title", ())


def test_links_are_united_each_once() -> None:
    """Every address that any kind gives is kept once, in the kinds' order."""
    newsletter = edition(entry(1, "One", links=["https://a.example/1", "https://b.example/2"]))
    archive = edition(
        entry(1, "One", links=["https://b.example/2", "https://c.example/3"]), kind=ARCHIVE
    )
    [united] = compute("dair", [archive, newsletter])[0].entries
    assert [link.url[8] for link in united.links] == ["a", "b", "c"]


def test_titles_that_differ_are_a_warning_with_its_line() -> None:
    """Two titles for one rank are named; case, hyphens and accents make no difference."""
    newsletter = edition(entry(1, "Long‑Context Naïveté"), entry(2, "Apples"))
    archive = edition(entry(1, "long-context naivete"), entry(2, "Oranges"), kind=ARCHIVE)
    _, [warning] = compute("dair", [newsletter, archive])
    assert "Apples" in warning.text
    assert "Oranges" in warning.text
    assert warning.line == 2


def test_the_order_of_imports_never_matters() -> None:
    """Three kinds give the same edition in all six orders."""
    drafts = [
        edition(entry(1, "One", "Words."), entry(3, "Three")),
        edition(entry(1, "One", links=["https://a.example"]), entry(2, "Two"), kind=ARCHIVE),
        edition(entry(1, "Uno", highlights=["x"]), kind=DocumentKind.FEED, year_rule=YearRule.FEED),
    ]
    computed = {repr(compute("dair", order)) for order in permutations(drafts)}
    assert len(computed) == 1


def test_the_better_evidence_dates_the_edition() -> None:
    """A year that a heading states beats one told by the weekday, and an operator's both."""
    guessed = edition(entry(1, "One"))
    stated = edition(entry(1, "One"), kind=ARCHIVE, year_rule=YearRule.HEADING)
    said = replace(guessed, year_rule=YearRule.OPTION)
    assert compute("dair", [guessed, stated])[0].year_rule == "heading"
    assert compute("dair", [said, stated])[0].year_rule == "option"


def test_a_link_that_two_rows_carry_belongs_to_the_first() -> None:
    """An edition features a paper once: the second row with its id is reported, without it."""
    url = "https://arxiv.org/abs/2601.00001"
    computed, [warning] = compute(
        "dair", [edition(entry(1, "Owner", links=[url]), entry(2, "Borrower", links=[url]))]
    )
    assert [each.arxiv_id for each in computed.entries] == ["2601.00001", None]
    assert (warning.line, "Borrower" in warning.text) == (2, True)


def test_a_cut_off_document_is_recognised() -> None:
    """The first entries as stored and no others say nothing new; a corrected one does."""
    whole = edition(entry(1, "One"), entry(2, "Two"), entry(3, "Three"))
    stored = contribute(whole, sample=False)
    assert is_truncation(edition(entry(1, "One"), entry(2, "Two")), stored)
    assert not is_truncation(edition(entry(1, "One"), entry(2, "Deux")), stored)
    assert not is_truncation(whole, stored)


def test_refs_name_entries_for_good() -> None:
    """A ranked entry is named by source, first day and rank, an episode by its number."""
    computed = compute("dair", [edition(entry(4, "Four"))])[0]
    assert computed.entries[0].ref == "dair:2026-01-05#4"
    episode = replace(entry(1, "Talk"), rank=None, episode="E31")
    review = replace(edition(episode), kind=DocumentKind.REVIEW, year_rule=None)
    computed = compute("paperdive", [review])[0]
    assert (computed.entries[0].ref, computed.kind) == ("paperdive:E31", "review")


def _by_votes(*ids: str) -> EditionDraft:
    """Draft a week whose papers, given by arXiv id, are ranked in this order."""
    entries = [
        entry(rank, f"Paper {arxiv}", links=[f"https://arxiv.org/abs/{arxiv}"])
        for rank, arxiv in enumerate(ids, start=1)
    ]
    return edition(*entries, kind=DocumentKind.HF_DAILY, year_rule=None)


def test_refs_stay_where_votes_move_ranks() -> None:
    """In a week ranked by votes an entry is named by its arXiv id, in any source."""
    for source in ("hf-daily", "mine"):
        computed, warnings = compute(source, [_by_votes("2601.00002", "2601.00001")])
        assert (computed.kind, warnings) == ("hf-daily", ())
        assert [(each.ref, each.rank) for each in computed.entries] == [
            ("2601.00002", 1),
            ("2601.00001", 2),
        ]


def test_a_paper_that_stands_twice_among_votes_has_two_refs() -> None:
    """The second row with an id is named by its rank, so that neither replaces the other."""
    computed, [warning] = compute("hf-daily", [_by_votes("2601.00001", "2601.00001")])
    assert [each.ref for each in computed.entries] == ["2601.00001", "hf-daily:2026-01-05#2"]
    assert warning.line == 2


def test_facts_survive_json() -> None:
    """A draft turned into JSON and back is the same draft, apart from its line numbers."""
    draft = replace(
        edition(entry(1, "One", "Words.", links=["https://a.example"], highlights=["x"])),
        published_on=date(2026, 1, 11),
        minutes=12,
        overview="An overview.",
        last_day=MONDAY + timedelta(days=6),
    )
    again = draft_of(contribute(draft, sample=False))
    plain = replace(draft, line=0, entries=tuple(replace(e, line=0) for e in draft.entries))
    assert again == plain


def test_samples_give_way_to_the_real() -> None:
    """An edition is a sample only as long as nothing else contributed to it."""

    def is_sample(*, first: bool, then: bool) -> bool:
        before, draft = edition(entry(1, "One")), edition(entry(1, "One"), kind=ARCHIVE)
        stored = _stored(before, sample=first)
        decision = decide("dair", draft, contribute(draft, sample=then), stored)
        assert decision.change
        return decision.change.edition.sample

    assert is_sample(first=True, then=True)
    assert not is_sample(first=True, then=False)
