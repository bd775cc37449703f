"""The papers in a chat message: linked ones, and the words to search for. Pure."""

import re
import textwrap
from collections.abc import Iterable, Sequence

from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from bot.replies.blocks import PaperCard, PaperLine, PaperList, Reply, Title
from bot.replies.naming import line_of_card
from bot.replies.paper_actions import ANSWER_MENUS, SAVE_MENUS, can_vote

# A longer reading list is no message to look up.
MOST_PAPERS = 10
_LONGEST_WORDS = 80
_VERB = "papers"
# Addresses, mentions and emoji are not searched for.
_ASIDE = re.compile(r"\S+://|[@#:]\S")
_AROUND = "*_~`'\"“”‘’()[]{}<>,.;!?-"
_TITLE = re.compile(r"(?:\S+\s+){2}\S")


def linked_papers(text: str) -> list[str]:
    """Return the arXiv ids in a message, from addresses or bare, each once, in order."""
    words = (word.strip(_AROUND) for word in re.split(r"[\s|<>]+", text))
    found = (arxiv_id_in_url(word) or bare_arxiv_id(word) for word in words)
    return list(dict.fromkeys(each for each in found if each))[:MOST_PAPERS]


def words_of(text: str) -> str:
    """Return the first words of a message, as a search takes them."""
    words = (word for word in text.split() if not _ASIDE.match(word))
    kept = [bare for word in words if (bare := word.strip(_AROUND))]
    return textwrap.shorten(" ".join(kept), _LONGEST_WORDS, placeholder="")


def may_be_title(words: str) -> bool:
    """Tell whether words may be a paper's title: fewer than three match too much by chance."""
    return bool(_TITLE.match(words))


def papers_line(ids: Iterable[str]) -> str:
    """Return the value of a button back to a list of papers."""
    return " ".join([_VERB, *ids])


def ids_in_line(text: str) -> list[str]:
    """Return the ids in the value of such a button; none if it is a command string."""
    verb, *ids = text.split() or [""]
    return ids if verb == _VERB and ids and all(map(bare_arxiv_id, ids)) else []


def papers_reply(shown: Sequence[Reply]) -> Reply:
    """List papers, given the reply about each."""
    cards = [block for reply in shown for block in reply.blocks if isinstance(block, PaperCard)]
    lines = (
        PaperLine(
            str(place),
            card.title,
            line_of_card(card),
            card.ref,
            card.where,
            votes=card.votes,
            url=card.url,
        )
        for place, card in enumerate(cards, start=1)
    )
    menus = ANSWER_MENUS if any(map(can_vote, shown)) else SAVE_MENUS
    listed = PaperList(tuple(lines), menus=menus)
    return Reply((Title("Papers in this message"), listed))
