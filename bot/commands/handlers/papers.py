"""The commands show, related, random, topic, vote and dismiss: a paper, and papers like it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.commands.handlers.nothing_found import alert_buttons, nearest_buttons
from bot.commands.handlers.pagination import no_page, page_of, page_string, pager
from bot.commands.params.filters import FILTERS, PERIOD_FILTER, filters_of, in_words
from bot.commands.params.papers import PAPER
from bot.commands.params.scalars import PAGE, YES, choice
from bot.commands.params.topics_and_sources import TOPIC
from bot.commands.plain_words.list_references import read_list_reference
from bot.commands.types import Command, Context, Group, Param
from bot.domain.topics import all_topics, topic_names
from bot.errors import ArgumentError, Option, Suggestion, UserError
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Notice,
    PaperList,
    Reply,
    Text,
    Title,
    Undo,
)
from bot.replies.naming import line_about, shown_title
from bot.replies.paper_actions import ANSWER_MENUS, CARD, SHARED, WORDS, shared_vote_button
from bot.replies.papers import paper_card, paper_reply, place_line
from bot.replies.wording import ANOTHER, count, shorten
from store.library import arxiv, mentions, statistics
from store.library import related as related_papers
from store.readers import seen
from store.readers import votes as own_votes
from store.records import Mention
from store.search import Filters, SearchQuery
from store.text import fold

_RELATED_SHOWN = 3
_RELATED = 10
_OFFERED = 6
_LONGEST_TITLE = 150


async def show(context: Context, paper: Mention) -> Reply:
    """Show a paper in full, and note that the user has seen it."""
    reply = await _show(context, paper)
    context.background.start(_note_seen(context, paper), context.actor.person)
    return reply


async def _show(context: Context, paper: Mention) -> Reply:
    featured = await context.content.read(mentions.of_paper, paper.paper_id, context.day)
    related = (await _related(context, paper))[:_RELATED_SHOWN]
    stored = await context.content.read(arxiv.of_paper, paper.paper_id)
    ref = paper.entry.ref
    votes = await context.count_votes({ref, *(each.entry.ref for each in (*featured, *related))})
    person, workspace = context.actor.person, context.workspace
    voted = ref in votes and await context.database.read(
        own_votes.has_voted, person, workspace, ref
    )
    return paper_reply(paper, featured, related, stored, votes, voted=voted)


async def _note_seen(context: Context, paper: Mention) -> None:
    # Most papers that are opened were opened before: a read is cheaper than a write.
    person, ref = context.actor.person, paper.entry.ref
    if not await context.database.read(seen.is_seen, person, ref):
        now = context.system_clock.now()
        await context.database.write_locking_rows(seen.open_paper, person, ref, now)


async def related(context: Context, paper: Mention) -> Reply:
    """List the papers that are most like one."""
    found = await _related(context, paper)
    title = Title(f"Related to {shorten(shown_title(paper.entry), 100)}")
    if not found:
        return Reply((title, Notice(Level.INFO, "No other paper is much like it.")))
    votes = await context.count_votes({each.entry.ref for each in found})
    blocks: list[Block] = [title, _summary_list(found, votes)]
    if len(found) < _RELATED_SHOWN:
        papers = f"{count(len(found), 'paper')} {'is' if len(found) == 1 else 'are'}"
        blocks.append(Text(f"Only {papers} much like it."))
    blocks.append(Actions((Button("Back to the paper", f"show {paper.entry.ref}"),)))
    return Reply(tuple(blocks))


async def _related(context: Context, paper: Mention) -> list[Mention]:
    weights = await context.content.read(related_papers.weights)
    return await context.content.read(related_papers.related_to, paper, weights, _RELATED)


async def random(
    context: Context,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """Show a random paper, of those that filters let through."""
    filters = filters_of(**given)
    number = await context.content.read(statistics.count_papers, filters)
    if not number:
        return await _nothing_found(context, filters, RANDOM)
    chosen = context.dice.randrange(number)
    [paper] = await context.content.read(mentions.newest, filters, context.day, 1, chosen)
    shown = await _show(context, paper)
    another = Actions((Button(ANOTHER, context.command_string),))
    return replace(shown, blocks=(*shown.blocks, another))


async def topic(
    context: Context,
    page: int = 1,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """List one topic's papers, newest first; without any filter the topics with their counts."""
    summaries = {each.slug: each.summary for each in all_topics()}
    filters = filters_of(**given)
    if not filters:
        return _topics_reply(await _counts(context), summaries)
    total = await context.content.read(statistics.count_papers, filters)
    shown = page_of(context, page)
    papers = await context.content.read(
        mentions.newest, filters, context.day, shown.size, shown.start
    )
    if not papers and total:
        what = filters.topic or "This list"
        raise no_page(what, page_string(TOPIC_OF, context, 1))
    if not papers:
        return await _nothing_found(context, filters, TOPIC_OF)
    votes = await context.count_votes({each.entry.ref for each in papers})
    is_topic = filters == Filters(filters.topic)
    title = f"{filters.topic}: {summaries[filters.topic or '']}" if is_topic else ""
    blocks: list[Block] = [
        Title(title or f"Papers{in_words(filters)}"),
        Text(f"{count(total, 'paper')}, newest first"),
        replace(_summary_list(papers, votes), first=shown.start + 1),
    ]
    if pages := pager(TOPIC_OF, context, shown, total):
        blocks.append(pages)
    return Reply(tuple(blocks))


