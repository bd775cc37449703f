"""The signs of a list in Markdown, by which one is recognised. All pure."""

import re
from functools import lru_cache

from bot.ingest.formats.own_list.html_items import with_items
from bot.ingest.formats.own_list.inline import is_paper_address, pieces_of
from bot.ingest.formats.own_list.items import is_titled_link
from bot.ingest.formats.own_list.tables.columns import is_header
from bot.ingest.formats.own_list.titles import is_title_field, may_be_title

# The signs of a list, for recognition: an item, a bar of a table, the rule under its head.
_ITEM = re.compile(
    r"(?: {0,3}|\t)(?:[-*+\u2022\u25cf]"
    r"|[\u25cb\u25a0\u25aa\u25b6\u25ba\u27a4\u2192\u2713\u2714]\ufe0f?|\(?\d{1,3}\\?[.)])\s+\S"
    r"|#{1,6}\s+\(?\d{1,3}[.)]\s|\d{1,2}\ufe0f?\u20e3"
)
_NUMBER = re.compile(r" {0,3}\\?\[\d{1,3}\\?\]\s+\S")
_HEADING = re.compile(r" {0,3}#{1,6}\s+\S")
_FEWEST_HEADINGS = 2
_END = "."
_KEPT = 4  # a line is looked at from the one above, too
# So many lines below a title its address may stand.
_MOST_AWAITED = 5
_LOOKED_AT = 2_000
_TABLE_RULE_SIGNS = frozenset("|-: \t")
# The link of an item that leads to another part of the same site.
_LOCAL_LINK = re.compile(
    r"\]\((?:#|\.{0,2}/|[^()\s:]{0,200}\.(?:md|markdown|html?|ipynb)\b|[^()\s:./]{1,200}\))"
)
_LINK = re.compile(r"https?://|\bwww\.")


def looks_like_list(text: str) -> bool:
    """Tell a list by an item that is no link within the site, or a table with titles."""
    read = lru_cache(_KEPT)(pieces_of)
    before, headings, titles, numbers, awaited, in_table = "", 0, 0, 0, 0, False
    for line in [*with_items(text)[0].split("\n"), _END]:
        is_rule = "|" in before and "|" in line and _TABLE_RULE_SIGNS.issuperset(line)
        if is_rule and is_header(before.strip().strip("|").split("|")):
            return True
        in_table = is_rule or (in_table and "|" in line)
        if in_table and not is_rule and _leads_to_paper(line, titled=True):
            return True
        if _ITEM.match(line.lstrip("> ") if line[:1] == ">" else line) and not (
            _LOCAL_LINK.search(line) and not _LINK.search(line)
        ):
            return True
        titles += is_title_field(line)
        numbers += _NUMBER.match(line) is not None
        headings += bool(_HEADING.match(line) and _LINK.search(line))
        headings += bool(_HEADING.match(before) and _leads_to_paper(line))
        if before and line.strip() and may_be_title(before, line, read):
            titles += _leads_to_paper(before)
            awaited = 0 if _leads_to_paper(before) else _MOST_AWAITED
        if awaited and line.strip():
            awaited -= 1
            titles, awaited = (titles + 1, 0) if _leads_to_paper(line) else (titles, awaited)
        if max(headings, titles, numbers) >= _FEWEST_HEADINGS:
            return True
        before = line if line.strip() else before
    return False


def _leads_to_paper(line: str, *, titled: bool = False) -> bool:
    return "://" in line and any(
        is_paper_address(piece.url) and (is_titled_link(piece) or not titled)
        for piece in pieces_of(line[:_LOOKED_AT])
    )
