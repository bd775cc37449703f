"""What is said where a page can't be trusted."""

from bot.errors import DocumentError


def changed(missing: str) -> DocumentError:
    """Return the refusal of a page whose mark-up is not what it was; `missing` is a clause."""
    return DocumentError(
        f"The page's mark-up seems to have changed: {missing}.",
        "Save the whole page again; if that doesn't help, copy its text and import that.",
    )
