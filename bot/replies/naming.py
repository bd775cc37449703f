"""The title and the one line by which lists, posts, pages and feeds show an entry. Pure."""

from collections import Counter
from collections.abc import Sequence

from bot.domain.paper_ids import is_episode
from bot.replies.blocks import PaperCard
from bot.replies.one_lines import LINE_LENGTH, NAME_LENGTH, found_lines, one_line
from bot.replies.wording import number, with_gaps
from store.records import Entry


def marked_title(entry: Entry) -> str:
    """Return an entry's title, marked in front if its paper was withdrawn: `Withdrawn: Title`."""
    return f"Withdrawn: {entry.title}" if entry.withdrawn else entry.title


def shown_title(entry: Entry) -> str:
    """Return the marked title that stands beside an entry's number in lists.

    The title of an episode that ends with its number is the heading of several: here its own text
    completes it instead, if it says anything.
    """
    title = marked_title(entry)
    heading = title.removesuffix(f" ({entry.episode})") if entry.episode else title
    return title if heading == title else _completed(heading, entry) or title


def listed_titles(entries: Sequence[Entry], of: Sequence[Entry] = ()) -> list[str]:
    """Return the titles of the entries of one list, no two of them the same.

    Where the list is a part `of` another, as a page is, a title has to be the only one in that.
    """
    times = Counter(map(marked_title, of or entries))
    titles = [
        (times[title] > 1 and _completed(title, each)) or shown_title(each)
        for each, title in zip(entries, map(marked_title, entries), strict=True)
    ]
    shared = Counter(titles)
    return [
        f"{title} ({number(entry)})" if shared[title] > 1 or times[title] > 1 else title
        for entry, title in zip(entries, titles, strict=True)
    ]


def titles_by_ref(entries: Sequence[Entry], of: Sequence[Entry] = ()) -> dict[str, str]:
    """Return such titles by the refs of the entries."""
    refs = [entry.ref for entry in entries]
    return dict(zip(refs, listed_titles(entries, of), strict=True))


def _completed(title: str, entry: Entry) -> str | None:
    """Return a title with what the entry's summary says behind it, `None` if that is nothing."""
    text = with_gaps(entry, entry.summary or "")
    called = found_lines(text)[1] or _line(
        entry.title, text, (), NAME_LENGTH, is_review=entry.episode is not None
    )
    return f"{title}: {called}" if called else None


def line_about(entry: Entry, length: int = LINE_LENGTH) -> str | None:
    """Return the one line about an entry in at most so many characters, with its gaps marked.

    Of a review it says what was found, and else what the paper is.
    """
    text = with_gaps(entry, entry.summary or "")
    bullets = [with_gaps(entry, each.text) for each in entry.highlights]
    return _line(entry.title, text, bullets, length, is_review=entry.episode is not None)


def line_found(entry: Entry, snippet: str) -> str | None:
    """Return the line of an entry that a search found by a sentence, with its gaps marked.

    None stands for its title; a heading, which its title has already, gives way to its own line.
    """
    if snippet in {"", entry.title}:
        return None
    if snippet in {entry.section, entry.heading}:
        return line_about(entry)
    return with_gaps(entry, snippet)


def line_of_card(card: PaperCard) -> str | None:
    """Return the one line about the paper of a card, whose gaps are marked."""
    bullets = [each.text for each in card.highlights]
    is_review = is_episode(card.ref)
    return _line(card.title, card.summary, bullets, LINE_LENGTH, is_review=is_review)


def _line(
    title: str, text: str | None, bullets: Sequence[str], length: int, *, is_review: bool
) -> str | None:
    """Return the line of a review by its text, of any other paper also by its bullets."""
    if is_review:
        return found_lines(text, length)[0]
    return one_line("\n\n".join([text or "", *bullets]), length, title)
