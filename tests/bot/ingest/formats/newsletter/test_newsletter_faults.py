"""Newsletters with faults: advertisements, wrong counts, cut-off and doubled text."""

import pytest

from bot.errors import DocumentError
from tests.bot.ingest.drafts import without_lines
from tests.bot.ingest.formats.newsletter.test_newsletter import (
    ADVERT,
    HEAD,
    entries,
    entry,
    parse,
    ranks,
    texts,
)

USUAL = tuple(map(without_lines, parse(HEAD + entries()).editions))


@pytest.mark.parametrize(
    "opening",
    [
        "Message from the Editor",
        "**A MESSAGE FROM OUR SPONSOR**",
        "### Sponsor:",
        "\U0001f4e3 Sponsored by Gadget & Sons, Inc.",
        "Together with Gadget & Sons",
        "Advertisement",
        "Sponsor: Gadget & Sons",
    ],
)
@pytest.mark.parametrize("after", [0, 1, 10])
def test_advertisement(opening: str, after: int) -> None:
    """An advertisement is passed over up to the next entry, wherever it stands."""
    advert = ADVERT.replace("Message from the Editor", opening)
    document = parse(HEAD + entries(1, after) + advert + entries(after + 1, 10))
    assert tuple(map(without_lines, document.editions)) == USUAL
    assert "gadget" not in repr(document).lower()
    assert document.warnings == ()
    assert [note.text for note in document.passed_over][1:] == ["advertisement"] * 3


@pytest.mark.parametrize(
    "numbered",
    ["1. Buy\n2. Build\n3. Ship\n", "3. Buy three\n", "2. Buy two\n", "2. Buy\n3. Build\n"],
)
def test_numbers_in_an_advertisement(numbered: str) -> None:
    """A number in an advertisement is no entry where the entry itself comes later."""
    document = parse(HEAD + entry(1) + ADVERT + numbered + entries(2))
    assert tuple(map(without_lines, document.editions)) == USUAL
    assert "Buy" not in repr(document)


def test_a_doubtful_number_in_an_advertisement_is_reported() -> None:
    """That the next number stood in an advertisement is said, without its words."""
    document = parse(HEAD + entry(1) + ADVERT + "2. Buy two\n" + entries(2))
    assert texts(document.warnings) == {10: "numbered 2, but entry 2 comes later"}


@pytest.mark.parametrize(
    "lead", ["Together with forks", "Presented by spoons", "Word from the top"]
)
def test_a_lead_is_no_advertisement(lead: str) -> None:
    """Words that may open an advertisement as a line open none as a lead."""
    document = parse(f"{HEAD}{entry(1)}{lead}: spoons win.\n{entries(2)}")
    assert document.editions[0].entries[0].highlights[-1].lead == lead


def test_sentence_that_starts_with_a_number_out_of_turn() -> None:
    """A line numbered out of order is text, and what follows it stays with the entry."""
    document = parse(HEAD + entry(1) + "7. was the best of them.\nMore: spoons.\n" + entries(2))
    assert ranks(document) == list(range(1, 11))
    assert document.editions[0].entries[0].highlights[-1].text == "spoons."
    assert list(texts(document.warnings)) == [7]


def test_list_inside_an_entry() -> None:
    """A numbered list inside an entry does not take the place of the next entries."""
    steps = "1. heat it\n2. bend it\n3. let it cool\n"
    document = parse(HEAD + entries(1, 2) + steps + entries(3))
    assert tuple(map(without_lines, document.editions)) == USUAL
    assert set(texts(document.warnings)) == {11, 12, 13}


def test_list_of_contents() -> None:
    """A list of all titles above the entries is named, and the entries are taken."""
    contents = "".join(f"{rank}. Paper {rank}\n" for rank in range(1, 11))
    document = parse(HEAD + contents + entries())
    assert tuple(map(without_lines, document.editions)) == USUAL
    assert set(texts(document.warnings)) == set(range(3, 13))


