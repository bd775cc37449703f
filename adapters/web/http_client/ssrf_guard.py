"""The guard against server-side request forgery: only public or allowlisted addresses pass.

Names and links come from others: without this rule a feed could make the bot request what only
this machine or its network may reach.
https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
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

# The ranges that are not public; `ipaddress` knows them differently from version to version:
# https://www.iana.org/assignments/iana-ipv4-special-registry
_RESERVED_V4 = tuple(
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
        # Azure's metadata service, the one of any cloud that has a public address:
        # https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
        "168.63.129.16/32",
    )
)
# Unicast addresses are assigned from this range alone, except for the reserved parts of it:
# https://www.iana.org/assignments/iana-ipv6-special-registry
_UNICAST_V6 = IPv6Network("2000::/3")
_RESERVED_V6 = tuple(IPv6Network(each) for each in ("2001::/23", "2001:db8::/32", "3fff::/20"))
# https://www.rfc-editor.org/rfc/rfc6052#section-2.1
_NAT64 = IPv6Network("64:ff9b::/96")

# Top-level names that the internet never delegates: https://www.rfc-editor.org/rfc/rfc6761#section-6.3,
# rfc6762 (local, and the others in appendix G), rfc8375, and ICANN's resolution 2024.07.29.06.
_PRIVATE_NAMES = re.compile(
    r"(.*\.)?(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)"
)
_HOST_NAME = re.compile(r"(?=.{1,254}\Z)([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?")
# A host that ends like this is parsed as IPv4: https://url.spec.whatwg.org/#ends-in-a-number-checker
_NUMERIC = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)\.?")

_EXPECTED = (
    "Give hosts, host:port or networks, such as feeds.example, 10.1.2.3:8080 or 10.0.0.0/8,"
    " with commas between them."
)
_REMEDY = "Where it is yours, name it in BROADSHEET_FETCH_ALLOW."


@dataclass(frozen=True, slots=True)
class Allowlist:
    """Hosts and networks allowed beside the public internet, on one port or on all (`None`).

    An allowed name may resolve to any address; an allowed address may have any name.
    """

    names: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[tuple[Network, int | None], ...] = ()

    def has_name(self, host: str, port: int) -> bool:
        """Tell whether a name is allowed on a port."""
        return not self.names.isdisjoint({(host.rstrip("."), None), (host.rstrip("."), port)})

    def has_address(self, address: Address, port: int) -> bool:
        """Tell whether an address, or the IPv4 address embedded in it, is allowed on a port."""
        forms = {address, _embedded_ipv4(address) or address}
        return any(
            form in network
            for network, on_port in self.networks
            if on_port in {None, port}
            for form in forms
        )


EMPTY_ALLOWLIST = Allowlist()


def parse_allowlist(text: str) -> Allowlist:
    """Parse `BROADSHEET_FETCH_ALLOW`: hosts, host:port or networks, separated by commas.

    Raises:
        SettingsError: naming the item that is none of them.
    """
    items = [_parse_item(each.strip()) for each in text.split(",") if each.strip()]
    return Allowlist(
        frozenset((host, port) for host, port in items if isinstance(host, str)),
        tuple((host, port) for host, port in items if not isinstance(host, str)),
    )


def is_public(address: Address) -> bool:
    """Tell whether an address, or the IPv4 address embedded in it, is public."""
    embedded = _embedded_ipv4(address)
    if embedded is not None:
        return is_public(embedded)
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _RESERVED_V4)
    return address in _UNICAST_V6 and not any(address in network for network in _RESERVED_V6)


def check_addresses(host: str, port: int, addresses: Iterable[str], allowlist: Allowlist) -> None:
    """Check that every address that a host resolves to may be connected to.

    Raises:
        AddressRefused: if one may not; the message omits it, to reveal nothing of a local network.
    """
    if allowlist.has_name(host, port):
        return
    for each in map(ip_address, addresses):
        if not is_public(each) and not allowlist.has_address(each, port):
            raise AddressRefused(
                f"{host} leads to an address that is not on the public internet.",
                _REMEDY,
                host=host,
            )


def check_host(host: str, port: int, allowlist: Allowlist) -> None:
    """Check a host as far as possible without resolving it.

    Raises:
        AddressRefused: if it is an address that is not allowed, or one in an unusual notation.
    """
    if _parse_ip(host) is not None:
        check_addresses(host, port, [host], allowlist)
    elif _NUMERIC.fullmatch(host) or not _HOST_NAME.fullmatch(host):
        raise AddressRefused(
            "The address has a host that is neither a name nor an IP address in its usual form.",
            "Write 127.0.0.1, not 127.1 or 0x7f000001.",
        )


def check_proxied_host(host: str, port: int, allowlist: Allowlist) -> None:
    """Check a host that a proxy resolves.

    Raises:
        AddressRefused: if it is a name of a local network.
    """
    name = host.rstrip(".")
    is_local = "." not in name or _PRIVATE_NAMES.fullmatch(name)
    if _parse_ip(host) is None and is_local and not allowlist.has_name(host, port):
        raise AddressRefused(f"{host} is a name of a local network.", _REMEDY, host=host)


def _embedded_ipv4(address: Address) -> IPv4Address | None:
    """Return the IPv4 address embedded in an IPv6 one: mapped, 6to4 or NAT64."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour


def _parse_ip(host: str) -> Address | None:
    """Parse a host as an IP address; link-local ones with a scope are not valid in a URL."""
    try:
        return None if "%" in host else ip_address(host)
    except ValueError:
        return None


def _parse_item(item: str) -> tuple[str | Network, int | None]:
    try:
        return _parse_network(item) or _parse_host_and_port(URL(f"http://{item}"))
    except (ValueError, AddressRefused) as error:
        raise SettingsError(
            f"BROADSHEET_FETCH_ALLOW has {item!r}, which is no host, host:port or network.",
            _EXPECTED,
        ) from error


def _parse_network(item: str) -> tuple[Network, None] | None:
    is_network = "/" in item or _parse_ip(item) is not None
    return (ip_network(item), None) if is_network else None


def _parse_host_and_port(url: URL) -> tuple[str | Network, int | None]:
    """Return the host and the optional port of a URL that has nothing else."""
    host = url.raw_host or ""
    if url.raw_path_qs != "/" or url.fragment or url.raw_user or url.raw_password:
        raise ValueError(host)
    if _parse_ip(host) is not None:
        return ip_network(host), url.explicit_port
    check_host(host, 0, EMPTY_ALLOWLIST)
    return host.rstrip("."), url.explicit_port
