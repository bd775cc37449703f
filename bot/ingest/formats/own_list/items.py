"""One item of a list: its title, its links and its note, told from its pieces. All pure."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from bot.ingest.formats.own_list.inline import BREAK, TextRun, is_paper_address, text_of
from bot.ingest.formats.own_list.tags import (
    cited_title,
    is_authors,
    is_tag,
    quoted_title,
    without_tags,
    without_tags_behind,
)
from store.records import Highlight, Link

PAPER, LINK = "Paper", "Link"
_LONGEST_TITLE = 300
_LONGEST_LEAD = 60
_FEWEST_WORDS = 3
_CHECKBOX = re.compile(r"\s*\[[ xX]?\]\s+")
# `(1)`, `1.`, `1)`, `#1`, a digit on a key.
_RANK = re.compile(
    r"\s*(?:\((?P<inner>\d{1,3})\)|(?P<bare>\d{1,3})\s?[.)](?=\s|[A-Z\[*])|#(?P<hash>\d{1,3})[.:)]?(?=\s)"
    r"|\[(?P<square>\d{1,3})\](?=\s|$)|(?P<key>\d{1,2})\ufe0f?\u20e3)[.:)\]]?\s*"
)
_BRACKETED = re.compile(r"\s*[\[(][^\[\]()]{1,40}[\])]\s*[-:\u2013\u2014|]?\s*")
_DATED = re.compile(r"[\s\[({]*\d{4}(?:[-/.]\d{1,2}){0,2}[\s\])}:,-]*")
_SEPARATOR = re.compile(r" (?:-{1,3}|[\u2013\u2014|\u00b7\u2022:]|::|=>|\u2192) |\u2014|\t|: ?$")
_BLANKS = re.compile(r"\s+")
_WIDE_SIGNS = "\uff1a\uff0c\u3002\u3001\uff1b\uff5c"
_BEFORE_NOTE = " \t\n-\u2013\u2014:|\u00b7\u2022,;.\u2192>" + _WIDE_SIGNS
# Signs around a title may stand in each other: quotes behind an emoji.
_MOST_LAYERS = 4
_BEFORE_TITLE = " \t\n-\u2013\u2014:|\u00b7\u2022,;\u2192" + _WIDE_SIGNS
_AFTER_TITLE = " \t\n-\u2013\u2014:|\u00b7\u2022,;\u2192([" + _WIDE_SIGNS + "\uff08\u3010"
_AROUND_LEAD = " \t\n[]():\uff1a-\u2013\u2014*|"
_EMPTY_BRACKETS = re.compile(r"\([\s,;|/&\u00b7]*\)|\[[\s,;|/&\u00b7]*\]|<\s*>")
_BLANK_BEFORE = re.compile(r" (?=[,.;:!?)\]](?: |$))")
_DANGLING = " ,;|/&\u00b7\u2022\u2013\u2014:([-"
# What Obsidian writes behind an item: the name of its block, and the days of a task.
_MARKS = re.compile(
    r"\s?[\U0001f4c5\u2705\u23f3\U0001f6eb\u2795\u274c]\ufe0f?\s?\d{4}-\d\d-\d\d|(?:^|\s)\^[\w-]{1,40}$"
)
_NOTE_LEAD = re.compile(
    r"\A(?:notes?|why|comments?|summary|tl;?dr)\s*[:\u2013\u2014-]\s*", re.IGNORECASE
)
_QUOTES = {
    '"': '"', "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb", "'": "'",
    "\u201e": "\u201c", "\u300a": "\u300b", "\u300c": "\u300d", "\u300e": "\u300f",
}  # fmt: skip
_ARXIV = re.compile(
    r"[\[(]?\barxiv\s?:\s?(?P<id>\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+/\d{7})[\])]?", re.IGNORECASE
)
# The words that labels of links are made of, which are no titles.
_LABELS = frozenset({
    "abs", "abstract", "acl", "alphaxiv", "anthology", "article", "arxiv", "bibtex", "biorxiv",
    "blog", "blogpost", "code", "colab", "data", "dataset", "demo", "discussion", "doi",
    "download", "full", "git", "github", "gitlab", "here", "hf", "homepage", "html", "hugging",
    "huggingface", "face", "link", "links", "model", "models", "news", "official", "openreview",
    "page", "paper", "papers", "pdf", "poster", "post", "preprint", "project", "read", "repo",
    "repository", "report", "site", "slides", "source", "star", "stars", "talk", "text",
    "the", "thread", "tweet", "twitter", "url", "video", "website", "x", "youtube", "weights",
    "artikel", "art\u00edculo", "c\u00f3digo", "enlace", "lien", "papier", "projekt", "quelle",
    "\u0441\u0442\u0430\u0442\u044c\u044f", "\u043a\u043e\u0434", "\u0441\u0430\u0439\u0442",
    "\u0441\u0441\u044b\u043b\u043a\u0430", "\u8bba\u6587", "\u4ee3\u7801", "\u9879\u76ee",
    "\u4e3b\u9875", "\u94fe\u63a5", "\u539f\u6587", "\u8ad6\u6587", "\u30b3\u30fc\u30c9",
    "\u30ea\u30f3\u30af", "\ub17c\ubb38", "\ucf54\ub4dc", "\ub9c1\ud06c",
})  # fmt: skip
# The words before a paper's address that say no more.
_LEADS = frozenset({
    "address", "arxiv", "arxiv link", "article", "articulo", "artikel", "art\u00edculo", "doi",
    "enlace", "lien", "link", "link to paper", "links", "openreview", "paper", "paper link",
    "papier", "pdf", "preprint", "quelle", "source", "url", "where",
    "\u0441\u0441\u044b\u043b\u043a\u0430", "\u0441\u0442\u0430\u0442\u044c\u044f",
    "\u8bba\u6587", "\u8bba\u6587\u94fe\u63a5", "\u94fe\u63a5", "\u5730\u5740", "\u539f\u6587",
    "\u8ad6\u6587", "\u30ea\u30f3\u30af", "\ub17c\ubb38", "\ub9c1\ud06c",
})  # fmt: skip
_NAME_OF_LINK = re.compile(
    r"(?:^|[\s(\[|,;])(?P<name>[^\W\d_]{2,20}(?: [^\W\d_]{2,20})?)\s?[:\uff1a]\s*$"
)
_LABEL_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Item:
    """The parts of an item; `rank` is the one printed in front."""

    title: str
    note: str | None
    links: tuple[Link, ...]
    rank: int | None = None


def read_item(pieces: Sequence[TextRun]) -> Item | None:
    """Read the item of a list; `None` if it has no title.

    The title is the first link with a title as its label, else the bold start, else the text up to
    a dash, an address or the end of the line.
    """
    rank, rest = _without_rank(_without_checkbox(pieces))
    untagged = without_tags(rest)
    rest, ids = _without_ids(untagged.rest)
    ids = [*map(arxiv_link, untagged.ids), *ids]
    title, note_pieces, is_marked = _split(rest)
    title = clean_title(title)
    behind: tuple[str, ...] = ()
    if not is_marked:
        title, behind = without_tags_behind(_EMPTY_BRACKETS.sub(" ", title).strip())
    if not _has_letters(title) or len(title) > _LONGEST_TITLE:
        return None
    note = clean_note(note_pieces)
    if note and (arxiv_id := bare_arxiv_id(note)):
        note, ids = None, [*ids, arxiv_link(arxiv_id)]
    told = ", ".join([*untagged.told, *behind])
    if told:
        note = f"{told}. {note}" if note else told
    return Item(title, note, each_once(_links(pieces, title) + ids), rank)


def leading_rank(pieces: Sequence[TextRun]) -> int | None:
    """Return the rank that an item begins with."""
    return _without_rank(_without_checkbox(pieces))[0]


def is_titled_link(piece: TextRun) -> bool:
    """Tell a link whose label is a title rather than `paper`, `code` or an address."""
    if not piece.url or not piece.has_words:
        return False
    return _LABEL_WORD.search(piece.text) is not None and not _is_label(piece)


def _is_label(piece: TextRun) -> bool:
    return _LABELS.issuperset(_LABEL_WORD.findall(piece.text.casefold()))


def title_in_front(pieces: Sequence[TextRun]) -> bool:
    """Tell whether an item begins with a link with a title, behind its number and a label."""
    _, rest = _without_rank(_without_checkbox(pieces))
    start = _first(rest)
    place = next((i for i in range(start, len(rest)) if is_titled_link(rest[i])), None)
    return place is not None and (place == start or _is_prefix(rest[start:place], rest[place]))


def read_links(pieces: Sequence[TextRun]) -> tuple[Link, ...]:
    """Return the links of pieces, each once; one without a label is a paper's or just a link."""
    _, ids = _without_ids(pieces)
    return each_once(_links(pieces, None) + ids) if pieces else ()


