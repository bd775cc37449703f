"""What commands answer, as Replies. All pure."""

from collections.abc import Sequence

from bot.command import Command
from bot.ingest.dates import find_week
from bot.replies import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Notice,
    Pager,
    PaperCard,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
)
from bot.wording import count, days, edition_name, number, one_line, place
from store.records import Edition, Entry, Mention


def edition_reply(edition: Edition) -> Reply:
    """Show an edition: its titles in order with one line each."""
    blocks: list[Block] = [
        Title(f"{_without_days(edition)} · {days(edition.first_day, edition.last_day)}")
    ]
    if edition.sample:
        blocks.append(
            Notice(
                Level.INFO,
                "This is a bundled sample: well-known papers, arranged to have something to show.",
                "Import a round-up to replace it: broadsheet import FILE.",
            )
        )
    blocks.append(Text(_edition_line(edition)))
    if edition.overview:
        blocks.append(Text(edition.overview))
    blocks.append(PaperList(tuple(_line_of(entry) for entry in edition.entries)))
    return Reply(tuple(blocks))


def _without_days(edition: Edition) -> str:
    """Return the title up to its range of days, which is worded after it."""
    phrase = find_week(edition.title)
    before = edition.title[: phrase.start].rstrip(" (:-–—") if phrase else ""
    return before or edition.title


def _edition_line(edition: Edition) -> str:
    parts = [f"from {edition.source}", count(len(edition.entries), "paper")]
    if edition.minutes:
        parts.append(f"{edition.minutes} minutes")
    if edition.year_rule == "weekday":
        parts.append("year inferred from the weekday")
    return " · ".join(parts)


def _line_of(entry: Entry) -> PaperLine:
    return PaperLine(number(entry), entry.title, one_line(entry.summary), entry.ref, entry.heading)


def paper_reply(mention: Mention, featured: Sequence[Mention]) -> Reply:
    """Show all about one paper; `featured` are all its mentions, newest first."""
    entry, edition = mention.entry, mention.edition
    where = " · ".join(filter(None, (place(edition, entry), entry.heading, entry.section)))
    card = PaperCard(
        ref=entry.ref,
        title=entry.title,
        where=where,
        summary=entry.summary,
        highlights=entry.highlights,
        links=entry.links,
        arxiv_id=entry.arxiv_id,
    )
    others = [other for other in featured if other.entry.ref != entry.ref]
    if not others:
        return Reply((card,))
    also = PaperList(
        tuple(
            PaperLine(number(m.entry), m.entry.title, None, m.entry.ref, place(m.edition, m.entry))
            for m in others
        ),
        numbered=False,
    )
    return Reply((card, Text("Also featured:"), also))


def search_reply(
    query: str, hits: Sequence[tuple[Mention, str]], page: int, command: str, *, more: bool
) -> Reply:
    """List hits, each with the sentence that shows why; `command` is the search without page."""
    lines = tuple(
        PaperLine(
            number(mention.entry),
            mention.entry.title,
            reason,
            mention.entry.ref,
            place(mention.edition, mention.entry),
        )
        for mention, reason in hits
    )
    pager = Pager(
        position=f"Page {page}",
        previous=f"{command} page:{page - 1}" if page > 1 else None,
        next=f"{command} page:{page + 1}" if more else None,
    )
    blocks: tuple[Block, ...] = (Title(f"Papers for {query}"), PaperList(lines, numbered=False))
    return Reply((*blocks, pager) if page > 1 or more else blocks)


def nothing_found_reply(query: str, latest: Edition | None) -> Reply:
    """Say that nothing was found, and offer what there is."""
    notice = Notice(
        Level.INFO,
        f"No paper matches {query}.",
        "Try fewer or other words, or look at what is new.",
    )
    if latest is None:
        return Reply((notice,))
    button = Button(f"Newest edition ({edition_name(latest)})", "latest")
    return Reply((notice, Actions((button,))))


def help_reply(commands: Sequence[Command]) -> Reply:
    """List what may be asked, with the first examples as buttons."""
    pairs = tuple((command.usage, command.summary) for command in commands)
    examples = [example for command in commands for example in command.examples[:1]]
    return Reply(
        (
            Title("Broadsheet: the top AI papers of each week"),
            Fields(pairs),
            Text("help COMMAND says more about one."),
            Actions(tuple(Button(example, example) for example in examples)),
        )
    )


def command_reply(command: Command) -> Reply:
    """Say all about one command."""
    blocks: list[Block] = [Title(command.usage), Text(command.summary)]
    pairs = tuple((param.usage, param.summary) for param in command.params if not param.hidden)
    if pairs:
        blocks.append(Fields(pairs))
    blocks.append(Actions(tuple(Button(example, example) for example in command.examples)))
    return Reply(tuple(blocks))
