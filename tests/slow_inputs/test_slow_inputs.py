"""The search for slow inputs finds what is slow and nothing else; what it found once is mended."""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import count
from operator import methodcaller
from random import Random

import pytest

from adapters.slack.requests.payloads import from_mrkdwn
from bot.domain.addresses import without_keys
from bot.domain.drafts import ParseOptions, RawDocument
from bot.errors import DocumentError
from bot.ingest import documents
from bot.ingest.formats import archive
from bot.ingest.formats.review.elements import without_marks
from tests.bot.ingest.formats.feed.test_feed import HEAD, entries
from tests.slow_inputs.chats import reason_found
from tests.slow_inputs.inputs import FRAGMENTS, Input, invented
from tests.slow_inputs.measuring import Growth, TooLong, cost
from tests.slow_inputs.remembering import Call, memory_of
from tests.slow_inputs.searching import Finding, Path, Search, search


class Work:
    """The cost of calls in seconds, as they state it: the same on a machine of any speed."""

    def __init__(self) -> None:
        self._done = 0.0

    def do(self, seconds: float) -> None:
        """Cost so much."""
        self._done += seconds

    def meter(self, call: Callable[[], object]) -> float:
        """Return what a call costs."""
        before = self._done
        call()
        return self._done - before


def _found(cost_of: Callable[[str], float], made: Input, most: int = 1 << 17) -> Finding | None:
    work = Work()
    path = Path("planted", lambda text: work.do(cost_of(text)), most)
    return Search(work.meter).try_input(path, made)


def _squared(text: str) -> float:
    return 1e-9 * len(text) ** 2


def test_a_planted_square_is_found() -> None:
    """What costs the square of its input is found, and said in Python as it can be tried again."""
    finding = _found(_squared, Input((" ",), head="a"))
    assert finding
    assert "four times as many characters" in finding.said
    literal = finding.made.literal(finding.grown.sizes[-1])
    assert eval(literal) == finding.made.of(finding.grown.sizes[-1])  # noqa: S307 - that it can be


def test_the_search_finds_it_among_its_own_inputs() -> None:
    """Put together by chance, an input for which a path is slow comes up, whatever the seed."""
    ticks = count()
    work = Work()
    path = Path("planted", lambda text: work.do(1e-9 * text.count(" ") ** 2), 1 << 17)
    clock = partial(next, ticks)
    done = search([path], 7, 300, print, clock=clock, meter=work.meter, enough=1)
    assert [each.path.name for each in done.findings] == ["planted"]


def test_what_grows_with_its_input_is_not_found() -> None:
    """What costs time in proportion, or a logarithm more, is none of its business."""
    made = Input(("word{i} ", "-"))
    assert _found(lambda text: 1e-5 * len(text), made) is None
    assert _found(lambda text: 1e-6 * len(text) * math.log2(len(text)), made) is None


def test_what_costs_too_much_is_found_at_any_size() -> None:
    """A path has its own bound, whatever the growth; so has each character of a document."""
    work, made = Work(), Input(("a",))
    slow = Path("slow", lambda text: work.do(1e-6 * len(text)), 1 << 16, seconds=0.001)
    assert Search(work.meter).try_input(slow, made)
    assert Search(work.meter).try_input(replace(slow, seconds=None, per_character=1e-7), made)
    assert not Search(work.meter).try_input(replace(slow, seconds=1.0), made)


_MEGA = 1024 * 1024


def _remembered(bytes_of: Callable[[str], int], most: int = 200 * _MEGA) -> Finding | None:
    path = Path("planted", lambda _text: None, 1 << 18, memory=most)
    return Search(Work().meter, lambda _name, text: bytes_of(text)).try_input(path, Input(("a",)))


