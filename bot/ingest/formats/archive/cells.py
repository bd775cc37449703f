"""The left cell of an archive's row: title, summary and highlights, from Markdown.

The styles of titles and their faults are described in `docs/formats/archive.md`. Until a cell is
split, blanks and marks are evidence, so that its parts are Markdown.
"""

import html
import re
from dataclasses import dataclass

from store.records import Highlight

# One match a run of `<br>`, with the bullet it leads to, so that a long run is read once;
# or a bullet that stands alone; or an escape, which is passed over.
_BREAKS = re.compile(
    r"\\.|<[bB][rR]\s*+/?>(?P<more>(?:\s*+<[bB][rR]\s*+/?>)*+)\s*+"
    r"(?P<bullet>[\u25cf\u2022\u25aa\u25e6\u2023]|[-*+\u2013](?=\s))?"
    r"|\u25cf|\u2022(?<=\s\u2022)(?=\s)"
)
_BOLD_LEAD = re.compile(r"\*\*((?:[^*\\]|\\.|\*(?!\*))++)\*\*")
_LEAD_END = re.compile(r"\\.|(?P<sign>: | [\u2013\u2014-] )")

# A full stop before a capital ends a sentence, unless it only shortens a word.
_SENTENCE_END = re.compile(r"(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)[.!?]\s+[\"'\u201c(]?[A-Z]")
_DASHES = (" - ", " \u2013 ")
_LONGEST_LEAD = 80
_MOST_LEAD_WORDS = 12

# A lead that its text continues in lower case is a lead only if it is this short.
_SHORT_LEAD_WORDS = 4
_LAST_DASHES = "-\u2013\u2014"
_LEAD_SIGNS = " :-\u2013\u2014"

# A label may hold escapes and one pair of brackets; an address one pair of parentheses.
LABEL = r"(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*+"
ADDRESS = r"[^()\[\]<>\s]*(?:\([^()\[\]<>\s]*\)[^()\[\]<>\s]*)*"

# Inside text only what looks like an address makes a link: `f[0](x)` is no link.
_INLINE_LINK = re.compile(
    rf"!?\[(?P<label>{LABEL})\]"
    rf'\(<?(?=https?:|www\.|mailto:|[./#]){ADDRESS}>?(?:\s+"[^"]*")?\)'
)
_ESCAPED = r"\\(?P<escaped>[!-/:-@\[-`{-~])"
_ENTITY = r"&(?P<entity>(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
_ESCAPES = re.compile(f"{_ESCAPED}|{_ENTITY}")

# One pass decides what each character is, so that `\*` is a star and never half a mark.
# Underscores inside words (`d_emb`) and stars behind words (`A*`) are text. Each branch
# starts with its own character, which lets the search skip all others at once.
_MARKS = re.compile(
    rf"{_ESCAPED}|{_ENTITY}|`(?P<code>[^`]+)`"
    r"|\*(?<![\w*]\*)\*\*(?=[^\s*])((?:[^*\\]|\\.)++)(?<!\s)\*\*\*"
    r"|\*(?<![\w*]\*)\*(?=[^\s*])((?:[^*\\]|\\.|\*(?!\*))++)(?<!\s)\*\*"
    r"|\*(?<![\w*]\*)(?=[^\s*])((?:[^*\\]|\\.)++)(?<!\s)\*(?![\w*])"
    r"|_(?<!\w_)_(?=[^\s_])((?:[^_\\]|\\.|_(?!_))++)(?<!\s)__(?!\w)"
    r"|_(?<!\w_)(?=[^\s_])((?:[^_\\]|\\.)++)(?<!\s)_(?!\w)",
    re.DOTALL,
)

# Marks nested deeper than this are left standing as text.
_DEEPEST = 4

# Longer than any printed title.
_LONGEST_TITLE = 150

# A title without a sign of its end is searched at the start of its text only.
_REACH = 400

# Marks are doubled now and then: `****Title****`.
_BOLD = re.compile(
    r"\*\*(?:\*\*)?((?:[^*\\]|\\.|\*(?!\*))++)\*\*(?:\*\*)?"
    r"|__((?:[^_\\]|\\.|_(?!_))++)__"
)
# Bold marks of which one half is missing or short of a star: `*Title** - …`, `Title** - …`.
_ODD_BOLD = re.compile(r"\*{1,3}([^*\n]{1,200}+)\*{1,3}")
_UNOPENED_BOLD = re.compile(r"([^*\n]{1,200}+)\*\*(?=\s*[-\u2013\u2014:])")

