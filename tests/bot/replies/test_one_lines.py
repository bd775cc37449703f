"""One line about a paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.replies.one_lines import NAME_LENGTH, found_lines, one_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("One sentence. Another one.", "One sentence"),
        ("Reaches 53.1 percent on it. Then more.", "Reaches 53.1 percent on it"),
        ("He said “Stop.” Then left.", "He said “Stop.”"),
        ("a kite; it flies", "A kite"),
        ("  Blanks\n and lines. More.", "Blanks and lines"),
        ("", None),
        (None, None),
    ],
)
def test_a_short_sentence_is_the_line(text: str | None, line: str | None) -> None:
    """The first sentence begins with a capital and ends without its stop."""
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("This paper introduces Kite, a model that flies.", "Kite, a model that flies"),
        ("This work also proposes a kite.", "A kite"),
        ("In this paper, we present a kite.", "A kite"),
        ("proposes to use kites.", "Use kites"),
        ("finds that kites fly.", "Kites fly"),
        ("The authors argue that kites fly.", "The authors argue that kites fly"),
        ("They fly. High.", "They fly"),
        ("The work is cut into tiles.", "The work is cut into tiles"),
        ("presents how kites fly.", "Presents how kites fly"),
        ("This paper by a pilot tests kites.", "This paper by a pilot tests kites"),
        ("Kite introduces a string.", "Kite introduces a string"),
        ("The second paper tries kites at sea.", "Tries kites at sea"),
        ("It turns strings into kites.", "Turns strings into kites"),
        ("It is not a kite.", "It is not a kite"),
        ("Notably, kites fly.", "Kites fly"),
        ("The payoff is that kites fly.", "Kites fly"),
        ("A surprising finding: kites fly.", "Kites fly"),
        ("First presents a kite of silk.", "A kite of silk"),
    ],
)
def test_an_empty_opening_is_dropped(text: str, line: str) -> None:
    """What is introduced stands alone, unless the verb needs its subject or says something."""
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            (
                "A kite for stormy days (see the second figure), which flies at a height of three"
                " hundred metres whatever weather there is at the sea."
            ),
            (
                "A kite for stormy days, which flies at a height of three hundred metres whatever"
                " weather there is at the sea"
            ),
        ),
        (
            (
                "Kites stop falling from the sky when they are tied — each of them pulls at its own"
                " string, and a long tail of silk keeps all of them upright."
            ),
            (
                "Kites stop falling from the sky when they are tied — each of them pulls at its own"
                " string"
            ),
        ),
        (
            (
                "Researchers from a school of flying, a shipyard and a museum propose Kite, a"
                " toy that is tied to the mast of a ship."
            ),
            "Kite, a toy that is tied to the mast of a ship",
        ),
        (
            (
                "Builds kites with the help of small ones, which show several ways of wind for the"
                " large ones to try in a single flight over the sea."
            ),
            (
                "Builds kites with the help of small ones, which show several ways of wind for the"
                " large ones to try"
            ),
        ),
        (
            (
                "While nearly all other toys stay on the ground when the wind is very low, this"
                " work proposes a kite that climbs."
            ),
            "A kite that climbs",
        ),
        (
            (
                "A kite that tells the difference between the warm north wind of the early morning"
                " hours of spring in the mountains and the south wind."
            ),
            (
                "A kite that tells the difference between the warm north wind of the early morning"
                " hours of spring in the…"
            ),
        ),
    ],
)
def test_a_long_sentence_ends_where_a_clause_does(text: str, line: str) -> None:
    """Asides, makers and conditions go first; a pair is not torn apart."""
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Kite introduces a toy of paper that climbs.", "A toy of paper that climbs"),
        ("Kite (K) is a toy of paper that climbs.", "A toy of paper that climbs"),
        ("Makers of toys release Kite, an advance in silk strings.", "Silk strings"),
        ("Introduces a new kite. Silk tails keep toys upright.", "Silk tails keep toys upright"),
        ("A kite. It was new. Silk tails help toys.", "Silk tails help toys"),
        (
            (
                "A survey of new ways of kites, including strings of old makers, tails of silk,"
                " knots of sailors, frames of wood, and paper."
            ),
            "Strings of old makers, tails of silk, knots of sailors, frames of wood, and paper",
        ),
        (
            (
                "Introduces an approach to kites along with tails of silk for a heavy wind that"
                " blows from the sea and over all the mountains of the north."
            ),
            (
                "Tails of silk for a heavy wind that blows from the sea and over all the mountains"
                " of the north"
            ),
        ),
    ],
)
def test_a_line_says_more_than_the_title(text: str, line: str) -> None:
    """A sentence that says no more than the title, or begins with a pronoun, is passed over."""
    assert one_line(text, title="Kite: A New Approach") == line


@pytest.mark.parametrize(
    "text",
    [
        "Introduces a new kite.",
        "A survey of kites and of new approaches to them.",
        "An overview of the current state of kites, their limitations and challenges.",
    ],
)
def test_a_text_that_says_no_more_than_the_title_has_no_line(text: str) -> None:
    """A list is better without a line than with one that any paper could have."""
    assert one_line(text, title="Kite: A New Approach") is None


@pytest.mark.parametrize(
    ("text", "line", "called"),
    [
        (
            "Picture a child on a hill with a toy. The kite climbed 40% higher than before.",
            "The kite climbed 40% higher than before",
            "Picture a child on a hill with a toy",
        ),
        (
            "The second paper flies kites at sea. The honest limit is 20% of the wind.",
            "Flies kites at sea",
            None,
        ),
        (
            "The second kite fell. It was torn. Kites of silk beat all others made of paper.",
            "Kites of silk beat all others made of paper",
            None,
        ),
        (
            "The tail holds 90% of an when at sea. Strings of silk hold a kite in any wind.",
            "Strings of silk hold a kite in any wind",
            None,
        ),
        (
            (
                "Strings of any kind tear in the long and heavy wind of spring at sea where nobody"
                " holds a toy, so 30% of kites are lost."
            ),
            "30% of kites are lost",
            None,
        ),
        ("", None, None),
    ],
)
def test_a_review_says_what_was_found(text: str, line: str | None, called: str | None) -> None:
    """Measures and results come before scenes, doubts, torn sentences, pronouns and ordinals."""
    assert found_lines(text) == (line, called)


@given(text=st.text(max_size=400), length=st.integers(20, 200))
def test_lines_of_a_review_are_short(text: str, length: int) -> None:
    """Any text gives a line of so many characters and a shorter one of another sentence."""
    line, called = found_lines(text, length)
    assert line is None or 0 < len(line) <= length + 2
    assert called is None or 0 < len(called) <= NAME_LENGTH + 2


@given(text=st.text(max_size=400), length=st.integers(20, 200))
def test_a_line_is_short_and_begins_as_a_sentence_does(text: str, length: int) -> None:
    """Any text gives one line of at most so many characters, without blanks around it."""
    line = one_line(text, length)
    assert line is None or (line == " ".join(line.split()) and 0 < len(line) <= length + 2)


@pytest.mark.parametrize(
    ("text", "title", "line"),
    [
        (f"Kites and {'strings ' * 20}. Silk tails fly higher.", "", "Silk tails fly higher"),
        ("Do kites fly at night? Silk tails fly higher.", "", "Silk tails fly higher"),
        ("Do kites fly at night?", "", "Do kites fly at night?"),
        ("1) silk kites fly. Paper tails fly higher.", "", "Paper tails fly higher"),
        (f"Kites and {'strings ' * 20}. Main ideas are these:", "", None),
        (
            "A framework to tackle core limitations of existing kites. Silk flies.",
            "Kites",
            "Silk flies",
        ),
        ("Flyer’s Kite is a sail of light silk.", "Flyer's Kite", "A sail of light silk"),
    ],
)
def test_a_line_that_says_more_goes_first(text: str, title: str, line: str | None) -> None:
    """A whole sentence goes before a cut one, and before words that any paper could have."""
    shown = one_line(text, title=title) or ""
    assert shown == line or (line is None and shown.endswith("…"))


def test_what_something_is_taken_for_belongs_to_it() -> None:
    """A clause does not end between what is treated and what it is treated as."""
    text = f"Silk kites reach high winds by treating the tail as a rudder {'of long ribbon ' * 8}."
    assert not (one_line(text) or "").endswith("treating the tail")


_PLAIN = "Silk tails hold strings of paper in wind"


@pytest.mark.parametrize(
    ("later", "line"),
    [
        ("Silk tails outperform strings of paper in wind", _PLAIN),
        ("Silk tails hold 40% of strings in wind", "Silk tails hold 40% of strings in wind"),
    ],
)
def test_the_first_sentence_goes_before_a_later_one_without_a_measure(
    later: str, line: str
) -> None:
    """What a paper is comes first in its text; only much more goes before it."""
    assert one_line(f"{_PLAIN}. {later}.", title="Kite") == line


@pytest.mark.parametrize(
    ("sign", "better", "worse"),
    [
        ("measured", "Silk tails hold 40% of strings in wind", _PLAIN),
        ("counted", "Silk tails hold 400 strings in wind", _PLAIN),
        ("found", "Silk tails outperform strings of paper in wind", _PLAIN),
        ("tells_how", "Silk tails hold strings by pulling in wind", _PLAIN),
        ("is_announced", "The payoff is that silk tails hold strings of paper", _PLAIN),
        ("names_what_is_made", _PLAIN, "A framework of silk tails with strings of paper"),
        ("inquires", _PLAIN, "Explores silk tails with strings of paper"),
        ("inquires", _PLAIN, "A comprehensive overview of silk tails, strings, paper"),
        ("inquires", _PLAIN, "Silk tails are tested with strings of paper in wind"),
        ("inquires", _PLAIN, "The goal is to hold silk tails by strings of paper"),
        ("inquires", _PLAIN, "A notable example: silk tails with strings of paper"),
        ("inquires", "The resulting silk tails hold 40% of paper strings", _PLAIN),
        ("is_of_others", "The payoff is that current silk tails hold strings", _PLAIN),
        ("refers", _PLAIN, "Strings of paper hold the second silk tails in wind"),
        ("tells_means", "Uses silk tails with strings of paper in wind", _PLAIN),
        ("names_a_goal", _PLAIN, "A framework to hold silk tails and strings of paper"),
        ("gains_nothing", _PLAIN, "Silk tails achieve strong performance on strings of paper"),
        ("praises", _PLAIN, "Silk tails hold novel strings of paper in wind"),
        ("is_of_others", _PLAIN, "Recent works hold silk tails by strings of paper"),
        ("is_of_others", _PLAIN, "Silk tails of paper are a popular way to hold strings"),
        ("is_of_others", _PLAIN, "Silk tails often fail to hold strings of paper"),
        ("lists_topics", _PLAIN, "Silk tails, paper strings, heavy winds, and knots"),
        ("refers", _PLAIN, "The model holds silk tails with strings of paper"),
        ("begins_inside", _PLAIN, "Then silk tails hold strings of paper in wind"),
        ("tells_of_release", _PLAIN, "Silk tails with paper strings are publicly available"),
        ("doubts", _PLAIN, "The honest catch is in silk tails with strings of paper"),
        ("asks", _PLAIN, "Do silk tails hold strings of paper in wind?"),
        ("torn", _PLAIN, "Silk tails hold an when strings of paper in wind"),
    ],
)
def test_the_best_sentence_is_the_line(sign: str, better: str, worse: str) -> None:
    """Of two sentences one with a good sign is shown, or one without a bad sign, in any order."""
    texts = (f"Kites. {one}. {other}." for one, other in _orders(better, worse))
    shown = {one_line(text, title="Kite") for text in texts}
    assert shown == {better.removeprefix("The payoff is that ").capitalize()}, sign


def test_a_line_that_is_mostly_the_title_gives_way() -> None:
    """A later sentence goes before the first one if that says its title again, but for a result."""
    again, other = (
        "Paper kites with frames in storms hold silk, wool",
        "Ropes bind tails to long poles",
    )
    assert one_line(f"{again}. {other}.", title="Paper kites with frames in storms") == other
    assert one_line(f"{again}. {other}.", title="Kites") == again
    found = again.replace("hold", "outperform")
    assert one_line(f"{found}. {other}.", title="Paper kites with frames in storms") == found


def test_of_sentences_with_one_worth_the_first_is_the_line() -> None:
    """Order decides where signs don't."""
    one, other = "Silk tails hold paper strings", "Wood frames carry linen sails"
    assert [one_line(f"{a}. {b}.", title="Kite") for a, b in _orders(one, other)] == [one, other]


def test_twelve_sentences_are_compared() -> None:
    """A text of any length costs no more than its first twelve sentences."""
    plain = " ".join(f"{_PLAIN}." for _ in range(11))
    assert (
        one_line(f"{plain} Silk lifts kites 40% more.", title="Kite") == "Silk lifts kites 40% more"
    )
    assert one_line(f"{plain} {_PLAIN}. Silk lifts kites 40% more.", title="Kite") == _PLAIN


def _orders(one: str, other: str) -> list[tuple[str, str]]:
    return [(one, other), (other, one)]
