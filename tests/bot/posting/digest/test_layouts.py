"""What a post says of an edition, and what one of its messages says later."""

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.posting.digest.cards import at_sentence
from bot.posting.digest.layouts import Post, content_digest, lay_out_post, redraw
from bot.posting.digest.paper_list import Fits
from bot.replies.blocks import (
    Actions,
    Button,
    Choices,
    Notice,
    PaperCard,
    PaperList,
    Reply,
    Text,
    Title,
    TopicMark,
    Visibility,
)
from bot.replies.paper_actions import with_votes
from bot.replies.plain_text import plain_text
from store.records import Edition, Highlight, Layout
from tests.bot.posting.digest.editions import (
    buttons,
    leads_to,
    menus,
    order,
    paper,
    roomy,
    short,
    titles,
    week,
)

THREE = week(paper(1, "", "rag"), paper(2, "", "agents"), paper(3, "", "agents", "vision"))
LONG = "One sentence of some length stands here for others. " * 30
_BRIEF, _WHOLE = ("Brief", "brief"), ("Whole edition", "week 2026-W02 from:dair")
REFS = tuple(entry.ref for entry in THREE.entries)


def _post(layout: Layout, edition: Edition = THREE, fits: Fits = roomy, **filters: Any) -> Post:
    made = lay_out_post(edition, order(layout, **filters), fits)
    assert made is not None
    return made


def _longest_line(reply: Reply) -> int:
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    return max(len(paper.line or "") for block in lists for paper in block.papers)


def _bounding_lines(longest: int) -> Fits:
    return lambda reply: _longest_line(reply) <= longest


def _again(
    layout: Layout, edition: Edition, refs: tuple[str, ...], number: int, before: int = 0
) -> Reply:
    threaded = layout is Layout.THREAD and number > 1
    return redraw(
        edition, order(layout), refs, number=number, threaded=threaded, before=before, fits=short
    )


def _numbered(reply: Reply) -> list[tuple[str, str]]:
    """Return the numbers of the papers in full, and what shows all about each."""
    cards = [block for block in reply.blocks if isinstance(block, PaperCard)]
    details = [label for label, _ in buttons(reply) if label.startswith("Details")]
    return [(card.number, label) for card, label in zip(cards, details, strict=True)]


@pytest.mark.parametrize("layout", Layout)
def test_nothing_kept_is_no_post(layout: Layout) -> None:
    """Where the filters keep nothing there is nothing to post."""
    assert lay_out_post(THREE, order(layout, topics=("audio",)), roomy) is None


@pytest.mark.parametrize("layout", Layout)
def test_a_post_is_named_and_tagged(layout: Layout) -> None:
    """A post has the edition's title with its days, and its topics, the most frequent first."""
    made = _post(layout, not_topics=("rag",))
    assert made.title == "Top Papers of the Week · Jan 5–11, 2026"
    assert made.topics == ("agents", "vision")


@pytest.mark.parametrize("layout", Layout)
def test_messages_are_for_the_channel(layout: Layout) -> None:
    """Every message is for all in the channel, whole, and no answer to a command."""
    for draft in _post(layout).messages:
        assert draft.reply.visibility is Visibility.CHANNEL
        assert (draft.reply.command, draft.reply.failed) == (None, False)


def test_compact_is_one_message() -> None:
    """The first three have a line and their topics, the others their titles alone."""
    edition = week(*(paper(rank, "", "agents", "rag") for rank in range(1, 6)))
    [draft] = _post(Layout.COMPACT, edition).messages
    assert draft.refs == tuple(entry.ref for entry in edition.entries)
    assert plain_text(draft.reply).splitlines()[:7] == [
        "Top Papers of the Week · Jan 5–11, 2026",
        "",
        "from dair · 5 papers · 1 minute",
        "",
        "1  Paper 1",
        "   Says what number 1 is about",
        "   agents, rag · dair:2026-01-05#1",
    ]
    leading, others = [block for block in draft.reply.blocks if isinstance(block, PaperList)]
    assert [bool(each.line) for each in (*leading.papers, *others.papers)] == [True] * 3 + [
        False
    ] * 2
    assert titles(draft.reply) == [f"Paper {rank}" for rank in range(1, 6)]
    assert menus(draft.reply) == ["show", "save", "vote"]
    assert buttons(draft.reply) == [("Brief", "brief")]


