"""Single-byte charsets, and the rules that undo damage to one line of undecoded bytes.

An undecoded byte is the lone surrogate that Python's `surrogateescape` writes for it (PEP 383):
byte E2 is U+DCE2. So the rules are written once, in bytes, for all charsets; the evidence for each
is in `docs/formats/encoding.md`. `bot.ingest.encoding` decides whether to apply them.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

# ISO charsets first: in their text the control characters 80-9F get lost, in Windows text
# they are printed. Of charsets that fit equally well the first one is taken.
_NAMES = (
    "iso8859-13", "iso8859-16", "iso8859-1", "iso8859-15", "iso8859-2",
    "iso8859-4", "iso8859-9", "iso8859-10", "cp1252", "cp1250", "cp1257",
)  # fmt: skip
# Bytes that open the sequences found in English text about papers: C2-C5 symbols and Latin
# letters, CE-CF Greek, E2 typography, EF the byte order mark, F0 emoji.
_TELLING_BYTES = (0xC2, 0xC3, 0xC4, 0xC5, 0xCE, 0xCF, 0xE2, 0xEF, 0xF0)
_LEAD_BYTES = range(0xC2, 0xF5)
_CONTROL_BYTES = range(0x80, 0xA0)
_SURROGATE_OF_BYTE_0 = 0xDC00

# An ISO charset prints bytes 80-9F as control characters, which are in no text. Windows prints
# marks there, so that only what no language writes proves damage: an a with the euro
# sign, a dagger or a hat behind it (E2 80 to E2 8F, without the marks of quotation and the
# three dots, but with the whole of the euro and trade mark signs), and what opens an emoji.
_ISO_PROOF = re.compile("[\udc80-\udc9f]")
_WINDOWS_PROOF = re.compile(
    "\udce2[\udc80\udc81\udc83\udc86-\udc8f]|\udce2\udc82\udcac|\udce2\udc84\udca2|\udcf0\udc9f"
)
HIGH = "[\udc80-\udcff]"
_FOLLOWER = "[\udc80-\udcbf]"
_SEQUENCE = (
    f"(?:[\udcc2-\udcdf]{_FOLLOWER}|[\udce0-\udcef]{_FOLLOWER}{{2}}"
    f"|[\udcf0-\udcf4]{_FOLLOWER}{{3}})"
)


class Charset:
    """A single-byte charset: its letters to undecoded bytes and back.

    `leads` are the letters that can open a UTF-8 sequence, `telling` those of them by which a
    document is worth a check. `proof` matches undecoded bytes that no correct text holds.
    `loses_controls` is true if it prints bytes 80-9F as control characters, which later programs
    drop.
    """

    def __init__(self, name: str) -> None:
        found = {byte: _letter(name, byte) for byte in range(0x80, 0x100)}
        letters = {byte: letter for byte, letter in found.items() if letter}
        self.letters = frozenset(letters.values())
        self.leads = frozenset(letters[byte] for byte in _LEAD_BYTES if byte in letters)
        self.telling = frozenset(letters[byte] for byte in _TELLING_BYTES)
        self.loses_controls = name.startswith("iso")
        self.proof = _ISO_PROOF if self.loses_controls else _WINDOWS_PROOF
        self._undecode = {
            ord(letter): _SURROGATE_OF_BYTE_0 + byte for byte, letter in letters.items()
        }
        self._decode = {escaped: letter for letter, escaped in self._undecode.items()}

    def as_bytes(self, text: str) -> str:
        """Turn the letters of this charset into undecoded bytes, and nothing else."""
        return text.translate(self._undecode)

    def as_letters(self, text: str) -> str:
        """Turn undecoded bytes back into letters of this charset."""
        return text.translate(self._decode)


def _letter(name: str, byte: int) -> str | None:
    try:
        return bytes([byte]).decode(name)
    except UnicodeDecodeError:
        # Browsers read the holes in 80-9F of the Windows charsets as control characters.
        return chr(byte) if byte in _CONTROL_BYTES else None


CHARSETS = tuple(map(Charset, _NAMES))

# E2 alone is what is left of an apostrophe, a quotation mark or a dash (E2 80 xx).
_MARK = f"\udce2(?!{_FOLLOWER})"
_OPENING_MARK = rf"(?<![^\s(\[{{/-]){_MARK}(?=[^\s\udce2])"
_MEDAL = "\N{FIRST PLACE MEDAL}"
_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"

_NEGATED = (
    "ai|are|ca|could|did|do|does|had|has|have|is|might|must|need|sha|should|was|were|wo|would"
)
_PRONOUN = "i|you|we|they|he|she|it|that|this|these|those|there|who|what|here"


@dataclass(frozen=True, slots=True)
class Change:
    """One repair: the rule, and the words around it before (in bytes) and after."""

    rule: str
    found: str
    put: str


class _Rule(NamedTuple):
    """A pattern and its replacement, a format of its groups, left of a match of `limit`."""

    name: str
    pattern: str
    put: str
    limit: str | None = None


# In the order of application; `docs/formats/encoding.md` lists them under these names.
_RULES = (
    _Rule("R1", r"^((?:[#*>-]+\s*)?)\udcf0\udca5(?=\s?[A-Z])", f"{{}}{_MEDAL}"),
    # Three dots keep their last byte, so does a bullet.
    _Rule("R9", "\udce2\udca6", "\N{HORIZONTAL ELLIPSIS}"),
    _Rule("R10", r"^(\s*)\udce2\udca2(?=\s)", "{}\N{BULLET}"),
    _Rule("R3", rf"\b((?i:{_NEGATED})n){_MARK}(?=t\b)", f"{{}}{_APOSTROPHE}"),
    _Rule("R3", rf"\b((?i:{_PRONOUN})){_MARK}(?=(?:re|ve|ll|d|m)\b)", f"{{}}{_APOSTROPHE}"),
    _Rule("R3", rf"(?<=[\w.-][^\W_]){_MARK}(?=s\b)", _APOSTROPHE),
    _Rule(
        "R4",
        rf"{_OPENING_MARK}([^\udce2]{{1,60}})(?<=\S){_MARK}(?!\w)",
        "\N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}",
    ),
    # Browsers drop byte 9D of the closing mark where Windows has a hole.
    _Rule(
        "R4",
        f"\N{LEFT DOUBLE QUOTATION MARK}([^\udce2]{{1,60}})\udce2\udc80(?!{_FOLLOWER})",
        "\N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}",
    ),
    # Behind an opening mark that found no partner it could as well be a closing one.
    _Rule("R5", rf"(?<=s){_MARK}(?=\s[^\W_])", _APOSTROPHE, limit=_OPENING_MARK),
    _Rule("R6", rf"(?<=[a-z]{{3}}){_MARK}(?=[a-z]{{3}})", "\N{EM DASH}"),
    _Rule("R7", rf"(?<=\s){_MARK}(?=\s)", "\N{EN DASH}"),
    _Rule("R11", rf"(?<=[0-9])\udcc3(?!{_FOLLOWER})(?![A-Za-z])", "\N{MULTIPLICATION SIGN}"),
    _Rule("R12", rf"(?<=[0-9]){_MARK}(?=[0-9])", "\N{EN DASH}"),
)  # fmt: skip

# Next to any other letter beyond ASCII bytes of the run are missing, or it is damaged twice.
_NEIGHBOURS = "\x00-\x7f\xa0\udca0\udce2"
_RUN = re.compile(f"(?<![^{_NEIGHBOURS}])(?:{_SEQUENCE})++(?![^{_NEIGHBOURS}]|\udce2{_FOLLOWER})")
_TELLING_SEQUENCE = re.compile(f"(?=[\udcc2\udcc3\udce2\udcef\udcf0]){_SEQUENCE}")
# No editor writes these: controls, line separators, signs of direction, private letters.
_NEVER_WRITTEN = re.compile("[\x80-\x9f\u2028-\u202e\u2061-\u206f\ue000-\uf8ff]")

_WORD_LETTERS = r"[\w.-]"
_LONGEST_SIDE = 30
_WORD_BEFORE = re.compile(f"{_WORD_LETTERS}*$")
_WORD_AFTER = re.compile(f"{_WORD_LETTERS}*")


def undo_exactly(line: str, charset: Charset, *, proven: bool) -> tuple[str, list[Change]]:
    """Decode the runs whose bytes are complete (R0).

    With `proven` only the runs that no correct text can hold, else every run. A run that comes out
    damaged again, or as characters that no editor writes, is left.
    """
    changes: list[Change] = []

    def put(match: re.Match[str]) -> str:
        if proven and not charset.proof.search(match[0]):
            return match[0]
        decoded = _decoded(match[0], charset)
        if decoded is None:
            return match[0]
        changes.append(_change("R0", match, decoded))
        return decoded

    return _RUN.sub(put, line), changes


def infer(line: str) -> tuple[str, list[Change]]:
    """Replace incomplete bytes by what their context implies (R1, R3 to R7, R9 to R12)."""
    changes: list[Change] = []
    for rule in _RULES:
        line = _apply(rule, line, changes)
    return line, changes


def is_telling(change: Change) -> bool:
    """Tell whether a run that R0 undid proves damage: symbols, typography and common letters.

    Other pairs occur in correct text, such as the unit of area of a protein's surface.
    """
    return change.rule == "R0" and bool(_TELLING_SEQUENCE.search(change.found))


def around(line: str, start: int, end: int) -> str:
    """Return a passage of a line with the words that it touches, at most 30 letters a side."""
    before = _WORD_BEFORE.search(line[max(0, start - _LONGEST_SIDE) : start])
    after = _WORD_AFTER.match(line[end : end + _LONGEST_SIDE])
    return (before[0] if before else "") + line[start:end] + (after[0] if after else "")


def _apply(rule: _Rule, line: str, changes: list[Change]) -> str:
    stop = re.search(rule.limit, line) if rule.limit else None
    end = stop.start() if stop else len(line)

    def put(match: re.Match[str]) -> str:
        if match.start() > end:
            return match[0]
        text = rule.put.format(*match.groups())
        changes.append(_change(rule.name, match, text))
        return text

    return re.sub(rule.pattern, put, line)


def _change(rule: str, match: re.Match[str], put: str) -> Change:
    found = around(match.string, match.start(), match.end())
    return Change(rule, found, found.replace(match[0], put, 1))


def _decoded(run: str, charset: Charset) -> str | None:
    """Decode a run, unless it was read in another charset or comes out damaged once more."""
    try:
        decoded = run.encode("ascii", "surrogateescape").decode("utf-8")
    except UnicodeDecodeError:
        return None
    is_damaged = _TELLING_SEQUENCE.search(charset.as_bytes(decoded))
    return None if is_damaged or _NEVER_WRITTEN.search(decoded) else decoded
