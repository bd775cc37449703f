"""The ask command: sentences of the stored papers that answer a question."""

from dataclasses import replace

from bot.commands.arguments import with_arguments
from bot.commands.handlers.search import SEARCH, search
from bot.commands.params.papers import PAPER
from bot.commands.params.scalars import QUESTION
from bot.commands.types import Command, Context, Group, Param
from bot.library.questions import search_words
from bot.library.quotes import Quotation, find_quotes
from bot.replies.blocks import Level, Notice, PaperList, Quote, Reply, Text, Title
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.papers import place_line
from store.records import Mention

_NOTHING = Notice(Level.INFO, "Nothing stored answers that.")


async def ask(context: Context, question: str, paper: Mention | None = None) -> Reply:
    """Quote the sentences that answer a question, else say that none does and search.

    A `paper` is asked first, as in the thread of its post.
    """
    about = paper.paper_id if paper else None
    found = await context.content.read(find_quotes, question, about)
    if not found and about is not None:
        found = await context.content.read(find_quotes, question)
    if not found:
        return await _search_reply(context, question)
    said = (_quote(each) for each in found)
    papers = {each.mention.entry.ref: each.mention for each in found}
    votes = await context.count_votes(papers.keys())
    lines = tuple(place_line(paper, votes) for paper in papers.values())
    return Reply(
        (
            Title(question),
            *said,
            Text("From:"),
            PaperList(lines, menus=ANSWER_MENUS),
        )
    )


async def _search_reply(context: Context, question: str) -> Reply:
    """Answer as the search for the words of a question does, and say why."""
    searched = with_arguments(context, SEARCH, {"query": search_words(question)})
    found = await search(searched, searched.arguments["query"])
    return replace(found, blocks=(_NOTHING, *found.blocks))


def _quote(found: Quotation) -> Quote:
    line = place_line(found.mention)
    return Quote(found.text, line.ref, line.title, line.where or "")


ASK = Command(
    name="ask",
    group=Group.LOOKUP,
    summary="Sentences of the stored papers that answer a question, word for word",
    handler=ask,
    params=(
        Param("question", "What you want to know", QUESTION, required=True),
        Param("paper", "The paper that is asked first", PAPER, key="of", hidden=True),
    ),
    examples=(
        "ask how many tokens was ModernBERT trained on?",
        "ask what does GaLore do?",
    ),
)
