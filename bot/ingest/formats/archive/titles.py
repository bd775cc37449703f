"""The end of a title and the start of its summary, in each of the styles of an archive.

The styles and their faults are described in `docs/formats/archive.md`. Every function takes and
returns Markdown, since blanks and marks are evidence here.
"""

import re
from dataclasses import dataclass

# Longer than any printed title.
LONGEST_TITLE = 150

# A title without a sign of its end is searched at the start of its text only.
_REACH = 400

# Marks are doubled now and then: `****Title****`.
_BOLD = re.compile(
    r"\*\*(?:\*\*)?(?P<stars>(?:[^*\\]|\\.|\*(?!\*))++)\*\*(?:\*\*)?"
    r"|__(?P<bars>(?:[^_\\]|\\.|_(?!_))++)__"
)
# Bold marks of which one half is missing or short of a star: `*Title** - …`, `Title** - …`.
_ODD_BOLD = re.compile(r"\*{1,3}(?P<title>[^*\n]{1,200}+)\*{1,3}")
_UNOPENED_BOLD = re.compile(r"(?P<title>[^*\n]{1,200}+)\*\*(?=\s*[-\u2013\u2014:])")

_DASH = re.compile(r"\s[-\u2013\u2014]{1,2}\s+|\s[-\u2013\u2014](?=[a-z])")
# Two of these in one sentence put a remark into it and end no title.
_SECOND_DASH = re.compile(r"\s\u2014\s[^.!?\u2014]*\s\u2014\s")
_BLANKS = re.compile(r"(?:[ \t\u00a0]{2,}|\t)(?=\S)")
_SEPARATORS = " \t\n-\u2013\u2014:"

# Verbs that are never nouns open a summary before anything; the others only where their
# object follows: "Case Studies in Law" is a title, "Studies how …" a summary.
_VERBS = (
    "Achieves|Addresses|Analy[sz]es|Applies|Argues|Combines|Compares|Demonstrates|Describes|"
    "Develops|Discusses|Enables|Evaluates|Examines|Explores|Extends|Integrates|Introduces|"
    "Investigates|Presents|Proposes|Provides|Suggests"
)
_NOUN_VERBS = (
    r"(?:Aims|Builds|Claims|Finds|Offers|Releases|Reports|Reviews|Shows|Studies|Surveys|Trains|"
    r"Uses)(?=\s+(?:an?|the|that|this|how|what|when|whether|why|to|new|several|preliminary)\b)"
)
_AUTHORS = r"(?:Researchers|Scientists|Authors)\s+(?:at|from)\b|A\s+team\s+(?:at|from|of)\b"
_THIS = r"(?:This|The)\s+(?:new\s+)?(?:paper|work|study|survey|report|authors?)\b"
_SUBJECT = r"(?:It|We|They)\s+(?:also\s+)?[a-z]+"
_CONTRAST = r"(?:While|Unlike|Despite|Although|Recent|Existing|Traditional)\s+[a-z]+"
_ARTICLE = (
    r"(?:An?|The)\s+(?:new|novel|large|small|comprehensive|recent|unified|simple|framework|"
    r"method|approach|model|survey|system|benchmark|family|series|technique)\b"
)
# The openings that summaries use; their capital tells them from words inside a title.
_OPENING = re.compile(
    rf"(?:{_VERBS})\b|{_NOUN_VERBS}|{_AUTHORS}|{_THIS}|{_SUBJECT}|{_CONTRAST}|{_ARTICLE}"
)
# Behind a colon or a dash the same words open a subtitle.
_INNER_OPENING = re.compile(rf"(?<=\s)(?<![:\u2013\u2014-]\s)(?:{_OPENING.pattern})")
# Openings that no title holds: they cut even where a dash or two blanks come later.
_SURE_OPENING = re.compile(
    rf"(?<=\s)(?<![:\u2013\u2014-]\s)(?:(?:{_VERBS})(?=\s+[a-z])|{_NOUN_VERBS}|{_AUTHORS}|{_THIS}|"
    r"(?:It|We)\s+[a-z]+s\b)"
)
# Companies and universities that open a summary: `Google DeepMind introduces …`.
_COMPANY = re.compile(
    r"(?<=\s)(?:Alibaba|Anthropic|Apple|ByteDance|Cohere|DeepMind|DeepSeek|Google|IBM|Meta|"
    r"Microsoft|Mistral|NVIDIA|Nvidia|OpenAI|Sakana|Salesforce|Stanford|Tencent|xAI)\b"
    r"(?=(?:\s+\S+){0,4}?\s+(?:announce|debut|introduce|investigate|launch|present|propose|"
    r"release|report|reveal|unveil)[sd]?\b)"
)
_FINITE_VERB = re.compile(
    r"\s(?:is|are|was|were|has|have|can|introduces?|presents?|proposes?|shows?|achieves?)\s"
)
_LOWER_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*\b(?!\.\w)")
_SENTENCE_SIGN = re.compile(r"[.!?;,]\s")

# Between an accidental double blank and the dash of the title are a few words at most.
_TAIL_WORDS = 6


@dataclass(frozen=True, slots=True)
class TitleSplit:
    """A title and the rest of its text, both Markdown, and the problem with the cut if any."""

    title: str
    rest: str
    problem: str | None = None


def split_title(text: str) -> TitleSplit:
    """Cut a row's text, already without links, into its title and its summary.

    Bold marks come before a dash, a dash or two blanks before an opening word; without any of them
    a short text is a title alone, and a long one is cut at the best place and reported.
    """
    text = text.strip()
    marked = _bold(text) or _odd_bold(text)
    if marked is None:
        return _plain(text.lstrip(_SEPARATORS + "*"))
    if len(marked.title) > LONGEST_TITLE and not marked.rest:
        return _plain(marked.title)
    return marked


