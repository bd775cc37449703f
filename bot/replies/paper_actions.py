"""What keeps a paper: its place on the reader's own list, and a vote for it. Pure.

Everything that saves or votes is made here, and every count of votes is put in here.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from bot.replies.blocks import Actions, Block, Button, Choices, Menu, PaperCard, PaperList, Reply
from bot.replies.wording import shorten

_SAVE, _VOTE = "save", "vote"
# What shows a vote: the card it was given at, words to the voter, or a card that all see.
CARD, WORDS, SHARED = "card", "words", "shared"
_AT_CARD, _AT_SHARED = f" in:{CARD}", f" in:{SHARED}"
_SAVE_MENU = Menu("Save a paper", _SAVE)
_VOTE_MENU = Menu("Vote for a paper", _VOTE)
SAVE_MENUS = (_SAVE_MENU,)
POST_MENUS = (_SAVE_MENU, _VOTE_MENU)
ANSWER_MENUS = (_SAVE_MENU, replace(_VOTE_MENU, command=f"{_VOTE} in:{WORDS}"))
_LONGEST_OPTION = 75  # that any platform's menus take
_BRIEF_OPTION = 35  # which still tells papers apart, beside their numbers
# Read aloud with any count after it, a title so long makes a name of 75 characters at most:
# https://docs.slack.dev/reference/block-kit/block-elements/button-element
_LONGEST_TITLE = 40
_GIVE, _TAKE_BACK = "Vote", "Take back vote"
_COUNTED = re.compile(r" \(([\d,]+)\)$")


def post_actions(card: PaperCard, *first: Button) -> Actions:
    """Return the row below a paper in a post: these buttons first, then what keeps it."""
    return Actions((*first, _save(card), _vote(card, f"{_VOTE} {card.ref}")))


def answer_actions(card: PaperCard) -> Actions:
    """Return the row below a paper in an answer, whose card a vote puts anew in its place."""
    vote = _vote(card, f"{_VOTE} {card.ref}{_AT_CARD}")
    return Actions((_save(card), replace(vote, turns=True)))


def shared_vote_button(card: PaperCard) -> Button:
    """Return the button that votes below a card that all see."""
    return _vote(card, f"{_VOTE} {card.ref}{_AT_SHARED}")


def listed_card_actions(card: PaperCard, *first: Button) -> Actions:
    """Return the row below a paper in an answer that shows several: of a vote the voter is told.

    The paper's card anew would take the place of all of them.
    """
    return Actions((*first, _save(card), _vote(card, f"{_VOTE} {card.ref} in:{WORDS}")))


def paper_choices(menus: Iterable[Menu], titles: Iterable[tuple[str, str]]) -> tuple[Choices, ...]:
    """Return these menus of papers, given by what they are called and their refs."""
    papers = tuple(titles)
    return tuple(Choices(menu.label, tuple(_options(menu, papers))) for menu in menus)


def short_menus(menus: Iterable[Menu]) -> tuple[Menu, ...]:
    """Return menus that take less room, for papers that are named in full elsewhere."""
    return tuple(replace(menu, longest=_BRIEF_OPTION) for menu in menus)


def with_votes(reply: Reply, votes_of: Callable[[str], int], own: Collection[str] = ()) -> Reply:
    """Return a reply that shows so many votes for each of its papers, given by their refs.

    `own` are those of which the asker's own vote is told.
    """
    blocks = (_with_votes(block, votes_of, own) for block in reply.blocks)
    return replace(reply, blocks=tuple(blocks))


def without_votes(reply: Reply) -> Reply:
    """Return a reply from which nobody can vote."""
    return replace(reply, blocks=tuple(map(_without_votes, reply.blocks)))


def can_vote(reply: Reply) -> bool:
    """Tell whether one can vote from a reply."""
    return without_votes(reply) != reply


def refs_with_own_vote(reply: Reply) -> tuple[str, ...]:
    """Return the refs of the papers whose cards show whether the asker's own vote stands."""
    return tuple(_ref(each) for each in _buttons(reply) if each.command.endswith(_AT_CARD))


def for_all(reply: Reply) -> Reply:
    """Return an answer as it is shared: it tells no vote of the asker's own, only how many."""
    return replace(reply, blocks=tuple(map(_for_all, reply.blocks)))


def _buttons(reply: Reply) -> Iterator[Button]:
    for block in reply.blocks:
        if isinstance(block, Actions):
            yield from block.buttons


def _without_votes(block: Block) -> Block:
    match block:
        case PaperList(menus=menus):
            kept = tuple(menu for menu in menus if not _is_vote(menu.command))
            return replace(block, menus=kept)
        case Actions(buttons):
            return Actions(tuple(each for each in buttons if not _is_vote(each.command)))
        case _:
            return block


def _for_all(block: Block) -> Block:
    if not isinstance(block, Actions):
        return block
    return Actions(tuple(map(_shared, block.buttons)))


def _shared(button: Button) -> Button:
    if not (_is_vote(button.command) and button.command.endswith(_AT_CARD)):
        return button
    command = button.command.removesuffix(_AT_CARD) + _AT_SHARED
    return replace(_named(button, _GIVE), command=command, turns=False)


def _with_votes(block: Block, votes_of: Callable[[str], int], own: Collection[str]) -> Block:
    match block:
        case PaperList(papers):
            return replace(
                block, papers=tuple(replace(each, votes=votes_of(each.ref)) for each in papers)
            )
        case PaperCard(ref):
            return replace(block, votes=votes_of(ref))
        case Actions(buttons):
            return Actions(tuple(_recounted(button, votes_of, own) for button in buttons))
        case _:
            return block


def _recounted(button: Button, votes_of: Callable[[str], int], own: Collection[str]) -> Button:
    if not _is_vote(button.command):
        return button
    if counted := _COUNTED.search(button.label):  # and only then is a count read aloud
        aloud = button.aloud.removesuffix(f", {counted[1]} so far")
        button = replace(button, label=button.label[: counted.start()], aloud=aloud)
    ref = _ref(button)
    return _counted(_named(button, _TAKE_BACK if ref in own else _GIVE), votes_of(ref))


def _named(button: Button, name: str) -> Button:
    """Return a button that votes under another name, its count kept."""
    before = _TAKE_BACK if button.label.startswith(_TAKE_BACK) else _GIVE
    label, aloud = (each.replace(before, name, 1) for each in (button.label, button.aloud))
    return replace(button, label=label, aloud=aloud)


def _is_vote(command: str) -> bool:
    return command.partition(" ")[0] == _VOTE


def _ref(button: Button) -> str:
    return button.command.split()[1]


def _options(menu: Menu, papers: Iterable[tuple[str, str]]) -> Iterator[Button]:
    for title, ref in papers:
        label = shorten(title, menu.longest or _LONGEST_OPTION)
        yield Button(label, f"{menu.command} {ref}")


def _save(card: PaperCard) -> Button:
    return Button("Save", f"{_SAVE} {card.ref}", aloud=f"Save {_title(card)}")


def _vote(card: PaperCard, command: str) -> Button:
    return _counted(Button(_GIVE, command, aloud=f"{_GIVE} for {_title(card)}"), card.votes)


def _counted(button: Button, votes: int) -> Button:
    if not votes:
        return button
    label, aloud = f"{button.label} ({votes:,})", f"{button.aloud}, {votes:,} so far"
    return replace(button, label=label, aloud=aloud)


def _title(card: PaperCard) -> str:
    return shorten(card.title, _LONGEST_TITLE)