_TITLE_DASH = re.compile(r"\s[-\u2013\u2014]{1,2}\s+|\s[-\u2013\u2014](?=[a-z])")
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
class LeftCell:
    """The left cell as plain text; `problems` are in words."""

    title: str
    summary: str | None
    highlights: tuple[Highlight, ...]
    problems: tuple[str, ...]


def read_left_cell(cell: str) -> LeftCell:
    """Read the cell without its rank; the title is blank where the cell has none."""
    head, bullets, tail = _parts(_flatten_links(cell))
    split = _split_title(head)
    summary = plain_text(" ".join([_without_last_dash(split.rest), *tail]))
    highlights = [_highlight(bullet) for bullet in bullets]
    problems = [split.problem] if split.problem else []
    problems += ["a bullet has no text"] * highlights.count(None)
    return LeftCell(
        title=plain_text(split.title),
        summary=summary or None,
        highlights=tuple(highlight for highlight in highlights if highlight),
        problems=tuple(problems),
    )


def _parts(cell: str) -> tuple[str, list[str], list[str]]:
    """Split a cell into its head, its bullets and the texts behind them.

    A bullet ends at the next one or at an empty line (two `<br>`). Line breaks stay in the head
    and are blanks elsewhere.
    """
    head: list[str] = []
    bullets: list[list[str]] = []
    tail: list[str] = []
    current, position = head, 0
    for match in _BREAKS.finditer(cell):
        if match[0].startswith("\\"):
            continue
        current.append(cell[position : match.start()])
        position = match.end()
        if match["bullet"] or not match[0].startswith("<"):
            bullets.append(current := [])
        elif bullets and match["more"]:
            current = tail
        else:
            current.append(" " if bullets else "\n")
    current.append(cell[position:])
    return "".join(head), ["".join(bullet) for bullet in bullets], tail


def _without_last_dash(text: str) -> str:
    """Return a text without a single dash at its end, and the blanks around it."""
    whole = text.rstrip()
    alone = whole[-1:] in _LAST_DASHES and whole[-2:-1].strip() == ""
    return whole[:-1].rstrip() if whole and alone else text


def _highlight(bullet: str) -> Highlight | None:
    """Split a bullet into its lead and its text; a lead without text is text itself."""
    bullet = " ".join(_without_last_dash(bullet).split())
    bold = _BOLD_LEAD.match(bullet)
    if bold and _can_be_lead(bold[1]):
        lead, text = bold[1], bullet[bold.end() :].lstrip(_LEAD_SIGNS)
    elif sign := _lead_sign(bullet):
        lead, text = bullet[: sign.start()], bullet[sign.end() :]
    else:
        lead, text = "", bullet
    lead, text = plain_text(lead).strip(_LEAD_SIGNS), plain_text(text)
    if not text:
        return Highlight(None, lead) if lead else None
    return Highlight(lead or None, text)


def _lead_sign(bullet: str) -> re.Match[str] | None:
    """Return the first sign behind a lead that a new sentence follows; else the first, if early."""
    signs = [
        match
        for match in _LEAD_END.finditer(bullet[: 2 * _LONGEST_LEAD])
        if match["sign"] and _can_be_lead(bullet[: match.start()])
    ]
    for index, sign in enumerate(signs):
        goes_on = bullet[sign.end() : sign.end() + 1].islower()
        if not goes_on or (index == 0 and sign["sign"] in _DASHES):
            return sign
    if signs and len(bullet[: signs[0].start()].split()) <= _SHORT_LEAD_WORDS:
        return signs[0]
    return None


def _can_be_lead(lead: str) -> bool:
    return (
        0 < len(lead) <= _LONGEST_LEAD
        and len(lead.split()) <= _MOST_LEAD_WORDS
        and not _SENTENCE_END.search(lead)
    )


def _flatten_links(text: str) -> str:
    """Replace `[label](address)` by its label, a badge inside a link too."""
    inner = _INLINE_LINK.sub(lambda match: match["label"], text)
    return _INLINE_LINK.sub(lambda match: match["label"], inner)


def plain_text(text: str) -> str:
    """Return Markdown as one line of plain text with single blanks."""
    return " ".join(_unmarked(_flatten_links(text)).split())


