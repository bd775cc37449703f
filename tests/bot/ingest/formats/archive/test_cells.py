"""The left cell of an archive's row: title, text and highlights."""

import pytest

from store.records import Highlight
from tests.bot.ingest.formats.archive.documents import (
    archive,
    line_of,
    one_row,
    parse,
    row,
    warned,
    week,
)

_JUNE = "(June 2 - June 8) - 2025"
_SOUND = [row(rank) for rank in range(1, 11)]


@pytest.mark.parametrize(
    ("cell", "title", "summary"),
    [
        ("**Kite** - flies.", "Kite", "flies."),
        ("**Kite**- flies.", "Kite", "flies."),
        ("**Kite** -flies.", "Kite", "flies."),
        ("**Kite** - - flies.", "Kite", "flies."),
        ("**Kite** -  flies. -", "Kite", "flies."),
        ("**Kite** flies.", "Kite", "flies."),
        ("**Kite:** flies.", "Kite", "flies."),
        ("**Kite**<br>It flies.", "Kite", "It flies."),
        ("__Kite__ \u2014 flies.", "Kite", "flies."),
        ("[**Kite**](https://kite.org) - flies.", "Kite", "flies."),
        ("**Kite - Part 2** - shows flight.", "Kite - Part 2", "shows flight."),
        ("**Kite Report** - Kite - a kite.", "Kite Report", "Kite - a kite."),
        ("**A* Kites** - fly with **Rope**.", "A* Kites", "fly with Rope."),
        ("**Kites: a catalogue**       ", "Kites: a catalogue", None),
        ("*4Kite** - flies.", "4Kite", "flies."),
        ("Kite** - flies.", "Kite", "flies."),
        ("**Kite - flies.", "Kite", "flies."),
        ("Kite-01 - introduces a kite - a red one.", "Kite-01", "introduces a kite - a red one."),
        ("Kite - Part 2 - shows flight.", "Kite - Part 2", "shows flight."),
        ("Kite  Net - a kite with  ropes.", "Kite Net", "a kite with ropes."),
        ("Kite \u2013 flies.", "Kite", "flies."),
        (
            "Why Kites Fly  Kites \u2014 the red ones fly.",
            "Why Kites Fly",
            "Kites \u2014 the red ones fly.",
        ),
        (
            "Kites  Ropes \u2014 as long as they are \u2014 tear. Really.",
            "Kites",
            "Ropes \u2014 as long as they are \u2014 tear. Really.",
        ),
        ("****Kite Net**** - flies.", "Kite Net", "flies."),
        ("**Kite**** - flies.", "Kite", "flies."),
        ("Kite -flies.", "Kite", "flies."),
        (
            "Kites vs. Ropes  This work flies  both - at once.",
            "Kites vs. Ropes",
            "This work flies both - at once.",
        ),
        ("Kite - Part 2  This work flies.", "Kite - Part 2", "This work flies."),
        ("Kite<br>flies - now.", "Kite", "flies - now."),
        ("o3-kite  o3-kite is a kite.", "o3-kite", "o3-kite is a kite."),
        (
            "Wind for All Introduces a new  wind - for all.",
            "Wind for All",
            "Introduces a new wind - for all.",
        ),
        ("Wind for All This paper finds  wind.", "Wind for All", "This paper finds wind."),
        ("Wind: A New Way Proposes wind.", "Wind: A New Way", "Proposes wind."),
        (
            "Case Studies of Wind Researchers from Rope try it.",
            "Case Studies of Wind",
            "Researchers from Rope try it.",
        ),
        (
            "Case Studies of Wind Studies how wind blows.",
            "Case Studies of Wind",
            "Studies how wind blows.",
        ),
        (
            "Wind Maps Google DeepMind introduces maps.",
            "Wind Maps",
            "Google DeepMind introduces maps.",
        ),
        (
            "Wind's Last Map Wind\u2019s Last Map is a map.",
            "Wind's Last Map",
            "Wind\u2019s Last Map is a map.",
        ),
        ("WindBench WindBench is a bench.", "WindBench", "WindBench is a bench."),
        ("1.58-bit Kites  Presents kites.", "1.58-bit Kites", "Presents kites."),
        ("Kite\u00a0 It flies.", "Kite", "It flies."),
        ("Kites  a new kite of  silk.", "Kites", "a new kite of silk."),
        ("KITE KITE (a net) flies.", "KITE", "KITE (a net) flies."),
        ("Rope and Wind Unlike kites, rope stays.", "Rope and Wind", "Unlike kites, rope stays."),
    ],
)
def test_a_title_ends_where_its_style_says(cell: str, title: str, summary: str | None) -> None:
    """Bold marks, a dash, two blanks, a line break or an opening word end a title."""
    entry = one_row(row(10, cell))
    assert (entry.title, entry.summary) == (title, summary)


def test_a_title_without_an_end_is_reported() -> None:
    """A short text that can't be parted is a title alone, and that is said."""
    text = archive(week(_JUNE, [*_SOUND[:9], row(10, "Kites in Wind")]))
    document = parse(text)
    assert document.editions[0].entries[9].title == "Kites in Wind"
    assert warned(document, "no summary can be told") == [line_of(text, "Kites in Wind")]


def test_a_long_text_without_an_end_is_cut_and_kept_whole() -> None:
    """A long text that can't be parted gets a short title, and the summary keeps all of it."""
    cell = "Kites of paper and silk can rise " + "over hill after hill " * 20
    text = archive(week(_JUNE, [*_SOUND[:9], row(10, cell)]))
    document = parse(text)
    entry = document.editions[0].entries[9]
    assert (entry.title, entry.summary) == ("Kites of paper and silk", cell.strip())
    assert warned(document, "the end of the title can't be told") == [
        line_of(text, "Kites of paper")
    ]


