"""What one web app is made of, as one value."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.web.actions import Actions
from referee.web.evidence import EvidenceFolder
from referee.web.feed import Feed
from referee.web.pairing import Pairing, Role

__all__ = ["Site"]


@dataclass(frozen=True, slots=True)
class Site:
    """One table on the web.

    `address` is where phones reach it, such as `http://192.168.1.5:8765`; `hosts` are further names that it may be
    called by (without port); `source_url` is where its source text can be had (AGPL, section 13).
    """

    feed: Feed
    actions: Actions
    pairing: Pairing
    address: str
    evidence: EvidenceFolder = field(default_factory=lambda: EvidenceFolder(None))
    hosts: frozenset[str] = frozenset()
    source_url: str = "https://pypi.org/project/wrongcard/"

    def join_address(self, role: Role) -> str:
        """The address in the QR code. The token stands in the fragment, which browsers send to no server."""
        base = self.address.rstrip("/") + "/"
        return base if role == "spectator" else f"{base}#t={self.pairing.token(role)}"
