"""Responses of the arXiv API, written from records of papers.

Their format is documented at https://info.arxiv.org/help/api/user-manual.html, 3.3 and 3.4.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from store.library.arxiv import ArxivPaper

API = "https://arxiv.example/api/query"
SUBMITTED = datetime(2026, 1, 3, 17, 57, 34, tzinfo=UTC)
_PAPER = ArxivPaper(
    arxiv_id="2601.00001",
    version=1,
    title="Steering Kites",
    authors=("Ada North", "Ben van der East"),
    abstract="Kites are steered by their tails.",
    categories=("cs.RO", "cs.LG"),
    submitted_at=SUBMITTED,
    updated_at=SUBMITTED,
)


def paper(arxiv_id: str, **facts: object) -> ArxivPaper:
    """Return arXiv's record of a paper."""
    return replace(_PAPER, arxiv_id=arxiv_id, **facts)  # type: ignore[arg-type] # real fields


def withdrawn(arxiv_id: str) -> ArxivPaper:
    """Return arXiv's record of a withdrawn paper."""
    words = "This paper has been withdrawn by the authors due to a crucial error"
    return paper(arxiv_id, version=2, comment=words, withdrawn=True)


def query_url(*ids: str, api: str = API) -> str:
    """Return the URL of a query for some ids."""
    return f"{api}?id_list={','.join(ids)}&start=0&max_results={len(ids)}"


def atom(*papers: ArxivPaper, scheme: str = "http") -> str:
    """Return a feed of papers."""
    return _feed([_entry(each, scheme) for each in papers])


def error_feed(words: str) -> str:
    """Return the feed of an error."""
    address = f"http://arxiv.org/api/errors#{words.replace(' ', '_')}"
    entry = (
        f"<entry><id>{escape(address)}</id><title>Error</title>"
        f"<summary>{escape(words)}</summary><updated>2026-01-12T00:00:00-05:00</updated>"
        "<author><name>arXiv api core</name></author></entry>"
    )
    return _feed([entry])


def _feed(entries: Sequence[str]) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        "<id>http://arxiv.org/api/kites</id><title>ArXiv Query</title>\n"
        + "\n".join(entries)
        + "\n</feed>\n"
    )


def _entry(record: ArxivPaper, scheme: str) -> str:
    address = f"{scheme}://arxiv.org/abs/{record.arxiv_id}v{record.version}"
    own = {"comment": record.comment, "journal_ref": record.journal_ref, "doi": record.doi}
    parts = [
        f"<id>{escape(address)}</id>",
        f"<updated>{record.updated_at.isoformat()}</updated>",
        f"<published>{record.submitted_at.isoformat()}</published>",
        # arXiv wraps long titles, and puts blanks before abstracts.
        f"<title>{escape(record.title).replace(' ', chr(10) + '  ', 1)}</title>",
        f"<summary>  {escape(record.abstract).replace(' ', chr(10), 1)}\n</summary>",
        *(f"<author><name>{escape(name)}</name></author>" for name in record.authors),
        *(_own(name, f">{escape(text)}</arxiv:{name}>") for name, text in own.items() if text),
        *(_own("primary_category", f" term={quoteattr(c)}/>") for c in record.categories[:1]),
        *(
            f"<category term={quoteattr(c)}/>"
            for c in (*record.categories[1:], *record.categories[:1])
        ),
    ]
    return f"<entry>{''.join(parts)}</entry>"


def _own(name: str, rest: str) -> str:
    return f'<arxiv:{name} xmlns:arxiv="http://arxiv.org/schemas/atom"{rest}'
