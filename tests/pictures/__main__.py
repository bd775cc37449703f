"""`python -m tests.pictures` writes the pictures that the repository keeps, and what they say.

`--into FOLDER` writes every look of every picture there instead, to be looked at.
"""

import argparse
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.pictures.browser import MissingBrowserError, find_browser, offline_page, show, started
from tests.pictures.kept import FACTS, FOLDER, facts_of, kept
from tests.pictures.scenes.gather import pages
from tests.pictures.table import ALL_LOOKS, Look

_COLOURS = 256
# Of what is kept; posts of many messages go on and on.
_TALLEST = 2800


def main() -> int:
    """Write pictures; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    parser.add_argument("--into", type=Path, help="write every look of every picture there")
    into: Path | None = parser.parse_args().into
    try:
        find_browser()
    except MissingBrowserError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    made = pages()
    if into:
        _draw(made, {(key, look) for key in made for look in ALL_LOOKS}, into)
        return 0
    for old in FOLDER.glob("*.png"):
        old.unlink()
    _draw(made, kept(), FOLDER, _TALLEST)
    FACTS.write_text(facts_of(made), encoding="utf-8")
    return 0


def _draw(
    made: dict[str, str], wanted: set[tuple[str, Look]], folder: Path, tallest: int | None = None
) -> None:
    """Draw looks of scenes, at most so many pixels high."""
    folder.mkdir(parents=True, exist_ok=True)
    with started() as browser:
        page = offline_page(browser)
        for key, html in made.items():
            page.set_content(html)
            for look in (look for wanted_key, look in wanted if wanted_key == key):
                show(page, look)
                name = f"{key}-{look.suffix}.png"
                (folder / name).write_bytes(_small(page.screenshot(full_page=True), tallest))


def _small(png: bytes, tallest: int | None) -> bytes:
    """Return a picture in few colours, which takes a third of the bytes and looks the same."""
    picture = Image.open(BytesIO(png)).convert("RGB")
    if tallest and picture.height > tallest:
        picture = picture.crop((0, 0, picture.width, tallest))
    few = picture.quantize(_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    saved = BytesIO()
    few.save(saved, "PNG", optimize=True)
    return saved.getvalue()


if __name__ == "__main__":
    sys.exit(main())
