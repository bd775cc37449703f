"""The HTML around the lines of a text: comments, headings, pictures, `<details>`. All pure.

Lines keep their numbers. Tags inside a line are its format's.
"""

import re

_PAGE = re.compile(
    r"<(?:!doctype|\?|/?(?:html|head|body|main|article|script|style|meta|title|svg|rss|feed|rdf|opml"
    r"|[a-z]{1,20}:(?!//)))",
    re.IGNORECASE,
)
# What a browser shows no words of, and editors put above a text.
_UNSEEN = (
    r"<(?P<unseen>style|script|svg)(?:\s[^<>]{0,2000})?>"
    r"(?:(?!</?(?P=unseen)\b)[\s\S])*+</(?P=unseen)\s{0,9}>"
)
_UNSEEN_ABOVE = re.compile(rf"(?:\s|\ufeff|{_UNSEEN})*+", re.IGNORECASE)
_JSON = re.compile(r"\s*(?:\{|\[\s*[{\"\]])")
# What stands above a text and says nothing: pictures, badges, anchors, and what centres them.
_LOOKS = r"</?(?:br|center|div|hr|img|p|picture|source|span|sub|sup)(?=[\s/>])[^<>]{0,2000}>"
_PICTURE = r"!\[[^\[\]\n]{0,300}\]\([^()\s]{0,2000}\)"
_HEAD = re.compile(
    rf"(?:\s|{_LOOKS}|{_UNSEEN}|<a\s[^<>]{{0,2000}}>(?:\s|<img\s[^<>]{{0,2000}}>)*+</a>"
    rf"|\[{_PICTURE}\]\([^()\s]{{0,2000}}\)|{_PICTURE})++",
    re.IGNORECASE,
)
_OUTER_TAGS = re.compile(
    r"(?:</?[a-z][a-z0-9]{0,9}(?:\s[^<>]{0,300})?>\s{0,9}){1,9}", re.IGNORECASE
)
_HEADING = re.compile(r"<h(?P<level>[1-6])(?:\s[^<>]{0,300})?>", re.IGNORECASE)
_OPEN_HEADING = re.compile(r"<h[1-6](?:\s[^<>]{0,300})?>(?:(?!</h[1-6]).){0,300}", re.IGNORECASE)
_LONGEST_HEADING = 5
_FOLD = re.compile(r"</?details(?:\s[^<>]{0,100})?>", re.IGNORECASE)
_DETAILS = re.compile(
    r"(?:<details(?:\s[^<>]{0,100})?>\s{0,9})?<summary(?:\s[^<>]{0,100})?>", re.IGNORECASE
)
_SUMMARY_END = "</summary>"
_FOLDED_PART = "#####"
_TAG = re.compile(r"<[^<>]{0,300}>")
# What is folded below a paper, which is no theme.
_PARTS = frozenset({
    "abstract", "bibtex", "citation", "cite", "click to expand", "comment", "comments", "details",
    "expand", "more", "notes", "note", "our notes", "read more", "show more", "summary", "tl;dr",
    "tldr", "why", "\u6458\u8981", "\u7b80\u4ecb", "\u8be6\u60c5", "\u6982\u8981", "\ucd08\ub85d",
    "\uc694\uc57d", "resumen", "r\u00e9sum\u00e9", "zusammenfassung",
    "\u0430\u043d\u043d\u043e\u0442\u0430\u0446\u0438\u044f",
})  # fmt: skip


def is_page(text: str) -> bool:
    """Tell a web page or a feed, which is no text with some HTML, by its first tag."""
    bare = without_comments(text)
    above = _UNSEEN_ABOVE.match(bare)
    return _PAGE.match(bare, above.end() if above else 0) is not None


def plain(text: str) -> str:
    """Return a text without comments and what stands above it, its headings in HTML as Markdown's.

    A page, a feed and JSON stay as they are.
    """
    may_have_head = "<" in text or text.lstrip()[:1] in {"!", "["}
    if not may_have_head or _JSON.match(text) or is_page(text):
        return text
    bare = without_comments(text.removeprefix("\ufeff"))
    head = _HEAD.match(bare)
    if head and head[0].strip():
        bare = "\n" * head[0].count("\n") + bare[head.end() :]
    return with_headings(bare)


def without_outer_tags(line: str) -> str:
    """Return a line without the tags that it begins and ends with."""
    bare = line.strip()
    if bare[:1] != "<" or not (found := _OUTER_TAGS.match(bare)):
        return line
    bare = bare[found.end() :]
    while bare[-1:] == ">" and (start := bare.rfind("</")) >= 0 and _TAG.fullmatch(bare[start:]):
        bare = bare[:start].rstrip()
    return bare


def names_part(text: str) -> bool:
    """Tell the name of a part of what is said on one paper, such as *Abstract*."""
    return text.strip(" :.*_\u25b6\u25bc\u2193\U0001f447").casefold() in _PARTS


def without_comments(text: str) -> str:
    """Return a text without the comments of HTML."""
    parts, place = [], 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[place:start], "\n" * text.count("\n", start, end)]
        place = end + 3
    return "".join([*parts, text[place:]])


def with_headings(text: str) -> str:
    """Return a text whose headings in HTML, and those of its folded parts, are Markdown's."""
    if "<" not in text:
        return text
    lines = text.split("\n")
    opened = False
    for place, line in enumerate(lines):
        bare = line.strip()
        if _FOLD.fullmatch(bare):
            opened, lines[place] = line[:8].lower() == "<details", ""
        elif _OPEN_HEADING.fullmatch(bare) and (end := _end_of_heading(lines, place)):
            whole = " ".join(map(str.strip, lines[place : end + 1]))
            lines[place] = _line(line, whole, at_margin=opened or line[:1] == "<")
            if lines[place] != line:
                lines[place + 1 : end + 1] = [""] * (end - place)
        elif bare[:1] == "<":
            lines[place] = _line(line, bare, at_margin=opened or line[:1] == "<")
            opened = line[:8].lower() == "<details"
    return "\n".join(lines)


def _end_of_heading(lines: list[str], place: int) -> int | None:
    """Return the place of the line that ends a heading of a few lines."""
    few = range(place + 1, min(len(lines), place + _LONGEST_HEADING))
    return next((i for i in few if lines[i].rstrip()[-5:-2].lower() == "</h"), None)


def _line(line: str, bare: str, *, at_margin: bool) -> str:
    """Return a line that begins with a tag; what is indented belongs to an item."""
    if found := _HEADING.match(bare):
        end = f"</h{found['level']}>"
        if at_margin and bare[-len(end) :].lower() == end:
            return f"{'#' * int(found['level'])} {bare[found.end() : -len(end)].strip()}"
    elif found := _DETAILS.match(bare):
        place = bare.lower().find(_SUMMARY_END, found.end())
        label = bare[found.end() : place if place >= 0 else None].strip()
        behind = bare[place + len(_SUMMARY_END) :] if place >= 0 else ""
        if names_part(_TAG.sub("", label)):
            return f"{line[: len(line) - len(line.lstrip())]}{behind.strip()}"
        if at_margin and not _TAG.sub("", behind).strip():
            return f"{_FOLDED_PART} {label}"
    return line
