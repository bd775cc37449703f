"""Names of files in replies."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapters.common.files import files_of, numbered_name, safe_name, with_safe_names
from tests.any_replies import TEXTS
from tests.file_replies import PICTURE, reply_with

_SAFE = re.compile(r"[a-z0-9][a-z0-9._-]*")


@given(TEXTS | st.text())
def test_every_name_becomes_one_that_any_platform_takes(name: str) -> None:
    """A safe name has plain lower-case letters and no folder, and is stable."""
    safe = safe_name(name)
    assert _SAFE.fullmatch(safe)
    assert len(safe) <= 80
    assert safe_name(safe) == safe


@given(st.lists(TEXTS | st.sampled_from(["a.png", "A.png", "a-2.png"]), max_size=6))
def test_no_two_files_of_an_answer_are_called_alike(names: list[str]) -> None:
    """The files of a reply have unique names."""
    reply = reply_with(*(replace(PICTURE, name=name) for name in names))
    kept = [file.name for file in files_of(with_safe_names(reply))]
    assert len(set(kept)) == len(names)
    assert all(map(_SAFE.fullmatch, kept))


def test_what_a_file_is_stays_in_its_name() -> None:
    """The number of a name stands before its suffix."""
    assert safe_name("Büro-Paper 2026.PNG") == "buro-paper-2026.png"
    assert numbered_name("trends.png", 2) == "trends-2.png"
    assert numbered_name("file", 3) == "file-3"
