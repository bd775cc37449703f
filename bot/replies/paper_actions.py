"""The buttons and menus that save papers and vote for them, and the counts of votes. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    Level,
    Menu,
    Notice,
    PaperCard,
    PaperList,
    Reply,
)
from bot.replies.wording import shorten

_SAVE, _VOTE = "save", "vote"
# Values of the vote's argument `in`: the card to redraw, words to the voter, or a shared card.
CARD, WORDS, SHARED = "card", "words", "shared"
_IN_CARD, _IN_SHARED = f" in:{CARD}", f" in:{SHARED}"
_SAVE_MENU = Menu("Save a paper", _SAVE, "Save")
_VOTE_MENU = Menu("Vote for a paper", _VOTE, "Vote")
_OPEN_MENU = Menu("Open a paper", "show", "Details")
_DISMISS_MENU = Menu("Not for me", "dismiss", "Not for me")
SAVE_MENUS = (_SAVE_MENU,)
CARD_MENUS = (_SAVE_MENU, _VOTE_MENU)
POST_MENUS = (_OPEN_MENU, *CARD_MENUS)
OPEN_AND_SAVE_MENUS = (_OPEN_MENU, _SAVE_MENU)
PERSONAL_MENUS = (_SAVE_MENU, _DISMISS_MENU)
OPEN_MENUS = (_OPEN_MENU,)
ANSWER_MENUS = (_SAVE_MENU, replace(_VOTE_MENU, command=f"{_VOTE} in:{WORDS}"))
_LONGEST_OPTION = 75  # the least that a platform's menus hold
_SHORT_OPTION = 35  # enough to tell numbered papers apart
# With any count behind it, a title of this length makes a name of at most 75 characters:
# https://docs.slack.dev/reference/block-kit/block-elements/button-element
_LONGEST_TITLE = 40
_GIVE, _TAKE_BACK = "Vote", "Take back vote"
# The votes for papers by ref, where there are none.
NO_VOTES: Mapping[str, int] = MappingProxyType({})
_COUNT = re.compile(r" \(([\d,]+)\)$")
_NOT_SHARABLE = Notice(Level.ERROR, "This answer is for you alone: it can't be shared.")


def post_actions(card: PaperCard, *first: Button) -> Actions:
    """Return the row below a paper in a post: the given buttons, Save and Vote."""
    return Actions((*first, _save_button(card), _vote_button(card)))


def answer_actions(card: PaperCard, *, voted: bool = False) -> Actions:
    """Return the row below a paper in an answer; a vote redraws the card in its place.

    If the user has `voted` for the paper, the button takes the vote back.
    """
    vote = _vote_button(card, _IN_CARD)
    vote = _renamed(vote, _TAKE_BACK) if voted else vote
    return Actions((_save_button(card), replace(vote, turns=True)))


def listed_card_actions(card: PaperCard, *first: Button) -> Actions:
    """Return the row below one of several papers in an answer; a vote is confirmed in words.

    A redrawn card would take the place of all of them.
    """
    return Actions((*first, _save_button(card), _vote_button(card, f" in:{WORDS}")))


def shared_vote_button(card: PaperCard) -> Button:
    """Return the vote button below a card that everyone in the channel sees."""
    return _vote_button(card, _IN_SHARED)


def paper_choices(menus: Iterable[Menu], titles: Iterable[tuple[str, str]]) -> tuple[Choices, ...]:
    """Return each menu with the given papers (titles and refs) as options."""
    papers = tuple(titles)
    return tuple(
        Choices(
            menu.label,
            tuple(
                Button(shorten(title, menu.longest or _LONGEST_OPTION), f"{menu.command} {ref}")
                for title, ref in papers
            ),
        )
        for menu in menus
    )


def short_menus(menus: Iterable[Menu]) -> tuple[Menu, ...]:
    """Return menus with shorter options, for papers whose full titles are shown elsewhere."""
    return tuple(replace(menu, longest=_SHORT_OPTION) for menu in menus)


def with_votes(reply: Reply, votes_of: Callable[[str], int]) -> Reply:
    """Return a reply that shows the votes of its papers; `votes_of` returns them by ref."""
    return replace(reply, blocks=tuple(_with_votes(block, votes_of) for block in reply.blocks))


def without_votes(reply: Reply) -> Reply:
    """Return a reply without vote buttons and menus."""
    return replace(reply, blocks=tuple(map(without_votes_in, reply.blocks)))


def without_votes_in(block: Block) -> Block:
    """Return a block without vote buttons and menus."""
    match block:
        case PaperList(menus=menus):
            kept = tuple(menu for menu in menus if not _is_vote(menu.command))
            return replace(block, menus=kept)
        case Actions(buttons):
            return Actions(tuple(each for each in buttons if not _is_vote(each.command)))
        case _:
            return block


def can_vote(reply: Reply) -> bool:
    """Tell whether a reply has a vote button or menu."""
    return without_votes(reply) != reply


def as_shared(reply: Reply) -> Reply:
    """Return an answer as the channel sees it, without the user's own votes.

    A private answer is refused in words: messages of earlier versions have a button to share it.
    """
    if reply.failed:
        return reply
    if reply.private:
        return Reply((_NOT_SHARABLE,), failed=True)
    blocks = (
        Actions(tuple(map(_shared_button, block.buttons))) if isinstance(block, Actions) else block
        for block in reply.blocks
    )
    return replace(reply, blocks=tuple(blocks))


def _shared_button(button: Button) -> Button:
    if not (_is_vote(button.command) and button.command.endswith(_IN_CARD)):
        return button
    command = button.command.removesuffix(_IN_CARD) + _IN_SHARED
    return replace(_renamed(button, _GIVE), command=command, turns=False)


def _with_votes(block: Block, votes_of: Callable[[str], int]) -> Block:
    match block:
        case PaperList(papers):
            counted = (replace(paper, votes=votes_of(paper.ref)) for paper in papers)
            return replace(block, papers=tuple(counted))
        case PaperCard(ref):
            return replace(block, votes=votes_of(ref))
        case Actions(buttons):
            return Actions(tuple(_recounted(button, votes_of) for button in buttons))
        case _:
            return block


def _recounted(button: Button, votes_of: Callable[[str], int]) -> Button:
    if not _is_vote(button.command):
        return button
    if count := _COUNT.search(button.label):  # only then is a count read aloud
        aloud = button.aloud.removesuffix(f", {count[1]} so far")
        button = replace(button, label=button.label[: count.start()], aloud=aloud)
    return _counted(_renamed(button, _GIVE), votes_of(button.command.split()[1]))


def _renamed(button: Button, name: str) -> Button:
    """Return a vote button under another name, with its count."""
    before = _TAKE_BACK if button.label.startswith(_TAKE_BACK) else _GIVE
    label, aloud = (text.replace(before, name, 1) for text in (button.label, button.aloud))
    return replace(button, label=label, aloud=aloud)


def _is_vote(command: str) -> bool:
    return command.partition(" ")[0] == _VOTE


def _save_button(card: PaperCard) -> Button:
    title = shorten(card.title, _LONGEST_TITLE)
    return Button("Save", f"{_SAVE} {card.ref}", aloud=f"Save {title}")


def _vote_button(card: PaperCard, shown_in: str = "") -> Button:
    title = shorten(card.title, _LONGEST_TITLE)
    button = Button(_GIVE, f"{_VOTE} {card.ref}{shown_in}", aloud=f"{_GIVE} for {title}")
    return _counted(button, card.votes)


def _counted(button: Button, votes: int) -> Button:
    if not votes:
        return button
    label, aloud = f"{button.label} ({votes:,})", f"{button.aloud}, {votes:,} so far"
    return replace(button, label=label, aloud=aloud)