def only_links(pieces: Sequence[TextRun]) -> bool:
    """Tell whether pieces hold links and no text beside their labels."""
    if not any(piece.url for piece in pieces):
        return False
    text = "".join(piece.text for piece in pieces if not piece.url).casefold()
    words = _LABEL_WORD.findall(text)
    return _LABELS.issuperset(words) or is_lead_of_link(text.strip(_AROUND_LEAD))


def tells_paper(pieces: Sequence[TextRun]) -> bool:
    """Tell a line that names a paper and leads to it: no badge, no bare link."""
    papers = [piece for piece in pieces if is_paper_address(piece.url)]
    return bool(papers) and (any(map(is_titled_link, papers)) or not only_links(pieces))


def is_lead_of_link(text: str) -> bool:
    """Tell the words before a paper's address that say no more than that it is one."""
    return text in _LEADS


def read_highlight(pieces: Sequence[TextRun]) -> Highlight | None:
    """Read a bullet below an item; its bold start is a lead."""
    rest = _without_checkbox(pieces)
    words = [piece for piece in rest if piece.text.strip()]
    if len(words) > 1 and words[0].is_bold and not words[0].url:
        lead, text = clean_title(words[0].text).rstrip(":. "), clean_note(words[1:])
        if text and lead and len(lead) <= _LONGEST_LEAD:
            return Highlight(lead, text)
    text = clean_note(rest)
    return Highlight(None, text) if text else None


