"""The pictures that the repository keeps, and the file of what they say."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.pictures.markup.words import lines_of
from tests.pictures.table import PAGE_PICTURES, PICTURES, Look

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
FACTS = FOLDER / "facts.json"


def kept() -> set[tuple[str, Look]]:
    """Return which looks of which scenes are kept, by the keys of the scenes."""
    scenes = {
        (f"{picture.name}-{platform}", look)
        for picture in PICTURES
        for platform in picture.platforms
        for look in picture.looks
    }
    return scenes | {(page.key, look) for page in PAGE_PICTURES for look in page.looks}


def names_kept() -> set[str]:
    """Return the names of the files of these pictures."""
    return {f"{key}-{look.suffix}.png" for key, look in kept()}


def facts_of(pages: Mapping[str, str]) -> str:
    """Return the words of pages as the file has them: lines by the key of the scene."""
    words = {key: lines_of(page) for key, page in pages.items()}
    return f"{json.dumps(words, ensure_ascii=False, indent=1)}\n"
