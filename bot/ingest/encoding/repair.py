"""Repair of documents whose UTF-8 was read in a single-byte charset.

Only proven damage is repaired, so that a correct letter, such as one in a name, stays. The rules
are those of `docs/formats/encoding.md`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.drafts import Note
from bot.ingest.encoding.charsets import CHARSETS, HIGH, Charset
from bot.ingest.encoding.repair_rules import Change, around, infer, is_telling, undo_exactly

_ASCII = bytes(range(0x80))
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# U+0085 is left out: old mainframe text uses it to end lines.
_CONTROLS = frozenset(map(chr, range(0x80, 0xA0))) - {"\x85"}
_CONTROL_RUN = re.compile("[\x80-\x84\x86-\x9f]+")
_TELLING = frozenset().union(_CONTROLS, *(charset.telling for charset in CHARSETS))

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
    all damage undone that a rule covers.
    """

    charset: Charset
    read: dict[int, str]
    proven: dict[int, str]
    whole: dict[int, str]
    proven_changes: tuple[tuple[int, Change], ...]
    other_changes: tuple[tuple[int, Change], ...]

    @property
    def changes(self) -> tuple[tuple[int, Change], ...]:
        """Every change, the proven ones first."""
        return self.proven_changes + self.other_changes


def repair(text: str) -> Repair:
    """Undo damage to the encoding where the document proves it, and report the rest.

    Lines keep their numbers. A line changes only if the document as a whole shows that it is
    damaged (`docs/formats/encoding.md`).
    """
    letters = _non_ascii(text)
    if not letters & _TELLING or _LONE_SURROGATE.search(text):
        return Repair(text, (), ())
    lines = text.split("\n")
    trials = [_try(charset, lines) for charset in _candidates(letters)]
    damaged = [trial for trial in trials if _is_damaged(trial, letters, lines)]
    if damaged:
        return _repaired_wholly(max(damaged, key=lambda trial: _explained(trial.changes)), lines)
    return _repaired_partly(trials, lines)


def _non_ascii(text: str) -> frozenset[str]:
    """Collect the letters beyond ASCII, in two fast passes over the bytes."""
    high = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return frozenset(high.decode("utf-8", "surrogatepass"))


def _candidates(letters: frozenset[str]) -> list[Charset]:
    """Pick the charsets that the letters may have come from, one of those that agree on them."""
    candidates: dict[frozenset[tuple[str, int]], Charset] = {}
    keeps_controls = bool(letters & _CONTROLS)
    for charset in CHARSETS:
        if letters & (charset.leads if keeps_controls else charset.telling):
            bytes_of = {letter: charset.undecode.get(ord(letter), 0) for letter in letters}
            candidates.setdefault(frozenset(bytes_of.items()), charset)
    return list(candidates.values())


def _try(charset: Charset, lines: list[str]) -> _Trial:
    read = {
        number: charset.as_bytes(line)
        for number, line in enumerate(lines, start=1)
        if not line.isascii() and not charset.leads.isdisjoint(line)
    }
    proven_changes, other_changes = [], []
    proven, whole = {}, {}
    for number, line in read.items():
        proven[number], exact = undo_exactly(line, charset, proven=True)
        completed, more = undo_exactly(proven[number], charset, proven=False)
        whole[number], inferred = infer(completed)
        proven_changes += [(number, change) for change in exact]
        other_changes += [(number, change) for change in more + inferred]
    return _Trial(charset, read, proven, whole, tuple(proven_changes), tuple(other_changes))


def _explained(changes: Iterable[tuple[int, Change]]) -> tuple[int, int]:
    """Count the letters that changes explain, and among equals the typography they give.

    The charset that explains most is the right one.
    """
    letters = marks = 0
    for _, change in changes:
        letters += len(_HIGH.findall(change.found))
        marks += len(_TYPOGRAPHY.findall(change.put))
    return letters, marks


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
    words = {change.found.strip(".-") for _, change in trial.changes if change.rule == "R3"}
    quotes = [change for _, change in trial.changes if change.rule == "R4"]
    runs = [change for _, change in trial.changes if _is_telling_run(change)]
    return len(words) + len(quotes) + len(runs)


