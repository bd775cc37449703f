"""How much of a text Discord takes. Pure."""

from adapters.common.layout.pieces import Measure
from adapters.discord.render.buttons import LONGEST_LABEL, LONGEST_OPTION
from adapters.discord.render.limits import HEAVIEST_KEPT, HEAVIEST_RUN, LONGEST_HEADER, LONGEST_URL
from adapters.discord.render.texts import is_linkable, weight
from bot.commands.parser import LONGEST_COMMAND_STRING

_HEAVIEST_SIGN = 3
# The marks around words, and an instant in place of them: `<t:1767225600:F> (<t:1767225600:R>)`.
_SPAN_WEIGHT = 48


def is_pressable(command: str) -> bool:
    """Tell whether a command may stand behind a button, itself or by its digest."""
    return len(command) <= LONGEST_COMMAND_STRING


MEASURE = Measure(
    weight=weight,
    heaviest_sign=_HEAVIEST_SIGN,
    span_weight=_SPAN_WEIGHT,
    heaviest_run=HEAVIEST_RUN,
    heaviest_kept=HEAVIEST_KEPT,
    longest_header=LONGEST_HEADER,
    longest_label=LONGEST_LABEL,
    longest_option=LONGEST_OPTION,
    is_pressable=is_pressable,
    is_pickable=is_pressable,
    is_linkable=lambda url: is_linkable(url, LONGEST_URL),
)
