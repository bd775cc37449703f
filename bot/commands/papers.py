"""Commands about one paper."""

from bot.command import Command, Context, Group, Param
from bot.paper_refs import EXPECTED, read_paper
from bot.replies import Reply
from bot.views import paper_reply
from store import mentions
from store.records import Mention


async def show(context: Context, paper: Mention) -> Reply:
    """Show all about one paper."""
    featured = await context.database.read(mentions.of_paper, paper.paper_id)
    return paper_reply(paper, featured)


SHOW = Command(
    name="show",
    group=Group.LOOKUP,
    summary="All about one paper: summary, highlights, links, where it was featured",
    handler=show,
    params=(Param("paper", EXPECTED, read_paper, required=True),),
    examples=("show 3", "show E171", "show 2501.12948", "show attention is all you need"),
)
