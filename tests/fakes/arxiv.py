"""What arXiv's API answers, written from what it is to say.

The format: https://info.arxiv.org/help/api/user-manual.html, 3.3 and 3.4.
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
    """Return what arXiv says of a paper."""
    return replace(_PAPER, arxiv_id=arxiv_id, **facts)  # type: ignore[arg-type] # real fields


def withdrawn(arxiv_id: str) -> ArxivPaper:
    """Return what arXiv says of a paper that was withdrawn."""
    words = "This paper has been withdrawn by the authors due to a crucial error"
    return paper(arxiv_id, version=2, comment=words, withdrawn=True)


def asked(*ids: str, api: str = API) -> str:
    """Return the address at which arXiv is asked about some ids."""
    return f"{api}?id_list={','.join(ids)}&start=0&max_results={len(ids)}"


def atom(*papers: ArxivPaper, scheme: str = "http") -> str:
    """Write the answer that tells of these papers."""
    return _feed([_entry(each, scheme) for each in papers])


def refusal(words: str) -> str:
    """Write the answer to a question that is refused."""
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


def _entry(said: ArxivPaper, scheme: str) -> str:
    address = f"{scheme}://arxiv.org/abs/{said.arxiv_id}v{said.version}"
    own = {"comment": said.comment, "journal_ref": said.journal_ref, "doi": said.doi}
    parts = [
        f"<id>{escape(address)}</id>",
        f"<updated>{said.updated_at.isoformat()}</updated>",
        f"<published>{said.submitted_at.isoformat()}</published>",
        # It wraps long ones, and blanks stand before abstracts.
        f"<title>{escape(said.title).replace(' ', chr(10) + '  ', 1)}</title>",
        f"<summary>  {escape(said.abstract).replace(' ', chr(10), 1)}\n</summary>",
        *(f"<author><name>{escape(name)}</name></author>" for name in said.authors),
        *(_own(name, f">{escape(text)}</arxiv:{name}>") for name, text in own.items() if text),
        *(_own("primary_category", f" term={quoteattr(c)}/>") for c in said.categories[:1]),
        *(f"<category term={quoteattr(c)}/>" for c in (*said.categories[1:], *said.categories[:1])),
    ]
    return f"<entry>{''.join(parts)}</entry>"


def _own(name: str, rest: str) -> str:
    return f'<arxiv:{name} xmlns:arxiv="http://arxiv.org/schemas/atom"{rest}'
