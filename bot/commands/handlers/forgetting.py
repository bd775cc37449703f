"""All that is stored about the asker, told and deleted."""

from bot.commands.parser import write
from bot.commands.types import Command, Context, Group, Param, ParamType
from bot.commands.views.forgetting import asking_reply, forgotten_reply, nothing_reply
from bot.errors import Option
from bot.posting.ports import DIRECT
from bot.replies.blocks import Reply
from store.readers import erasure
from store.readers.erasure import NOTHING


async def forget(context: Context, confirm: str | None = None) -> Reply:
    """Say what is stored about the asker; confirmed by the same person, delete it.

    A button that was another's question deletes nothing of whoever presses it before they are
    asked.
    """
    await context.members.settled()  # or what is noted soon would outlast them
    actor = context.actor
    alone = actor.home is not None
    if confirm != actor.user:
        stored = await context.members.read(erasure.facts, actor.person, alone=alone, direct=DIRECT)
        if stored == NOTHING:
            return nothing_reply()
        return asking_reply(stored, write(FORGET, {"confirm": actor.user}))
    stored = await context.members.write(
        erasure.forget,
        actor.person,
        context.request,
        context.wall.now(),
        alone=alone,
        direct=DIRECT,
    )
    context.members.wake()
    return forgotten_reply(stored)


async def _as_typed(text: str, _context: Context) -> str:
    return text


async def _offer_nothing(_beginning: str, _context: Context) -> list[Option]:
    return []


_CONFIRM = ParamType("PERSON", _as_typed, _offer_nothing, "The id of whoever was asked.")

FORGET = Command(
    name="forget",
    group=Group.LIST,
    summary="Delete all that is stored about you; it asks once and says what that is",
    handler=forget,
    params=(Param("confirm", "Who was asked", _CONFIRM, key="confirm", hidden=True),),
    examples=("forget",),
    private=True,
    changes=True,
)
