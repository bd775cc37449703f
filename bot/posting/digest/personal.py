"""The message of a personal digest: papers picked for one reader, each with the reason. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from bot.library.brief import reading_minutes
from bot.library.profile import Pick
from bot.posting.digest.layouts import Draft, Post, with_room_for_votes
from bot.posting.digest.paper_list import WHOLE, Fits, Rung, first_fitting
from bot.replies.blocks import (
    Actions,
    Button,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
    Visibility,
)
from bot.replies.one_lines import LINE_LENGTH
from bot.replies.paper_actions import OPEN_MENUS, PERSONAL_MENUS, short_menus
from bot.replies.papers import paper_line
from bot.replies.wording import count, place, shorten

_HOW = "Best for you first, by what you save, vote for and open."
_OUTSIDE = "something else"
_BUTTONS = (Button("Brief", "brief"), Button("Your list", "saved"))
_ALL_MENUS = (*OPEN_MENUS, *PERSONAL_MENUS)
_SHORT_MENUS = short_menus(_ALL_MENUS)
# From the richest down: what stands beside each paper goes first, which is its own button or menu
# where a platform has such, then lines and places, and menus.
# No paper and no reason is ever left out.
_RUNGS = (
    Rung(richest=True, menus=PERSONAL_MENUS), Rung(menus=_ALL_MENUS), Rung(menus=_SHORT_MENUS),
    Rung(80, menus=_SHORT_MENUS), Rung(50, menus=_SHORT_MENUS), Rung(0, menus=_SHORT_MENUS),
    Rung(0, menus=short_menus(OPEN_MENUS)), *(Rung(0, cut) for cut in (WHOLE, 100, 60, 40, 12)),
)  # fmt: skip


def lay_out_personal(picks: Sequence[Pick], day: date, fits: Fits) -> Post | None:
    """Lay picked papers out as one message, the richest that fits; `None` if there are none.

    `day` is the reader's, on which it is due.
    """
    if not picks:
        return None
    fits = with_room_for_votes(fits)
    headline = f"Your papers, {day:%a} {day:%b} {day.day}"
    reply = first_fitting((_reply(picks, headline, rung) for rung in _RUNGS), fits)
    topics = Counter(topic for each in picks for topic in each.mention.entry.topics)
    refs = tuple(each.mention.entry.ref for each in picks)
    frequent = tuple(topic for topic, _ in topics.most_common())
    return Post(headline, frequent, (Draft(reply, refs),))


def _reply(picks: Sequence[Pick], headline: str, rung: Rung) -> Reply:
    minutes = reading_minutes(each.mention.entry for each in picks)
    length = f"{count(len(picks), 'paper')}, {count(minutes, 'minute')}"
    lines = tuple(_line(each, number, rung) for number, each in enumerate(picks, start=1))
    listed = PaperList(lines, menus=rung.menus, close=not rung.line, details=rung.richest)
    blocks = Title(f"{headline}: {length}"), Text(_HOW), listed, Actions(_BUTTONS)
    return Reply(blocks, Visibility.CHANNEL)


def _line(pick: Pick, number: int, rung: Rung) -> PaperLine:
    """Return a paper with its reason in the small print, in a close list in place of its line."""
    edition, entry = pick.mention.edition, pick.mention.entry
    reason = f"{_OUTSIDE}, {pick.reason}" if pick.outside else pick.reason
    line = paper_line(entry, length=rung.line or LINE_LENGTH)
    line = replace(line, number=str(number), title=shorten(line.title, rung.title), heading=None)
    if not rung.line:
        return replace(line, line=reason, topics=())
    return replace(line, where=place(edition, entry), reason=reason)