def _is_telling_run(change: Change) -> bool:
    return change.rule == "R0" and is_telling(change.found)


def _sound_letters(trial: _Trial, lines: list[str]) -> str:
    """Collect the letters that damage cannot leave: signs that begin no sequence."""
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.isascii():
            rest = trial.whole.get(number) or trial.charset.as_bytes(line)
            found += _HIGH.findall(_POSSIBLE.sub("", rest))
    return trial.charset.as_letters("".join(found))


def _repaired_wholly(trial: _Trial, lines: list[str]) -> Repair:
    unrepaired = [
        Note(number, f"{_shown(word, trial.charset)} is damaged, left as no rule covers it (R8)")
        for number, line in trial.whole.items()
        for word in _words_left(line)
    ]
    return Repair(
        _rejoined(lines, trial.whole, trial.charset),
        _repair_notes(trial.changes, trial.charset),
        tuple(unrepaired),
    )


def _repaired_partly(trials: list[_Trial], lines: list[str]) -> Repair:
    """Undo only proven damage; name the other lines that look damaged."""
    best = max(trials, key=lambda trial: _explained(trial.proven_changes), default=None)
    if best is None or not best.proven_changes:
        text, repaired = "\n".join(lines), tuple[Note, ...]()
    else:
        text = _rejoined(lines, best.proven, best.charset)
        repaired = _repair_notes(best.proven_changes, best.charset)
    unrepaired = _stray_controls(text)
    for trial in trials:
        unrepaired |= _suspicions(trial, text.split("\n"))
    return Repair(text, repaired, tuple(sorted(unrepaired, key=lambda note: note.line)))


def _suspicions(trial: _Trial, lines: list[str]) -> set[Note]:
    """Name the words that look damaged in a document that is not damaged as a whole."""
    signs = [
        (number, change)
        for number, change in trial.changes
        if change.rule in {"R1", "R3", "R4"} or _is_telling_run(change)
    ]
    if _signs(trial) < _NEEDED_SIGNS and not any(_is_unlikely_sound(sign) for _, sign in signs):
        return set()
    return {
        Note(number, f"{words} looks damaged, left as the document does not prove it (R8)")
        for number, change in signs
        if trial.charset.as_letters(change.found) in lines[number - 1]
        for words in [_shown(change.found, trial.charset)]
    }


def _is_unlikely_sound(change: Change) -> bool:
    """Tell a find that is reported by itself: all but a capitalised word that may be a name."""
    return change.rule != "R3" or bool(_LOWER_CASE_OWNER.fullmatch(change.found))


def _stray_controls(text: str) -> set[Note]:
    if not _CONTROLS & _non_ascii(text):
        return set()
    return {
        Note(number, "holds control characters that damage leaves, left as they are (R8)")
        for number, line in enumerate(text.split("\n"), start=1)
        if _CONTROL_RUN.search(line)
    }


def _words_left(line: str) -> list[str]:
    return [around(line, match.start(), match.end()) for match in _REMAINDER.finditer(line)]


def _rejoined(lines: list[str], changed: dict[int, str], charset: Charset) -> str:
    """Return the text with its changed lines, without a byte order mark that the repair showed."""
    merged = [
        charset.as_letters(changed[number]) if number in changed else line
        for number, line in enumerate(lines, start=1)
    ]
    return "\n".join(merged).removeprefix("\ufeff")


def _repair_notes(changes: Iterable[tuple[int, Change]], charset: Charset) -> tuple[Note, ...]:
    notes = []
    for number, change in changes:
        found, put = _shown(change.found, charset), _shown(change.put, charset)
        notes.append(Note(number, f"read {found} as {put} ({change.rule})"))
    return tuple(sorted(notes, key=lambda note: note.line))


def _shown(words: str, charset: Charset) -> str:
    """Quote words in letters, with control characters spelt out."""
    letters = charset.as_letters(words)
    if letters.isprintable():
        return f'"{letters}"'
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in letters) + '"'
