"""Links of replies to web pages, where these are reachable from everywhere. Pure."""

from dataclasses import replace

from bot.domain.page_paths import named_paper, paper_path
from bot.replies.blocks import Block, PaperCard, PaperLine, PaperList, Reply, WebPage
from store.records import Link

_LABEL = "Web page"


def with_page_links(reply: Reply, public_url: str | None) -> Reply:
    """Return a reply whose papers and editions link to their pages below a public URL.

    The title of a paper leads there only where the paper has no page elsewhere. Without a public
    URL nothing changes.
    """
    if not public_url:
        return reply
    blocks = (with_page_link(block, public_url) for block in reply.blocks)
    return replace(reply, blocks=tuple(blocks))


def with_page_link(block: Block, public_url: str | None) -> Block:
    """Return a block that links to pages as `with_page_links` has it."""
    base = (public_url or "").rstrip("/")
    if not base:
        return block
    match block:
        case WebPage():
            return replace(block, url=f"{base}{block.path}")
        case PaperList():
            return replace(block, papers=tuple(_linked_line(line, base) for line in block.papers))
        case PaperCard():
            return _linked_card(block, base)
        case _:
            return block


def _linked_line(line: PaperLine, base: str) -> PaperLine:
    return line if line.url else replace(line, url=_page(None, line.ref, base))


def _linked_card(card: PaperCard, base: str) -> PaperCard:
    page = _page(card.arxiv_id, card.ref, base)
    if page is None:
        return card
    return replace(card, url=card.url or page, links=(*card.links, Link(_LABEL, page)))


def _page(arxiv_id: str | None, ref: str, base: str) -> str | None:
    """Return the page of a paper, `None` for one that stands in no edition any more."""
    path = paper_path(arxiv_id, ref)
    return f"{base}{path}" if named_paper(path.removeprefix(paper_path(None, ""))) else None