def test_missing_rank() -> None:
    """A rank that never comes is reported, and the count goes on behind it."""
    document = parse(HEAD + entries(1, 6) + entries(8))
    assert ranks(document) == [1, 2, 3, 4, 5, 6, 8, 9, 10]
    assert texts(document.warnings) == {27: "rank 7 is missing"}


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_several_missing_ranks(missing: int) -> None:
    """Up to three ranks may be missing at once, at the start as well."""
    document = parse(HEAD + entries(1 + missing))
    assert ranks(document) == list(range(1 + missing, 11))
    assert len(document.warnings) == missing


def test_rank_given_twice() -> None:
    """An entry under a rank that is taken is left out whole, and its lines go nowhere else."""
    wrong = entry(5).replace("5. ", "4. ")
    document = parse(HEAD + entries(1, 4) + wrong + entries(6))
    assert ranks(document) == [1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert set(texts(document.warnings)) == {19, 20, 21, 22, 23}
    assert len(document.editions[0].entries[3].highlights) == 2


def test_ranks_beyond_ten() -> None:
    """A longer list than usual is kept whole."""
    assert ranks(parse(HEAD + entries(1, 14))) == list(range(1, 15))


def test_doubled_lines() -> None:
    """A line that stands twice in a row counts once and is named."""
    doubled = "".join(line * 2 for line in entries().splitlines(keepends=True))
    document = parse(HEAD + doubled)
    assert tuple(map(without_lines, document.editions)) == USUAL
    assert texts(document.warnings)[4] == "repeats line 3"
    assert len(document.warnings) == 40


def test_lines_above_the_entries() -> None:
    """Words between the heading and the first entry are named; a second heading is harmless."""
    again = "Top AI Papers (January 5-11)\n"
    document = parse(HEAD + again + "by Ann Author\n" + entries())
    assert tuple(map(without_lines, document.editions)) == USUAL
    assert list(texts(document.warnings)) == [4]
    assert texts(document.passed_over)[3] == "prints the week again"


def test_two_editions_in_a_file() -> None:
    """A second heading of the same words starts a second edition."""
    earlier = HEAD.replace("January 5-11", "December 29 - January 4")
    document = parse(HEAD + entries() + ADVERT + earlier + entries(1, 9) + entry(10))
    weeks = [each.first_day.isoformat() for each in document.editions]
    assert weeks == ["2026-01-05", "2025-12-29"]
    assert [len(each.entries) for each in document.editions] == [10, 10]
    assert document.warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        entries(1, 3) + "4. Paper 4\n",
        entries(1, 3) + "4. Paper 4\nPaper 4 bends",
        entries(1, 3) + "4. Paper 4\nPaper 4 bends\n\n\n",
        entries()[:-8],
    ],
)
def test_cut_off(text: str) -> None:
    """A document that breaks off is refused, with the place."""
    line = len((HEAD + text).rstrip("\n").split("\n"))
    with pytest.raises(DocumentError, match=f"letter.txt breaks off in line {line}") as refusal:
        parse(HEAD + text)
    assert refusal.value.remedy == "Import the whole file."


@pytest.mark.parametrize(
    "text", [entries()[:-1], entries() + "No full stop\n", entries(1, 9) + "10. Paper 10\n\n"]
)
def test_whole_in_spite_of_its_end(text: str) -> None:
    """With all usual entries, a sentence end or a line break at the end is enough."""
    assert len(parse(HEAD + text).editions[0].entries) == 10


def test_short_newsletter() -> None:
    """Fewer entries than usual are kept with a warning where the last sentence ends."""
    document = parse(HEAD + entries(1, 6))
    assert ranks(document) == [1, 2, 3, 4, 5, 6]
    assert texts(document.warnings) == {26: "ends after entry 6; this newsletter usually has ten"}


@pytest.mark.parametrize(
    ("text", "sentence", "remedy"),
    [
        ("", "no heading with its week", "Put a line such as"),
        (entries(), "no heading with its week", "Put a line such as"),
        (HEAD + "Nothing else.\n", "no numbered entry below line 2", "Entries start"),
        (HEAD.replace("5-11", "5-45") + entries(), "line 2: no year makes", "--year"),
    ],
)
def test_refusals(text: str, sentence: str, remedy: str) -> None:
    """What has no week or no entries is refused, with what to do."""
    with pytest.raises(DocumentError, match=sentence) as refusal:
        parse(text)
    assert remedy in refusal.value.remedy
