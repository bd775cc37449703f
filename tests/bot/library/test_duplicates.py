"""Manual overrides: they are applied, they last, and they can be undone."""

from collections.abc import Collection

import pytest

from bot.domain.drafts import EditionDraft
from bot.errors import ArgumentError
from bot.library import duplicates
from store import content_version
from store.database import Database, Session
from store.identity import overrides
from store.identity.overrides import ManualOverrides
from store.imports.merge_papers import MergeOutcome, MergeResult
from store.library import mentions
from store.records import Mention
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import NOW, take_in

ID, OTHER_ID, THIRD_ID = "2601.00001", "2601.00002", "2601.00003"
A, B, C = "a:2026-01-05#1", "b:2026-01-05#1", "c:2026-01-05#1"


def _week(title: str, arxiv_id: str | None = None) -> EditionDraft:
    links = [f"https://arxiv.org/abs/{arxiv_id}"] if arxiv_id else []
    return edition(entry(1, title, links=links))


APART = {"a": _week("KiteNet", ID), "b": _week("Wings", OTHER_ID), "c": _week("Tethers")}
TOGETHER = {"a": _week("KiteNet", ID), "b": _week("KiteNet, Steered", ID), "c": _week("KiteNet")}


async def _stored(database: Database, weeks: dict[str, EditionDraft]) -> None:
    for slug, draft in weeks.items():
        await database.write(take_in, draft, slug)


async def _papers(database: Database) -> set[str]:
    """Return the papers, each as the sources that mention it in a row."""

    def read(session: Session) -> set[str]:
        found = [mentions.by_ref(session, ref)[0] for ref in (A, B, C)]
        of_each = (mentions.of_paper(session, each.paper_id) for each in found)
        return {"".join(sorted(each.edition.source for each in paper)) for paper in of_each}

    return await database.read(read)


async def _merge(database: Database, one: str, other: str) -> MergeResult:
    return await database.write(duplicates.merge, one, other, NOW)


async def _split(database: Database, text: str, other: str | None = None) -> MergeResult:
    return await database.write(duplicates.split, text, other, NOW)


def _refs(papers: Collection[Collection[Mention]]) -> list[list[str]]:
    return [[each.entry.ref for each in paper] for paper in papers]


async def test_two_papers_are_merged_by_any_names(database: Database) -> None:
    """A ref, an arXiv id, a title: they are one from then on, and the answer shows it."""
    await _stored(database, APART)
    judged = await _merge(database, ID, "tethers")
    assert (judged.outcome, await _papers(database)) == (MergeOutcome.MERGED, {"ac", "b"})
    assert (_refs(judged.before), _refs(judged.after)) == ([[A], [C]], [[A, C]])
    judged = await _merge(database, C, "https://arxiv.org/abs/2601.00002v3")
    assert await _papers(database) == {"abc"}
    assert list(duplicates.answer(judged)) == [
        "They are one paper from now on.",
        "Before:",
        f"  1. {A}  KiteNet (#1 in a, Jan 5–11, 2026)",
        f"     {C}  Tethers (#1 in c, Jan 5–11, 2026)",
        f"  2. {B}  Wings (#1 in b, Jan 5–11, 2026)",
        "Now:",
        f"  1. {A}  KiteNet (#1 in a, Jan 5–11, 2026)",
        f"     {B}  Wings (#1 in b, Jan 5–11, 2026)",
        f"     {C}  Tethers (#1 in c, Jan 5–11, 2026)",
    ]


async def test_a_second_id_still_finds_its_paper(database: Database) -> None:
    """A paper that came to have two arXiv ids by a merge is found by each."""
    await _stored(database, APART)
    await _merge(database, A, B)
    for arxiv_id in (ID, OTHER_ID):
        found = await database.read(mentions.by_arxiv_id, arxiv_id)
        assert [each.entry.ref for each in found] == [A, B]


async def test_what_is_one_already_is_left_alone(database: Database) -> None:
    """To merge twice says so and changes nothing, whichever paper is named first."""
    await _stored(database, APART)
    await _merge(database, A, B)
    before = await database.read(content_version.version)
    again = await _merge(database, OTHER_ID, A)
    assert (again.outcome, _refs(again.after)) == (MergeOutcome.ALREADY_ONE, [[A, B]])
    assert next(duplicates.answer(again)) == "They are one paper already."
    assert await database.read(content_version.version) == before
    assert len((await database.read(overrides.read)).merges) == 1