def test_a_post_says_how_long_its_papers_take() -> None:
    """By the edition's own count where all of them are posted, else by their words."""
    edition = replace(week(*(paper(rank, summary=LONG) for rank in range(1, 4))), minutes=43)
    [whole] = _post(Layout.COMPACT, edition).messages
    assert Text("from dair · 3 papers · 43 minutes") in whole.reply.blocks
    [first] = _post(Layout.COMPACT, edition, size=1).messages
    assert Text("from dair · 1 of 3 papers: the first 1 · 2 minutes") in first.reply.blocks


def test_a_post_says_what_chose_its_papers() -> None:
    """Where papers are left out it says how many and why, and leads to the whole edition."""
    [draft] = _post(
        Layout.COMPACT, topics=("agents", "rag"), not_topics=("vision",), size=1
    ).messages
    line = "from dair · 1 of 3 papers: topics agents, rag; without vision; the first 1 · 1 minute"
    assert Text(line) in draft.reply.blocks
    assert titles(draft.reply) == ["Paper 1"]
    assert buttons(draft.reply) == [_BRIEF, _WHOLE]


def test_an_overview_gives_way_to_lines() -> None:
    """The overview is shown where there is room beside the lines, else the edition is one press."""
    edition = replace(THREE, overview=LONG)
    [roomily] = _post(Layout.COMPACT, edition).messages
    assert Text(LONG) in roomily.reply.blocks
    assert buttons(roomily.reply) == [_BRIEF]
    [strictly] = _post(Layout.COMPACT, edition, short).messages
    assert "Says what number 3 is about" in plain_text(strictly.reply)
    assert Text(LONG) not in strictly.reply.blocks
    assert buttons(strictly.reply) == [_BRIEF, _WHOLE]


def test_menus_keep_papers_of_a_list() -> None:
    """A list has menus to open, save and vote for a paper, where its message holds them."""

    def without(*dropped: str) -> Fits:
        return lambda reply: not set(menus(reply)) & set(dropped)

    offered = {
        fits: menus(_post(Layout.COMPACT, fits=fits).messages[0].reply)
        for fits in (roomy, without("vote"), without("vote", "save"))
    }
    assert list(offered.values()) == [["show", "save", "vote"], ["show", "save"], []]


def test_lines_give_way_before_what_opens_papers() -> None:
    """A list that is too long loses the menu of votes, then its lines are shortened and go."""
    edition = week(
        *(paper(rank, summary="silk kites fly " * 20, highlights=()) for rank in range(1, 4))
    )

    def posted(longest: int) -> tuple[bool, list[str]]:
        fits = _bounding_lines(longest)
        [draft] = _post(Layout.COMPACT, edition, fits).messages
        return bool(_longest_line(draft.reply)), menus(draft.reply)

    assert posted(160) == (True, ["show", "save", "vote"])
    assert posted(60) == (True, ["show", "save"])
    assert posted(20) == (False, ["show", "save"])


def test_a_row_below_each_card() -> None:
    """Below each paper in full stand its details, and what saves it and votes for it."""
    [draft] = _post(Layout.FULL).messages
    kinds = [type(block) for block in draft.reply.blocks[3:]]
    assert kinds == [PaperCard, Actions] * 3
    assert [label for label, _ in buttons(draft.reply)] == [
        label for number in (1, 2, 3) for label in (f"Details {number}", "Save", "Vote")
    ]


