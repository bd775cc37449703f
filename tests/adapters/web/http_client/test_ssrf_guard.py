"""The SSRF guard: addresses, notations and the allowlist."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.web.http_client import parse_allowlist
from adapters.web.http_client.ssrf_guard import (
    check_addresses,
    check_host,
    check_proxied_host,
    is_public,
)
from bot.errors import AddressRefused, SettingsError

_NOTHING = parse_allowlist("")
_CLOSED = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "224.0.0.0/3",
]


def _in_ipv6(address: IPv4Address) -> list[IPv6Address]:
    """Return the IPv6 addresses that stand for one of IPv4."""
    number = int(address)
    mapped, nat64 = (0xFFFF << 32) | number, (0x64FF9B << 96) | number
    return [IPv6Address(mapped), IPv6Address(nat64), IPv6Address((0x2002 << 112) | number << 80)]


@given(network=st.sampled_from(_CLOSED), picked=st.integers(min_value=0))
def test_no_private_address_is_public_in_any_dress(network: str, picked: int) -> None:
    """Private IPv4 addresses are refused, and so are IPv6 addresses that embed them."""
    closed = IPv4Network(network)
    address = closed[picked % closed.num_addresses]
    assert not is_public(address)
    assert not any(is_public(each) for each in _in_ipv6(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "151.101.1.1", "185.199.108.153"])
def test_public_addresses_are_public_in_every_dress(address: str) -> None:
    """Public addresses are allowed, also embedded in IPv6."""
    public = IPv4Address(address)
    assert is_public(public)
    assert all(is_public(each) for each in _in_ipv6(public))


@pytest.mark.parametrize(
    "address",
    [
        "::",
        "::1",
        "::7f00:1",
        "::ffff:0:7f00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "168.63.129.16",
        "169.254.169.254",
        "192.0.0.192",
        "100.100.100.200",
        "255.255.255.255",
    ],
)
def test_special_addresses_are_refused(address: str) -> None:
    """Reserved addresses are refused, cloud metadata services among them."""
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["2606:4700:4700::1111", "2a00:1450:4001:830::200e"])
def test_public_addresses_of_ipv6_are_public(address: str) -> None:
    """Assigned unicast addresses are allowed."""
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "host",
    [
        "0",
        "127.1",
        "2130706433",
        "017700000001",
        "0177.0.0.1",
        "0x7f.1",
        "0x7f000001",
        "0x",
        "127.0.0.1.",
        "127.0.0.01",
        "256.0.0.1",
        "1.2.3.4.5",
        "a.0x7f",
        "127%2e0%2e0%2e1",
        "fe80::1%25eth0",
        "a..b",
        "a b",
        "",
    ],
)
def test_odd_spellings_are_refused(host: str) -> None:
    """Hosts in an unusual notation are refused."""
    with pytest.raises(AddressRefused, match="usual form"):
        check_host(host, 80, _NOTHING)


@pytest.mark.parametrize("host", ["example.org", "example.org.", "a_b.example", "xn--bcher-kva.de"])
def test_names_are_taken(host: str) -> None:
    """A name passes; its addresses are checked once it is resolved."""
    check_host(host, 80, _NOTHING)


def test_every_address_of_a_name_is_looked_at() -> None:
    """One private address among public ones refuses the host."""
    check_addresses("two.example", 80, ["1.1.1.1", "8.8.8.8"], _NOTHING)
    with pytest.raises(AddressRefused) as caught:
        check_addresses("two.example", 80, ["1.1.1.1", "10.0.0.1"], _NOTHING)
    assert caught.value.host == "two.example"
    assert "10.0.0.1" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "host", "port", "address"),
    [
        ("feeds.example", "feeds.example", 8000, "10.1.2.3"),
        ("feeds.example", "feeds.example.", 80, "10.1.2.3"),
        ("feeds.example:80", "feeds.example.", 80, "10.1.2.3"),
        ("x.example, bücher.example:81", "xn--bcher-kva.example", 81, "10.1.2.3"),
        ("10.0.0.0/8", "any.example", 80, "10.1.2.3"),
        ("10.0.0.0/8", "any.example", 80, "::ffff:10.1.2.3"),
        ("10.1.2.3", "10.1.2.3", 80, "10.1.2.3"),
        ("10.1.2.3:81", "10.1.2.3", 81, "10.1.2.3"),
        ("fd00::/8,", "any.example", 80, "fd00::1"),
        ("::1", "any.example", 80, "::1"),
        ("[::1]:81", "::1", 81, "::1"),
    ],
)
def test_what_is_allowed_may_be_fetched_from(text: str, host: str, port: int, address: str) -> None:
    """The allowlist takes hosts, host:port, addresses and networks."""
    check_addresses(host, port, [address], parse_allowlist(text))


@pytest.mark.parametrize(
    ("text", "host", "port", "address"),
    [
        ("feeds.example", "x.feeds.example", 80, "10.1.2.3"),
        ("feeds.example:81", "feeds.example", 80, "10.1.2.3"),
        ("10.1.2.3:81", "10.1.2.3", 80, "10.1.2.3"),
        ("10.0.0.0/8", "any.example", 80, "172.16.0.1"),
        ("10.1.2.3", "any.example", 80, "10.1.2.4"),
    ],
)
def test_nothing_more_than_that_is_allowed(text: str, host: str, port: int, address: str) -> None:
    """Another port, a subdomain or a neighbouring address is not allowed."""
    with pytest.raises(AddressRefused) as caught:
        check_addresses(host, port, [address], parse_allowlist(text))
    assert "BROADSHEET_FETCH_ALLOW" in caught.value.remedy


@pytest.mark.parametrize(
    "item",
    ["*.example", "a/b", "10.0.0.1/8", "127.1", "u@host", "host:99999", "host/x", "h?x", "a b"],
)
def test_what_is_no_allowance_is_an_error_in_words(item: str) -> None:
    """An invalid item raises an error that names it, with examples."""
    with pytest.raises(SettingsError) as caught:
        parse_allowlist(f"feeds.example, {item}")
    assert repr(item) in caught.value.sentence
    assert "10.0.0.0/8" in caught.value.remedy


@pytest.mark.parametrize(
    "host", ["localhost", "printer", "a.local", "metadata.google.internal", "box.home.arpa."]
)
def test_a_proxy_is_not_asked_for_local_names(host: str) -> None:
    """Local names are not sent to a proxy unless allowed."""
    with pytest.raises(AddressRefused):
        check_proxied_host(host, 80, _NOTHING)
    check_proxied_host(host, 80, parse_allowlist(host))
    check_proxied_host("example.org", 80, _NOTHING)
    check_proxied_host("locals.example", 80, _NOTHING)
    check_proxied_host("2606:4700:4700::1111", 80, _NOTHING)
