"""Zones by their names, by the short names of their times, and by their offset from UTC. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from zoneinfo import available_timezones

from store.text import fold

# A name without summer time, or of several zones, has several here.
_BY_SHORT_NAME = """
ET EDT = America/New_York
CT CDT = America/Chicago
MT MDT = America/Denver
PT PDT = America/Los_Angeles
AKT AKST AKDT = America/Anchorage
HST = Pacific/Honolulu
AT ADT = America/Halifax
NT NST NDT = America/St_Johns
UK = Europe/London
CEST MEZ MESZ = CET
EEST OEZ OESZ = EET
WEST WEZ WESZ = WET
MSK = Europe/Moscow
TRT = Europe/Istanbul
IDT = Asia/Jerusalem
PKT = Asia/Karachi
NPT = Asia/Kathmandu
ICT = Asia/Bangkok
WIB = Asia/Jakarta
SGT = Asia/Singapore
PHT = Asia/Manila
HKT = Asia/Hong_Kong
JST = Asia/Tokyo
KST = Asia/Seoul
WAT = Africa/Lagos
CAT = Africa/Maputo
EAT = Africa/Nairobi
SAST = Africa/Johannesburg
BRT = America/Sao_Paulo
ART = America/Argentina/Buenos_Aires
CLT = America/Santiago
COT = America/Bogota
PET = America/Lima
AWST = Australia/Perth
AET AEDT = Australia/Sydney
ACDT = Australia/Adelaide
NZT NZST NZDT = Pacific/Auckland
Z = UTC
EST = America/New_York America/Panama America/Jamaica
CST = America/Chicago America/Mexico_City America/Costa_Rica America/Havana Asia/Shanghai
MST = America/Denver America/Phoenix
PST = America/Los_Angeles Asia/Manila Pacific/Pitcairn
AST = America/Halifax America/Puerto_Rico Asia/Riyadh
AMT = America/Manaus Asia/Yerevan
IST = Asia/Kolkata Asia/Jerusalem Europe/Dublin
BST = Europe/London Asia/Dhaka Pacific/Bougainville
GST = Asia/Dubai Atlantic/South_Georgia
SST = Pacific/Pago_Pago Asia/Singapore
AEST = Australia/Sydney Australia/Brisbane
ACST = Australia/Adelaide Australia/Darwin
"""
_ZONES: Mapping[str, tuple[str, ...]] = {
    name: tuple(zones.split())
    for names, zones in (line.split(" = ") for line in _BY_SHORT_NAME.split("\n") if line)
    for name in names.split()
}
SHORT_NAMES = tuple(_ZONES)
# Names of the database that keep one offset, and mean to people a zone that does not.
_MISLEADING = frozenset({"EST", "MST", "HST"})
_WORDS = frozenset({"WEST", "UK", "Z", "AT"})  # that are words too, and stand in capitals

_OFFSET = re.compile(
    r"(?:(?:utc|gmt)\s*)?(?P<sign>[-+\u2010-\u2015\u2212])\s*"
    r"(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?(?:\s*h)?",
    re.IGNORECASE | re.ASCII,
)
# Zones that have had one offset for years, and have no summer time.
_PARTS_OF_HOURS = {
    (-9, 30): "Pacific/Marquesas",
    (3, 30): "Asia/Tehran",
    (4, 30): "Asia/Kabul",
    (5, 30): "Asia/Kolkata",
    (5, 45): "Asia/Kathmandu",
    (6, 30): "Asia/Yangon",
    (8, 45): "Australia/Eucla",
    (9, 30): "Australia/Darwin",
}
_FIRST_HOUR, _LAST_HOUR = -12, 14
# Zones with a fixed offset, whose signs are reversed. They are read only by their full name.
_FIXED = "Etc/"
_AT_OFFSET = re.compile(r"(?:Etc/)?GMT([-+]?)(\d{1,2})")
# Files beside the zones that are no zones.
_NO_ZONES = frozenset({"Factory", "localtime"})


@cache
def known_zones() -> tuple[str, ...]:
    """Return the names of all zones; the first call reads their files."""
    return tuple(sorted(available_timezones() - _NO_ZONES))


def zones_meant(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the zones of `names` that a text may mean: in full, by its end, shortly, by offset.

    One is what it means, several are candidates: the text knows no summer time or fits them all.
    None are for another text.
    """
    typed = " ".join(text.split())
    if short := zones_of_short_name(typed):
        return short
    if is_offset(typed):
        zone = zone_of_offset(typed)
        return (zone,) if zone else ()
    exact = next((name for name in names if name.lower() == typed.lower()), None)
    return (exact,) if exact else tuple(zones_by_end(names).get(fold(typed), ()))