def _summary_list(papers: Sequence[Mention], votes: Mapping[str, int]) -> PaperList:
    lines = (replace(place_line(each, votes), line=line_about(each.entry)) for each in papers)
    return PaperList(tuple(lines), menus=ANSWER_MENUS)


async def _counts(context: Context) -> list[statistics.TopicCount]:
    counts = await context.content.read(statistics.topic_counts)
    if counts:
        return counts
    if await context.content.read(statistics.count_papers):
        raise UserError("No paper has a topic yet.", "search finds papers by any word.")
    raise nothing_stored()


async def _nothing_found(context: Context, filters: Filters, command: Command) -> Reply:
    """Say that filters let no paper through, and offer what finds some.

    Raises:
        UserError: if no paper of the topic is stored, whatever the other filters, or none at all.
    """
    topic = filters.topic
    if not await context.content.read(statistics.count_papers, Filters(topic)):
        raise await _nothing_on(context, topic) if topic else nothing_stored()
    query = SearchQuery(filters=filters)
    fewer = f"{command.name} {topic}" if topic else command.name
    buttons = await nearest_buttons(context, command, query) or (Button(fewer, fewer),)
    notice = Notice(Level.INFO, f"No paper{in_words(filters)} is stored.")
    return Reply((notice, Actions((*buttons, *alert_buttons(context, query)))))


async def _nothing_on(context: Context, topic: str) -> UserError:
    others = tuple(
        Suggestion(each.topic, f"topic {each.topic}") for each in (await _counts(context))[:3]
    )
    return UserError(f"No paper on {topic} is stored yet.", "Others have papers:", others)


def _topics_reply(counts: Sequence[statistics.TopicCount], summaries: Mapping[str, str]) -> Reply:
    pairs = tuple(
        (f"{each.topic} · {count(each.papers, 'paper')}", summaries.get(each.topic, ""))
        for each in counts
    )
    buttons = tuple(Button(each.topic, f"topic {each.topic}") for each in counts[:_OFFERED])
    return Reply((Title("Topics"), Fields(pairs), Actions(buttons)))


async def vote(context: Context, paper: Mention, shown: str | None = None) -> Reply:
    """Give the user's vote for a paper, or remove it; `shown` names the reply that shows it."""
    actor = context.actor
    if not actor.has_voters:
        raise no_voters()
    entry, now = paper.entry, context.system_clock.now()
    voted = await context.votes.toggle(
        actor.person, context.workspace, entry.ref, context.request, now
    )
    context.notify()
    title, votes = shorten(shown_title(entry), _LONGEST_TITLE), count(voted.votes, "vote")
    if voted.has_voted:
        words, again = f"You voted for {title}: {votes} here.", "Take back"
    else:
        words, again = f"Your vote for {title} was removed: {votes} here.", "Vote again"
    buttons = Button(again, f"vote {entry.ref}"), Button("Details", f"show {entry.ref}")
    did = "voted for" if voted.has_voted else "took back your vote for"
    undo = Undo(f"{did} {title}", (buttons[0].command,), there=True)
    if shown == CARD:
        return replace(await show(context, paper), undo=undo)
    # A shared card shows the new number of votes on its button.
    card = replace(paper_card(paper.edition, entry), votes=voted.votes)
    return Reply(
        (Notice(Level.INFO, words), Actions(buttons)),
        command=f"show {entry.ref}",
        quiet=shown != WORDS,
        renamed=(shared_vote_button(card),) if shown == SHARED else (),
        undo=undo,
    )


def no_voters() -> UserError:
    """Return the error for a vote where nobody votes."""
    return UserError(
        "A vote counts among the people of a server or a workspace, and there is none here.",
        "Vote in one that Broadsheet is in; save keeps a paper for yourself anywhere.",
    )


