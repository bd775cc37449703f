"""Repair of documents whose UTF-8 was read in a single-byte charset.

Only proven damage is repaired, so that a correct letter, such as one in a name, stays. The rules
are those of `docs/formats/encoding.md`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import category

from bot.domain.drafts import Note
from bot.ingest.encoding_repair_rules import (
    CHARSETS,
    HIGH,
    Change,
    Charset,
    around,
    infer,
    is_telling,
    undo_exactly,
)

_ASCII = frozenset(map(chr, range(0x80)))
_LONE_SURROGATES = frozenset(map(chr, range(0xD800, 0xE000)))
# U+0085 is left out: old mainframe text uses it to end lines.
_CONTROLS = frozenset(map(chr, range(0x80, 0xA0))) - {"\x85"}
_TELLING = _CONTROLS.union(*(charset.telling for charset in CHARSETS))

# The rest of a damaged emoji (F0 9F xx xx) in front of a title, or the byte order mark itself.
_HEADER = re.compile(r"^[#*>\s-]*\udcf0[\udca1-\udcbf]{1,2}(?=\s?[A-Z])")
_BYTE_ORDER_MARK = "\udcef\udcbb\udcbf"
# What UTF-8 can leave of its sequences when bytes 80-9F get lost. A no-break blank may have
# come in later, with the layout.
_POSSIBLE = re.compile(
    "[\udcc2-\udcdf][\udca0-\udcbf]?|\udce2[\udca0-\udcbf]{0,2}"
    "|[\udce0-\udcef][\udca0-\udcbf]{1,2}|[\udcf0-\udcf4][\udca0-\udcbf]{0,3}|\udca0"
)
_HIGH = re.compile(HIGH)
_TYPOGRAPHY = re.compile("[\u2010-\u2027]")
_BARE_MARK = re.compile("\udce2(?![\udc80-\udcbf])")
_REMAINDER = re.compile("[\udcc2-\udcf4][\udc80-\udcff]*|[\udc80-\udc9f]+")
_LOWER_CASE_OWNER = re.compile(r"[a-z]{3,}\udce2s")
_NEEDED_SIGNS = 2


@dataclass(frozen=True, slots=True)
class Repair:
    """A repaired text, the repairs line by line, and the damage that remains (R8)."""

    text: str
    repaired: tuple[Note, ...]
    unrepaired: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Trial:
    """A document under one charset, in undecoded bytes, by line number.

    `read` are the lines as found, `proven` those with proven damage undone, `whole` those with
    all damage undone that a rule covers. `changes` begins with the `exact` ones, the proven.
    """

    charset: Charset
    read: dict[int, str]
    proven: dict[int, str]
    whole: dict[int, str]
    exact: list[tuple[int, Change]]
    changes: list[tuple[int, Change]]


def repair(text: str) -> Repair:
    """Undo damage to the encoding where the document proves it, and report the rest.

    Lines keep their numbers. A line changes only if the document as a whole shows that it is
    damaged (`docs/formats/encoding.md`).
    """
    letters = frozenset(text) - _ASCII
    if not letters & _TELLING or letters & _LONE_SURROGATES:
        return Repair(text, (), ())
    lines = text.split("\n")
    trials = [_try(charset, lines) for charset in _candidates(letters)]
    damaged = [trial for trial in trials if _is_damaged(trial, letters, lines)]
    if damaged:
        return _repaired_wholly(max(damaged, key=lambda trial: _explained(trial.changes)), lines)
    return _repaired_partly(trials, lines)


def _candidates(letters: frozenset[str]) -> list[Charset]:
    """Pick the charsets that the letters may have come from, one of those that agree on them."""
    candidates: dict[str, Charset] = {}
    for charset in CHARSETS:
        if letters & (charset.leads if letters & _CONTROLS else charset.telling):
            candidates.setdefault(charset.as_bytes("".join(sorted(letters))), charset)
    return list(candidates.values())


def _try(charset: Charset, lines: list[str]) -> _Trial:
    read = {
        number: charset.as_bytes(line)
        for number, line in enumerate(lines, start=1)
        if not line.isascii() and not charset.leads.isdisjoint(line)
    }
    trial = _Trial(charset, read, {}, {}, [], [])
    for number, line in read.items():
        trial.proven[number], exact = undo_exactly(line, charset, proven=True)
        completed, more = undo_exactly(trial.proven[number], charset, proven=False)
        trial.whole[number], inferred = infer(completed)
        trial.exact.extend((number, change) for change in exact)
        trial.changes.extend((number, change) for change in more + inferred)
    trial.changes[:0] = trial.exact
    return trial


def _explained(changes: Iterable[tuple[int, Change]]) -> tuple[int, int, int]:
    """Count the letters that changes explain, and among equals the typography they give.

    The charset that explains most is the right one; among equals again it is the one that gives
    fewer numbers that Unicode assigns to no sign.
    """
    letters = marks = unassigned = 0
    for _, change in changes:
        letters += len(_HIGH.findall(change.found))
        marks += len(_TYPOGRAPHY.findall(change.put))
        unassigned += sum(category(sign) == "Cn" for sign in change.put)
    return letters, marks, -unassigned


def _is_damaged(trial: _Trial, letters: frozenset[str], lines: list[str]) -> bool:
    """Tell whether the document as a whole was read in the charset of this trial.

    A letter that the charset does not have, or a mark that damage would have removed, shows that
    the document was read correctly. A header proves the charset by itself. Without it, two signs
    are needed, no mark that no rule covers, and no letter that damage cannot leave.
    """
    if not letters <= trial.charset.letters:
        return False
    sound = _sound_letters(trial, lines)
    if trial.charset.loses_controls and _has_header(trial):
        return not _TYPOGRAPHY.search(sound)
    return (
        not sound
        and _signs(trial) >= _NEEDED_SIGNS
        and not any(_BARE_MARK.search(line) for line in trial.whole.values())
    )


def _has_header(trial: _Trial) -> bool:
    marked = trial.read.get(1, "").startswith(_BYTE_ORDER_MARK)
    return marked or any(_HEADER.search(line) for line in trial.read.values())


def _signs(trial: _Trial) -> int:
    """Count the signs of damage; a word that comes twice counts once, it may be a name."""
    changes = [change for _, change in trial.changes]
    words = {change.found.strip(".-") for change in changes if change.rule == "R3"}
    return len(words) + sum(change.rule == "R4" or is_telling(change) for change in changes)


def _sound_letters(trial: _Trial, lines: list[str]) -> str:
    """Collect the letters that damage cannot leave: signs that begin no sequence."""
    rest = [
        trial.whole.get(number) or trial.charset.as_bytes(line)
        for number, line in enumerate(lines, start=1)
        if not line.isascii()
    ]
    found = _HIGH.findall(_POSSIBLE.sub("", "\n".join(rest)))
    return trial.charset.as_letters("".join(found))


def _repaired_wholly(trial: _Trial, lines: list[str]) -> Repair:
    unrepaired = [
        Note(number, f"{_shown(word, trial)} is damaged, left as no rule covers it (R8)")
        for number, line in trial.whole.items()
        for match in _REMAINDER.finditer(line)
        for word in [around(line, match.start(), match.end())]
    ]
    text = _rejoined(lines, trial.whole, trial)
    return Repair(text, _repair_notes(trial.changes, trial), tuple(unrepaired))


def _repaired_partly(trials: list[_Trial], lines: list[str]) -> Repair:
    """Undo only proven damage; name the other lines that look damaged."""
    text, repaired = "\n".join(lines), tuple[Note, ...]()
    best = max(trials, key=lambda trial: _explained(trial.exact), default=None)
    if best and best.exact:
        text, repaired = _rejoined(lines, best.proven, best), _repair_notes(best.exact, best)
    lines = text.split("\n")
    controls = "holds control characters that damage leaves, left as they are (R8)"
    unrepaired = {
        Note(number, controls)
        for number, line in enumerate(lines, start=1)
        if not line.isascii() and not _CONTROLS.isdisjoint(line)
    }
    unrepaired.update(*(_suspicions(trial, lines) for trial in trials))
    return Repair(text, repaired, tuple(sorted(unrepaired, key=lambda n: (n.line, n.text))))


def _suspicions(trial: _Trial, lines: list[str]) -> set[Note]:
    """Name the words that look damaged in a document that is not damaged as a whole."""
    signs = [
        (number, change)
        for number, change in trial.changes
        if change.rule in {"R1", "R3", "R4"} or is_telling(change)
    ]
    # A single capitalised word under R3 may be a name.
    if _signs(trial) < _NEEDED_SIGNS and all(
        change.rule == "R3" and not _LOWER_CASE_OWNER.fullmatch(change.found) for _, change in signs
    ):
        return set()
    left = "looks damaged, left as the document does not prove it (R8)"
    return {
        Note(number, f"{_shown(change.found, trial)} {left}")
        for number, change in signs
        if trial.charset.as_letters(change.found) in lines[number - 1]
    }


def _rejoined(lines: list[str], changed: dict[int, str], trial: _Trial) -> str:
    """Return the text with its changed lines, without a byte order mark that the repair showed."""
    merged = [
        trial.charset.as_letters(changed.get(number, line))
        for number, line in enumerate(lines, start=1)
    ]
    return "\n".join(merged).removeprefix("\ufeff")


def _repair_notes(changes: Iterable[tuple[int, Change]], trial: _Trial) -> tuple[Note, ...]:
    notes = [
        Note(number, f"read {_shown(c.found, trial)} as {_shown(c.put, trial)} ({c.rule})")
        for number, c in changes
    ]
    return tuple(sorted(notes, key=lambda note: note.line))


def _shown(words: str, trial: _Trial) -> str:
    """Quote words in letters, with control characters spelt out."""
    letters = trial.charset.as_letters(words)
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in letters) + '"'
