"""Which addresses may be connected to: those of the public internet, and what is allowed besides.

Names and links come from others: without this rule a feed could have us ask for what only this
machine or its neighbours may. https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from yarl import URL

from bot.errors import AddressRefused, SettingsError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# The ranges that lead nowhere public, which `ipaddress` knows differently from version to version:
# https://www.iana.org/assignments/iana-ipv4-special-registry
_CLOSED_4 = tuple(
    IPv4Network(each)
    for each in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        # Azure's agents, the one cloud's that stand on a public address:
        # https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
        "168.63.129.16/32",
    )
)
# Unicast is handed out from this range alone, but for what is set apart in it:
# https://www.iana.org/assignments/iana-ipv6-special-registry
_OPEN_6 = IPv6Network("2000::/3")
_CLOSED_6 = tuple(IPv6Network(each) for each in ("2001::/23", "2001:db8::/32", "3fff::/20"))
# https://www.rfc-editor.org/rfc/rfc6052#section-2.1
_NAT64 = IPv6Network("64:ff9b::/96")

# Names that are nobody's on the internet: https://www.rfc-editor.org/rfc/rfc6761#section-6.3,
# rfc6762 (local, and the others in appendix G), rfc8375, and ICANN's resolution 2024.07.29.06.
_PRIVATE_NAMES = re.compile(
    r"(.*\.)?(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)"
)
_NAME = re.compile(r"(?=.{1,254}\Z)([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?")
# What ends like this is read as IPv4: https://url.spec.whatwg.org/#ends-in-a-number-checker
_NUMBER = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)\.?")

_EXPECTED = (
    "Give hosts, host:port or networks, such as feeds.example, 10.1.2.3:8080 or 10.0.0.0/8,"
    " with commas between them."
)
_REMEDY = "Where it is yours, name it in BROADSHEET_FETCH_ALLOW."


@dataclass(frozen=True, slots=True)
class Allowed:
    """What may be connected to besides the public internet, each on a port or, `None`, on all.

    A name that is allowed may lead anywhere; an address that is allowed may have any name.
    """

    names: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[tuple[Network, int | None], ...] = ()

    def has_name(self, host: str, port: int) -> bool:
        """Tell whether a name is allowed on a port."""
        return not self.names.isdisjoint({(host.rstrip("."), None), (host.rstrip("."), port)})

    def has_address(self, address: Address, port: int) -> bool:
        """Tell whether an address, or the IPv4 address in it, is allowed on a port."""
        forms = {address, _inner(address) or address}
        return any(
            form in network for network, on in self.networks if on in {None, port} for form in forms
        )


NOTHING_ALLOWED = Allowed()


def allowed(text: str) -> Allowed:
    """Read `BROADSHEET_FETCH_ALLOW`: hosts, host:port or networks, with commas between them.

    Raises:
        SettingsError: naming what is none of them.
    """
    read = [_allowance(each.strip()) for each in text.split(",") if each.strip()]
    return Allowed(
        frozenset((host, port) for host, port in read if isinstance(host, str)),
        tuple((host, port) for host, port in read if not isinstance(host, str)),
    )


def is_public(address: Address) -> bool:
    """Tell whether an address, or the IPv4 address that it stands for, is the public internet's."""
    inner = _inner(address)
    if inner is not None:
        return is_public(inner)
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_4)
    return address in _OPEN_6 and not any(address in network for network in _CLOSED_6)


def check_addresses(host: str, port: int, addresses: Iterable[str], besides: Allowed) -> None:
    """See to it that each of the addresses that a host leads to may be connected to.

    Raises:
        AddressRefused: where one may not; which one it is stays unsaid, for names of the inside
            are nobody's business.
    """
    if besides.has_name(host, port):
        return
    for each in map(ip_address, addresses):
        if not is_public(each) and not besides.has_address(each, port):
            raise AddressRefused(
                f"{host} leads to an address that is not on the public internet.",
                _REMEDY,
                host=host,
            )


def check_host(host: str, port: int, besides: Allowed) -> None:
    """See to it that a host may be connected to as far as that can be told without looking it up.

    Raises:
        AddressRefused: where it is an address that may not be, or one in an unusual spelling.
    """
    literal = _literal(host)
    if literal is not None:
        check_addresses(host, port, [host], besides)
    elif _NUMBER.fullmatch(host) or not _NAME.fullmatch(host):
        raise AddressRefused(
            "The address has a host that is neither a name nor an IP address in its usual form.",
            "Write 127.0.0.1, not 127.1 or 0x7f000001.",
        )


def check_name(host: str, port: int, besides: Allowed) -> None:
    """See to it that a host may be asked for from a proxy, which looks it up by itself.

    Raises:
        AddressRefused: where it is a name of a local network.
    """
    name = host.rstrip(".")
    local = "." not in name or _PRIVATE_NAMES.fullmatch(name)
    if _literal(host) is None and local and not besides.has_name(host, port):
        raise AddressRefused(f"{host} is a name of a local network.", _REMEDY, host=host)


def _inner(address: Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 one leads to: mapped, by 6to4 or by NAT64."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour


def _literal(host: str) -> Address | None:
    """Return the address that a host is; one on a link of this machine has no place in a URL."""
    try:
        return None if "%" in host else ip_address(host)
    except ValueError:
        return None


def _allowance(item: str) -> tuple[str | Network, int | None]:
    try:
        return _network(item) or _on_port(URL(f"http://{item}"))
    except (ValueError, AddressRefused) as error:
        raise SettingsError(
            f"BROADSHEET_FETCH_ALLOW has {item!r}, which is no host, host:port or network.",
            _EXPECTED,
        ) from error


def _network(item: str) -> tuple[Network, None] | None:
    is_one = "/" in item or _literal(item) is not None
    return (ip_network(item), None) if is_one else None


def _on_port(url: URL) -> tuple[str | Network, int | None]:
    """Return the host of an address that has nothing else, but for a port where it has one."""
    host = url.raw_host or ""
    if url.raw_path_qs != "/" or url.fragment or url.raw_user or url.raw_password:
        raise ValueError(host)
    if _literal(host) is not None:
        return ip_network(host), url.explicit_port
    check_host(host, 0, NOTHING_ALLOWED)
    return host.rstrip("."), url.explicit_port
