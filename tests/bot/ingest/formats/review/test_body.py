"""A review's body: which line is a heading, which mark counts, and whose text is whose."""

from textwrap import wrap

import pytest

from bot.ingest.formats.review.body import Episode, make_entries
from bot.ingest.formats.review.elements import Element
from store.records import Heading
from tests.bot.ingest.formats.review.documents import (
    BILL,
    CACHE,
    CACHE_MORE,
    COST,
    LIST,
    OVERVIEW,
    PAUSE,
    ROBOT,
    ROBOTS,
    ROBOTS_TAGLINE,
    ROUTER,
    ROUTING,
    UNSURE,
    copy_of,
    edition_of,
    entries_of,
    parse,
    warned,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It learns E201, then rests.", "It learns, then rests."),
        ("Was it late E201? It was.", "Was it late? It was."),
        ("It can't E201 . Gaps , stay.", "It can't . Gaps , stay."),
        ("It learns (E201) and rests.", "It learns and rests."),
        ("It learns [E201] and rests.", "It learns and rests."),
        ("E201 learns and rests.", "learns and rests."),
        ("It learns. E201 rests.", "It learns. rests."),
        ("It learns\u00a0E201; it rests.", "It learns; it rests."),
        (
            "It learns E201 – E2E, as E5-large and E3.5 do.",
            "It learns – E2E, as E5-large and E3.5 do.",
        ),
    ],
)
def test_only_the_mark_goes_out_with_the_blank_before_it(text: str, expected: str) -> None:
    """A mark is cut wherever it stands; gaps, punctuation and longer names are left."""
    assert entries_of(copy_of((ROUTER, text)))["E201"].summary == expected


@pytest.mark.parametrize("parting", ["\n", "\n\n\n", "\n \n\t\n"])
def test_elements_may_be_parted_by_any_number_of_empty_lines(parting: str) -> None:
    """None, several and blank-filled lines between elements give the same texts."""
    edition = edition_of(copy_of(("\n\n", parting)))
    whole = edition_of(copy_of())
    assert edition.headings == whole.headings
    assert [entry.summary for entry in edition.entries] == [
        entry.summary for entry in whole.entries
    ]


def test_paragraphs_wrapped_by_a_mail_program_are_joined() -> None:
    """Where no line is long and whole blocks are filled, each block is one paragraph."""
    words = " ".join(f"word{number}" for number in range(80))
    wrapped = "\n".join(wrap(words, 100))
    plain = copy_of(
        (ROUTER, f"{words} E201."), (OVERVIEW, "In short, E201 to E204 E202 E203 E204.")
    )
    text = plain.replace(words, wrapped)
    assert entries_of(text)["E201"].summary == f"{words}."
    assert parse(text).warnings == parse(plain).warnings


def test_a_heading_may_lack_its_tagline() -> None:
    """Two short lines after a list are a heading and a section, and the lack is named."""
    text = copy_of((f"{ROBOTS_TAGLINE}\n\n", ""))
    parsed = parse(text)
    assert parsed.editions[0].headings[1] == Heading(ROBOTS, None)
    assert entries_of(text)["E204"].section == PAUSE
    assert warned(parsed, text, ROBOTS) == [f"the heading “{ROBOTS}” has no tagline"]


@pytest.mark.parametrize("tagline", ["One paper on waiting", "What is waiting for?"])
def test_a_tagline_may_end_like_a_heading(tagline: str) -> None:
    """The second of three short lines after a list is the tagline."""
    edition = edition_of(copy_of((ROBOTS_TAGLINE, tagline)))
    assert edition.headings[1] == Heading(ROBOTS, tagline)


@pytest.mark.parametrize("title", ["Why pause at all?", "Pauses: a short defence", "Wait!"])
def test_a_section_title_may_end_in_other_marks(title: str) -> None:
    """Question marks, colons and exclamation marks do not make a sentence of a section's title."""
    assert entries_of(copy_of((PAUSE, title)))["E204"].title == title


def test_a_heading_may_lack_sections() -> None:
    """Entries that no section stands over are named by their heading."""
    text = copy_of((f"{PAUSE}\n\n", ""))
    entry = entries_of(text)["E204"]
    assert (entry.heading, entry.section, entry.title) == (ROBOTS, None, ROBOTS)
    warning = f"there is no section's title under “{ROBOTS}”"
    assert warned(parse(text), text, "The robot waits") == [warning]


def test_equal_section_titles_are_told_apart() -> None:
    """The number is added wherever a section's title serves more than one episode."""
    entries = entries_of(copy_of((PAUSE, COST)))
    assert entries["E203"].title == f"{COST} (E203)"
    assert entries["E204"].title == f"{COST} (E204)"


def test_a_lost_list_still_parts_headings() -> None:
    """A capitalised line with a tagline and a section behind it is a heading anywhere."""
    text = copy_of((f"{LIST}\n\n{ROBOTS}", ROBOTS))
    parsed = parse(text)
    assert entries_of(text)["E204"].heading == ROBOTS
    warning = "no list of episodes closes the heading before this one"
    assert warned(parsed, text, ROBOTS) == [warning]


def test_no_list_at_all_still_parts_headings() -> None:
    """A review without lists is read by the same signs, and its end is not doubted."""
    parsed = parse(copy_of((f"\n\n{LIST}", "")))
    assert [heading.title for heading in parsed.editions[0].headings] == [ROUTING, ROBOTS]
    assert parsed.warnings == ()


def test_the_foot_of_a_page_is_no_heading() -> None:
    """Short lines and prose behind the last list are named and left out."""
    text = f"{copy_of()}\n\nSubscribe\n\nMade with care.\n\n← all reviews"
    parsed = parse(text)
    assert len(parsed.editions[0].headings) == 2
    assert [note.line for note in parsed.warnings] == [len(text.split("\n")) - at for at in (4, 2)]


