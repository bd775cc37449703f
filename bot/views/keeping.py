"""What keeps a paper: its place on the reader's own list, and a vote for it. Pure.

Everything that saves or votes is made here, and every count of votes is put in here.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from bot.replies import Actions, Block, Button, Choices, Menu, PaperCard, PaperList, Reply
from bot.wording import shorten

_SAVE, _VOTE = "save", "vote"
_SAVE_MENU = Menu("Save a paper", _SAVE)
IN_ANSWERS = (_SAVE_MENU,)
IN_POSTS = (_SAVE_MENU, Menu("Vote for a paper", _VOTE))
_LONGEST_OPTION = 75  # that any platform's menus take
_BRIEF_OPTION = 35  # which still tells papers apart, beside their numbers
# Read aloud with any count after it, a title so long makes a name of 75 characters at most:
# https://docs.slack.dev/reference/block-kit/block-elements/button-element
_LONGEST_TITLE = 50
_COUNTED = re.compile(r" \(([\d,]+)\)$")


def below_card(card: PaperCard, *first: Button) -> Actions:
    """Return the row below a paper in a post: these buttons first, then what keeps it."""
    return Actions((*first, _save(card), _vote(card, f"{_VOTE} {card.ref}")))


def below_answer(card: PaperCard) -> Actions:
    """Return the row below a paper in an answer, whose card a vote puts anew in its place."""
    vote = _vote(card, f"{_VOTE} {card.ref} in:card")
    return Actions((_save(card), replace(vote, turns=True)))


def below_one_of_several(card: PaperCard, *first: Button) -> Actions:
    """Return the row below a paper in an answer that shows several: a vote is among its details.

    There its card would take the place of all of them, or say nothing where all see the answer.
    """
    return Actions((*first, _save(card)))


def below_cards(menus: Iterable[Menu], titles: Iterable[tuple[str, str]]) -> tuple[Choices, ...]:
    """Return these menus of papers, given by what they are called and their refs."""
    papers = tuple(titles)
    return tuple(Choices(menu.label, tuple(_options(menu, papers))) for menu in menus)


def brief(menus: Iterable[Menu]) -> tuple[Menu, ...]:
    """Return menus that take less room, for papers that are named in full elsewhere."""
    return tuple(replace(menu, longest=_BRIEF_OPTION) for menu in menus)


def with_votes(reply: Reply, votes_of: Callable[[str], int]) -> Reply:
    """Return a reply that shows so many votes for each of its papers, given by their refs."""
    return replace(reply, blocks=tuple(_with_votes(block, votes_of) for block in reply.blocks))


def _with_votes(block: Block, votes_of: Callable[[str], int]) -> Block:
    match block:
        case PaperList(papers):
            return replace(
                block, papers=tuple(replace(each, votes=votes_of(each.ref)) for each in papers)
            )
        case PaperCard(ref):
            return replace(block, votes=votes_of(ref))
        case Actions(buttons):
            return Actions(tuple(_recounted(button, votes_of) for button in buttons))
        case _:
            return block


def _recounted(button: Button, votes_of: Callable[[str], int]) -> Button:
    verb, _, ref = button.command.partition(" ")
    if verb != _VOTE:
        return button
    if counted := _COUNTED.search(button.label):  # and only then is a count read aloud
        aloud = button.aloud.removesuffix(f", {counted[1]} so far")
        button = replace(button, label=button.label[: counted.start()], aloud=aloud)
    return _counted(button, votes_of(ref.partition(" ")[0]))


def _options(menu: Menu, papers: Iterable[tuple[str, str]]) -> Iterator[Button]:
    for title, ref in papers:
        label = shorten(title, menu.longest or _LONGEST_OPTION)
        yield Button(label, f"{menu.command} {ref}")


def _save(card: PaperCard) -> Button:
    return Button("Save", f"{_SAVE} {card.ref}", aloud=f"Save {_title(card)}")


def _vote(card: PaperCard, command: str) -> Button:
    return _counted(Button("Vote", command, aloud=f"Vote for {_title(card)}"), card.votes)


def _counted(button: Button, votes: int) -> Button:
    if not votes:
        return button
    label, aloud = f"{button.label} ({votes:,})", f"{button.aloud}, {votes:,} so far"
    return replace(button, label=label, aloud=aloud)


def _title(card: PaperCard) -> str:
    return shorten(card.title, _LONGEST_TITLE)
