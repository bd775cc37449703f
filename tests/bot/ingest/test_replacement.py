"""Whether a document has other papers for a week than are stored for it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.domain.drafts import EntryDraft
from bot.ingest.replacement import find_replacement
from store.records import Link
from tests.bot.ingest.drafts import entry

# Invented papers, each in a few words of its own.
_KITES = (
    ("Feather", "folds thin feathers until a silent glider lands on rooftops"),
    ("Harbour Lanterns", "counts lanterns along foggy harbours through winter evenings"),
    ("Copper Bees", "breeds copper bees that polish orchards before sunrise"),
    ("Slow Rivers: a Ledger", "keeps ledgers about rivers whose ferries drift without rudders"),
    ("Paper Mountains", "stacks mountains out of wrapping paper for travelling puppeteers"),
    ("Echo Wells", "digs wells where whispers return after several quiet minutes"),
    ("Borrowed Clocks", "repairs clocks borrowed from stations nobody visits anymore"),
    ("Salt Gardens", "waters salt gardens using mirrors, buckets and patient gardeners"),
    ("Glass Postmen", "delivers letters by glass postmen during thunderstorms only"),
    ("Moth Atlas", "charts moths that sleep inside forgotten atlases upstairs"),
)


def _week(*, links: str = "paper", ids: int = 2301) -> list[EntryDraft]:
    """Return a week of ten papers with a link to a page each, to arXiv where `ids` are said."""
    urls = {"paper": f"https://arxiv.org/abs/{ids}.000{{}}", "page": "https://kites.org/{}"}
    return [
        entry(rank, title, summary, links=[urls[links].format(f"{rank:02}")] if links else [])
        for rank, (title, summary) in enumerate(_KITES, start=1)
    ]


def _others(week: Sequence[EntryDraft]) -> list[EntryDraft]:
    """Return a week of ten papers that have nothing to do with another."""
    return [
        replace(
            each,
            title=f"Spoon {each.rank}",
            summary=f"It stirs soup {each.rank}.",
            links=(Link("Paper", f"https://arxiv.org/abs/2402.111{each.rank:02}"),),
        )
        for each in week
    ]


def test_other_papers_are_counted_and_one_pair_is_named() -> None:
    """The first that would go, and what has its rank in the document."""
    week = _week()
    found = find_replacement(week, [*week[:3], *_others(week)[3:]])
    assert found
    assert (found.gone, found.total) == (7, 10)
    assert (found.stored, found.new) == ("Slow Rivers: a Ledger", "Spoon 4")


@pytest.mark.parametrize(("kept", "refused"), [(5, False), (4, True), (0, True)])
def test_half_may_be_others(kept: int, *, refused: bool) -> None:
    """Only more than half of the stored papers is too much."""
    week = _week()
    assert (find_replacement(week, [*week[:kept], *_others(week)[kept:]]) is not None) is refused


def test_a_week_of_few_others_is_one_of_other_papers() -> None:
    """Three papers in the place of ten are none of them."""
    week = _week()
    assert find_replacement(week, _others(week)[:3])
    assert find_replacement(week[:3], _others(week))


def test_papers_that_are_left_out_or_added_are_in_nobodys_place() -> None:
    """A week may become shorter or longer, and its ranks may change."""
    week = _week()
    backwards = [replace(each, rank=11 - (each.rank or 0)) for each in reversed(week)]
    assert find_replacement(week, week[6:]) is None
    assert find_replacement(week[:2], week) is None
    assert find_replacement(week, backwards) is None


def _renamed(week: Sequence[EntryDraft]) -> list[EntryDraft]:
    return [replace(each, title=f"Renamed {each.rank}") for each in week]


def _rewritten(week: Sequence[EntryDraft]) -> list[EntryDraft]:
    return [replace(each, summary="Told anew.") for each in week]


def _moved(week: Sequence[EntryDraft], url: str = "https://moved.org/{}") -> list[EntryDraft]:
    return [replace(each, links=(Link("Paper", url.format(each.rank)),)) for each in week]


def _versioned(week: Sequence[EntryDraft]) -> list[EntryDraft]:
    return _moved(week, "http://www.arxiv.org/pdf/2301.0000{}v3")


@pytest.mark.parametrize("links", ["paper", "page"])
def test_one_thing_that_stays_is_enough(links: str) -> None:
    """The ids or links, the titles, or the words: any one of them tells that the papers stay."""
    week = _week(links=links)
    assert find_replacement(week, _rewritten(_renamed(week))) is None
    assert find_replacement(week, _rewritten(_moved(week))) is None
    assert find_replacement(week, _renamed(_moved(week))) is None
    assert find_replacement(week, _rewritten(_renamed(_moved(week))))


def test_an_address_may_be_written_otherwise() -> None:
    """Another version of an arXiv paper, another name of a host, a mark of who shared a post."""
    week = _week()[:9]
    assert find_replacement(week, _rewritten(_renamed(_versioned(week)))) is None
    posts = _moved(week, "https://twitter.com/kite/status/10{}?s=20")
    again = _moved(week, "https://x.com/i/status/10{}")
    assert find_replacement(posts, _rewritten(_renamed(again))) is None
    pages, others = _moved(week, "https://www.kite.org/{}/"), _moved(week, "http://kite.org/{}")
    assert find_replacement(pages, _rewritten(_renamed(others))) is None


def test_a_corrected_id_is_no_other_paper_while_title_or_text_stays() -> None:
    """But two arXiv ids outweigh a link that both have and a few words."""
    week, corrected = _week(ids=2301), _week(ids=2302)
    assert find_replacement(week, _rewritten(corrected)) is None
    assert find_replacement(week, _renamed(corrected)) is None
    shared = Link("Tweet", "https://x.com/kite/status/1{}")
    one, other = (
        [
            replace(each, links=(*each.links, replace(shared, url=shared.url.format(each.rank))))
            for each in some
        ]
        for some in (week, _rewritten(_renamed(corrected)))
    )
    assert find_replacement(one, other)


def test_a_reworded_title_is_no_other_one() -> None:
    """Without links or summaries most of its words are enough, or the name before a colon."""
    week = [replace(each, summary=None) for each in _week(links="")][1:]
    reworded = [replace(each, title=f"On {each.title} of the North") for each in week]
    assert find_replacement(week, reworded) is None
    named = [replace(each, title=f"{each.title.partition(':')[0]}: Found again") for each in week]
    assert find_replacement(week, named) is None


def test_a_summary_that_was_gone_over_is_no_other_one() -> None:
    """Half of its words are enough."""
    week = _week(links="")
    shorter = [
        replace(each, summary=" ".join((each.summary or "").split()[::2]))
        for each in _renamed(week)
    ]
    assert (
        find_replacement(week, [replace(e, summary=f"{e.summary} anew") for e in shorter]) is None
    )


def test_what_all_entries_have_tells_none() -> None:
    """Words, numbers and links that stand all over an edition make no two papers one."""
    site = (Link("Home", "https://kites.org"),)
    one, other = (
        [
            entry(rank, f"{noun} {rank}", f"{noun} {rank} shows how things of kind {rank} work.")
            for rank in range(1, 11)
        ]
        for noun in ("Kite", "Spoon")
    )
    assert find_replacement(
        [replace(each, links=site) for each in one], [replace(each, links=site) for each in other]
    )


def test_episodes_are_compared_like_ranks() -> None:
    """A review's episodes are papers too."""
    week = [replace(each, rank=None, episode=f"E{each.rank}") for each in _week()]
    found = find_replacement(
        week, [replace(e, rank=None, episode=f"E{e.rank}") for e in _others(_week())]
    )
    assert found
    assert found.new == "Spoon 1"


def test_an_address_that_is_none_breaks_nothing() -> None:
    """Brackets may stand in what a document calls an address."""
    week = _moved(_week(), "https://[kite{}/")
    assert find_replacement(week, week) is None
