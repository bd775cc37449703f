"""Access to the chat, for browsers on this machine and pages of its own alone. Pure.

Any site may have a browser send requests here. One that points its own name at this machine (DNS
rebinding) is told by the `Host` header; a form of another site by `Origin` and `Sec-Fetch-Site`.
https://fetch.spec.whatwg.org/#origin-header, https://www.w3.org/TR/fetch-metadata/
"""

import re
from collections.abc import Mapping
from ipaddress import ip_address

_HOST = re.compile(r"(?:\[([^\[\]]+)\]|([^\[\]:]+))(?::\d{1,5})?")
# `none` is a request of the user and no page, as when a browser restores its windows.
_OWN_SITES = (None, "same-origin", "none")


def is_open(bind_address: str, public_url: str | None) -> bool:
    """Tell whether a server offers the chat: only this machine can reach it."""
    return not public_url and is_loopback(bind_address)


def is_loopback(name: str) -> bool:
    """Tell whether a host name or address is that of this machine by itself."""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def is_asked_here(headers: Mapping[str, str]) -> bool:
    """Tell whether a request was made to a name of this machine."""
    host = _HOST.fullmatch(headers.get("Host", ""))
    return host is not None and is_loopback(host[1] or host[2])


def is_own_form(headers: Mapping[str, str]) -> bool:
    """Tell whether a form was sent by a page of this server, or by no browser."""
    origin, host = headers.get("Origin"), headers.get("Host", "")
    own = {f"{scheme}://{host}".lower() for scheme in ("http", "https")}
    return (origin is None or origin.lower() in own) and (
        headers.get("Sec-Fetch-Site") in _OWN_SITES
    )
