"""What an examination found: the lines of `broadsheet doctor`."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What came of an examination."""

    WELL = "well"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing examined: a sentence on it, and what to do where it is not well."""

    about: str
    verdict: Verdict
    sentence: str
    remedy: str = ""
