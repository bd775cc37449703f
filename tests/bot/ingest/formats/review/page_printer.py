"""Prints a review's edition as a web page, in mark-up of several kinds.

The printer is the parser's other half in round trips: it places the elements as pages do, and
knows nothing of how they are read. No class name is ever printed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby

from bot.domain.drafts import EditionDraft, EntryDraft
from store.records import Heading


@dataclass(frozen=True, slots=True)
class Markup:
    """How a page is marked up.

    `top` is the level of the topics' headings, `parts` how an item's parts are arranged (an
    item of a list, a card, a table's row, or none), `mark` how an episode's mark stands in a
    text, `around` the tag about the text, `gap` what parts one element from the next.
    """

    top: int = 2
    parts: str = "item"
    mark: str = " <a href='/episodes/{0}'>{0}</a>"
    around: str = "main"
    gap: str = "\n"


PLAIN = Markup()


def print_review_page(edition: EditionDraft, markup: Markup = PLAIN) -> str:
    """Return the whole page."""
    body = [*_furniture(), f"<{markup.around}>", *_head(edition), *_overview(edition, markup)]
    for heading in edition.headings:
        body += _topic(edition, heading, markup)
    body += [f"</{markup.around}>", "<footer><p>Made by E998.</p></footer>", "</body>", "</html>"]
    return markup.gap.join([*_page_head(edition), *body])


def _page_head(edition: EditionDraft) -> Iterator[str]:
    title = escape(edition.title)
    yield "<!DOCTYPE html>"
    yield f"<html><head><title>{title} | The Show</title>"
    yield f'<meta property="og:title" content="{title}">'
    if edition.published_on:
        yield f'<meta property="article:published_time" content="{edition.published_on}T09:00Z">'
    if edition.url:
        yield f'<link rel="canonical" href="{edition.url}">'
    yield "<style>p { color: red }</style>"
    yield "<script>const other = 'E999 <article> is no episode';</script>"
    yield "</head><body>"


def _furniture() -> Iterator[str]:
    yield "<header><p>The Show, every week</p></header>"
    yield '<nav><a href="/reviews">All reviews</a> <a href="/episodes/997">E997</a></nav>'


def _head(edition: EditionDraft) -> Iterator[str]:
    facts = ["Weekly review", f"{len(edition.entries)} episodes"]
    if day := edition.published_on:
        facts.append(f"{day:%b} {day.day}, {day.year}")
    if edition.minutes is not None:
        facts.append(f"{edition.minutes} min")
    yield f"<p>{' · '.join(facts)}</p>"
    yield f"<h1>{escape(edition.title)}</h1>"
    yield "<div><button>Share</button> <a href='https://x.com/intent/post'>Share on X</a></div>"
    yield f"<figure><strong>{escape(edition.title)}</strong><span>0:00</span></figure>"


def _overview(edition: EditionDraft, markup: Markup) -> Iterator[str]:
    """Print the overview with the marks of all episodes in its first paragraph."""
    if edition.overview is None:
        return
    first, *rest = edition.overview.split("\n\n")
    yield _marked(first, [str(entry.episode) for entry in edition.entries], markup)
    yield from (f"<p>{escape(text)}</p>" for text in rest)


def _topic(edition: EditionDraft, heading: Heading, markup: Markup) -> Iterator[str]:
    entries = [entry for entry in edition.entries if entry.heading == heading.title]
    yield f"<section><h{markup.top}>{escape(heading.title)}</h{markup.top}>"
    if heading.tagline is not None:
        yield f"<p>{escape(heading.tagline)}</p>"
    for section, group in groupby(entries, key=lambda entry: entry.section):
        if section is not None:
            yield f"<h{markup.top + 1}>{escape(section)}</h{markup.top + 1}>"
        for entry in group:
            yield from _texts(entry, markup)
    yield f"<h{markup.top + 2}>Episodes in this topic</h{markup.top + 2}>"
    yield from _PARTS[markup.parts]([entry for entry in entries if entry.links])
    yield "</section>"


def _texts(entry: EntryDraft, markup: Markup) -> Iterator[str]:
    first, *rest = str(entry.summary).split("\n\n")
    yield _marked(first, [str(entry.episode)], markup)
    yield from (f"<p>{escape(text)}</p>" for text in rest)


def _marked(text: str, episodes: list[str], markup: Markup) -> str:
    """Put marks at the end of a text, before its full stop as reviews do."""
    marks = "".join(markup.mark.format(episode) for episode in episodes)
    end = "." if text.endswith(".") else ""
    return f"<p>{escape(text.removesuffix('.'))}{marks}{end}</p>"


def _items(entries: list[EntryDraft]) -> Iterator[str]:
    yield "<ul>"
    for entry in entries:
        number = f"<span>{entry.episode}</span>"
        title = f"<span>{escape(entry.title)}</span>"
        yield f'<li><a href="/episodes/{entry.episode}">{number}{title}</a>'
        yield f"{''.join(_links(entry))} <span>12 min</span></li>"
    yield "</ul>"


def _cards(entries: list[EntryDraft]) -> Iterator[str]:
    for entry in entries:
        yield f"<div><div>{entry.episode}</div><h6>{escape(entry.title)}</h6>"
        yield f"<div>{''.join(_links(entry))}</div><p>12 min</p></div>"


def _rows(entries: list[EntryDraft]) -> Iterator[str]:
    yield "<table>"
    for entry in entries:
        cells = [str(entry.episode), escape(entry.title), " ".join(_links(entry)), "12 min"]
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    yield "</table>"


def _nothing(_: list[EntryDraft]) -> Iterator[str]:
    yield "<ul></ul>"


_PARTS = {"item": _items, "card": _cards, "row": _rows, "none": _nothing}


def _links(entry: EntryDraft) -> Iterator[str]:
    """Print each link under its label, a paper's under its number."""
    for link in entry.links:
        is_paper = link.label == "Paper"
        words = f"arXiv:{link.url.rpartition('/')[2]}" if is_paper else link.label
        yield f'<a href="{escape(link.url)}">{words}</a>'
