"""Which part of a sentence is the one line about a paper."""

import pytest

from bot.replies.one_lines import one_line


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
            "Topics such as tails of silk, strings, and wooden frames",
        ),
        (
            "A survey of kites; discusses tall wooden frames including poles, masts, and yards.",
            "Tall wooden frames including poles, masts, and yards",
        ),
        (
            "A survey of kites; goes into tails of silk, strings, and wooden frames.",
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
    """Its topics with what they are called, if they are not those of any survey."""
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