def test_rows_become_menus_where_a_message_holds_no_more_rows() -> None:
    """A message that was posted with more papers than rows fit is still corrected as a whole."""

    def few_rows(reply: Reply) -> bool:
        return sum(isinstance(block, Actions) for block in reply.blocks) <= 2

    said = redraw(
        THREE, order(Layout.FULL), REFS, number=2, threaded=False, before=0, fits=few_rows
    )
    assert titles(said) == ["Paper 1", "Paper 2", "Paper 3"]
    assert "And more of it." in plain_text(said)
    assert leads_to(said) == list(REFS)
    assert [block for block in said.blocks if isinstance(block, Choices)] == [
        Choices(
            words,
            tuple(Button(f"{n}. Paper {n}", f"{verb} {REFS[n - 1]}") for n in (1, 2, 3)),
        )
        for words, verb in (("Save a paper", "save"), ("Vote for a paper", "vote"))
    ]


@pytest.mark.parametrize("layout", Layout)
def test_votes_move_nothing_else(layout: Layout) -> None:
    """A message that fits without votes fits with them, and says the same but for those."""
    edition = week(*(paper(rank, summary=LONG[:300]) for rank in range(1, 9)))
    for draft in _post(layout, edition, short).messages:
        voted = with_votes(draft.reply, lambda _: 999)
        assert short(voted)
        assert content_digest(voted) != content_digest(draft.reply)
        assert with_votes(voted, lambda _: 0) == draft.reply


def test_titles_outlast_buttons() -> None:
    """Where buttons leave no room for whole titles, the whole edition has them, one press away."""

    def few_buttons(reply: Reply) -> bool:
        return len(leads_to(reply)) < len(REFS)

    edition = week(
        *(replace(entry, title=f"{entry.rank} words" + " words" * 30) for entry in THREE.entries)
    )
    [draft] = _post(Layout.COMPACT, edition, few_buttons).messages
    assert titles(draft.reply) == [entry.title for entry in edition.entries]
    assert buttons(draft.reply) == [_BRIEF, _WHOLE]


def test_episodes_that_share_a_title_are_told_apart() -> None:
    """What the text of each says stands behind the title that both have."""
    both = (replace(each, title="One heading", episode=f"E{each.rank}") for each in THREE.entries)
    [draft] = _post(Layout.COMPACT, week(*both)).messages
    assert titles(draft.reply)[:2] == [
        "One heading: Says what number 1 is about",
        "One heading: Says what number 2 is about",
    ]


def test_a_thread_is_a_card_and_a_reply_for_each() -> None:
    """The root is as in a compact post; each paper follows in full in a reply of its own."""
    root, *replies = _post(Layout.THREAD, not_topics=("rag",)).messages
    assert (root.refs, root.threaded, titles(root.reply)) == ((), False, ["Paper 2", "Paper 3"])
    [compact] = _post(Layout.COMPACT, not_topics=("rag",)).messages
    assert root.reply == compact.reply
    assert [(reply.refs, reply.threaded) for reply in replies] == [
        ((REFS[1],), True),
        ((REFS[2],), True),
    ]
    assert titles(replies[1].reply) == ["Paper 3"]
    assert "A point of number 3." in plain_text(replies[1].reply)
    assert buttons(replies[1].reply) == [
        ("Details 2", f"show {REFS[2]}"),
        ("Save", f"save {REFS[2]}"),
        ("Vote", f"vote {REFS[2]}"),
    ]


def test_full_shows_everything() -> None:
    """Titles, summaries and highlights of all papers stand in one message where it holds them."""
    [draft] = _post(Layout.FULL, replace(THREE, overview="An overview.")).messages
    assert draft.refs == REFS
    assert isinstance(draft.reply.blocks[0], Title)
    text = plain_text(draft.reply)
    for words in ("An overview.", "And more of it.", "A point of number 2.", "#3 in dair"):
        assert words in text


def test_full_is_split_between_papers() -> None:
    """A paper that has no room beside the others begins a message, and none is cut for that."""
    edition = week(*(paper(rank, summary=LONG[:400]) for rank in range(1, 5)))
    drafts = _post(Layout.FULL, edition, short).messages
    assert [draft.refs for draft in drafts] == [(entry.ref,) for entry in edition.entries]
    assert not any("Left out" in plain_text(draft.reply) for draft in drafts)