def test_a_bold_sentence_is_parted_like_a_plain_one() -> None:
    """A bold text too long for a title is cut by its own signs."""
    entry = one_row(row(10, "**Kite - shows " + "how it flies " * 20 + "well**"))
    assert entry.title == "Kite"


def test_a_row_without_a_title_is_reported() -> None:
    """A row of links alone makes no entry."""
    document = parse(archive(week(_JUNE, [*_SOUND[:9], "| 10) | [Paper](https://kite.org) |"])))
    assert len(document.editions[0].entries) == 9
    assert len(warned(document, "no title")) == 1


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        (r"Kite Q\&A with \~300 \*stars\*", "Kite Q&A with ~300 *stars*"),
        (
            "a **bold** and *italic* and __bold__ and _italic_ word",
            "a bold and italic and bold and italic word",
        ),
        ("***both*** and **a *b* c**", "both and a b c"),
        ("O(d_emb) of MMLU_PRO by A* search in B*", "O(d_emb) of MMLU_PRO by A* search in B*"),
        ("<think> and <RET>, <1% and 4K -> 256K", "<think> and <RET>, <1% and 4K -> 256K"),
        ("p(x|y) and p(a\\|b)", "p(x|y) and p(a|b)"),
        ("one<br>two<br />three", "one two three"),
        ("two\u2011stage  and\u00a0more   blanks", "two\u2011stage and more blanks"),
        ("wind[s blow](https://kite.org/a_(b)) here", "winds blow here"),
        ("f[0](x) stays", "f[0](x) stays"),
        ("R&amp;D of &lt;kites&gt; at AT&T", "R&D of <kites> at AT&T"),
        ("run `kite_fly(*args)` now", "run `kite_fly(*args)` now"),
    ],
)
def test_text_is_plain_text(printed: str, text: str) -> None:
    """Marks, escapes, links and line breaks are read; whatever else looks like them stays."""
    assert one_row(row(10, f"**Kite** - {printed}")).summary == text


@pytest.mark.parametrize(
    ("bullet", "lead", "text"),
    [
        ("Lift \u2013 It lifts.", "Lift", "It lifts."),
        ("Lift: It lifts: always.", "Lift", "It lifts: always."),
        ("Lift - It lifts.", "Lift", "It lifts."),
        ("Lift \u2014 It lifts.", "Lift", "It lifts."),
        ("Long  lift  \u2013  It lifts.", "Long lift", "It lifts."),
        ("Does it lift? \u2013 It does.", "Does it lift?", "It does."),
        ("Lift vs. Rope \u2013 It lifts.", "Lift vs. Rope", "It lifts."),
        ("Two parts: lift + rope \u2013 Both fly.", "Two parts: lift + rope", "Both fly."),
        ("Kites tried: red, green", "Kites tried", "red, green"),
        ("**Lift** It lifts.", "Lift", "It lifts."),
        ("**Lift:** it lifts.", "Lift", "it lifts."),
        ("**" + "word " * 15 + "lifts.** So.", None, "word " * 15 + "lifts. So."),
        ("It lifts all day.", None, "It lifts all day."),
        ("It lifts. Then: It falls.", None, "It lifts. Then: It falls."),
        (
            "The kite is held by three ropes: one of them red",
            None,
            "The kite is held by three ropes: one of them red",
        ),
        ("Findings on lift:", None, "Findings on lift:"),
        ("Strong ropes -", None, "Strong ropes"),
        ("word " * 16 + ": It lifts.", None, "word " * 16 + ": It lifts."),
    ],
)
def test_a_bullet_has_a_lead_or_none(bullet: str, lead: str | None, text: str) -> None:
    """A lead ends at the first sign that ends something short; a sentence is no lead."""
    assert one_row(row(10, f"**Kite** - flies. <br>\u25cf {bullet}")).highlights == (
        Highlight(lead, text),
    )


@pytest.mark.parametrize(
    "sign",
    [
        "<br>\u25cf ",
        "<br> \u25cf ",
        "   \u25cf ",
        "\u25cf",
        "<br>- ",
        "<br>\u2022 ",
        " \u2022 ",
        "<br/><br>* ",
    ],
)
def test_bullets_stand_behind_every_sign(sign: str) -> None:
    """A bullet is a bullet with or without a line break, and a dash only behind one."""
    entry = one_row(row(10, f"Kite  This work flies.{sign}Lift: It lifts.{sign}It falls."))
    assert entry.summary == "This work flies."
    assert entry.highlights == (Highlight("Lift", "It lifts."), Highlight(None, "It falls."))


def test_an_empty_line_ends_the_list() -> None:
    """What follows two line breaks without a bullet belongs to the summary again."""
    wind = "1. Wind: <br> \u25cf Use<br>wind"
    rope = "2. Rope: <br>\u25cf Use it"
    cell = f"**Kite** - Rules: <br><br> {wind} <br><br> {rope} <br><br> All of it."
    entry = one_row(row(10, cell))
    assert entry.summary == "Rules: 1. Wind: 2. Rope: All of it."
    assert entry.highlights == (Highlight(None, "Use wind"), Highlight(None, "Use it"))


def test_a_bullet_without_text_is_reported() -> None:
    """An empty bullet makes no highlight."""
    document = parse(
        archive(week(_JUNE, [*_SOUND[:9], row(10, "**Kite** - flies. \u25cf \u25cf Lift")]))
    )
    assert document.editions[0].entries[9].highlights == (Highlight(None, "Lift"),)
    assert len(warned(document, "a bullet has no text")) == 1
