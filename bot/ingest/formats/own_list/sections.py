"""Papers as headings: which headings of a list are papers, and which are themes. All pure.

A heading is a paper if it leads to one, has a number, or has little below it but the paper's
address. It is a theme if the items below it are papers themselves.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from bot.ingest.formats.own_list.inline import (
    TextRun,
    is_paper_address,
    lines_of,
    text_of,
)
from bot.ingest.formats.own_list.items import (
    clean_title,
    is_lead_of_link,
    is_titled_link,
    leading_rank,
    only_links,
    title_in_front,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

_Read = Callable[["Token"], Sequence[TextRun]]
# So many texts below a heading are looked at.
_LOOKED_AT = 12
_LONGEST_LEAD = 3
_FEWEST = 2
TITLE_LEVEL = 7
"""The level of a title that is a line by itself, below all headings."""
# The names of parts of a document that are no paper.
_NO_PAPERS = frozenset({
    "about", "acknowledgements", "acknowledgments", "agenda", "bibtex", "changelog", "citation",
    "citations", "cite", "conclusion", "contact", "contents", "contributing", "contribution",
    "contributors", "discussion", "further reading", "how to cite", "intro", "introduction",
    "licence", "license", "links", "news", "next week", "notes", "other", "overview", "readme",
    "references", "related", "resources", "schedule", "star history", "summary",
    "table of contents", "toc", "updates",
})  # fmt: skip


# The headings below which items are no papers, unless they lead to one.
_NO_LIST = frozenset({
    "acknowledgements", "acknowledgments", "citation", "citations", "code of conduct", "contact",
    "contents", "contribute", "contributing", "contribution", "contributions", "contributors",
    "disclaimer", "how to contribute", "licence", "license", "sponsors", "star history",
    "table of contents", "\u5f15\u7528", "\u8bb8\u53ef\u8bc1", "\u8d21\u732e", "\u76ee\u5f55",
})  # fmt: skip
# Below these, items that lead somewhere may be.
_NEWS = frozenset(
    {"changelog", "news", "update", "updates", "what's new", "\u65b0\u95fb", "\u66f4\u65b0"}
)


@dataclass(slots=True)
class _Section:
    """A heading and what stands below it up to the next one."""

    place: int
    level: int
    title: str
    has_rank: bool
    leads_to_paper: bool
    leads_elsewhere: bool
    week_in: str
    has_text: bool = False
    holds_papers: bool = False
    holds_numbers: bool = False
    leads: set[str] = field(default_factory=set)
    has_address: bool = False


def stands_beside(heading: str | None, item: Sequence[TextRun]) -> bool:
    """Tell an item below a heading such as *License* or *News*, which is no paper."""
    name = (heading or "").casefold()
    if name in _NO_LIST:
        return not any(is_paper_address(piece.url) for piece in item)
    return name in _NEWS and not any(piece.url for piece in item)


def paper_headings(
    tokens: Sequence["Token"], read: _Read, names_week: Callable[[str], bool]
) -> frozenset[int]:
    """Return the places of the headings that are papers; one that names a week never is."""
    sections = list(_sections(tokens, read))
    known = Counter(lead for section in sections for lead in section.leads)
    for section in sections:
        is_known = any(is_lead_of_link(lead) or known[lead] >= _FEWEST for lead in section.leads)
        section.has_address = section.has_address or is_known
    papers = [
        section
        for section, after in zip_longest(sections, sections[1:])
        if _is_paper(section, after) and not names_week(section.week_in)
    ]
    number = Counter(section.level for section in papers)
    alone = sum(section.level > 1 for section in sections) == 1
    found = {
        section.place
        for section in papers
        if number[section.level] >= _FEWEST
        or (section.level > 1 and (alone or (_is_sure(section) and section.level < TITLE_LEVEL)))
    }
    return frozenset(found | set(_between(sections, found, names_week)))


def _between(
    sections: Sequence[_Section], papers: set[int], names_week: Callable[[str], bool]
) -> Iterator[int]:
    """Yield the places of headings without an address that stand among those of papers."""
    linked: Counter[int] = Counter()
    for section in sections:
        linked[section.level] += section.place in papers and (
            section.leads_to_paper or section.has_address
        )
    begun: set[int] = set()
    for section, after in zip_longest(sections, sections[1:]):
        begun |= {section.level} if section.place in papers else set()
        is_leaf = after is None or after.level <= section.level
        if (
            section.level in begun
            and linked[section.level] >= _FEWEST
            and is_leaf
            and section.has_text
            and not (section.holds_papers or section.leads_elsewhere)
            and section.title.casefold() not in _NO_PAPERS
            and not names_week(section.title)
        ):
            yield section.place


def _is_sure(section: _Section) -> bool:
    return section.leads_to_paper or section.leads_elsewhere or section.has_rank


def _is_paper(section: _Section, after: _Section | None) -> bool:
    if section.leads_to_paper:
        return True
    if section.holds_papers or (after and after.level > section.level and after.leads_to_paper):
        return False
    if section.leads_elsewhere:
        return True
    if after and section.level < TITLE_LEVEL == after.level:
        return False
    if section.has_rank and section.level < TITLE_LEVEL:
        return not section.holds_numbers
    return section.has_address and section.title.casefold() not in _NO_PAPERS


def _sections(tokens: Sequence["Token"], read: _Read) -> Iterator[_Section]:
    places = [
        place
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and not token.level
    ]
    for place, end in zip_longest(places, places[1:], fillvalue=len(tokens)):
        pieces = read(tokens[place + 1])
        title = clean_title(text_of([piece for piece in pieces if not _is_label(piece)]))
        leads = any(char.isalpha() for char in title) and any(
            is_paper_address(piece.url) for piece in pieces
        )
        section = _Section(
            place,
            int(tokens[place].tag[1:]),
            title,
            leading_rank(pieces) is not None,
            leads,
            any(map(is_titled_link, pieces)),
            text_of([piece for piece in pieces if piece.url] if leads else pieces),
        )
        if not section.leads_to_paper:
            _look_below(section, tokens[place + 3 : end], read)
        yield section


def _is_label(piece: TextRun) -> bool:
    return piece.url is not None and not is_titled_link(piece)


def _look_below(section: _Section, tokens: Sequence["Token"], read: _Read) -> None:
    inner = 0
    numbered = False
    for token in islice(tokens, 6 * _LOOKED_AT):
        match token.type:
            case "ordered_list_open" | "bullet_list_open":
                if section.has_address and section.level == TITLE_LEVEL:
                    return
                inner += 1
                numbered = numbered or token.type == "ordered_list_open"
            case "ordered_list_close" | "bullet_list_close":
                inner -= 1
            case "table_open":
                section.holds_papers = True
            case "inline" if inner <= 1:
                for line in lines_of(read(token)):
                    _look_at(section, line, is_item=inner > 0 or leading_rank(line) is not None)
            case _:
                pass
    section.holds_numbers = numbered


def _look_at(section: _Section, line: Sequence[TextRun], *, is_item: bool) -> None:
    links = [piece for piece in line if piece.url]
    is_paper = any(is_paper_address(piece.url) for piece in links)
    text = " ".join(text_of([piece for piece in line if not piece.url]).casefold().split())
    lead = text.rstrip("[]() :\uff1a-\u2013\u2014*|").strip()
    section.has_text = section.has_text or bool(lead)
    is_titled = any(map(is_titled_link, line))
    if not links:
        return
    if is_paper and not is_titled and (not lead or only_links(line)):
        section.has_address = True
    elif is_paper and text.endswith((":", "\uff1a")) and len(lead.split()) <= _LONGEST_LEAD:
        section.leads.add(lead)
        section.holds_papers = section.holds_papers or (is_item and title_in_front(line))
    elif is_item and (is_paper or title_in_front(line)):
        section.holds_papers = True
    elif is_paper and not is_titled and (_is_byline(line) or section.level == TITLE_LEVEL):
        section.has_address = True


def _is_byline(line: Sequence[TextRun]) -> bool:
    """Tell a line of authors or a venue, in italics, beside a link."""
    texts = [piece for piece in line if not piece.url and piece.has_words]
    return bool(texts) and texts[0].is_bold
