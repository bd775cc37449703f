"""What holds for every list of daily papers, whole or damaged."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drafts import EntryDraft, ParsedDocument
from bot.domain.paper_ids import arxiv_id
from tests.bot.ingest.damage import damage, read_or_refused
from tests.bot.ingest.formats.hf_daily.test_hf_daily import answer, listed, parse

_IDS = st.sampled_from(["2603.00001", "2603.00002", "2603.00003", "2603.00003v2", "cs/0112017"])
_DAYS = [f"2026-{day}T23:59:00.000Z" for day in ("12-27", "12-28", "12-31")] + [
    "2027-01-03T23:30:00-01:00"
]
_FACTS = st.fixed_dictionaries({}, optional={"summary": st.text(max_size=9)})
_LISTED = st.builds(
    lambda identifier, votes, at, facts: listed(identifier, votes, at, **facts),
    _IDS,
    st.integers(0, 3),
    st.sampled_from(_DAYS),
    _FACTS,
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["paper", "id", "title", "upvotes"]), inner, max_size=4)
    ),
    max_leaves=6,
)
_NAMES = st.sampled_from(["id", "title", "upvotes", "submittedOnDailyAt", "summary", "projectPage"])
_BROKEN = st.builds(
    lambda name, value: listed("2603.00009", **{name: value}), _NAMES, st.text(max_size=9) | _JSON
)
_PRETTY = json.dumps([listed(f"2603.0000{n}", n) for n in range(1, 5)], indent=1).split("\n")


def _facts(parsed: ParsedDocument) -> list[object]:
    return [
        (e.title, e.first_day, [(x.rank, x.title, x.summary, x.links) for x in e.entries])
        for e in parsed.editions
    ]


def _entries(parsed: ParsedDocument) -> list[EntryDraft]:
    return [entry for edition in parsed.editions for entry in edition.entries]


@given(st.lists(_LISTED, min_size=1, max_size=8), st.randoms())
def test_the_order_of_the_list_never_matters(elements: list[Any], chance: Any) -> None:
    """A list gives the same editions however it is shuffled."""
    shuffled = list(elements)
    chance.shuffle(shuffled)
    assert _facts(parse(answer(*shuffled))) == _facts(parse(answer(*elements)))


@given(st.lists(_LISTED | _BROKEN | _JSON, max_size=8))
def test_every_element_is_kept_named_or_passed_over(elements: list[Any]) -> None:
    """Each element has exactly one end, each paper one entry; refused is what holds no paper."""
    parsed = read_or_refused(parse, answer(*elements))
    if parsed is None:
        assert not any(read_or_refused(parse, answer(each)) for each in elements)
        return
    entries = _entries(parsed)
    left_out = [note for note in parsed.warnings if note.text.endswith("left out")]
    again = [note for note in parsed.passed_over if note.text.startswith("element ")]
    assert len(entries) + len(left_out) + len(again) == len(elements)
    ids = [arxiv_id(entry.links) for entry in entries]
    assert None not in ids
    assert len(set(ids)) == len(ids)


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    return "\n".join(damage(draw, _PRETTY, st.text(max_size=20)))


@given(_damaged())
def test_a_damaged_answer_is_read_or_refused(text: str) -> None:
    """Lines dropped, doubled, swapped, cut or added: nothing is raised but a refusal in words."""
    parsed = read_or_refused(parse, text)
    assert parsed is None or all(entry.title and entry.links for entry in _entries(parsed))
