"""That the benchmark runs as a whole and shows every figure; nothing here is timed."""

import json
from collections.abc import Sequence

import pytest

from tests.benchmarks import figures, report
from tests.benchmarks.corpus import generated
from tests.benchmarks.measure import Figure, by_turns

_SMALL = generated(weeks=3)
_NAMES = [
    "archive import",
    "changed bytes, same facts",
    "same bytes again",
    "archive parse",
    "newsletter parse",
    "review parse",
    "import memory, growth of the peak",
    "import memory, Python's peak",
    "latest, p50",
    "latest, p95",
    "search, ids, p50",
    "search, ids, p95",
    "search, hits, p50",
    "search, hits, p95",
]


@pytest.fixture(scope="module")
def measured() -> Sequence[Figure]:
    """Return all figures of one run on a small archive."""
    return list(figures.measured(_SMALL, runs=1))


def test_every_figure_is_measured_on_both_sides(measured: Sequence[Figure]) -> None:
    """Each figure has one value of the floor, one of the product and their ratio."""
    assert [figure.name for figure in measured] == _NAMES
    for figure in measured:
        assert len(figure.floor) == len(figure.product) == len(figure.ratios) == 1
        assert figure.floor[0] > 0
        assert figure.product[0] > 0


def test_the_aims_are_judged(measured: Sequence[Figure]) -> None:
    """The three imports have an aim and a verdict, and no other figure has."""
    judged = {figure.name: figure.aim for figure in measured if figure.verdict != "-"}
    assert judged == dict(zip(_NAMES[:3], (3, 1.2, 0.05), strict=True))


def test_the_table_has_a_line_for_each_figure(measured: Sequence[Figure]) -> None:
    """Below the head stands one line a figure, all of the same width."""
    lines = report.table(measured).splitlines()
    assert [line[: len(name)] for line, name in zip(lines[1:], _NAMES, strict=True)] == _NAMES
    assert len({len(line) for line in lines}) == 1


def test_the_json_holds_every_run(measured: Sequence[Figure]) -> None:
    """What is written for programs names the documents and holds every value."""
    written = json.loads(report.to_json(measured, 1, _SMALL.origins))
    assert written["documents"] == list(_SMALL.origins)
    assert [figure["name"] for figure in written["figures"]] == _NAMES
    assert [figure["floor"] for figure in written["figures"]] == [
        list(figure.floor) for figure in measured
    ]


@pytest.mark.parametrize(("product", "verdict"), [((4, 6, 90), "met"), ((4, 7, 7), "missed")])
def test_the_median_ratio_decides(product: tuple[float, ...], verdict: str) -> None:
    """One run that a noisy machine spoilt does not miss an aim, and one good run meets none."""
    assert Figure("figure", "ms", (2, 2, 2), product, aim=3).verdict == verdict


def test_floor_and_product_take_turns() -> None:
    """Each floor is followed by its product, and the warm-up of both is left out."""
    calls = iter(range(8))
    floor, product = by_turns(lambda: next(calls), lambda: next(calls), runs=3)
    assert (floor, product) == ((2, 4, 6), (3, 5, 7))


def test_the_invented_documents_are_the_same_each_time() -> None:
    """Two machines without the real documents measure the same bytes."""
    assert generated(weeks=3) == _SMALL