@pytest.mark.parametrize("order", ["abc", "cba"])
async def test_a_merge_outlasts_the_papers(database: Database, order: str) -> None:
    """Papers that are dropped and come again, in any order, are merged as before."""
    await _stored(database, APART)
    await _merge(database, A, C)

    for slug in "abc":
        await database.write(take_in, edition(), slug)
    for slug in order:
        await database.write(take_in, APART[slug], slug)
    assert await _papers(database) == {"ac", "b"}


@pytest.mark.parametrize("as_json", [True, False])
async def test_a_merge_of_what_is_gone_is_taken_back(database: Database, *, as_json: bool) -> None:
    """If both papers are gone, the merge is found by an identifier that it is listed by."""
    await _stored(database, APART)
    await _merge(database, A, C)
    for slug in "ac":
        await database.write(take_in, edition(), slug)
    (merge,) = (await database.read(overrides.read)).merges
    shown = merge.one if as_json else duplicates.in_words(merge.other)
    judged = await _split(database, shown)
    assert (judged.outcome, judged.after) == (MergeOutcome.UNMERGED, [])
    assert (await database.read(overrides.read)).merges == ()
    with pytest.raises(ArgumentError):
        await _split(database, shown)


async def test_a_merge_outlasts_a_correction(database: Database) -> None:
    """An entry that was named by its title stays merged when it gets its arXiv id."""
    await _stored(database, APART)
    await _merge(database, A, C)
    await database.write(take_in, _week("Tethers", THIRD_ID), "c")
    assert await _papers(database) == {"ac", "b"}


async def test_a_split_takes_back_the_merges_of_a_paper(database: Database) -> None:
    """Papers that were merged with it are split off; other merges stay."""
    await _stored(database, APART)
    await _merge(database, A, B)
    await _merge(database, B, C)
    judged = await _split(database, C)
    assert (judged.outcome, await _papers(database)) == (MergeOutcome.UNMERGED, {"ab", "c"})
    assert await _split(database, OTHER_ID) != judged
    assert await _papers(database) == {"a", "b", "c"}
    assert await database.read(overrides.read) == ManualOverrides()


async def test_an_entry_is_split_off_for_good(database: Database) -> None:
    """Entries joined by id or title are split, and stay so after another import."""
    await _stored(database, TOGETHER)
    assert await _papers(database) == {"abc"}
    judged = await _split(database, B)
    assert (judged.outcome, await _papers(database)) == (MergeOutcome.SPLIT, {"ac", "b"})
    await database.write(take_in, edition(), "b")
    await _stored(database, TOGETHER)
    assert await _papers(database) == {"ac", "b"}
    assert (await _split(database, B)).outcome is MergeOutcome.NOT_JOINED


async def test_a_merge_takes_back_a_split(database: Database) -> None:
    """An entry that was split off goes back where it was, and nothing is left of what was said."""
    await _stored(database, TOGETHER)
    await _split(database, B)
    await _split(database, C)
    await _merge(database, C, A)
    assert await _papers(database) == {"ac", "b"}
    await _merge(database, ID, B)
    assert await _papers(database) == {"abc"}
    assert await database.read(overrides.read) == ManualOverrides()


async def test_a_split_entry_may_belong_elsewhere(database: Database) -> None:
    """Merged with another paper it goes there alone, and what it was split from stays as it is."""
    weeks = TOGETHER | {"c": _week("Tethers", THIRD_ID)}
    await _stored(database, weeks)
    await _split(database, B)
    await _merge(database, B, C)
    assert await _papers(database) == {"a", "bc"}
    assert (await _split(database, B)).outcome is MergeOutcome.UNMERGED
    assert await _papers(database) == {"a", "b", "c"}


async def test_who_names_a_paper_is_asked_for_the_entry(database: Database) -> None:
    """Nobody can tell which entry of a paper is meant to go; each is offered by its ref."""
    await _stored(database, TOGETHER)
    with pytest.raises(ArgumentError, match="3 editions") as refused:
        await _split(database, ID)
    assert [each.value for each in refused.value.nearest] == [A, B, C]
    assert await database.read(overrides.read) == ManualOverrides()


async def test_an_unknown_paper_is_refused(database: Database) -> None:
    """A name that no paper has is answered as everywhere, and nothing is written down."""
    await _stored(database, APART)
    with pytest.raises(ArgumentError, match="No edition that is stored names the paper"):
        await _merge(database, A, "2601.09999")
    assert await database.read(overrides.read) == ManualOverrides()