def arxiv_ids_in(text: str) -> list[str]:
    """Return the ids that a text names as arXiv's, such as `arXiv:1706.03762`."""
    return [match["id"] for match in _ARXIV.finditer(text)]


def arxiv_link(arxiv_id: str) -> Link:
    """Return the link to the abstract of a paper on arXiv."""
    return Link(PAPER, f"https://arxiv.org/abs/{arxiv_id}")


def clean_title(text: str) -> str:
    """Return a title without signs around it: quotes, emoji, separators."""
    title = " ".join(text.split())
    for _ in range(_MOST_LAYERS):
        before = title
        title = _without_symbols(title).strip("\u200b\ufeff ")
        title = title.rstrip(_AFTER_TITLE).lstrip(_BEFORE_TITLE)
        closing = _QUOTES.get(title[:1])
        if closing and title.endswith(closing) and closing not in title[1:-1]:
            title = title[1:-1]
        if title == before:
            break
    return title[:-1] if title.endswith(".") and not title.endswith("..") else title


def clean_note(pieces: Sequence[TextRun]) -> str | None:
    """Return the text of a note without what is left of links that are kept elsewhere."""
    if not pieces:
        return None
    kept = [
        piece
        for piece in pieces
        if (not piece.url or is_titled_link(piece)) and not (piece.is_local and _is_label(piece))
    ]
    text = _EMPTY_BRACKETS.sub(" ", _ARXIV.sub(" ", _MARKS.sub("", text_of(kept))))
    text = _EMPTY_BRACKETS.sub(" ", text)
    text = _BLANK_BEFORE.sub("", " ".join(text.split())).lstrip(_BEFORE_NOTE)
    if text[:1] == ")" or (text[:1] == "]"):
        text = text[1:].lstrip(_BEFORE_NOTE)
    if text[:1] + text[-1:] in {"()", "[]"} and text.count(text[0]) == 1:
        text = text[1:-1]
    text = _NOTE_LEAD.sub("", text.rstrip(_DANGLING), count=1)
    return text if any(char.isalnum() for char in text) else None


def _has_letters(text: str) -> bool:
    return any(char.isalpha() for char in text)


