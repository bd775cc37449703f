"""Where and to whom an answer is shown. Pure."""

from dataclasses import dataclass, replace

from adapters.discord.interactions.context import Scene
from adapters.discord.render.buttons import Press, Verb
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import command_string, parse
from bot.replies.blocks import Reply, Visibility


@dataclass(frozen=True, slots=True)
class Showing:
    """How an answer is shown.

    `instead`: in place of the message that was pressed in, else as a message of its own. `private`:
    to the asker alone. `share`: with a button that shows it to everybody there. `shared_by` is the
    id of the person who does so. `public`: it was pressed for in a message that everybody sees.
    `silent`: nothing is shown.
    """

    part: int = 1
    instead: bool = False
    private: bool = True
    share: bool = True
    shared_by: int | None = None
    public: bool = False
    silent: bool = False


def of_command(scene: Scene) -> Showing:
    """Return how the answer to a command is shown: privately, unless nobody else is there."""
    return Showing(private=not scene.is_direct, share=not scene.is_direct)


def of_press(press: Press, scene: Scene, user: int, *, alone: bool) -> Showing:
    """Return how the answer to a pressed button is shown.

    Args:
        press: what was pressed.
        scene: where.
        user: who pressed.
        alone: whether that person alone sees the message that was pressed in.
    """
    if press.verb is Verb.SHARE:
        return Showing(press.part, private=False, share=False, shared_by=user)
    # What everybody sees is never changed by one's press.
    instead = press.verb is Verb.TURN and (alone or scene.is_direct)
    own = scene.is_direct
    return Showing(press.part, instead, private=not own, share=not own, public=not (own or alone))


def of_form(scene: Scene, *, alone: bool) -> Showing:
    """Return how what a form asked for is shown: in place of the answer it was opened from."""
    direct = scene.is_direct
    return Showing(instead=alone or direct, private=not direct, share=not direct)


def fitting(showing: Showing, reply: Reply) -> Showing:
    """Return how this very answer is shown.

    An error is for its asker alone, and leaves what was pressed; what is for the channel is
    shown to it; a quiet one needs no words where all see what was pressed.
    """
    silent = reply.quiet and showing.public and not reply.failed
    if silent != showing.silent:
        showing = replace(showing, silent=silent)
    if reply.failed and showing.shared_by is not None:
        return replace(showing, private=True, shared_by=None)
    if reply.failed and showing.instead:
        return replace(showing, instead=False)
    if reply.visibility is Visibility.CHANNEL and showing.private:
        return replace(showing, private=False, share=False)
    return showing


def ways_on(reply: Reply) -> tuple[tuple[str, Press], ...]:
    """Return the buttons that an answer has beside its own."""
    line = reply.command or ""
    if line.partition(" ")[0] != SEARCH.name:
        return ()
    return (("Refine", Press(Verb.FORM, _from_the_first_page(line))),)


def _from_the_first_page(line: str) -> str:
    """Return the line of a search without its page: a search that is changed has other pages."""
    return command_string(SEARCH, parse(line, [SEARCH]).arguments | {"page": None})