def test_memory_that_grows_faster_than_its_input_is_found() -> None:
    """What takes the square of its input is found, however little that still is."""
    finding = _remembered(lambda text: len(text) ** 2 // 200)
    assert finding
    assert "4.0 times as much memory for twice as many characters" in finding.said


def test_memory_beyond_that_of_a_path_is_found() -> None:
    """A path has its bound for 100,000 characters; what is below it in proportion is right."""
    finding = _remembered(lambda text: 3000 * len(text))
    assert finding
    assert finding.said == "takes 286 MB for 100,000 characters"
    assert finding.made.literal(finding.grown.sizes[-1]) == "'a' * 100000"
    assert _remembered(lambda text: 1000 * len(text)) is None


def test_memory_is_measured_in_another_process() -> None:
    """What a call takes is told to some megabytes, again and again, whatever it raises."""
    calls: list[tuple[str, Call]] = [("take", methodcaller("zfill", 64 * _MEGA)), ("raise", int)]
    with memory_of(partial(list, calls)) as taken:
        for _ in range(3):
            assert abs(taken("take", "a") - 64 * _MEGA) < 4 * _MEGA
        assert taken("raise", "a") < 4 * _MEGA


def test_what_is_raised_is_found_unless_it_is_a_refusal() -> None:
    """A text may be refused by the errors that say so, and by no other."""
    assert Search().try_input(Path("planted", int, 1000), Input(("a",))) is not None
    path = Path("refusing", int, 1000, refuses=(ValueError,))
    assert Search().try_input(path, Input(("a",))) is None


def test_a_leap_is_no_growth() -> None:
    """What costs nothing while it is refused, and something from some size on, is not steep."""
    assert not Growth((1, 2, 4), (0.001, 0.001, 0.1)).is_steep
    assert not Growth((1, 2, 4), (0.01, 0.02, 0.04)).is_steep
    assert Growth((1, 2, 4), (0.01, 0.04, 0.16)).is_steep


def test_a_call_without_end_is_ended() -> None:
    """A pattern that tries each of very many ways is ended, and counts as one without end."""

    def tangled(text: str) -> None:
        re.fullmatch(r"(?:a|a)*b", text)

    with pytest.raises(TooLong):
        cost(lambda: tangled("a" * 60), patience=0.1)


def test_a_seed_repeats_its_inputs() -> None:
    """The same seed puts the same inputs together, in the same order."""
    first, again = (
        [invented(dice, FRAGMENTS, [("", "")]) for _ in range(20)]
        for dice in (Random(5), Random(5))  # noqa: S311 - it makes examples
    )
    assert first == again


def _read(kind: str) -> Callable[[str], object]:
    def read(text: str) -> None:
        document = RawDocument("a.txt", text)
        try:
            documents.parse(document, ParseOptions(date(2026, 11, 21)), kind)
        except DocumentError:
            return

    return read


_TITLE = "Week in Review: June 1\u20137, 2026"
_PAGE = f"<html><body><main><h1>{_TITLE}</h1><h2>A Heading</h2><p>Words of E1."
_PAGE_END = "</p></main></body></html>"
_FEED = (
    f'<rss version="2.0"><channel><title>Letter</title><item><title>a</title><description>'
    f"<![CDATA[{HEAD}{entries()}"
)
_FEED_END = "]]></description></item></channel></rss>"
_COPY = f"{_TITLE}\n\nA Heading\n\nWords of E1.\n\nEpisodes in this topic\n"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (without_keys, "http://a.b/?" + "." * 500_000 + "x"),
        (without_keys, "http://a.b/" * 50_000),
        (lambda text: without_marks(text, frozenset({1})), "(" + "E1," * 60),
        (archive.recognise, "- [" + "](a" * 100_000),
        (
            _read("newsletter"),
            "Top AI Papers of the Week (January 5 - January 11)\n"
            + "(January 5 - January 11)\na\n" * 5_000
            + "1. A\n\nb\n",
        ),
        (_read("review"), _COPY + "".join(f"E1 https://a.b/{i}\n" for i in range(5_000))),
        (_read("review"), _PAGE + "<b></b>" * 15_000 + _PAGE_END),
        (_read("review"), _PAGE + "</p><p>" + "<b> </b>" * 8_000 + _PAGE_END),
        (
            _read("review"),
            f'{_PAGE}<a href="https://a.b/c">{"<b>word</b>" * 15_000}</a>{_PAGE_END}',
        ),
        (_read("review"), f"{_PAGE}<a {' '.join(f'x{i}' for i in range(80_000))}>a</a>{_PAGE_END}"),
        (_read("feed"), f"{_FEED}<p {' '.join(f'x{i}' for i in range(80_000))}>a</p>{_FEED_END}"),
        (reason_found, "a " * 10_000),
    ],
    ids=[
        "discreet dots", "discreet addresses", "marks in a bracket", "links of an index",
        "a week again and again", "links of an episode", "empty elements", "blank elements",
        "one link of many words", "attributes of a page", "attributes of a post",
        "a word again and again",
    ],
)  # fmt: skip
def test_what_took_long_ends(call: Callable[[str], object], text: str) -> None:
    """What the search found once costs a second at most, where it took minutes."""
    cost(lambda: call(text), patience=6)


def test_a_reference_to_no_character_is_none() -> None:
    """A number of thousands of digits is read by nobody, and names no character."""
    assert from_mrkdwn(f"a &#{'9' * 5000}; b &#65;") == "a \N{REPLACEMENT CHARACTER} b A"