def _first_letter(text: str) -> int:
    """Return the place of the first letter, the length of a text without one."""
    return next((i for i, char in enumerate(text) if char.isalpha()), len(text))


def _without_symbols(text: str) -> str:
    """Return a text without emoji and the like at both ends."""
    start, end = 0, len(text)
    while start < end and _is_symbol(text[start]):
        start += 1
    while end > start and _is_symbol(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_symbol(char: str) -> bool:
    return char in "\ufe0f\u200d\u20e3 " or unicodedata.category(char) in {"So", "Sk", "Cn"}


def _first(pieces: Sequence[TextRun]) -> int:
    """Return the place of the first piece that is not blank."""
    places = (i for i, piece in enumerate(pieces) if piece.text.strip() or piece.url)
    return next(places, len(pieces))


def _without_checkbox(pieces: Sequence[TextRun]) -> Sequence[TextRun]:
    start = _first(pieces)
    if start < len(pieces) and not pieces[start].url:
        text = pieces[start].text
        if found := _CHECKBOX.match(text):
            return [replace(pieces[start], text=text[found.end() :]), *pieces[start + 1 :]]
    return pieces[start:]


def _without_rank(pieces: Sequence[TextRun]) -> tuple[int | None, Sequence[TextRun]]:
    start = _first(pieces)
    if start == len(pieces) or pieces[start].url:
        return None, pieces[start:]
    piece = pieces[start]
    front = _without_symbols(piece.text) if not piece.text[:1].isdigit() else piece.text
    found = _RANK.match(front)
    if found is None or not (front[found.end() :].strip() or len(pieces) > start + 1):
        return None, pieces[start:]
    number = found["inner"] or found["bare"] or found["hash"] or found["square"] or found["key"]
    return int(number) or None, [replace(piece, text=front[found.end() :]), *pieces[start + 1 :]]


def _without_ids(pieces: Sequence[TextRun]) -> tuple[Sequence[TextRun], list[Link]]:
    """Make links of arXiv ids in the text, such as `arXiv:1706.03762`."""
    links: list[Link] = []
    rest = []
    for piece in pieces:
        if piece.url is None and "rxiv" in piece.text.casefold():
            found = arxiv_ids_in(piece.text)
            links += map(arxiv_link, found)
            rest.append(replace(piece, text=_ARXIV.sub(" ", piece.text)) if found else piece)
        else:
            rest.append(piece)
    return rest, links


def _split(pieces: Sequence[TextRun]) -> tuple[str, Sequence[TextRun], bool]:
    """Split pieces into a title and the pieces of the note; tell whether a mark told the title."""
    start = _first(pieces)
    if start == len(pieces):
        return "", (), False
    titled = [i for i in range(start, len(pieces)) if is_titled_link(pieces[i])]
    place = next((i for i in titled if not pieces[i].is_tag), titled[0] if titled else None)
    if place is not None and place != start and not _is_prefix(pieces[start:place], pieces[place]):
        place = None
    if place is not None:
        url, end = pieces[place].url, place
        while end < len(pieces) and pieces[end].url == url:
            end += 1
        before = _told_before(pieces[start:place])
        return text_of(pieces[place:end]), _joined(before, pieces[end:]), True
    bold = _bold_place(pieces, start)
    cited = cited_title(pieces[start:]) if bold != start else None
    if bold is not None and cited is None:
        end = bold
        while end < len(pieces) and pieces[end].is_bold and not pieces[end].url:
            end += 1
        before = _told_before(pieces[start:bold])
        return text_of(pieces[bold:end]), _joined(before, pieces[end:]), True
    if cited or (cited := quoted_title(pieces[start:])):
        return *cited, True
    return *_split_text(pieces, start), False


def _joined(before: Sequence[TextRun], behind: Sequence[TextRun]) -> Sequence[TextRun]:
    """Join what stands before a title and behind it to a note."""
    if not (before and behind):
        return [*before, *behind]
    first = behind[0]
    if not first.url:
        first = replace(first, text=first.text.lstrip(",. "))
    return [*before, TextRun(" "), first, *behind[1:]]


def _told_before(pieces: Sequence[TextRun]) -> list[TextRun]:
    """Return the pieces before a title that say something: no date, no sign."""
    return [piece for piece in pieces if piece.has_words and not _DATED.fullmatch(piece.text)]


def _is_prefix(before: Sequence[TextRun], link: TextRun) -> bool:
    """Tell whether the pieces before a link are a label or a date rather than its title."""
    text = text_of(before)
    if any(piece.is_bold and piece.has_words for piece in before) or BREAK in text:
        return False
    if not any(char.isalnum() for char in text) or _BRACKETED.fullmatch(text):
        return True
    if all(piece.url for piece in before if piece.has_words):
        return not any(map(is_titled_link, before))
    if is_paper_address(link.url) and (is_authors(text) or is_tag(text)):
        return True
    return (
        len(text) <= _LONGEST_LEAD
        and text.endswith((":", "-", "\u2013", "\u2014", "|"))
        and (len(link.text.split()) >= _FEWEST_WORDS)
    )


def _bold_place(pieces: Sequence[TextRun], start: int) -> int | None:
    """Return the place of the bold text that an item begins with, behind a label in brackets."""
    for place in range(start, min(len(pieces), start + 2)):
        piece = pieces[place]
        if piece.is_bold and piece.has_words and not piece.url:
            return place
        front = _without_symbols(piece.text).strip(" -|:")
        is_named = place == start and front and not piece.url and is_authors(piece.text)
        if piece.url or (front and not (_BRACKETED.fullmatch(front) or is_named)):
            return None
    return None


def _split_text(pieces: Sequence[TextRun], start: int) -> tuple[str, Sequence[TextRun]]:
    title: list[str] = []
    has_letters = False
    for place in range(start, len(pieces)):
        piece = pieces[place]
        if piece.url or piece.text == BREAK:
            if has_letters:
                return "".join(title), pieces[place:]
            continue
        text = _BLANKS.sub(lambda found: "\t" if "\t" in found[0] else " ", piece.text)
        first = 0 if has_letters else _first_letter(text)
        for found in _SEPARATOR.finditer(text):
            if has_letters or first < found.start():
                rest = replace(piece, text=text[found.end() :])
                return "".join([*title, text[: found.start()]]), [rest, *pieces[place + 1 :]]
        title.append(text)
        has_letters = has_letters or first < len(text)
    return "".join(title), ()


def _links(pieces: Iterable[TextRun], title: str | None) -> list[Link]:
    """Return the links of pieces: the title's and the first one lead to the paper."""
    links: list[Link] = []
    named = ""
    for url, run in groupby(pieces, key=lambda piece: piece.url):
        same = list(run)
        if not url:
            named = _name_of_link("".join(piece.text for piece in same[-_MOST_LAYERS:]))
            continue
        piece = same[0]
        whole = clean_title(text_of(same))
        is_whole = title is not None and whole and whole in title
        label = whole if is_whole else " ".join(piece.text.split()).strip("[]() ")
        label = "" if label[:1] == "^" else label  # a footnote's
        is_title = title is not None and label and clean_title(label) in title
        if not label or is_title or bare_arxiv_id(label):
            is_paper = is_title or not links or arxiv_id_in_url(url)
            label = PAPER if is_paper else LINK
            label = named if named and not (is_title or arxiv_id_in_url(url)) else label
        links.append(Link(label, url))
    return links


def _name_of_link(text: str) -> str:
    """Return the name of a link that a text ends with, such as `Code:`, empty for a paper's."""
    found = _NAME_OF_LINK.search(text[-_LONGEST_LEAD:])
    words = _LABEL_WORD.findall(found["name"].casefold()) if found else []
    is_name = bool(words) and _LABELS.issuperset(words) and not is_lead_of_link(" ".join(words))
    return found["name"] if found and is_name else ""


def each_once(
    links: Iterable[Link], key: Callable[[Link], object] = attrgetter("url")
) -> tuple[Link, ...]:
    """Return the first link of each key: as a rule, each address once."""
    found: dict[object, Link] = {}
    for link in links:
        found.setdefault(key(link), link)
    return tuple(found.values())


def paper_or_address(link: Link) -> str:
    """Return the arXiv id of the paper that a link leads to, else its address."""
    return arxiv_id_in_url(link.url) or link.url