def zones_by_end(names: Iterable[str]) -> dict[str, list[str]]:
    """Return zones by the ends of their names, each from a slash on, and the whole."""
    by_end: dict[str, list[str]] = {}
    for name in zones_of_places(names):
        parts = name.split("/")
        for start in range(len(parts)):
            by_end.setdefault(fold("/".join(parts[start:])), []).append(name)
    return by_end


def zones_of_places(names: Iterable[str]) -> list[str]:
    """Return the zones of `names` that are no offsets."""
    return [name for name in names if not name.startswith(_FIXED) and name not in _MISLEADING]


def zones_of_short_name(text: str) -> tuple[str, ...]:
    """Return the zones that a short name may mean, as `ET` or `EST`; none for another text."""
    typed = " ".join(text.split()).removesuffix(" time")
    name = typed.upper()
    return () if name in _WORDS and name != typed else _ZONES.get(name, ())


def is_offset(text: str) -> bool:
    """Tell whether a text is an offset from UTC: `UTC+5:30`, `+02:00`, `-3`."""
    return _OFFSET.fullmatch(text.strip()) is not None


def zone_of_offset(text: str) -> str | None:
    """Return a zone that has an offset all year long, `None` without any.

    Whole hours have zones of their own, whose signs are reversed: `Etc/GMT-2` is two hours ahead.
    https://data.iana.org/time-zones/tzdb/etcetera
    """
    found = _OFFSET.fullmatch(text.strip())
    if found is None:
        return None
    hours, minutes = int(found["hours"]), int(found["minutes"] or 0)
    hours = hours if found["sign"] == "+" else -hours
    if minutes:
        return _PARTS_OF_HOURS.get((hours, minutes))
    if not _FIRST_HOUR <= hours <= _LAST_HOUR:
        return None
    return f"Etc/GMT{-hours:+}" if hours else "UTC"


def zone_name(zone: str) -> str:
    """Return the name of an IANA zone as people say it: `Etc/GMT-2` is `UTC+02:00`."""
    found = _AT_OFFSET.fullmatch(zone)
    if found is None:
        return "UTC" if zone.startswith(_FIXED) else zone
    hours = int(found[2])
    return f"UTC{'+' if found[1] == '-' else '-'}{hours:02}:00" if hours else "UTC"


def zone_in_words(zone: str) -> str:
    """Return the name of a zone, and of one that means an offset that it knows no summer time."""
    for (hours, minutes), name in _PARTS_OF_HOURS.items():
        if name == zone:
            return f"{zone} (UTC{hours:+03}:{minutes}, no summer time)"
    name = zone_name(zone)
    keeps_one = (name.startswith("UTC") and name != zone) or zone in _MISLEADING
    return f"{name} (no summer time)" if keeps_one else name


def zones_instead(zone: str) -> tuple[str, ...]:
    """Return what people may mean by a zone that was stored before such names were asked about.

    `EST` keeps its offset in summer, where clocks in New York do not. None are for another zone.
    """
    meant = zones_of_short_name(zone)
    return meant if zone in _MISLEADING and len(meant) > 1 else ()


def without_summer_time(zone: str) -> str | None:
    """Say what a zone that was stored before such names were asked about does in summer."""
    meant = zones_instead(zone)
    return f"{zone} knows no summer time, as {meant[0]} does." if meant else None
