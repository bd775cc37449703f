"""Prints feeds as sites do, in RSS and in Atom, and editions as the HTML of their posts."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from html import escape

from bot.domain.drafts import EditionDraft, EntryDraft, ParsedDocument
from store.records import Highlight, Link

NAME = "Spoon Weekly"
WIDGET = (
    '<div class="subscription-widget-wrap-editor"><p>Thank you for reading GADGET50!</p>'
    '<form><input type="email"></form></div>'
)
BUTTON = '<p class="button-wrapper"><a href="https://shop.example">Buy GADGET50</a></p>'
PICTURE = (
    '<figure><a href="https://a.example/spoon.png"><img src="https://a.example/s"></a></figure>'
)


@dataclass(frozen=True, slots=True)
class Printed:
    """A post to be printed; `published_on` is its day, `None` for one without."""

    markup: str
    title: str = "Spoons of the week"
    teaser: str = "All about spoons"
    url: str = "https://letter.example/p/spoons"
    published_on: date | None = date(2026, 1, 11)


def print_rss(*posts: Printed, title: str = NAME) -> str:
    """Print posts as RSS 2.0, the bodies in CDATA and each post on a line of its own."""
    items = "".join(f"{_item(post)}\n" for post in posts)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"'
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/">'
        f"<channel><title>{escape(title)}</title>\n{items}</channel></rss>\n"
    )


def print_atom(*posts: Printed, title: str = NAME) -> str:
    """Print posts as Atom, the bodies escaped and each post on a line of its own."""
    entries = "".join(f"{_entry(post)}\n" for post in posts)
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{escape(title)}</title>\n{entries}</feed>\n"
    )


def print_markup(edition: EditionDraft) -> str:
    """Print an edition as a post: headings, paragraphs, lists with bold leads, rows of links."""
    entries = "<div><hr></div>".join(_entry_markup(entry) for entry in edition.entries)
    return f"{PICTURE}<h1><strong>{escape(edition.title)}</strong></h1>{entries}{WIDGET}"


def print_editions(document: ParsedDocument) -> str:
    """Print every edition of a document as a post of a feed."""
    posts = (
        Printed(
            markup=print_markup(edition), url=edition.url or "", published_on=edition.published_on
        )
        for edition in document.editions
    )
    return print_rss(*posts, title=document.source_title)


def _item(post: Printed) -> str:
    day = f"<pubDate>{format_datetime(_noon(post))}</pubDate>" if post.published_on else ""
    body = post.markup.replace("]]>", "]]]]><![CDATA[>")
    return (
        f"<item><title>{escape(post.title)}</title><description>{escape(post.teaser)}</description>"
        f"<link>{escape(post.url)}</link>{day}"
        f"<content:encoded><![CDATA[{body}]]></content:encoded></item>"
    )


def _entry(post: Printed) -> str:
    day = f"<published>{_noon(post).isoformat()}</published>" if post.published_on else ""
    return (
        f"<entry><title>{escape(post.title)}</title><summary>{escape(post.teaser)}</summary>"
        f'<link rel="alternate" href="{escape(post.url)}"/>{day}'
        f'<content type="html">{escape(post.markup)}</content></entry>'
    )


def _noon(post: Printed) -> datetime:
    return datetime.combine(post.published_on or date.min, time(12), UTC)


def _entry_markup(entry: EntryDraft) -> str:
    title = f"<h2><strong>{entry.rank}. {escape(entry.title)}</strong></h2>"
    summary = f"<p>{escape(entry.summary)}</p>" if entry.summary else ""
    items = "".join(f"<li><p>{_highlight(each)}</p></li>" for each in entry.highlights)
    links = " | ".join(_link(link) for link in entry.links)
    return title + summary + (f"<ul>{items}</ul>" if items else "") + f"<p>{links}</p>"


def _highlight(highlight: Highlight) -> str:
    lead = f"<strong>{escape(highlight.lead)}:</strong>&nbsp;" if highlight.lead else ""
    return lead + escape(highlight.text)


def _link(link: Link) -> str:
    return f'<strong><a href="{escape(link.url)}">{escape(link.label)}</a></strong>'
