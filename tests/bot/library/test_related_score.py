"""How much sense the papers make that `related` shows first, over the real documents."""

import tomllib
from pathlib import Path

from bot.app import Broadsheet
from bot.replies.blocks import PaperList
from tests.bot.conftest import READER

_JUDGEMENTS = Path(__file__).parents[2] / "data" / "related_judgements.toml"
_FIRST = 3


async def _shown(bot: Broadsheet, ref: str) -> list[str]:
    reply = await bot.run_text(f"related {ref}", READER)
    lists = (block for block in reply.blocks if isinstance(block, PaperList))
    return [line.ref for each in lists for line in each.papers]


async def test_related_papers_make_sense(bot: Broadsheet) -> None:
    """Of the first three that are shown, and of three for each paper, as many make sense as did.

    A paper that was not judged does not count as sensible.
    """
    papers = tomllib.loads(_JUDGEMENTS.read_text(encoding="utf-8"))["papers"]
    firsts = {ref: (await _shown(bot, ref))[:_FIRST] for ref in papers}
    sensible = [
        (ref, each) for ref in papers for each in firsts[ref] if each in papers[ref]["sensible"]
    ]
    assert len(sensible) / sum(map(len, firsts.values())) >= 0.7
    assert len(sensible) / (_FIRST * len(papers)) >= 0.68
