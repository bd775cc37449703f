"""The encoding of a document: its choice, and repair where another program chose a wrong one.

UTF-8 that was read in a single-byte charset is repaired where the damage is proven, so that a
correct letter, such as one in a name, stays. The rules are those of `docs/formats/encoding.md`.
"""

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import category

from bot.domain.drafts import Note
from bot.errors import DocumentError
from bot.ingest.encoding_rules import (
    CHARSETS,
    HIGH,
    Change,
    Charset,
    around,
    infer,
    is_telling,
    undo_exactly,
)

_DECLARATION = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s{0,100}<\?xml\s[^>]{0,200}?encoding\s*=\s*["'](?P<name>[\w.:-]{1,40})["']"""
)
_USUAL_ENCODING = re.compile(
    r"iso8859-\d+|cp(?:125\d|932|949|950|866)|koi8-[rut]|gb2312|gbk|gb18030|big5|shift_jis"
    r"|euc_(?:jp|kr)|iso2022_jp|mac-roman"
)
# Texts that are called so are windows-1252, as browsers know.
_CALLED_LATIN = frozenset({"ascii", "iso8859-1", "cp1252"})
# Programs that put texts together leave the marks of each.
_MARKS = re.compile(r"\A(\s*+)\ufeff++")

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


def wide_encoding(data: bytes) -> str | None:
    """Return the encoding of a text of two bytes a sign, by its mark or the start of its XML."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if data[:2] == b"<\0" and data[3:4] == b"\0":
        return "utf-16-le"
    return "utf-16-be" if data[:3] == b"\0<\0" else None


def decode(path: str, data: bytes, wide: str | None) -> str:
    """Decode a text, of two bytes a sign if `wide` says so, without the marks of its encoding.

    Raises:
        DocumentError: where it is neither UTF-8 nor what the declaration of its XML says.
    """
    # Programs put the mark of UTF-8 before whatever they write.
    data = data.removeprefix(codecs.BOM_UTF8)
    failed: UnicodeDecodeError | None = None
    for encoding in [wide] if wide else _encodings(data):
        try:
            return _MARKS.sub(r"\1", data.decode(encoding))
        except UnicodeDecodeError as error:
            failed = failed or error
    assert failed is not None  # noqa: S101 - one encoding is tried at least
    line = data.count(b"\n", 0, failed.start) + 1
    if wide or failed.reason == "unexpected end of data":
        sentence = f"{path} breaks off inside a character in line {line}."
    else:
        byte = f"{data[failed.start]:#04x}"
        sentence = f"{path} is not UTF-8 text: line {line} holds the byte {byte}."
    raise DocumentError(sentence, "Save it as UTF-8, whole.") from failed


def _encodings(data: bytes) -> list[str]:
    """Return the encodings to try: UTF-8, then the one that XML declares, if it is a usual one."""
    found = _DECLARATION.match(data)
    try:
        name = codecs.lookup(found["name"].decode()).name if found else ""
    except LookupError:
        name = ""
    if name in _CALLED_LATIN:
        return ["utf-8-sig", "cp1252", "iso8859-1"]
    if not _USUAL_ENCODING.fullmatch(name):
        return ["utf-8-sig"]
    # Texts in this one are of ASCII bytes alone.
    return [name] if name == "iso2022_jp" else ["utf-8-sig", name]


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
