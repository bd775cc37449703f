"""The rules that undo damage to the encoding, on one line of undecoded bytes.

`bot.ingest.encoding.repair` decides whether to apply them. The evidence for each rule is in
`docs/formats/encoding.md`.
"""

import re
from dataclasses import dataclass

from bot.ingest.encoding.charsets import FOLLOWER, SEQUENCE, Charset

# E2 alone is what is left of an apostrophe, a quotation mark or a dash (E2 80 xx).
_MARK = f"\udce2(?!{FOLLOWER})"
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


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and its replacement, a format of its groups, left of a match of `limit`."""

    name: str
    pattern: re.Pattern[str]
    put: str
    limit: re.Pattern[str] | None = None


def _rule(name: str, pattern: str, put: str, limit: str | None = None) -> Rule:
    return Rule(name, re.compile(pattern), put, re.compile(limit) if limit else None)


# In the order of application; `docs/formats/encoding.md` lists them under these names.
_RULES = (
    _rule("R1", r"^((?:[#*>-]+\s*)?)\udcf0\udca5(?=\s?[A-Z])", f"{{}}{_MEDAL}"),
    # Three dots keep their last byte, so does a bullet.
    _rule("R9", "\udce2\udca6", "\N{HORIZONTAL ELLIPSIS}"),
    _rule("R10", r"^(\s*)\udce2\udca2(?=\s)", "{}\N{BULLET}"),
    _rule("R3", rf"\b((?i:{_NEGATED})n){_MARK}(?=t\b)", f"{{}}{_APOSTROPHE}"),
    _rule("R3", rf"\b((?i:{_PRONOUN})){_MARK}(?=(?:re|ve|ll|d|m)\b)", f"{{}}{_APOSTROPHE}"),
    _rule("R3", rf"(?<=[\w.-][^\W_]){_MARK}(?=s\b)", _APOSTROPHE),
    _rule(
        "R4",
        rf"{_OPENING_MARK}([^\udce2]{{1,60}})(?<=\S){_MARK}(?!\w)",
        "\N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}",
    ),
    # Browsers drop byte 9D of the closing mark where Windows has a hole.
    _rule(
        "R4",
        f"\N{LEFT DOUBLE QUOTATION MARK}([^\udce2]{{1,60}})\udce2\udc80(?!{FOLLOWER})",
        "\N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}",
    ),
    # Behind an opening mark that found no partner it could as well be a closing one.
    _rule("R5", rf"(?<=s){_MARK}(?=\s[^\W_])", _APOSTROPHE, limit=_OPENING_MARK),
    _rule("R6", rf"(?<=[a-z]{{3}}){_MARK}(?=[a-z]{{3}})", "\N{EM DASH}"),
    _rule("R7", rf"(?<=\s){_MARK}(?=\s)", "\N{EN DASH}"),
    _rule("R11", rf"(?<=[0-9])\udcc3(?!{FOLLOWER})(?![A-Za-z])", "\N{MULTIPLICATION SIGN}"),
    _rule("R12", rf"(?<=[0-9]){_MARK}(?=[0-9])", "\N{EN DASH}"),
)  # fmt: skip

# Next to any other letter beyond ASCII bytes of the run are missing, or it is damaged twice.
_NEIGHBOURS = "\x00-\x7f\xa0\udca0\udce2"
_RUN = re.compile(f"(?<![^{_NEIGHBOURS}])(?:{SEQUENCE})++(?![^{_NEIGHBOURS}]|\udce2{FOLLOWER})")
_TELLING_SEQUENCE = re.compile(f"(?=[\udcc2\udcc3\udce2\udcef\udcf0]){SEQUENCE}")
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
        decoded = _decoded(match[0])
        if decoded is None or _is_unlikely(decoded, charset):
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


def is_telling(found: str) -> bool:
    """Tell whether a run that R0 undid proves damage: symbols, typography and common letters.

    Other pairs occur in correct text, such as the unit of area of a protein's surface.
    """
    return bool(_TELLING_SEQUENCE.search(found))


def around(line: str, start: int, end: int) -> str:
    """Return a passage of a line with the words that it touches, at most 30 letters a side."""
    before = _WORD_BEFORE.search(line[max(0, start - _LONGEST_SIDE) : start])
    after = _WORD_AFTER.match(line[end : end + _LONGEST_SIDE])
    return (before[0] if before else "") + line[start:end] + (after[0] if after else "")


def _apply(rule: Rule, line: str, changes: list[Change]) -> str:
    stop = rule.limit.search(line) if rule.limit else None
    end = stop.start() if stop else len(line)

    def put(match: re.Match[str]) -> str:
        if match.start() > end:
            return match[0]
        text = rule.put.format(*match.groups())
        changes.append(_change(rule.name, match, text))
        return text

    return rule.pattern.sub(put, line)


def _change(rule: str, match: re.Match[str], put: str) -> Change:
    found = around(match.string, match.start(), match.end())
    return Change(rule, found, found.replace(match[0], put, 1))


def _decoded(run: str) -> str | None:
    try:
        return run.encode("ascii", "surrogateescape").decode("utf-8")
    except UnicodeDecodeError:
        return None


def _is_unlikely(decoded: str, charset: Charset) -> bool:
    """Tell whether a run was read in another charset, or came out damaged once more."""
    damaged_again = _TELLING_SEQUENCE.search(charset.as_bytes(decoded))
    return bool(damaged_again or _NEVER_WRITTEN.search(decoded))