def _bold(text: str) -> TitleSplit | None:
    match = _BOLD.match(text)
    if match is None:
        return None
    title = match["stars"] or match["bars"]
    return TitleSplit(title.strip(_SEPARATORS), text[match.end() :].lstrip(_SEPARATORS))


def _odd_bold(text: str) -> TitleSplit | None:
    match = _ODD_BOLD.match(text) or _UNOPENED_BOLD.match(text)
    if match is None:
        return None
    title, rest = match["title"].strip(_SEPARATORS), text[match.end() :].lstrip(_SEPARATORS)
    return TitleSplit(title, rest, "the bold marks of the title don't match") if title else None


def _plain(text: str) -> TitleSplit:
    """Cut at a printed sign if its title can be one, else by the words."""
    split = _by_line_break(text) or _by_sign(text)
    if split is None:
        return _by_words(text)
    if opening := _SURE_OPENING.search(split.title):
        return _cut(text, opening.start())
    return split if len(split.title) <= LONGEST_TITLE else _by_words(text)


def _cut(text: str, position: int) -> TitleSplit:
    return TitleSplit(text[:position].strip(_SEPARATORS), text[position:].lstrip())


def _by_line_break(text: str) -> TitleSplit | None:
    title, line_break, rest = text.partition("\n")
    if not line_break or len(title) > LONGEST_TITLE:
        return None
    return TitleSplit(title.strip(_SEPARATORS), rest.lstrip(_SEPARATORS))


def _by_sign(text: str) -> TitleSplit | None:
    """Cut at a dash or at two blanks between a title and a summary."""
    sign = _sign(text)
    if sign is None:
        return None
    return TitleSplit(text[: sign.start()].strip(_SEPARATORS), text[sign.end() :])


def _sign(text: str) -> re.Match[str] | None:
    start = text[:_REACH]
    blanks = next((m for m in _BLANKS.finditer(start) if _starts_upper(text, m)), None)
    dashes = list(_DASH.finditer(start))
    dash = next((m for m in dashes if _starts_lower(text, m)), None)
    if dash and blanks and blanks.start() < dash.start():
        title, tail = text[: blanks.start()], text[blanks.end() : dash.start()]
        in_brackets = _SECOND_DASH.match(start, dash.start())
        return dash if _is_title_tail(title, tail) and not in_brackets else blanks
    return dash or blanks or (dashes[0] if dashes else None)


def _starts_upper(text: str, sign: re.Match[str]) -> bool:
    """Tell a summary behind two blanks from two blanks inside a sentence."""
    rest = text[sign.end() : _REACH]
    return not _LOWER_WORD.match(rest) or rest.split()[:1] == text[:_REACH].split()[:1]


def _starts_lower(text: str, sign: re.Match[str]) -> bool:
    """Tell a summary behind a dash from the second half of a title."""
    rest = text[sign.end() : _REACH]
    return bool(_LOWER_WORD.match(rest) or _OPENING.match(rest))


def _is_title_tail(title: str, between: str) -> bool:
    """Tell whether two blanks are inside a title that ends at the dash after this text.

    Words of the title that come again open the summary.
    """
    if _OPENING.match(between) or _SENTENCE_SIGN.search(between):
        return False
    words = set(map(_folded, between.split()))
    return len(between.split()) <= _TAIL_WORDS and not words <= set(map(_folded, title.split()))


def _by_words(text: str) -> TitleSplit:
    """Cut where a summary opens or repeats the title; else keep the text and report it."""
    start = text[:_REACH]
    found = (_INNER_OPENING.search(start), _COMPANY.search(start))
    positions = [match.start() for match in found if match]
    positions += [position] if (position := _repetition(start)) else []
    if positions and min(positions) <= LONGEST_TITLE:
        return _cut(text, min(positions))
    if blanks := _BLANKS.search(start[:LONGEST_TITLE]):
        problem = "the title is taken to end at the first two blanks"
        return TitleSplit(text[: blanks.start()].strip(_SEPARATORS), text[blanks.end() :], problem)
    if len(text) <= LONGEST_TITLE:
        return TitleSplit(text, "", "no summary can be told from the title")
    return _by_force(text)


def _repetition(text: str) -> int | None:
    """Return the place of the first words' repetition, as in `Foo Bar Foo Bar is a …`.

    A single word is repeated only if a lower-case word or a bracket follows it.
    """
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    names = [_folded(word) for word in text.split()]
    if names[1:2] == names[:1] and names[2:] and re.match("[a-z(]", text[starts[2] :]):
        return starts[1]
    twice = (place for place in range(2, len(names) - 1) if names[place : place + 2] == names[:2])
    return next((starts[place] for place in twice), None)


def _folded(word: str) -> str:
    return word.casefold().replace("\u2019", "'").strip(".,:;()")


def _by_force(text: str) -> TitleSplit:
    """Return the subject of the first sentence, else its first words; the summary keeps all."""
    verb = _FINITE_VERB.search(text[:LONGEST_TITLE])
    end = verb.start() if verb else text[:LONGEST_TITLE].rfind(" ")
    title = text[:end] if end > 0 else text[:LONGEST_TITLE]
    problem = "the end of the title can't be told, so that the summary holds it too"
    return TitleSplit(title.strip(_SEPARATORS), text, problem)
