"""Which entries are of one paper: by which rule, and where nobody can tell. All pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.identity.comparison import EntryWords, words_of
from store.identity.grouping import MOST_TITLES, Grouping, arxiv_year, doubtful_entries
from store.identity.identifiers import Identifiers, candidate_keys
from store.identity.overrides import ManualOverrides, Merge, Separation, Split
from store.records import Link
from store.text import name_key, title_key

NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
ID, OTHER_ID, THIRD_ID = "2601.00001", "2601.00002", "2601.00003"
DOI = "10.1000/one"
WINGS, ENZYMES = "Steering Tethered Wings", "Folding Cold Enzymes"


def entry(
    ref: str, title: str, arxiv: str | None = None, doi: str | None = None, year: int = 2026
) -> Identifiers:
    """Return the identifiers of an entry, whose database id comes from its ref."""
    keys = title_key(title), name_key(title)
    by_title = candidate_keys(title, None)
    return Identifiers(
        sum(ref.encode()), ref, title, *keys, arxiv, doi, date(year, 1, 11), by_title
    )


def parted(entries: Sequence[Identifiers], said: ManualOverrides | None = None) -> set[str]:
    """Return the papers, each as the refs of its entries in a row."""
    groups = Grouping(entries, said or ManualOverrides()).papers()
    return {"".join(sorted(each.ref for each in group.entries)) for group in groups}


RULES = {
    "one id, alike titles": ([entry("a", "Kites: Up", ID), entry("b", "Kites", ID)], {"ab"}),
    "one id in a wrong link": (
        [entry("a", WINGS, ID), entry("b", ENZYMES, ID), entry("c", WINGS, ID)],
        {"ac", "b"},
    ),
    "of two the first has the id": (
        [entry("a", WINGS, ID, year=2025), entry("b", ENZYMES, ID), entry("c", ENZYMES)],
        {"a", "bc"},
    ),
    "who is listed under an id has it": (
        [entry("a", WINGS, ID), entry("b", WINGS, ID), entry(ID, ENZYMES, ID)],
        {"ab", ID},
    ),
    "a wrong DOI": ([entry("a", WINGS, None, DOI), entry("b", ENZYMES, None, DOI)], {"a", "b"}),
    "a wrong link beside the title": (
        [entry("a", WINGS, ID), entry("b", ENZYMES, ID), entry("c", ENZYMES, OTHER_ID),
         entry("d", WINGS, ID)],
        {"ad", "bc"},
    ),
    "one title, two ids": ([entry("a", "Kites", ID), entry("b", "Kites", OTHER_ID)], {"a", "b"}),
    "title and year": ([entry("a", "Kites", ID), entry("b", "KITES!")], {"ab"}),
    "another year": ([entry("a", "Kites", ID), entry("b", "Kites", year=2025)], {"a", "b"}),
    "no title": ([entry("a", "!"), entry("b", "?")], {"a", "b"}),
    "a bare name": ([entry("a", "Kites: Up and Away", ID), entry("b", "Kites")], {"ab"}),
    "a longer title": ([entry("a", "Kites", ID), entry("b", "Kites: Up and Away")], {"ab"}),
    "a bare name in full width": ([entry("a", "Kites\uff1aUp", ID), entry("b", "Kites")], {"ab"}),
    "names without ids": ([entry("a", "Kites: Up and Away"), entry("b", "Kites")], {"ab"}),
    "a name of another year": (
        [entry("a", "Kites: Up and Away", ID), entry("b", "Kites", year=2025)],
        {"a", "b"},
    ),
    "a name and two ids": (
        [entry("a", "Kites: Up", ID), entry("b", "Kites: Down", OTHER_ID), entry("c", "Kites")],
        {"a", "b", "c"},
    ),
    "a name of two others": (
        [entry("a", "Kites: Up"), entry("b", "Kites: Down"), entry("c", "Kites")],
        {"a", "b", "c"},
    ),
    "names are no titles": ([entry("a", "Kites: Up"), entry("b", "Kites: Down", ID)], {"a", "b"}),
    "a name that is another's title": (
        [entry("a", "Kites: Up", ID), entry("b", "Kites", OTHER_ID)],
        {"a", "b"},
    ),
    "a part of a title": ([entry("a", "Kites 2", ID), entry("b", "Kites")], {"a", "b"}),
    "a time of day": ([entry("a", "At 9:30 Kites", ID), entry("b", "At 9")], {"a", "b"}),
    "a DOI beside an id": (
        [entry("a", "One", ID), entry("b", "Two", None, DOI), entry("c", "Three", ID, DOI)],
        {"abc"},
    ),
    "a DOI beside two ids": (
        [entry("a", "One", ID, DOI), entry("b", "Two", OTHER_ID, DOI),
         entry("c", "Six", None, DOI)],
        {"a", "b", "c"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_each_rule(name: str) -> None:
    """Every rule joins what it shall, and leaves apart what nobody can tell."""
    entries, papers = RULES[name]
    assert parted(entries) == papers
    assert parted(entries[::-1]) == papers


def test_only_ids_of_unlike_titles_are_in_doubt() -> None:
    """All that is said by an entry is needed where titles under one id have nothing in common."""
    alike = [entry("a", "Kites: Up", ID), entry("b", "Kites", ID)]
    assert doubtful_entries(alike) == set()
    unlike = [*alike, entry("c", WINGS, OTHER_ID), entry("d", ENZYMES, OTHER_ID)]
    assert doubtful_entries(unlike) == {sum(b"c"), sum(b"d")}


def test_what_has_a_title_in_common_is_in_doubt_where_an_id_is_missing() -> None:
    """All that is said is needed of what is compared; two that have arXiv ids are two papers."""
    papers = [entry("a", "Kites", ID), entry("b", "Kites", OTHER_ID)]
    assert doubtful_entries(papers) == set()
    assert doubtful_entries([*papers, entry("c", "Kites")]) == {
        sum(b"a"),
        sum(b"b"),
        sum(b"c"),
    }


@pytest.mark.parametrize("count", [50, 500])
def test_a_common_title_costs_no_more_the_more_have_it(count: int) -> None:
    """Of all that have one title so many are compared, the oldest first, however many there are."""
    entries = [replace(entry("a", "Kites"), entry=n, ref=f"a{n:03}") for n in range(count)]
    assert doubtful_entries(entries) == set(range(40))


def told(each: Identifiers, summary: str, *links: str) -> tuple[int, EntryWords]:
    """Return what an entry says, under its id."""
    said = words_of(each.title, [summary], [Link("Paper", link) for link in links])
    return each.entry, said


HARBOUR = "Ropes pull pilots over windy hills."
RETOLD = "Over windy hills pilots pull ropes and rudders."
PAGE = "https://example.org/kites.pdf"


def test_a_third_entry_joins_no_two_that_are_not_one() -> None:
    """What would go with either of two goes to that which it is more alike, or stays by itself."""
    first, second = entry("a", "Kites", ID), entry("b", "Kites")
    third, fourth = entry("c", "Kites"), entry("d", "Kites")
    words = dict([
        told(first, "Kites sold at fairs."), told(second, HARBOUR, PAGE), told(third, RETOLD),
        told(fourth, ""),
    ])  # fmt: skip
    for entries, papers in (
        ([first, second], {"a", "b"}),
        ([first, third], {"ac"}),
        ([second, third], {"bc"}),
        ([first, second, third], {"a", "bc"}),
        ([first, second, fourth], {"a", "b", "d"}),
    ):
        for order in permutations(entries):
            groups = Grouping(order, ManualOverrides(), words).papers()
            assert {"".join(sorted(e.ref for e in each.entries)) for each in groups} == papers


def test_what_is_alike_with_two_ids_goes_to_the_one_that_says_more_of_it() -> None:
    """A title that two arXiv ids have joins by what is said; where both say as much, neither."""
    first, second, third = (
        entry("a", "Kites", ID),
        entry("b", "Kites", OTHER_ID),
        entry("c", "Kites"),
    )
    words = dict([told(first, HARBOUR), told(second, "Ropes over hills."), told(third, RETOLD)])
    assert _parted([first, second, third], words) == {"ac", "b"}
    words |= dict([told(second, HARBOUR)])
    assert _parted([first, second, third], words) == {"a", "b", "c"}


def _parted(entries: Sequence[Identifiers], words: Mapping[int, EntryWords]) -> set[str]:
    groups = Grouping(entries, ManualOverrides(), words).papers()
    return {"".join(sorted(each.ref for each in group.entries)) for group in groups}


def test_doubts_are_pairs_of_papers_that_nobody_decided() -> None:
    """They are listed once a pair of papers, until somebody merges them or says they are two."""
    first, second, third = (
        entry("a", "Kites", ID),
        entry("b", "Kites"),
        entry("c", "Kites", ID),
    )
    entries = [first, second, third]
    words = dict([told(first, HARBOUR), told(second, "Fairs sell kites.", PAGE), told(third, "")])

    def open_for(said: ManualOverrides) -> list[set[str]]:
        return [
            {d.one.ref, d.other.ref} for d in Grouping(entries, said, words).possible_duplicates()
        ]

    [doubt] = open_for(ManualOverrides())
    assert doubt in ({"a", "b"}, {"b", "c"})
    assert open_for(ManualOverrides(separations=(Separation("b", "c", NOW),))) == []
    assert open_for(ManualOverrides((Merge(f"arxiv:{ID}", "title:2026:kites", NOW),))) == []
    assert open_for(ManualOverrides(splits=(Split("b", NOW),))) == []


def test_two_that_somebody_said_are_two_stay_apart() -> None:
    """However alike they are, be it through a third; only a merge joins them."""
    first, second, third = (
        entry("a", "Kites", ID),
        entry("b", "Kites"),
        entry("c", "Kites"),
    )
    said = ManualOverrides(separations=(Separation("a", "b", NOW),))
    assert parted([first, second], said) == {"a", "b"}
    assert parted([first, second, third], said) == {"a", "bc"}
    merged = ManualOverrides((Merge(f"arxiv:{ID}", "title:2026:kites", NOW),), (), said.separations)
    assert parted([first, second], merged) == {"ab"}


def test_the_year_of_an_arxiv_id() -> None:
    """It is told by the first two digits, in either numbering."""
    assert [arxiv_year("2501.12948"), arxiv_year("cs/9901001")] == [2025, 1999]


KITES = [
    entry("a", "Kites", ID),
    entry("b", "Kites"),
    entry("c", WINGS, OTHER_ID),
    entry("d", "X"),
]


def _merged(*pairs: tuple[str, str]) -> ManualOverrides:
    return ManualOverrides(tuple(Merge(one, other, NOW) for one, other in pairs))


def test_merges_join_whole_papers() -> None:
    """All entries of both papers are one, and so are those of a chain of merges."""
    assert parted(KITES) == {"ab", "c", "d"}
    by_ids = (f"arxiv:{ID}", f"arxiv:{OTHER_ID}")
    assert parted(KITES, _merged(by_ids)) == {"abc", "d"}
    assert parted(KITES, _merged(by_ids, ("title:2026:x", f"arxiv:{OTHER_ID}"))) == {"abcd"}


def test_a_merged_paper_has_the_lowest_of_its_ids() -> None:
    """Which of two ids it goes by does not depend on who came first."""
    said = _merged((f"arxiv:{OTHER_ID}", f"arxiv:{ID}"))
    first, *_ = Grouping(KITES, said).papers()
    assert first.arxiv_id == ID


def test_a_merge_of_who_is_not_there_does_nothing() -> None:
    """It waits: the name of a paper that is not stored joins none."""
    assert parted(KITES, _merged((f"arxiv:{THIRD_ID}", f"arxiv:{ID}"))) == parted(KITES)


def test_a_merge_by_title_outlasts_an_id() -> None:
    """A paper that was named by title and year is found when an entry gets its arXiv id."""
    later = [*KITES[:3], entry("d", "X", THIRD_ID)]
    assert parted(later, _merged(("title:2026:x", f"arxiv:{ID}"))) == {"abd", "c"}


def test_a_split_entry_is_joined_by_nothing_but_a_merge() -> None:
    """Neither its id nor its title joins it, and what is merged with it gets no other entry."""
    said = ManualOverrides(splits=(Split("b", NOW), Split("a", NOW)))
    assert parted(KITES, said) == {"a", "b", "c", "d"}
    merge = Merge(f"arxiv:{OTHER_ID}", "entry:b", NOW)
    assert parted(KITES, ManualOverrides((merge,), said.splits)) == {"a", "bc", "d"}


_TITLES = ("Kites", "Kites: Up", "Kites: Down", WINGS, ENZYMES, "Enzymes", "!")
_ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(_TITLES),
        st.sampled_from((None, None, ID, OTHER_ID, "2501.00003")),
        st.sampled_from((None, None, DOI, "10.1000/two")),
        st.sampled_from((2025, 2026)),
        st.sampled_from((None, None, PAGE, "https://example.com/wings")),
        st.sampled_from(("", HARBOUR, RETOLD, "Enzymes fold in the cold.")),
    ),
    max_size=8,
)
_NAMES = st.sampled_from(
    (f"arxiv:{ID}", f"arxiv:{OTHER_ID}", f"doi:{DOI}", "title:2026:kites", "title:2025:enzymes")
)
_SAID = st.tuples(
    st.lists(st.tuples(_NAMES, _NAMES), max_size=2),
    st.lists(st.sampled_from("abcdefgh"), max_size=2),
)


@given(_ENTRIES, _SAID, st.randoms(use_true_random=False))
def test_the_order_of_entries_never_matters(
    facts: list[tuple[str, str | None, str | None, int, str | None, str]],
    said: tuple[list[tuple[str, str]], list[str]],
    random: Random,
) -> None:
    """Whatever the entries and whatever was said: in any order they make the same papers.

    No arXiv id and no DOI names two papers, and before merges no paper has two arXiv ids, or two
    entries without ids that by themselves are not one.
    """
    entries = [entry(ref, *each[:4]) for ref, each in zip("abcdefgh", facts, strict=False)]
    words = dict(
        told(signs, summary, *([page] if page else []))
        for signs, (*_, page, summary) in zip(entries, facts, strict=True)
    )
    merges, splits = said
    judged = ManualOverrides(_merged(*merges).merges, tuple(Split(ref, NOW) for ref in splits))
    shuffled = [*entries]
    random.shuffle(shuffled)
    groups = Grouping(entries, judged, words).papers()
    assert set(groups) == set(Grouping(shuffled, judged, words).papers())
    for ids in ([each.arxiv_id for each in groups], [each.doi for each in groups]):
        known = [each for each in ids if each]
        assert len(known) == len(set(known))
    alone = Grouping(entries, ManualOverrides(), words).papers()
    for group in alone:
        pairs = combinations([each for each in group.entries if not (each.arxiv_id or each.doi)], 2)
        for one, other in pairs:
            together = Grouping([one, other], ManualOverrides(), words)
            assert len(together.papers()) == 1 or not together.possible_duplicates()


class _Unread(dict[int, EntryWords]):
    """Words that nobody may ask for."""

    def get(self, *_asked: object) -> EntryWords:
        raise AssertionError("words were weighed")


def test_of_very_many_titles_under_one_id_none_are_compared() -> None:
    """An id that a document prints with title after title is the first one's, at no cost."""
    entries = [replace(entry(f"{n:03}", f"Work {n}", ID), entry=n) for n in range(MOST_TITLES + 1)]
    assert not doubtful_entries(entries)
    groups = Grouping(entries, ManualOverrides(), _Unread()).papers()
    assert [group.entries[0].ref for group in groups if group.arxiv_id] == ["000"]
