"""Who may press buttons: short tokens from the QR code become signed session cookies. Nothing is stored per phone."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Literal, get_args

from referee.web.errors import RequestError

__all__ = ["COOKIE", "Pairing", "Role"]

Role = Literal["host", "player", "spectator"]
COOKIE = "wrongcard_session"


class _Patience:
    """Counts wrong tokens per address: at most `most` within `span_s` seconds; remembers `kept` addresses."""

    def __init__(self, most: int = 10, span_s: float = 60.0, kept: int = 256) -> None:
        self._most, self._span_s, self._kept = most, span_s, kept
        self._misses: OrderedDict[str, deque[float]] = OrderedDict()

    def spent(self, address: str, now_s: float) -> bool:
        misses = self._misses.get(address, deque())
        while misses and misses[0] <= now_s - self._span_s:
            misses.popleft()
        return len(misses) >= self._most

    def miss(self, address: str, now_s: float) -> None:
        self._misses.setdefault(address, deque(maxlen=self._most)).append(now_s)
        self._misses.move_to_end(address)
        while len(self._misses) > self._kept:
            self._misses.popitem(last=False)


class Pairing:
    """Tokens and cookies of one table, both made from `secret`.

    Keep the secret with the match, and phones stay paired when the server starts again. `renew` makes the tokens
    handed out so far worthless; cookies live `valid_s` seconds.
    """

    def __init__(
        self, secret: bytes | None = None, *, now: Callable[[], float] = time.time, valid_s: float = 12 * 3600
    ) -> None:
        self._secret = secret or secrets.token_bytes(32)
        self._now = now
        self._generation = 0
        self._patience = _Patience()
        self.valid_s = valid_s

    def token(self, role: Role) -> str:
        """The token that makes a phone `role`: eight letters and digits (40 bits), such as `K7QM-2P9X`."""
        letters = base64.b32encode(self._mac(f"token {self._generation} {role}")).decode()[:8]
        return f"{letters[:4]}-{letters[4:]}"

    def renew(self) -> None:
        """Draw new tokens; phones that are already paired stay so."""
        self._generation += 1

    def pair(self, token: str, address: str = "") -> Role:
        """The role that `token` stands for. Raises `RequestError`: 401 for a wrong or old token, 429 for too many."""
        now_s = self._now()
        if self._patience.spent(address, now_s):
            raise RequestError(429, "patience")
        given = token.strip().upper().encode()
        roles: tuple[Role, ...] = ("host", "player")
        for role in roles:
            if hmac.compare_digest(given, self.token(role).encode()):
                return role
        self._patience.miss(address, now_s)
        raise RequestError(401, "token")

    def cookie(self, role: Role) -> str:
        """A new signed session: role, time of issue, a number used once, signature."""
        claims = f"{role}.{int(self._now())}.{secrets.token_hex(8)}"
        return f"{claims}.{self._sign(claims)}"

    def role(self, cookie: str | None) -> Role:
        """The role in a session cookie; without a valid one everybody is a spectator."""
        claims, _, signature = (cookie or "").rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(claims).encode()):
            return "spectator"
        name, issued, _ = claims.split(".")
        known = {str(role): role for role in get_args(Role)}
        return known[name] if self._now() < int(issued) + self.valid_s else "spectator"

    def _sign(self, claims: str) -> str:
        return self._mac(f"session {claims}").hex()

    def _mac(self, message: str) -> bytes:
        return hmac.new(self._secret, message.encode(), hashlib.sha256).digest()
