"""What somebody typed, said back to them. Pure."""

from bot.plain import printable


def quoted(text: str, longest: int = 40) -> str:
    """Return the beginning of what somebody typed between quotes, as it stands but on one line."""
    shown = printable(text[:longest])
    mark = '"' if "'" in shown else "'"
    return f"{mark}{shown}{mark}"