def test_names_are_worded() -> None:
    """The manual overrides are listed in words."""
    names = ("arxiv:2601.00001", "doi:10.1000/1", "title:2026:kites", "entry:a:2026-01-05#1")
    assert [duplicates.in_words(name) for name in names] == [
        "arXiv 2601.00001",
        "DOI 10.1000/1",
        "“kites” (2026)",
        "a:2026-01-05#1",
    ]


DOUBTFUL = {
    "a": edition(entry(1, "KiteNet", "Kites.", links=[f"https://arxiv.org/abs/{ID}"])),
    "b": edition(entry(1, "KiteNet", "Boats.", links=["https://example.org/net.pdf"])),
    "c": _week("Tethers"),
}


async def test_what_may_be_one_is_offered_and_decided(database: Database) -> None:
    """A doubtful pair is listed with the facts of both until it is decided."""
    await _stored(database, DOUBTFUL)
    [pair] = await database.read(duplicates.doubtful)
    assert [each.entry.ref for each in (pair.one, pair.other)] == [A, B]
    assert list(duplicates.pair_lines([pair])) == [
        f"  1. {A}  KiteNet (#1 in a, Jan 5–11, 2026), arXiv {ID}",
        f"     {B}  KiteNet (#1 in b, Jan 5–11, 2026), https://example.org/net.pdf",
        "     Their summaries share 0 of 1 word.",
        f"     one paper:  broadsheet papers merge '{A}' '{B}'",
        f"     two papers: broadsheet papers split '{A}' '{B}'",
    ]
    assert duplicates.pairs_json([pair])["doubtful"] == [
        {
            "entries": [
                _facts("a", "Kites.", f"https://arxiv.org/abs/{ID}", ID),
                _facts("b", "Boats.", "https://example.org/net.pdf", None),
            ],
            "shared_words": 0,
            "of_words": 1,
            "merge": f"broadsheet papers merge '{A}' '{B}'",
            "split": f"broadsheet papers split '{A}' '{B}'",
        }
    ]
    judged = await _split(database, A, B)
    assert (judged.outcome, await _papers(database)) == (MergeOutcome.SEPARATED, {"a", "b", "c"})
    assert await database.read(duplicates.doubtful) == []
    assert list(duplicates.pair_lines([])) == ["No papers are in doubt."]
    await _merge(database, B, A)
    assert (await _papers(database), await database.read(duplicates.doubtful)) == (
        {"ab", "c"},
        [],
    )
    assert (await database.read(overrides.read)).separations == ()
    await _split(database, A)
    assert len(await database.read(duplicates.doubtful)) == 1


def _facts(slug: str, summary: str, url: str, arxiv_id: str | None) -> dict[str, object]:
    return {
        "ref": f"{slug}:2026-01-05#1",
        "title": "KiteNet",
        "source": slug,
        "first_day": "2026-01-05",
        "arxiv_id": arxiv_id,
        "doi": None,
        "links": [{"label": "Paper", "url": url}],
        "summary": summary,
    }


async def test_two_that_a_title_joined_are_said_to_be_two(database: Database) -> None:
    """Entries joined by title and year are split by naming both, until both are merged."""
    await _stored(database, TOGETHER)
    assert await _papers(database) == {"abc"}
    assert (await _split(database, C, A)).outcome is MergeOutcome.SEPARATED
    assert await _papers(database) == {"ab", "c"}
    await _stored(database, TOGETHER)
    assert await _papers(database) == {"ab", "c"}
    assert (await _split(database, A, C)).outcome is MergeOutcome.SEPARATED
    assert len((await database.read(overrides.read)).separations) == 1
    await _merge(database, A, C)
    assert (await _papers(database), await database.read(overrides.read)) == (
        {"abc"}, ManualOverrides(),
    )  # fmt: skip


async def test_two_that_an_id_joined_are_said_to_be_two(database: Database) -> None:
    """Of two entries with one id that which is named last is split off."""
    await _stored(database, TOGETHER)
    assert (await _split(database, A, B)).outcome is MergeOutcome.SPLIT
    assert await _papers(database) == {"ac", "b"}


async def test_merged_papers_are_said_to_be_two(database: Database) -> None:
    """Naming both takes their merge back, and one with a third only where this joins them."""
    await _stored(database, APART)
    await _merge(database, A, B)
    await _merge(database, A, C)
    assert (await _split(database, A, B)).outcome is MergeOutcome.SEPARATED
    assert await _papers(database) == {"ac", "b"}
    await _merge(database, B, C)
    assert (await _split(database, A, B)).outcome is MergeOutcome.SEPARATED
    assert await _papers(database) == {"a", "bc"}