def test_papers_in_full_are_numbered_as_they_stand() -> None:
    """From 1 on over the messages, whatever their ranks; their buttons have the same numbers."""
    edition = week(*(paper(rank, summary=LONG[:400]) for rank in (3, 5, 8, 9)))
    for layout, shown in ((Layout.FULL, 0), (Layout.THREAD, 1)):
        drafts = _post(layout, edition, short).messages[shown:]
        numbers = [each for draft in drafts for each in _numbered(draft.reply)]
        assert numbers == [(str(place), f"Details {place}") for place in (1, 2, 3, 4)]
    [listed] = _post(Layout.COMPACT, edition).messages
    assert re.findall(r"(?m)^\s*(\d)\s+Paper", plain_text(listed.reply)) == [*"1234"]
    said = _again(Layout.FULL, week(*edition.entries[2:]), REFS[:1] + _refs(edition)[2:], 2, 1)
    assert _numbered(said) == [("3", "Details 3"), ("4", "Details 4")]


def _refs(edition: Edition) -> tuple[str, ...]:
    return tuple(entry.ref for entry in edition.entries)


def test_a_message_of_an_earlier_program_keeps_its_papers() -> None:
    """Posted when messages of a full post were longer, it is edited with all that it shows."""
    edition = week(*(paper(rank, summary="Some words. " * 100) for rank in range(1, 6)))
    refs = tuple(entry.ref for entry in edition.entries)
    assert len(_post(Layout.FULL, edition).messages) > 1
    subscription = order(Layout.FULL)
    said = redraw(
        edition, subscription, refs, number=1, threaded=False, before=0, fits=lambda _: True
    )
    assert titles(said) == [entry.title for entry in edition.entries]


def test_a_head_may_stand_alone() -> None:
    """Where the overview leaves no room for a paper, the first message is the overview."""
    edition = replace(THREE, overview=LONG[:550])
    head, *rest = _post(Layout.FULL, edition, short).messages
    assert (head.refs, titles(head.reply)) == ((), [])
    assert Text(LONG[:550]) in head.reply.blocks
    assert tuple(ref for draft in rest for ref in draft.refs) == REFS


def test_an_overview_too_long_is_cut() -> None:
    """An overview that no message holds ends after a sentence, with the edition one press away."""
    edition = replace(THREE, overview=LONG)
    head = _post(Layout.FULL, edition, short).messages[0]
    assert short(head.reply)
    assert "for others. …" in plain_text(head.reply)
    assert buttons(head.reply)[-1] == ("Whole edition", "week 2026-W02 from:dair")


def test_a_paper_too_long_drops_highlights_first() -> None:
    """Highlights go from the end, and the message says how many, and what shows them."""
    points = tuple(Highlight(None, f"Point {place}: {LONG[:100]}") for place in range(1, 6))
    root, reply = _post(Layout.THREAD, week(paper(1, highlights=points)), short).messages
    del root
    text = plain_text(reply.reply)
    assert "Point 3" in text
    assert "Point 4" not in text
    assert "And more of it." in text
    assert "Left out: 2 of 5 highlights; Details 1 has all." in text
    assert buttons(reply.reply)[0] == ("Details 1", "show dair:2026-01-05#1")


def test_a_summary_too_long_ends_with_a_sentence() -> None:
    """A summary that no message holds ends after a sentence, and the message says so."""
    _, reply = _post(Layout.THREAD, week(paper(1, summary=LONG)), short).messages
    [card] = [block for block in reply.reply.blocks if isinstance(block, PaperCard)]
    assert (card.summary or "").endswith("for others. …")
    assert "Left out: the end of its summary, 1 highlight; Details 1 has all." in plain_text(
        reply.reply
    )


def test_at_sentence() -> None:
    """A text is cut after a sentence in its second half, else after a word; nothing is nothing."""
    assert at_sentence("One. Two is longer. Three", 21) == "One. Two is longer. …"
    assert at_sentence("One. Twotwotwotwotwo three", 22) == "One. Twotwotwotwotwo…"
    assert at_sentence("Short.", 20) == "Short."
    assert at_sentence("Short.", 0) == ""


def _before(made: Post, number: int) -> int:
    return sum(len(draft.refs) for draft in made.messages[: number - 1])


