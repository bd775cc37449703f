"""Whether a name is a time zone's."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def is_zone(name: str) -> bool:
    """Tell whether a name is an IANA zone that this machine, or the package tzdata, knows."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        # OSError where the name is a folder of zones, such as Europe.
        return False
    return True
