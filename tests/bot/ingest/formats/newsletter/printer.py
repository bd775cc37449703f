"""Prints editions as a newsletter does, one element a line, so that parsing can be reversed."""

from bot.domain.drafts import EditionDraft, EntryDraft, ParsedDocument
from store.records import Highlight, Link


def print_newsletter(document: ParsedDocument) -> str:
    """Print every edition of a document below the publication's name."""
    return "".join(print_edition(document.source_title, each) for each in document.editions)


def print_edition(publication: str, edition: EditionDraft) -> str:
    """Print one edition; the publication's name stands above its heading."""
    heading = f"[{edition.title}]({edition.url})" if edition.url else edition.title
    lines = [publication, heading]
    if edition.published_on:
        lines.append(f"{edition.published_on:%b %d, %Y}")
    for entry in edition.entries:
        lines += _entry_lines(entry)
    return "\n".join(lines) + "\n"


def _entry_lines(entry: EntryDraft) -> list[str]:
    lines = [f"{entry.rank}. {entry.title}"]
    if entry.summary:
        lines.append(entry.summary)
    lines += [_highlight_line(highlight) for highlight in entry.highlights]
    if entry.links:
        lines.append(" | ".join(_link(link) for link in entry.links))
    return lines


def _highlight_line(highlight: Highlight) -> str:
    if highlight.lead is None:
        return f"\u2022 {highlight.text}"
    return f"{highlight.lead}: {highlight.text}"


def _link(link: Link) -> str:
    return f"[{link.label}]({link.url})"
