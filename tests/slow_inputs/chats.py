"""The paths of what is shown and what is read in chats: rendering, exports, links, mentions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from adapters.common.layout.texts import addresses, is_address, kept_lines
from adapters.discord import render as discord_render
from adapters.discord.messages import command_in
from adapters.slack import render as slack_render
from adapters.slack.requests.payloads import command_in_mention, from_mrkdwn
from adapters.slack.surfaces.unfurls import linked_papers as links_shared
from adapters.terminal.render import TextStyle
from adapters.terminal.render import render as terminal_render
from adapters.web.pages.responses import Version, is_current, takes_gzip
from bot.commands.handlers import COMMANDS
from bot.commands.parser import LONGEST_COMMAND_STRING
from bot.commands.typed_lines import arguments_as_meant
from bot.domain.dates import find, whole
from bot.domain.sentences import sentences
from bot.domain.typed_text import as_meant
from bot.export import FORMATS
from bot.export.bibliography import ArxivFacts
from bot.export.saved_list import markdown_item
from bot.library.links_in_text import linked_papers, may_be_title, words_of
from bot.library.questions import read_question
from bot.library.quotes import choose
from bot.library.search import snippet
from bot.posting.digest.cards import at_sentence
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    Fields,
    Level,
    Notice,
    PaperCard,
    PaperLine,
    PaperList,
    Quote,
    Reply,
    Text,
    Title,
    TopicMark,
    Verbatim,
)
from bot.replies.one_lines import found_lines, one_line
from bot.replies.plain_text import lines, plain_text, quoted
from bot.replies.wording import shorten
from store.records import Edition, Entry, Heading, Highlight, Link, Mention
from store.search import Term
from tests.slow_inputs.searching import Path

# The longest message in Slack: https://docs.slack.dev/reference/methods/chat.postMessage
_LONGEST_MESSAGE = 40_960
# Beyond what is kept of a paper.
_MOST_SHOWN = 1 << 17
_MOST_SECONDS = 0.3


def _everything(text: str) -> Reply:
    """Return a reply that has a text wherever a block holds one."""
    blocks: tuple[Block, ...] = (
        Title(text),
        Text(text),
        Notice(Level.ERROR, text, text),
        Fields(((text, text),)),
        PaperCard(
            "x#1", text, text, text, (Highlight(text, text),), (Link(text, text),), None,
            (TopicMark("agents", (text,)),),
        ),
        PaperList((PaperLine("1", text, text, "x#1", text),)),
        PaperList((PaperLine("1", text, text, "x#1", text),), close=True),
        Quote(text, "x#1", text, text),
        Actions((Button(text, text, aloud=text),)),
        Choices(text, (Button(text, text),)),
        Verbatim(text),
    )  # fmt: skip
    return Reply(blocks, command="latest")


def chat_paths() -> Iterator[Path]:
    """Give the paths of what is shown and of what is read in a chat."""
    for name, show in _SHOWN.items():
        yield Path(f"show in {name}", _shown(show), _MOST_SHOWN)
    for name, read in _READ.items():
        fragments = _FRAGMENTS.get(read, ())
        yield Path(name, read, _LONGEST_MESSAGE, fragments=fragments, seconds=_MOST_SECONDS)
    for name, write in FORMATS.items():
        yield Path(f"export as {name}", _exported(write), _MOST_SHOWN)
    yield Path("export as markdown", _exported(_in_markdown), _MOST_SHOWN)


def _in_terminal(reply: Reply) -> object:
    return terminal_render(lines(reply), 80, TextStyle.COLOURED)


_SHOWN: dict[str, Callable[[Reply], object]] = {
    "Slack": slack_render.render_message,
    "Discord": discord_render.render_message,
    "a terminal": _in_terminal,
    "from_mrkdwn text": plain_text,
}


def _shown(show: Callable[[Reply], object]) -> Callable[[str], object]:
    return lambda text: show(_everything(text))


_ENTRY = Entry(
    ref="x#1", position=0, rank=1, episode=None, title="A", summary=None, highlights=(),
    heading=None, section=None, links=(), arxiv_id=None, doi=None, topics=(),
)  # fmt: skip
_EDITION = Edition(
    source="x", kind="newsletter", title="A", first_day=date(2026, 1, 5),
    last_day=date(2026, 1, 11), published_on=None, year_rule=None,
    overview=None, minutes=None, url=None, headings=(),
)  # fmt: skip
_TERMS = tuple(Term((word,), ((word,),), 1) for word in ("a", "word1"))


def reason_found(text: str) -> str:
    """Return why an entry with such a summary was found."""
    return snippet(replace(_ENTRY, summary=text), _TERMS)


def quotes_found(text: str) -> object:
    """Return what of an entry with such a summary answers a question that has its words."""
    found = [Mention(0, _EDITION, replace(_ENTRY, summary=text, title=text))]
    return choose(read_question(f"who {text}"), _TERMS, 1, found)


def _typed(text: str) -> object:
    meant = as_meant(text)
    return meant, [arguments_as_meant(each, meant[:LONGEST_COMMAND_STRING]) for each in COMMANDS]


def _dates(text: str) -> object:
    return [*find(text)], whole(text)


def _validated(text: str) -> object:
    headers = dict.fromkeys(("If-Modified-Since", "Accept-Encoding"), text)
    shown = Version("a", datetime(2026, 11, 21, tzinfo=UTC))
    known = is_current({"If-None-Match": text}, shown, "/")
    return known, is_current(headers, shown, "/"), takes_gzip(headers)


_READ: dict[str, Callable[[str], object]] = {
    "read headers": _validated,
    "read what is typed": _typed,
    "dates in a text": _dates,
    "read what Slack sends": from_mrkdwn,
    "read a mention": lambda text: command_in_mention({"text": text}, "U1"),
    "read a mention of nobody": lambda text: command_in_mention({"text": text}, None),
    "read a message of Discord": lambda text: command_in(text, 1),
    "papers linked in a message": linked_papers,
    "words of a message": lambda text: may_be_title(words_of(text)),
    "links that are shared": lambda text: links_shared({"links": [{"url": text}]}),
    "addresses in a text": lambda text: [*addresses(text), is_address(text)],
    "lines kept": lambda text: kept_lines(text, 3000, len),
    "one line": one_line,
    "what a review found": found_lines,
    "shorten": lambda text: [shorten(text, 160), at_sentence(text, 1000)],
    "snippet": reason_found,
    "sentences": lambda text: [*sentences(text)],
    "question": read_question,
    "quotes": quotes_found,
    "quote": quoted,
}


# Marks that open something, dashes, joiners, marks of letters, emoji, code.
_TYPED = (
    ",,", "``", "''", "\u2018", "\u2019a", "\u201a", "\u00ab", "\u203a", "\u300c", "\u2033",
    "\u2014", "\u2212", "\u200d", "\ufe0f", "\u20e3", "\u0315\u0300", "2026\u2013", "\n",
    " since : ", "since:2025, ", "topic:agents, ", ":fire:", "<:a:1>", "\U0001f525",
    "\u2026", "```text\n",
)  # fmt: skip


def _in_markdown(editions: Sequence[Edition], _arxiv: ArxivFacts) -> str:
    (edition,) = editions
    return "\n".join(markdown_item(edition, each, each.title) for each in edition.entries)


def _exported(
    write: Callable[[Sequence[Edition], ArxivFacts], str],
) -> Callable[[str], object]:
    def call(text: str) -> str:
        entry = replace(
            _ENTRY, title=text, summary=text, highlights=(Highlight(text, text),),
            links=(Link(text, text),), heading=text, section=text,
        )  # fmt: skip
        edition = Edition(
            source="x", kind="newsletter", title=text, first_day=date(2026, 1, 5),
            last_day=date(2026, 1, 11), published_on=None, year_rule=None, overview=text,
            minutes=None, url=text, headings=(Heading(text, text),), entries=(entry,),
        )  # fmt: skip
        return write([edition], {})

    return call


_DATED = (
    "jan 5", " - ", "5\u201311 ", "may ", "2026", "-01-05", "/", "week of ", "W02", "the ", "in ",
    "last ", "3 months", " ago", ",", "q4 ", "14:00", "Mon, ",
)  # fmt: skip
_FRAGMENTS: dict[Callable[[str], object], tuple[str, ...]] = {_typed: _TYPED, _dates: _DATED}
