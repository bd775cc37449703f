"""One thing of a paper in an answer: PDF, code, BibTeX, page or authors. Pure."""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from bot.replies.blocks import Actions, Block, Button, Fields, Level, Notice, PaperCard, Reply
from store.records import Link

_CODE_LABELS = frozenset({"code", "github", "repo", "repository"})
_CODE_HOSTS = frozenset({"github.com", "www.github.com", "gitlab.com", "codeberg.org"})
_ARXIV = "https://arxiv.org"
_AUTHORS = "authors"
_OWN_BUTTONS = 2  # to save the paper and to vote for it


def with_part_alone(reply: Reply, part: str) -> Reply:
    """Return the answer that shows a paper with one link, `pdf`, `code`, `bibtex` or `link`.

    Where there is none, the whole answer says so first. Its `authors` are named, or said not to be
    stored. An answer that shows no paper stays.
    """
    card = next((block for block in reply.blocks if isinstance(block, PaperCard)), None)
    if card is None:
        return reply
    if part == _AUTHORS:
        named = (
            each for block in reply.blocks if isinstance(block, Fields) for each in block.pairs
        )
        facts = tuple(each for each in named if each[0].startswith("Author"))
        return replace(reply, blocks=_alone(reply, card, (), Fields(facts))) if facts else reply
    find, missing, remedy = _PARTS[part]
    if (link := find(card)) is None:
        notice = Notice(Level.INFO, missing, remedy)
        return replace(reply, blocks=(notice, *reply.blocks))
    return replace(reply, blocks=_alone(reply, card, (link,)))


def _alone(
    reply: Reply, card: PaperCard, links: tuple[Link, ...], *facts: Block
) -> tuple[Block, ...]:
    """Return a card with some links alone, facts, and the first buttons of an answer."""
    rows = (block.buttons for block in reply.blocks if isinstance(block, Actions))
    own = next(rows, ())[:_OWN_BUTTONS]
    alone = replace(card, summary=None, highlights=(), links=links, topics=())
    details = Button("Details", f"show {card.ref}", turns=True)
    return alone, *facts, Actions((details, *own))


def _pdf(card: PaperCard) -> Link | None:
    if card.arxiv_id:
        return Link("PDF", f"{_ARXIV}/pdf/{card.arxiv_id}")
    links = (each for each in card.links if _path(each).endswith(".pdf"))
    return next((Link("PDF", each.url) for each in links), None)


def _code(card: PaperCard) -> Link | None:
    labelled = (each for each in card.links if each.label.casefold() in _CODE_LABELS)
    hosted = (each for each in card.links if _host(each) in _CODE_HOSTS)
    return next((Link("Code", each.url) for links in (labelled, hosted) for each in links), None)


def _bibtex(card: PaperCard) -> Link | None:
    return Link("BibTeX", f"{_ARXIV}/bibtex/{card.arxiv_id}") if card.arxiv_id else None


def _page(card: PaperCard) -> Link | None:
    return Link("Link", card.url) if card.url else None


def _path(link: Link) -> str:
    return _split(link)[1]


def _host(link: Link) -> str:
    return _split(link)[0]


def _split(link: Link) -> tuple[str, str]:
    try:
        parts = urlsplit(link.url.lower())
    except ValueError:  # brackets that hold no address
        return "", ""
    return parts.netloc, parts.path


# What finds it, and what is said where there is none.
_PARTS: dict[str, tuple[Callable[[PaperCard], Link | None], str, str]] = {
    "pdf": (_pdf, "No PDF of this paper is stored.", "These are its links, if it has any."),
    "code": (_code, "No code is stored for this paper.", "What there is of it:"),
    "bibtex": (
        _bibtex,
        "arXiv has no BibTeX of this paper, as no arXiv id is stored.",
        "Save it: saved as:bibtex writes an entry.",
    ),
    "link": (_page, "No link of this paper is stored.", "What there is of it:"),
}