async def dismiss(context: Context, paper: Mention, undo: str | None = None) -> Reply:
    """Record that a paper is not for the user, or with `undo` that it may be after all."""
    person, entry = context.actor.person, paper.entry
    title = shorten(shown_title(entry), _LONGEST_TITLE)
    if undo:
        is_new = await context.database.write(seen.restore, person, entry.ref)
        words, button = f"As before: {title}.", Button("Not for me", f"dismiss {entry.ref}")
        did = f"took back that {title} is not for you"
    else:
        at = context.clock.now()
        is_new = await context.database.write_locking_rows(seen.dismiss, person, entry.ref, at)
        words, button = f"Not for you: {title}.", Button("Undo", f"dismiss {entry.ref} undo:yes")
        did = f"said that {title} is not for you"
    why = "Your digest lists it no more, and less like it."
    notice = Notice(Level.INFO, words, "" if undo else why)
    back = Undo(did, (button.command,)) if is_new else None
    return Reply((notice, Actions((button,))), command=f"show {entry.ref}", private=True, undo=back)


async def _read_dismissed(text: str, context: Context) -> Mention:
    """Read a paper; where words name none, say what leaves out more than one."""
    if topic := topic_names().get(fold(text.strip())):
        papers = Suggestion(f"Papers on {topic}", f"topic {topic}")
        raise ArgumentError(f"{topic} is a topic.", LEAVES_OUT, suggestions=(papers,))
    try:
        found: Mention = await PAPER.read(text, context)
    except ArgumentError as error:
        if error.nearest or read_list_reference(text):
            raise
        remedy = f"{LEAVES_OUT} Searches and alerts leave out words: -quantum."
        suggestions = error.suggestions or (Suggestion("The topics", "topic"),)
        raise ArgumentError(error.sentence, remedy, (), suggestions) from None
    return found


LEAVES_OUT = (
    "dismiss takes one paper, and keeps those like it out of your digest."
    " A channel's posts leave topics out: subscribe not:TOPIC."
)
_SHOWN = choice(
    "WHAT",
    "what shows a vote",
    "A vote shows in a card, in words or in a shared card.",
    (
        Option(CARD, "the paper's card"),
        Option(WORDS, "words to the voter"),
        Option(SHARED, "a card that all see"),
    ),
)
_PAPER = Param("paper", "The paper", PAPER, required=True)
SHOW = Command(
    name="show",
    group=Group.LOOKUP,
    summary="All about one paper: summary, highlights, links, topics, where it was featured",
    handler=show,
    params=(_PAPER,),
    examples=("show 3", "show E171", "show 2501.12948", "show attention is all you need"),
)
# Shows a paper that is only listed somewhere: nobody has opened it by that.
MENTION = replace(SHOW, handler=_show)
RELATED = Command(
    name="related",
    group=Group.LOOKUP,
    summary="The papers that are most like one",
    handler=related,
    params=(_PAPER,),
    examples=("related 1", "related 2501.12948"),
)
RANDOM = Command(
    name="random",
    group=Group.LOOKUP,
    summary="A paper that chance picks",
    handler=random,
    params=(PERIOD_FILTER, *FILTERS),
    examples=("random", "random reasoning", "random agents from:dair"),
)
TOPIC_OF = Command(
    name="topic",
    group=Group.LOOKUP,
    summary="One topic's papers, newest first; without a name the topics with their counts",
    handler=topic,
    params=(
        Param("topic", "The topic to list", TOPIC),
        PERIOD_FILTER,
        *FILTERS[1:],
        Param("page", "The page of the list", PAGE, key="page", hidden=True),
    ),
    examples=("topic", "topic reasoning", "topic rag since:2025"),
)
VOTE = Command(
    name="vote",
    group=Group.LIST,
    summary="Vote for a paper; again to take your vote back",
    handler=vote,
    params=(
        _PAPER,
        Param("shown", "What shows the vote", _SHOWN, key="in", buttons=True),
    ),
    examples=("vote 3", "vote 2501.12948"),
    changes=True,
)
DISMISS = Command(
    name="dismiss",
    group=Group.LIST,
    summary="Keep a paper, and those like it, out of your digest",
    handler=dismiss,
    params=(
        Param("paper", "The paper", replace(PAPER, read=_read_dismissed), required=True),
        Param("undo", "Whether to take that back", YES, key="undo", buttons=True),
    ),
    examples=("dismiss 3",),
    private=True,
    changes=True,
)