def unescaped(text: str) -> str:
    """Undo escapes and character references but keep marks: an address may hold `_`."""
    return _ESCAPES.sub(lambda match: match["escaped"] or html.unescape(match[0]), text)


def _unmarked(text: str, depth: int = 0) -> str:
    """Remove bold and italic marks, undo escapes and character references."""

    def replacement(match: re.Match[str]) -> str:
        if match["escaped"]:
            return match["escaped"]
        if match["code"]:
            return match[0]
        if match["entity"]:
            return html.unescape(match[0])
        inner = next(filter(None, match.groups()))
        return _unmarked(inner, depth + 1) if depth < _DEEPEST else match[0]

    return _MARKS.sub(replacement, text)


@dataclass(frozen=True, slots=True)
class _TitleSplit:
    """A title and the rest of its text, both Markdown, and the problem with the cut if any."""

    title: str
    rest: str
    problem: str | None = None


def _split_title(text: str) -> _TitleSplit:
    """Cut a row's text, already without links, into its title and its summary.

    Bold marks come before a dash, a dash or two blanks before an opening word; without any of them
    a short text is a title alone, and a long one is cut at the best place and reported.
    """
    text = text.strip()
    bold = _BOLD.match(text)
    odd = None if bold else _ODD_BOLD.match(text) or _UNOPENED_BOLD.match(text)
    match = bold or odd
    title = next(filter(None, match.groups())).strip(_SEPARATORS) if match else ""
    if match is None or (odd and not title):
        return _plain(text.lstrip(_SEPARATORS + "*"))
    rest = text[match.end() :].lstrip(_SEPARATORS)
    if len(title) > _LONGEST_TITLE and not rest:
        return _plain(title)
    return _TitleSplit(title, rest, "the bold marks of the title don't match" if odd else None)


def _plain(text: str) -> _TitleSplit:
    """Cut at a printed sign if its title can be one, else by the words."""
    line, line_break, rest = text.partition("\n")
    if line_break and len(line) <= _LONGEST_TITLE:
        split = _TitleSplit(line.strip(_SEPARATORS), rest.lstrip(_SEPARATORS))
    elif sign := _sign(text):
        split = _TitleSplit(text[: sign.start()].strip(_SEPARATORS), text[sign.end() :])
    else:
        return _by_words(text)
    if opening := _SURE_OPENING.search(split.title):
        return _cut(text, opening.start())
    return split if len(split.title) <= _LONGEST_TITLE else _by_words(text)


def _cut(text: str, position: int) -> _TitleSplit:
    return _TitleSplit(text[:position].strip(_SEPARATORS), text[position:].lstrip())


def _sign(text: str) -> re.Match[str] | None:
    """Return the dash, or the two blanks, between a title and a summary."""
    start = text[:_REACH]
    blanks = next((m for m in _BLANKS.finditer(start) if _starts_upper(text, m)), None)
    dashes = list(_TITLE_DASH.finditer(start))
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


def _by_words(text: str) -> _TitleSplit:
    """Cut where a summary opens or repeats the title; else keep the text and report it."""
    start = text[:_REACH]
    found = (_INNER_OPENING.search(start), _COMPANY.search(start))
    positions = [match.start() for match in found if match]
    positions += [position] if (position := _repetition(start)) else []
    if positions and min(positions) <= _LONGEST_TITLE:
        return _cut(text, min(positions))
    if blanks := _BLANKS.search(start[:_LONGEST_TITLE]):
        problem = "the title is taken to end at the first two blanks"
        return _TitleSplit(text[: blanks.start()].strip(_SEPARATORS), text[blanks.end() :], problem)
    if len(text) <= _LONGEST_TITLE:
        return _TitleSplit(text, "", "no summary can be told from the title")
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


def _by_force(text: str) -> _TitleSplit:
    """Return the subject of the first sentence, else its first words; the summary keeps all."""
    verb = _FINITE_VERB.search(text[:_LONGEST_TITLE])
    end = verb.start() if verb else text[:_LONGEST_TITLE].rfind(" ")
    title = text[:end] if end > 0 else text[:_LONGEST_TITLE]
    problem = "the end of the title can't be told, so that the summary holds it too"
    return _TitleSplit(title.strip(_SEPARATORS), text, problem)
