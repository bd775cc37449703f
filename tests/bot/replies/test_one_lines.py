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
    "text",
    [
        "At the top of the machine that makes kites of silk a frame goes | in, a toy comes out",
        "A new kind of toy enables children of any age to slowly lift | and hold strings of silk",
        "This famous maker of many toys argues that kites of silk | such as the one in this book",
        "A way to build toys for all children that combines strings of silk | with tails of paper",
        "A family of toys that are made for heavy weather and have a natural | and very long tail",
        "Many makers of toys in the north of this land built kites that look similar | to gliders",
        "A kite of the old makers by the sea climbs in the wind of a spring day up | to the clouds",
        "A tail lifts old kites of silk from 20 to 50 metres and those of paper | from 14 to 30",
        "A tail lifts old kites of silk by 20 metres and those made of heavy paper | by 14 metres",
        "A kite of silk climbs higher than the older toys of the makers by four key parts |: tails",
        "A long tail is of use to old kites in places where the wind | of spring is too heavy",
        "A long tail helps those kites of silk that are flown in the north by lifting | the frame",
        "A maker of toys by the sea ties the tails of old kites with many methods | such as knots",
        "A tail of silk holds a kite in winds so that toys are light, easier | to fly and cheap",
        "Most parts of kites, such as tails | and strings of silk, can be made of paper or of wood",
    ],
)
def test_no_line_ends_in_the_air(text: str) -> None:
    """A clause does not end where the next word is what it lacks."""
    before, _, after = text.partition(" |")
    line = one_line(f"{before}{after} of an old man by the sea.", len(before) + 4)
    assert line
    assert line != before


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


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Experimental results on five hills show that silk tails hold strings.",
            "Silk tails hold strings",
        ),
        ("It finds that, on average, silk tails hold strings.", "Silk tails hold strings"),
        ("This approach holds silk tails by strings.", "Holds silk tails by strings"),
        ("There is a heavy fall in winds of spring.", "A heavy fall in winds of spring"),
        ("For instance, silk tails hold strings.", "Silk tails hold strings"),
        ("Finds that 1) silk tails hold strings, 2) paper falls.", "Silk tails hold strings"),
        ("When they fall, tails tear. Silk tails hold strings.", "Silk tails hold strings"),
    ],
)
def test_what_stands_before_a_finding_is_dropped(text: str, line: str) -> None:
    """Who reports it, where it was seen, and that others follow say nothing of it."""
    assert one_line(text, title="Kite") == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Compares tails of silk and finds that paper falls when winds of the sea are heavy.",
            "Paper falls when winds of the sea are heavy",
        ),
        (
            "It improves all toy kites for all weather by tying silk tails to heavy wooden frames.",
            "Tying silk tails to heavy wooden frames",
        ),
        (
            "A toy kite in all weather that uses tails of silk and frames of wood in winds.",
            "Uses tails of silk and frames of wood in winds",
        ),
        (
            "A toy kite for each weather, giving more string to tails that pull in the wind.",
            "Giving more string to tails that pull in the wind",
        ),
        (
            "Explores the sea, which leads to 40% less torn silk than tails of paper.",
            "40% less torn silk than tails of paper",
        ),
        (
            "A toy kite of all toy kites, achieving 40% less torn silk than paper tails of old.",
            "40% less torn silk than paper tails of old",
        ),
        (
            "Kites for all weather of toy makers, where tails of silk are tied to wooden frames.",
            "Tails of silk are tied to wooden frames",
        ),
        (
            "There are limits of toys: Paper tails reach only 21 metres in heavy winds.",
            "Paper tails reach only 21 metres in heavy winds",
        ),
        (
            "Consists of several parts: 1) silk tails that are tied to frames of wood, 2) paper.",
            "Silk tails that are tied to frames of wood",
        ),
    ],
)
def test_what_stands_inside_a_sentence_may_be_the_line(text: str, line: str) -> None:
    """Where a sentence is too long: a result, the means, a phrase that says more than its start."""
    assert one_line(text, 52, title="Toy Kites for All Weather") == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("It's built on frames of wood.", "Built on frames of wood"),
        ("It’s found to be orders of metres higher.", "Orders of metres higher"),
        ("Explores the use of existing silk tails in wind.", "Silk tails in wind"),
        ("However, silk tails hold strings.", "Silk tails hold strings"),
        ("It quickly pulls tails of silk.", "Quickly pulls tails of silk"),
        ("It can lift tails of silk.", "Can lift tails of silk"),
        ("This model lifts tails of silk.", "Lifts tails of silk"),
        ("Shows that tails of silk fly and that paper falls.", "Tails of silk fly"),
        ("Shows that tails of silk fly and proposes strings.", "Tails of silk fly"),
        ("Both silk and paper hold strings.", "Both silk and paper hold strings"),
    ],
)
def test_more_of_a_beginning_is_dropped(text: str, line: str) -> None:
    """What a sentence is about is left out where the rest can stand alone."""
    assert one_line(text, title="Kite") == line


def test_a_result_between_things_of_the_title_is_shown() -> None:
    """What is announced is a result even if its words are those of the title."""
    title = "Silk Tails or Paper Tails for Kites"
    assert one_line("Finds that silk outlives paper.", title=title) == "Silk outlives paper"
    assert one_line("Silk kites and outlived paper.", title=title) is None


def test_a_line_keeps_its_number() -> None:
    """A clause rather ends behind a measure than before it."""
    text = (
        "The new tails of silk raise the height of any old kite by 27% in winds of the sea and by 3"
    )
    assert one_line(f"{text} metres in those of the land and the mountains.", 90) == (
        "The new tails of silk raise the height of any old kite by 27%"
    )


def test_a_share_in_an_aside_stays() -> None:
    """It is what a reader looks for."""
    text = (
        f"Reaches the best height (79.6%) of silk tails (see below) in winds {'of the sea ' * 9}."
    )
    assert (one_line(text) or "").startswith("Reaches the best height (79.6%) of silk tails")


def test_who_claims_something_gives_way_to_what_is_claimed() -> None:
    """Where no clause fits with both."""
    claim = (
        "to keep all of the long strings dry, makers of toys, not owners of ships, must tie the"
        " tails of silk kites"
    )
    line = one_line(f"Argues that {claim} and gliders to frames.")
    assert line == claim.capitalize()
    assert one_line("Claims that silk tails hold strings.") == "Claims that silk tails hold strings"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "A survey of kites; covers topics such as tails of silk, strings, and wooden frames.",
            "Tails of silk, strings, and wooden frames",
        ),
        (
            "A survey of kites; reviews several kites (e.g., silk tails, strings, wooden frames).",
            "Silk tails, strings, wooden frames",
        ),
        ("A survey of kites; covers methods, applications, benchmarks, and challenges.", None),
    ],
)
def test_what_a_survey_covers_is_its_line_where_no_more_is_said(
    text: str, line: str | None
) -> None:
    """Its topics, if they are not those of any survey."""
    assert one_line(text, title="Kites: A Survey") == line


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("SHK for Wind", "A single hand kite for wind."),
        ("Single Hand Kites", "A SHK for flight of SHK."),
        ("Kite: Paper", "A well-paperweight kite."),
    ],
)
def test_short_forms_and_compounds_say_no_more(title: str, text: str) -> None:
    """Initials stand for their words, and a compound is one word."""
    assert one_line(text, title=title) is None


def _orders(one: str, other: str) -> list[tuple[str, str]]:
    return [(one, other), (other, one)]
