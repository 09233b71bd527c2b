"""Where a table can be reached: on this computer, and from phones in the same network."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass

__all__ = ["Addresses", "addresses", "lan_host"]

_EVERYWHERE = ("", "0.0.0.0", "::")
# Reserved for documentation (RFC 5737): nothing is sent, the system only says which way it would go.
_SOMEWHERE = ("192.0.2.1", 9)


@dataclass(frozen=True, slots=True)
class Addresses:
    """`own` for this computer, `phones` for others (None: nobody else can reach it), `hosts` every name it goes by."""

    own: str
    phones: str | None
    hosts: frozenset[str] = frozenset()


def addresses(host: str, port: int) -> Addresses:
    """The addresses of a server that listens at `host` and `port`."""
    if _is_loopback(host):
        return Addresses(_url(host, port), None)
    names = {name.lower() for name in (socket.gethostname(), f"{socket.gethostname()}.local")}
    if host not in _EVERYWHERE:
        return Addresses(_url(host, port), _url(host, port), frozenset(names | {host}))
    outside = lan_host()
    phones = None if outside is None else _url(outside, port)
    return Addresses(_url("127.0.0.1", port), phones, frozenset(names | ({outside} if outside else set())))


def lan_host() -> str | None:
    """The address under which other devices of the network see this computer; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if _is_loopback(found) or found in _EVERYWHERE else found


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
