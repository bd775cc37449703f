"""The encoding of a document: what is proven damage is undone, the rest stays and is named."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.domain.drafts import Note
from bot.ingest.encoding import Repair, repair
from tests.shared_data import shared_file

DAMAGED = {
    "iso8859-13": "seeds/000_6b97a1adf3c6bd05.txt",
    "iso8859-16": "seeds/002_dc9cd6f66951fc0f.txt",
}
CHARSETS = (
    *DAMAGED,
    "iso8859-1",
    "iso8859-2",
    "iso8859-4",
    "iso8859-9",
    "iso8859-10",
    "iso8859-15",
)
WINDOWS = ("cp1252", "cp1250", "cp1257")
CONTROLS = dict.fromkeys(range(0x80, 0xA0))
HEAD = "\U0001f947Top Spoons\n"


def damage(text: str, charset: str, *, keep: bool = False) -> str:
    """Read the UTF-8 of a text in another charset and, unless kept, drop the controls."""
    letters = [_letter(byte, charset) for byte in text.encode()]
    return "".join(letters) if keep else "".join(letters).translate(CONTROLS)


def _letter(byte: int, charset: str) -> str:
    try:
        return bytes([byte]).decode(charset)
    except UnicodeDecodeError:
        return chr(byte)


def lines_of(notes: tuple[Note, ...]) -> list[int]:
    """List the lines that notes are about."""
    return [note.line for note in notes]


def assert_untouched(text: str) -> Repair:
    """Check that a text stays as it is, and return what was said about it."""
    outcome = repair(text)
    assert outcome.text == text
    assert outcome.repaired == ()
    return outcome


@pytest.mark.parametrize(
    ("charset", "expected"),
    [
        (
            "iso8859-13",
            [
                (1, "\U0001f947Top", "R1"),
                (8, "models\u2019", "R5"),
                (21, "LLMs\u2019", "R5"),
                (33, "ProRL-V2\u2019s", "R3"),
                (33, "QuestA\u2019s", "R3"),
                (40, "agent\u2019s", "R3"),
            ],
        ),
        (
            "iso8859-16",
            [
                (1, "\U0001f947Top", "R1"),
                (21, "\u201cwarriors\u201d", "R4"),
                (21, "\u201cRed Queen\u201d", "R4"),
                (36, "values\u2014destroying", "R6"),
                (45, "model\u2019s", "R3"),
                (54, "Anthropic\u2019s", "R3"),
                (60, "\u201cDelta Operator\u201d", "R4"),
            ],
        ),
    ],
)
def test_real_copies(charset: str, expected: list[tuple[int, str, str]]) -> None:
    """All thirteen repairs are right and nothing else changes: damage again gives the copy."""
    text = shared_file(DAMAGED[charset]).read_text(encoding="utf-8")
    outcome = repair(text)
    assert damage(outcome.text, charset) == text
    assert outcome.unrepaired == ()
    said = [(note.line, note.text.rsplit(" as ", maxsplit=1)[1]) for note in outcome.repaired]
    assert said == [(line, f'"{put}" ({rule})') for line, put, rule in expected]


@pytest.mark.parametrize("name", ["seeds/001_60719b701ad4a391.txt", "archive-README.md"])
def test_sound_copies(name: str) -> None:
    """A sound document comes back as the same object, with nothing said."""
    text = shared_file(name).read_text(encoding="utf-8")
    assert repair(text) == Repair(text, (), ())
    assert repair(text).text is text


@pytest.mark.parametrize(
    "text",
    [
        "M\u0101ori, ch\u00e2teau, na\u00efve, \u0160uba",
        "Neuch\u00e2tel, Ravid\u0101s, Latvij\u0101",
        "Ravid\u0101s sang. Ravid\u0101s wrote.",
        "Neuch\u00e2tel and the ch\u00e2teau \u2014 \u6f22\u5b57",
        "1,200 \u00c5\u00b2 and again 300 \u00c5\u00b2",
        "\u00abMEN\u00dc\u00bb and \u00abCAF\u00c9\u00bb",
        "CAF\u00c9\u201d said \u00ab\u00c9\u00bb",
    ],
)
def test_true_letters_stay(text: str) -> None:
    """Names, units and signs of other languages are no damage and are not spoken of."""
    assert assert_untouched(text).unrepaired == ()


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize(
    "sentence",
    [
        "the model\u2019s spoon",
        "GPT-4\u2019s and Llama-3.1\u2019s and o1\u2019s spoons",
        "don\u2019t bend, Can\u2019t bend, won\u2019t bend",
        "I\u2019m sure they\u2019re bent, we\u2019ll see, you\u2019ve won, he\u2019d go",
        "a \u201cbent spoon,\u201d a (\u201cfork?\u201d) and \u201cwhy not!\u201d.",
        "a \u201cmodel\u2019s spoon\u201d bends",
        "the models\u2019 spoons, LLMs\u2019 GPT spoons, users\u2019 3 spoons",
        "bent spoons\u2014straight forks",
        "spoons \u2013 forks",
        "spoons and so on\u2026 or \u2026",
        "\u2022 a bullet",
        "2\u00d7 faster, 2\u00d72 spoons",
        "10\u201320 spoons",
        "a caf\u00e9\u2019s spoon, na\u00efve\u00a0forks",
    ],
)
def test_rules_below_a_header(charset: str, sentence: str) -> None:
    """Below a damaged medal each rule gives back what was there, whatever the charset."""
    text = f"{HEAD}{sentence}\n"
    outcome = repair(damage(text, charset))
    assert (outcome.text, outcome.unrepaired) == (text, ())


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize(
    "sentence",
    [
        "a spoon\u2014a fork",
        "the spoons\u2019, not the forks\u2019",
        "\u2192 spoons",
        "x \u2265 5",
        "\U0001f680 spoons",
        "an \u201copening " + "very " * 20 + "long\u201d quote",
    ],
)
def test_what_no_rule_covers_is_left_and_named(charset: str, sentence: str) -> None:
    """In a damaged document what no rule covers stays as it is, with its line."""
    found = damage(f"{HEAD}the model\u2019s spoon\n{sentence}\n", charset)
    outcome = repair(found)
    assert outcome.text.split("\n")[:2] == f"{HEAD}the model\u2019s spoon".split("\n")
    assert outcome.text.split("\n")[2] == found.split("\n")[2]
    assert set(lines_of(outcome.unrepaired)) == {3}
    assert all(note.text.endswith("(R8)") for note in outcome.unrepaired)


@pytest.mark.parametrize("emoji", ["\U0001f4f0", "\U0001f916"])
def test_other_emoji_prove_damage(emoji: str) -> None:
    """What is left of another emoji proves the charset, and stays: its bytes are lost."""
    outcome = repair(damage(f"{emoji}News\nthe model\u2019s spoon\n", "iso8859-13"))
    assert outcome.text.endswith("News\nthe model\u2019s spoon\n")
    assert lines_of(outcome.repaired) == [2]
    assert lines_of(outcome.unrepaired) == [1]


@pytest.mark.parametrize("charset", CHARSETS)
def test_two_signs_prove_damage(charset: str) -> None:
    """Without a header two different signs prove damage."""
    text = "The model\u2019s spoon and the \u201cbent fork\u201d\u2014some models\u2019 tools.\n"
    assert repair(damage(text.replace("\u2014some", ", some"), charset)).text == text.replace(
        "\u2014some", ", some"
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one model\u0101s spoon", [1]),
        ("the model\u0101s spoon\nthe agent\u0101s fork \u2014 fine", [1, 2]),
        ("the model\u0101s spoon\nthe M\u0101ori agent\u0101s fork", [1, 2]),
        ("the model\u0101s spoon and \u00b1 5\nthe agent\u0101s fork", [1, 2]),
        ("\u0161\u201eTop\nthe model\u0101s spoon\nthe model\u00e2s fork", [1, 2, 3]),
        ("\u0161\u201eTop\nthe \u2019right\u2019 model\u0101s", [1, 2]),
        ("\u0161\u201eTop\nthe \u201cright\u201d model\u0101s", [1, 2]),
        ("one \u00e2Red Fork\u00e2 \u2014 fine", [1]),
        ("na\u00c3\u00afve \u2014 caf\u00c3\u00a9", [1, 1]),
    ],
)
def test_what_is_not_proven_is_named_and_left(text: str, lines: list[int]) -> None:
    """Too few signs, true letters, other charsets or sound parts: nothing is touched."""
    left = assert_untouched(text).unrepaired
    assert lines_of(left) == lines
    assert all("does not prove it" in note.text for note in left)


def test_damage_done_twice_is_left() -> None:
    """What comes out damaged again is not undone and is named."""
    text = damage(damage("the model\u2019s spoon", "cp1252", keep=True), "cp1252", keep=True)
    assert lines_of(assert_untouched(text).unrepaired) == [1]


def test_lone_controls_are_named() -> None:
    """Control characters that belong to no sequence stay and are named."""
    assert lines_of(assert_untouched("fine\nlone \x93 control").unrepaired) == [2]


def test_complete_bytes_are_undone_anywhere() -> None:
    """A run with all its bytes is undone even where other parts are sound (R0)."""
    outcome = repair("it\u00e2\u0080\u0099s \u2014 M\u0101ori\nit\u00e2\u20ac\u2122s")
    assert outcome.text.startswith("it\u2019s \u2014 M\u0101ori\n")
    assert outcome.repaired[0] == Note(1, 'read "it\u00e2\\x80\\x99s" as "it\u2019s" (R0)')


def test_byte_order_mark_that_was_read_as_letters() -> None:
    """A byte order mark that comes to light is taken off, and proves the charset."""
    outcome = repair("\u00ef\u00bb\u00bfTop\nthe model\u00e2s spoon")
    assert outcome.text == "Top\nthe model\u2019s spoon"


def test_a_closing_mark_with_a_dropped_byte() -> None:
    """Windows has no letter for the last byte of a closing mark; the opening one tells it."""
    text = "it\u2019s \u201cbent\u201d and \u201cold\u201d"
    assert repair(damage(text, "cp1252", keep=True).replace("\x9d", "")).text == text


@given(st.text())
def test_any_text(text: str) -> None:
    """Any text is repaired without an error, line by line; a second time changes no line count."""
    outcome = repair(text)
    assert outcome.text.count("\n") == text.count("\n")
    lines = text.count("\n") + 1
    assert all(1 <= line <= lines for line in lines_of(outcome.repaired + outcome.unrepaired))


@given(st.text("ab's \n\u0101\u00e2\u0161\u201e\u0111\u00e9\u00c3NBSTv"))
def test_text_with_a_dash_is_only_spoken_of(text: str) -> None:
    """A dash that stands as itself protects every letter around it."""
    assert_untouched(f"{text}\n\u2014")


@given(
    st.text("ab T.,\u2019\u2014\u201c\u201d\u2013\u2026\u2022\U0001f680\u2192\n"),
    st.sampled_from((*CHARSETS, *WINDOWS)),
)
@example("\U0001f680T\U0001f680", "cp1252")
def test_complete_damage_is_undone(text: str, charset: str) -> None:
    """Where no byte was dropped, typography comes back exactly, from any of the charsets."""
    outcome = repair(damage(text, charset, keep=True))
    assert outcome.text == text
    assert outcome.unrepaired == ()


@given(
    st.lists(st.sampled_from(["model\u2019s", "\u201cfork\u201d", "models\u2019 tools", "tool"]))
)
def test_lost_bytes_come_back(words: list[str]) -> None:
    """Below a header, known shapes in any order come back in both charsets of the copies."""
    text = f"{HEAD}{' '.join(words)}\n"
    assert {repair(damage(text, charset)).text for charset in DAMAGED} == {text}