@pytest.mark.parametrize("layout", Layout)
def test_again_says_the_same(layout: Layout) -> None:
    """While an edition stays as it was, each message says again what it said."""
    edition = week(*(paper(rank, summary=LONG[:300]) for rank in range(1, 5)))
    made = _post(layout, edition, short)
    for number, draft in enumerate(made.messages, start=1):
        said = _again(layout, edition, draft.refs, number, _before(made, number))
        assert content_digest(said) == content_digest(draft.reply)


@pytest.mark.parametrize("layout", Layout)
def test_again_says_what_changed(layout: Layout) -> None:
    """Only the messages that show a changed entry say something else, as a thread's root does."""
    made = _post(layout, THREE, short)
    changed = week(*THREE.entries[:2], replace(THREE.entries[2], summary="Mended."))
    for number, draft in enumerate(made.messages, start=1):
        said = _again(layout, changed, draft.refs, number, _before(made, number))
        shows = REFS[2] in draft.refs or (layout is Layout.THREAD and number == 1)
        assert (content_digest(said) != content_digest(draft.reply)) is shows


def test_again_lists_new_papers() -> None:
    """A paper that an edition got later is listed where the whole edition is, and only there."""
    longer = week(*THREE.entries, paper(4))
    assert titles(_again(Layout.COMPACT, longer, REFS, 1))[3:] == ["Paper 4"]
    assert titles(_again(Layout.THREAD, longer, (), 1))[3:] == ["Paper 4"]
    assert titles(_again(Layout.FULL, longer, REFS[:2], 1)) == ["Paper 1", "Paper 2"]
    assert titles(_again(Layout.THREAD, longer, REFS[:1], 2)) == ["Paper 1"]


@pytest.mark.parametrize(
    ("ref", "name"),
    [
        ("dair:2026-01-05#9", "Number 9"),
        ("paperdive:E171", "E171"),
        ("hf-daily:2601.00001", "2601.00001"),
        ("2601.00001", "2601.00001"),
    ],
)
def test_again_tells_what_is_gone(ref: str, name: str) -> None:
    """A message whose entry an edition lost says that in its place."""
    for layout in (Layout.THREAD, Layout.FULL):
        said = _again(layout, THREE, (ref,), 2)
        [notice] = [block for block in said.blocks if isinstance(block, Notice)]
        assert notice.text == f"{name} is no longer in this edition."


def test_again_fits_when_papers_grew() -> None:
    """Papers that grew since they were posted together are cut alike, and all are still there."""
    grown = week(*(replace(entry, summary=LONG) for entry in THREE.entries))
    said = _again(Layout.FULL, grown, REFS, 2)
    assert short(said)
    assert titles(said) == ["Paper 1", "Paper 2", "Paper 3"]


def test_again_without_any_wanted_paper() -> None:
    """A listing whose papers all went says so."""
    said = _again(Layout.COMPACT, week(), REFS, 1)
    assert [block.text for block in said.blocks if isinstance(block, Notice)] == [
        "None of its papers is wanted here any more."
    ]


def test_a_digest_tells_messages_apart() -> None:
    """What is said decides, down to the buttons; the same is the same at any time."""
    reply = _post(Layout.COMPACT).messages[0].reply
    assert content_digest(reply) == content_digest(_post(Layout.COMPACT).messages[0].reply)
    assert len(content_digest(reply)) == 32
    assert content_digest(replace(reply, blocks=reply.blocks[:-1])) != content_digest(reply)
    assert content_digest(Reply((Text("half \ud83d a sign"),)))


@pytest.mark.parametrize("layout", [Layout.FULL, Layout.THREAD])
def test_a_post_names_topics_without_the_words_that_spoke_for_them(layout: Layout) -> None:
    """Whoever wants to know why a paper has them asks for its details."""
    drafts = _post(layout, week(paper(1, "Agents that use tools", "agents"))).messages
    blocks = [block for draft in drafts for block in draft.reply.blocks]
    [card] = [block for block in blocks if isinstance(block, PaperCard)]
    assert card.topics == (TopicMark("agents"),)
    assert "Topics: agents" in plain_text(drafts[-1].reply).splitlines()