def test_an_opening_without_a_mark_goes_to_the_next_episode() -> None:
    """A section's first paragraph without a mark opens the first episode behind it."""
    text = copy_of((ROUTER, f"Routers are old.\n\n{ROUTER}"))
    assert str(entries_of(text)["E201"].summary).startswith("Routers are old.\n\nThe first paper")
    warning = "names no episode; read as the opening of E201"
    assert warned(parse(text), text, "Routers are old.") == [warning]
    assert entries_of(text)["E201"].line == 22


def test_a_section_without_a_mark_is_reported() -> None:
    """Its paragraph goes to no episode of another section, and both its lines are named."""
    claim = ("4 episodes · ", "")
    text = copy_of(
        claim, (BILL, "Here a bill is drawn up for each forgotten answer."), (", E203", "")
    )
    parsed = parse(text)
    assert list(entries_of(text)) == ["E201", "E202", "E204"]
    assert warned(parsed, text, "Here a bill") == ["left out: no episode is named in this section"]
    assert warned(parsed, text, COST) == [f"no episode begins in the section “{COST}”"]


def test_a_mark_may_stand_in_a_section_title() -> None:
    """The text behind such a title is the episode's, and the title loses the mark."""
    text = copy_of((PAUSE, f"{PAUSE} E204"), (ROBOT, ROBOT.replace(" E204", "")))
    entry = entries_of(text)["E204"]
    assert (entry.section, entry.summary) == (PAUSE, ROBOT.replace(" E204", ""))


def test_a_second_mark_is_a_reference_if_the_episode_has_a_text() -> None:
    """A paragraph belongs to the episode that has no other text; the other mark is named."""
    text = copy_of((ROUTER, "Unlike E202, the router asks E201. It rarely does."))
    entries = entries_of(text)
    assert entries["E201"].summary == "Unlike, the router asks. It rarely does."
    assert str(entries["E202"].summary).startswith("The second paper")
    warning = "E202 is named too; the text was taken as E201's"
    assert warned(parse(text), text, "Unlike E202") == [warning]


def test_a_second_mark_makes_an_entry_if_it_stands_nowhere_else() -> None:
    """Two episodes that share their only paragraph both have it, and that is named."""
    both = "Here a bill is drawn up (E202, E203). Most items were cheap."
    text = copy_of((f"{CACHE}\n\n{CACHE_MORE}\n\n", ""), (BILL, both))
    entries = entries_of(text)
    assert entries["E202"].summary == "Here a bill is drawn up. Most items were cheap."
    assert entries["E203"].summary == entries["E202"].summary
    warning = "E203 is named only beside E202; both have this text"
    assert warned(parse(text), text, "Here a bill") == [warning]


def test_an_episode_taken_up_again_keeps_its_first_place() -> None:
    """A paragraph in a later section with an earlier mark is added to that episode."""
    text = copy_of((ROBOT, f"{ROBOT}\n\nIt uses the router of the first paper E201."))
    entry = entries_of(text)["E201"]
    assert (entry.section, str(entry.summary).count("\n\n")) == (UNSURE, 1)
    warning = "E201 comes again; the text was added to it"
    assert warned(parse(text), text, "It uses") == [warning]


def test_a_repeated_paragraph_is_left_out() -> None:
    """The same text twice is kept once and named."""
    text = copy_of((BILL, f"{BILL}\n\n{BILL}"))
    assert entries_of(text)["E203"] == entries_of(copy_of())["E203"]
    assert [note.text for note in parse(text).warnings] == ["left out: repeats line 30"]


def test_numbers_may_have_gaps() -> None:
    """An episode need not follow the one before it."""
    text = copy_of(("E203", "E207"), ("E204", "E213"))
    assert list(entries_of(text)) == ["E201", "E202", "E207", "E213"]
    assert parse(text).warnings == ()


def test_names_like_marks_stay_in_the_text() -> None:
    """E5 models and earlier episodes are no entries while the claimed count is met without them."""
    text = copy_of((ROUTER, "A router on E5 embeddings, after E198, learns E201. It asks E2E."))
    entries = entries_of(text)
    assert list(entries) == ["E201", "E202", "E203", "E204"]
    assert entries["E201"].summary == "A router on E5 embeddings, after E198, learns. It asks E2E."
    assert parse(text).warnings == ()


def test_a_doubtful_mark_is_named_where_no_count_is_claimed() -> None:
    """Without a claimed count, a number far from the others is left in the text and named."""
    text = copy_of(("4 episodes · ", ""), (ROUTER, "A router on E5 embeddings learns E201. It is."))
    assert entries_of(text)["E201"].summary == "A router on E5 embeddings learns. It is."
    assert warned(parse(text), text, "A router on") == ["E5 was not taken for an episode"]


def test_a_far_number_counts_if_the_claimed_count_needs_it() -> None:
    """An old episode told again has a number of its own, which overview and text both name."""
    text = copy_of(("E204", "E17"))
    assert list(entries_of(text)) == ["E201", "E202", "E203", "E17"]


def test_a_paragraph_of_many_episodes_is_kept_once() -> None:
    """However many episodes a paragraph is about, its text without their marks is made once."""
    text = "Kites fly. " + " ".join(f"E{number}" for number in range(1, 40))
    episodes = [Episode(n, 1, None, None, [Element(1, text, 1)]) for n in range(1, 40)]
    entries, _ = make_entries(episodes, (), frozenset(range(1, 40)))
    assert {entry.summary for entry in entries} == {"Kites fly."}
    assert len({id(entry.summary) for entry in entries}) == 1
