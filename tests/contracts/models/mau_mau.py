"""Mau-Mau a second time, slow and obvious: every card is known, every pile is a list that changes in place.

Written from the rules alone, in the language of the rule cases: actions such as `{"by": "A", "play": ["9H"]}`.
Nothing here is shared with the referee, so that the two can be compared.

One round with every face in view. A card that has to be drawn is in the hand at once; the draw itself may still follow
as an action and changes nothing any more, until somebody plays or draws and this counts (M-A9, M-A1). Not modelled:
cards that nobody could read or assign (M-A23, M-A24), and what leads from one round to the next (M-A20).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["DEFAULTS", "SUITS", "TABLE", "Model"]

TABLE = "table"
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
DEFAULTS: dict[str, Any] = {
    "pass_sevens": True,
    "play_drawn": True,
    "jack_on_jack": False,
    "mau_penalty": 0,
    "rounds_to_win": 1,
    "hints": False,
}


class Model:
    """One round of Mau-Mau with the whole truth.

    players  names in seating order: the first one begins
    options  house rules that differ from the defaults
    given    `hands` {player: faces}, `draw` (faces, the next one to be drawn last), `pile` (bottom to top, none before
             the first card is turned over), optionally `turn`, `colour`, `wins` and `hears`
    """

    def __init__(self, players: Sequence[str], options: Mapping[str, object], given: Mapping[str, object]) -> None:
        """Raises ValueError for an unknown option."""
        truth: dict[str, Any] = dict(given)
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"no options of Mau-Mau: {sorted(unknown)}")
        self.options: dict[str, Any] = {**DEFAULTS, **options}
        self.players = list(players)
        self.hands: dict[str, list[str]] = {player: list(truth["hands"][player]) for player in players}
        self.known: dict[str, set[str]] = {player: set() for player in players}
        """The hand cards of which everybody knows that the player has them (M-A26)."""
        self.draw_pile: list[str] = list(truth["draw"])
        self.pile: list[str] = list(truth["pile"])
        self.turn: str = truth.get("turn") or self.players[0]
        self.suit: str | None = truth.get("colour")
        self.sevens = 0  # that lie on top and for which nobody has drawn yet
        self.wins: dict[str, int] = {player: truth.get("wins", {}).get(player, 0) for player in players}
        self.hears: bool = truth.get("hears", True)
        self.namer: str | None = None  # has played a jack and not yet named the suit
        self.may_play_drawn: str | None = None  # has just drawn and may still play the card
        self.with_one_card: str | None = None  # has just played the last card but one, nobody has called yet
        self.said_mau = False
        self.owed: dict[str, int] = {}
        self.over: str | None = None
        self.winner: str | None = None
        self.ruling = "legal"
        self.rules: set[str] = set()
        self.reminders: set[str] = set()

    # --- small questions ---

    def left_of(self, player: str) -> str:
        """The next player clockwise."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def broken_by(self, face: str) -> str | None:
        """The rule that forbids the card on the top card, whoever plays it; None if it may lie there (M-A22)."""
        top, jack = self.pile[-1], _rank(face) == "J"
        if self.sevens and not (_rank(face) == "7" and self.options["pass_sevens"]):
            return "M-X7"
        if _rank(top) == "J" and self.suit is None:
            return None  # only the first card of a round is a jack without a named suit (M-S4)
        if jack:
            return "M-J1" if _rank(top) == "J" and not self.options["jack_on_jack"] else None
        if _rank(top) == "J":
            return None if SUITS[_suit(face)] == self.suit else "M-J2"
        return None if _suit(face) == _suit(top) or _rank(face) == _rank(top) else "M-T2"

    def to_draw(self) -> int:
        """How many cards whoever's turn it is would draw (M-T4, M-X7), as far as there are any (M-A8, M-T6)."""
        return min(2 * self.sevens or 1, self._to_be_had())

    def _to_be_had(self) -> int:
        """All but the top card of the play pile (M-T5)."""
        return len(self.draw_pile) + len(self.pile) - 1

    def _does_not_count(self, player: str) -> str | None:
        """Why nothing that the player plays or draws in turn counts now; None if it does (M-A22)."""
        if self.over:
            return "M-E1"
        if not self.pile:
            return "M-S2"
        if self.namer:
            return "M-J2"
        return None if player == self.turn else "M-T1"

    # --- what may be done ---

    def actions(self, player: str) -> list[dict[str, Any]]:
        """Everything that the player (or `table`) may do now and that stands, with what has to be said; no calls.

        After drawing this is every card that the referee has to believe to be the drawn one (M-A4).
        """
        if self.over:
            return []
        if player == TABLE:
            return [] if self.pile else [{"by": TABLE, "reveal": face} for face in self.draw_pile[-1:]]
        if self.namer:
            return [{"by": player, "name": suit} for suit in SUITS.values()] if player == self.namer else []
        said = {2: {"say": "mau"}, 1: {"say": "mau-mau"}}.get(len(self.hands[player]), {})
        plays = [{"by": player, "play": [face], **said} for face in self.hands[player]]
        draws = [{"by": player, "draw": self.owed[player]}] if self.owed.get(player) else []
        if not draws and self._does_not_count(player) is None:
            draws = [{"by": player, "draw": self.to_draw()}]
        return [*(action for action in plays if self.stands(action)), *draws]

    def stands(self, action: Mapping[str, Any]) -> bool:
        """Whether a play or a named suit would be legal or pending now."""
        player = str(action["by"])
        if "name" in action:
            return not self.over and player == self.namer and action["name"] in SUITS.values()
        return self._wrong(player, action)[0] == "legal"

    # --- doing it ---

    def do(self, action: Mapping[str, Any]) -> None:
        """Judges the action and leaves the table as its remedy wants it."""
        player = str(action["by"])
        self.ruling, self.rules, self.reminders = "legal", set(), set()
        if "draw" in action:
            self._draw(player, int(action["draw"]))
            return
        if "name" in action:
            self._name(player, str(action["name"]))
            return
        if "play" in action:
            self._play(player, action)
        elif "call" in action:
            self._call(player)
        elif "reveal" in action:
            self._reveal()
        elif "start" in action:
            self._rule("void", "M-E1") if self.over else self._rule("legal" if self.pile else "pending")
        else:
            raise ValueError(f"not an action of Mau-Mau: {action!r}")

    def _rule(self, ruling: str, *rules: str) -> None:
        self.ruling, self.rules = ruling, set(rules)

    def _reveal(self) -> None:
        """M-S2."""
        if self.over:
            self._rule("void", "M-E1")
        elif self.pile:
            self._rule("void")
        else:
            self.pile.append(self.draw_pile.pop())

    # --- playing ---

    def _wrong(self, player: str, action: Mapping[str, Any]) -> tuple[str, str | None]:
        """The ruling on a play and the first rule that it breaks (M-A22)."""
        cards = list(action["play"])
        reason = self._does_not_count(player)
        drawn = reason == "M-T1" and player == self.may_play_drawn
        if reason and not drawn:
            return "void", reason
        if drawn and "from" not in action and self.known[player] & set(cards):
            return "void", "M-T4"
        if len(cards) != 1 or "from" in action or cards[0] not in self.hands[player]:
            return "foul", "M-T3"
        broken = self.broken_by(cards[0])
        return ("foul", broken) if broken else ("legal", None)

    def _play(self, player: str, action: Mapping[str, Any]) -> None:
        ruling, rule = self._wrong(player, action)
        if rule is None:
            self._lay(player, str(action["play"][0]), say=action.get("say"))
            return
        self._rule(ruling, rule)
        self.known[player] |= set(action["play"]) & set(self.hands[player])
        if ruling == "foul":  # in turn or with the drawn card: either ends what was still open (M-A3, M-A5, M-A18)
            self.may_play_drawn, self.with_one_card, self.owed = None, None, {}

    def _lay(self, player: str, face: str, *, say: str | None) -> None:
        """The card lies there and does what it does."""
        self.hands[player].remove(face)
        self.known[player].discard(face)
        self.pile.append(face)
        self.suit, self.may_play_drawn, self.owed = None, None, {}
        left = len(self.hands[player])
        self.with_one_card = player if left == 1 else None
        self.said_mau = self.hears and say == "mau"
        if self.hears and left < 2 and say != ("mau" if left else "mau-mau"):
            self.reminders = {"M-M1" if left else "M-M2"}
        if not left:
            self._finish(player)
        elif _rank(face) == "J":
            self.turn, self.namer = player, player
            self.ruling = "pending"
            if say is not None and say in SUITS.values():
                self._name(player, say)
        elif _rank(face) == "8":
            self.turn = self.left_of(self.left_of(player))
        else:
            self.sevens += _rank(face) == "7"
            self.turn = self.left_of(player)

    def _name(self, player: str, suit: str) -> None:
        """M-J2, M-A13, M-A14."""
        if self.over:
            self._rule("void", "M-E1")
        elif self.namer is None:
            self._rule("void")
        elif player != self.namer or suit not in SUITS.values():
            self._rule("void", "M-J2")
        else:
            self.ruling, self.suit, self.namer = "legal", suit, None
            self.turn = self.left_of(player)

    # --- drawing ---

    def _draw(self, player: str, number: int) -> None:
        """M-T4, M-T6, M-X7, M-A9."""
        if not self.over and self.owed.get(player):
            self._draw_rest(player, number)
            return
        reason = self._does_not_count(player)
        if reason:
            self._rule("void", reason)
            return
        due = self.to_draw()
        may_play = self.options["play_drawn"] and due and not self.sevens  # M-A6
        self.sevens, self.with_one_card = 0, None
        self.may_play_drawn = player if may_play else None
        self.turn = self.left_of(player)
        self._into_hand(player, due)
        self.owed = {player: due}
        self._draw_rest(player, number)

    def _draw_rest(self, player: str, number: int) -> None:
        """The cards that are due are in the hand already; this is how many of them were really drawn."""
        due = self.owed.pop(player)
        if number < due:
            self._rule("pending", "M-A9")
            self.owed[player] = due - number
        elif number > due:
            self._rule("foul", "M-A9")

    def _into_hand(self, player: str, number: int) -> None:
        """M-T5, M-A11: the play pile is turned over when the next card is to be drawn and there is none."""
        for _ in range(number):
            if not self.draw_pile:
                self.draw_pile = self.pile[:-1][::-1]
                self.pile = self.pile[-1:]
            self.hands[player].append(self.draw_pile.pop())

    # --- "No Mau!", the end, and what can be seen ---

    def _call(self, caller: str) -> None:
        """M-A18, M-A19."""
        called = self.with_one_card
        if self.over:
            self._rule("void", "M-E1")
        elif called is None or called == caller:
            self._rule("void")
        else:
            self.with_one_card = None
            if self.said_mau:
                self._rule("rejected")
                return
            self._rule("upheld", "M-M1")
            number = min(self.options["mau_penalty"], self._to_be_had())
            self._into_hand(called, number)
            self.owed = {called: number}

    def _finish(self, player: str) -> None:
        """M-E1, M-E2, M-A15."""
        self.winner, self.sevens = player, 0
        self.wins[player] += 1
        self.over = "game" if self.wins[player] >= self.options["rounds_to_win"] else "round"

    def observe(self) -> dict[str, Any]:
        """What everybody can see, in the keys of the cases."""
        seen: dict[str, Any] = {
            "turn": None if self.over else self.turn,
            "pile": list(self.pile),
            "top": self.pile[-1] if self.pile else None,
            "colour": self.suit,
            "run": self.sevens,
            "draw": len(self.draw_pile),
            "hand_size": {player: len(self.hands[player]) for player in self.players},
            "wins": dict(self.wins),
        }
        if self.over:
            seen |= {"over": self.over, "winner": [self.winner], "reason": "last-card"}
        return seen


def _rank(face: str) -> str:
    return face[:-1]


def _suit(face: str) -> str:
    return face[-1]
