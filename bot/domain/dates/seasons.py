"""Seasons that people name, as the months that they are. Pure."""

import re

_MONTHS = {
    "spring": ("march", "may"),
    "summer": ("june", "august"),
    "autumn": ("september", "november"),
    "fall": ("september", "november"),
    "winter": ("december", "february"),
}
_SEASON = "(?P<season>spring|summer|autumn|fall|winter)"
# "Summer school", "the fall of symbolic AI"; the winter break is two weeks.
_ALONE = (
    r"\b(?![- ](?:school|camp|term|semester|of\b(?! 20)|intern\w*))"
    r"(?!(?<=winter) (?:break|holidays?))"
)
_SINCE = re.compile(rf"\bsince (?:the |this |last )?{_SEASON}{_ALONE}", re.IGNORECASE)
_OF_YEAR = re.compile(
    rf"\b(?:(?:in|during|over|the) )*{_SEASON} (?:of )?(?P<year>20\d\d)\b", re.IGNORECASE
)
_BEST = "best|top|highlights?|picks|papers|news|hits|recap|summary|overview|round-?up|review"
_END = r"(?=\s*(?:[,.;:!?]|$)| (?:on|about|by|for|in|please)\b)"
_IN = re.compile(
    r"\b(?:(?:in|over|during|of|from|for) (?:the|this|last|past)|in(?! fall)|over|during|this|last)"
    rf" (?!fall(?!{_END})){_SEASON}{_ALONE}",
    re.IGNORECASE,
)
_BEST_OF = re.compile(
    rf"(?P<best>\b(?:{_BEST})(?: \w+)?) (?:of|from|in) {_SEASON}{_END}", re.IGNORECASE
)
_SUM_UP = re.compile(
    rf"\b(?:summari[sz]e|recap|sum up|review) (?:the |this |last )?{_SEASON}{_ALONE}", re.IGNORECASE
)
_SEASON_S = re.compile(rf"^{_SEASON}(?:'?s)? (?P<best>{_BEST}){_END}", re.IGNORECASE)


def with_seasons(text: str) -> str:
    """Return a text with months in place of seasons: `the best of june to august`."""
    lower = text.lower()
    if not any(season in lower for season in _MONTHS):
        return text
    text = _SINCE.sub(lambda found: f"since {_months(found)[0]}", text)
    text = _OF_YEAR.sub(_of_year, text)
    text = _IN.sub(lambda found: f"in {' to '.join(_months(found))}", text)
    text = _SUM_UP.sub(lambda found: f"recap of {' to '.join(_months(found))}", text)
    for named in (_BEST_OF, _SEASON_S):
        text = named.sub(lambda it: f"{it['best']} of {' to '.join(_months(it))}", text)
    return text


def _months(found: re.Match[str]) -> tuple[str, str]:
    return _MONTHS[found["season"].lower()]


def _of_year(found: re.Match[str]) -> str:
    """Return the months of a season of a year, which winter ends in."""
    (first, last), year = _months(found), int(found["year"])
    return f"from {first} {year - (first == 'december')} to {last} {year}"
