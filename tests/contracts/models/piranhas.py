"""Piranhas a second time, slow and obvious: every card is known, every pile is a plain list that changes in place.

Written from the rules alone, in the language of the rule cases: actions such as `{"by": "A", "play": ["R2+B4+Y1"]}`.
Nothing here is shared with the referee, so that the two can be compared. The set-up before the start is not modelled.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from models.fish import fits, right_words, rule_of_fit, rule_of_words

__all__ = ["TABLE", "Model"]

TABLE = "table"
UNKNOWN = "??"

PRESS_ALLOWANCE_S = 0.15
"""P-A6: a press so long after a covering card still belongs to the covered one."""

FLOAT_SLACK_S = 1e-6

DEFAULTS: dict[str, Any] = {
    "calls": "referee",
    "announce": "remind",
    "race_grace_ms": 0,
    "reshuffle_on_turnover": False,
    "illegal_source_as_wrong_card": False,
    "series": 3,
    "stuck_reminder_s": 30,
    "more_players": False,
    "hints": False,
}


@dataclass
class Lying:
    """A card of the target pile. `owner` is None once it is only the target: nobody can challenge it any more."""

    face: str
    owner: str | None = None
    time_s: float | None = None
    broken: set[str] = field(default_factory=set)


@dataclass
class Seat:
    """What a player owns. `deck`: the upper card last. `discards`: the card discarded first comes first."""

    deck: list[str]
    uncovered: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)

    def count(self) -> int:
        """P-A17."""
        return len(self.deck) + len(self.uncovered) + len(self.discards)


def _remove_last(cards: list[str], face: str) -> None:
    """Removes the one of several equal cards that came last (of a deck: the upper one)."""
    del cards[len(cards) - 1 - cards[::-1].index(face)]


class Model:
    """One game of Piranhas. `ruling`, `rules` and `reminders` are about the last action that was done.

    players  names in seating order
    options  house rules that differ from the defaults
    given    `decks` {player: faces, the upper card last}, `pile` (bottom to top), `counts` (checked against the decks),
             optionally `boxed` (faces, or only how many), `deck` (`known` or `unknown`), `games` and `points`
    """

    def __init__(self, players: Sequence[str], options: Mapping[str, object], given: Mapping[str, object]) -> None:
        """Raises ValueError for an unknown option and for counts that are not those of the decks."""
        truth: dict[str, Any] = dict(given)
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"no options of Piranhas: {sorted(unknown)}")
        self.options: dict[str, Any] = {**DEFAULTS, **options}
        self.seats = {player: Seat(list(truth["decks"][player])) for player in players}
        self.pile = [Lying(face) for face in truth["pile"]]
        boxed: int | list[str] = truth.get("boxed", [])
        self.boxed = [UNKNOWN] * boxed if isinstance(boxed, int) else list(boxed)
        self.deck_known = truth.get("deck") == "known"
        self.games: int = truth.get("games", 0)
        self.points: dict[str, int] = {player: truth.get("points", {}).get(player, 0) for player in players}
        self.stopped = False
        self.stuck: set[str] = set()
        self.unnoticed: list[str] = []
        self.over: str | None = None
        self.reason: str | None = None
        self.winner: set[str] = set()
        self.ruling = "legal"
        self.rules: set[str] = set()
        self.reminders: set[str] = set()
        for player, count in truth.get("counts", {}).items():
            if self.seats[player].count() != count:
                raise ValueError(f"{player} owns {self.seats[player].count()} cards, not {count}")

    # --- what may be done ---

    def actions(self, player: str) -> list[dict[str, Any]]:
        """What the player may do with cards now, fitting announcements included; in a stop only the restart."""
        if self.over or (player == TABLE and not self.stopped):
            return []
        if self.stopped:
            return [{"by": TABLE, "start": True}]
        seat = self.seats[player]
        tries: list[dict[str, Any]] = []
        for face in [*seat.uncovered, *seat.deck[-1:]]:
            words = sorted(right_words(face, self.pile[-1].face))
            tries.append({"by": player, "reveal": face})
            tries.append({"by": player, "play": [face], "say": words[0]} if words else {"by": player, "play": [face]})
            tries.append({"by": player, "discard": [face]})
        tries.append({"by": player, "turnover": True})
        return [action for number, action in enumerate(tries) if action not in tries[:number] and self.stands(action)]

    def stands(self, action: Mapping[str, Any]) -> bool:
        """Whether the action would be legal or pending now."""
        trial: Model = pickle.loads(pickle.dumps(self))  # a deep copy, ten times as fast as copy.deepcopy
        trial.do(action)
        return trial.ruling in ("legal", "pending")

    # --- doing it ---

    def do(self, action: Mapping[str, Any]) -> None:
        """Judges the action and leaves the table as its remedy wants it; a stop lasts until the table starts again."""
        player = str(action["by"])
        self.ruling, self.rules, self.reminders = "legal", set(), set()
        if self.over:
            self.ruling = "void"
        elif "start" in action:
            self.stopped = False
        elif "call" in action:
            self._call(player, action)
        elif self.stopped:
            self._during_stop(player, action)
        elif "play" in action:
            self._play(player, action)
        elif "reveal" in action:
            self._reveal(player, str(action["reveal"]))
        elif "discard" in action:
            self._discard(player, action["discard"][0])
        elif "turnover" in action:
            self._turn_over(player)
        elif "take" in action:
            self._take_back(player)
        else:
            raise ValueError(f"not an action of Piranhas: {action!r}")

    def _foul(self, *rules: str) -> None:
        self.ruling, self.rules = "foul", set(rules)

    def _during_stop(self, player: str, action: Mapping[str, Any]) -> None:
        self.ruling, self.rules = "void", {"P-W1"}
        if "play" in action:
            self._pull_out(player, action["play"][0], action)
            self.seats[player].discards.append(action["play"][0])

    def _pull_out(self, player: str, face: str, action: Mapping[str, Any]) -> None:
        """Takes the card from where the player has it. Raises ValueError when it is nowhere there."""
        seat = self.seats[player]
        places = [seat.discards] if action.get("from") == "discard" else [seat.uncovered, seat.deck, seat.discards]
        for place in places:
            if face in place:
                _remove_last(place, face)
                return
        raise ValueError(f"{player} has no {face} to play")

    def _forbidden_source(self, player: str, face: str, action: Mapping[str, Any]) -> str | None:
        seat = self.seats[player]
        if action.get("from") == "discard":
            return "P-G9"
        if len(seat.uncovered) > 1:
            return "P-G7"
        if seat.uncovered:
            return None if face in seat.uncovered else "P-G8"
        return None if seat.deck[-1:] == [face] else "P-G2"

    def _play(self, player: str, action: Mapping[str, Any]) -> None:
        face, time_s = str(action["play"][0]), action.get("at")
        source = self._forbidden_source(player, face, action)
        if source and not (source in ("P-G8", "P-G9") and self.options["illegal_source_as_wrong_card"]):
            self._foul(source)
            return
        broken = {source} if source else self._faults(face, action.get("say"))
        if not source and self._is_race(face, time_s):
            self.ruling = "void"
            self._pull_out(player, face, action)
            self.seats[player].uncovered.append(face)
            return
        missed = self._missed_words(face, action.get("say"))
        self._place(player, face, action, broken)
        last = self.seats[player].count() == 0
        if broken and (last or self.options["calls"] == "referee"):
            self._foul(*broken)
            self._stop()
            self._owner_pays()
        elif broken:
            self.unnoticed.append(face)
            self.reminders = missed if action.get("say") is None else set()  # a word on a wrong card must give no hint
        else:
            self.reminders = missed
            if last:
                self._finish("last-card", {player})

    def _faults(self, face: str, say: str | None) -> set[str]:
        """What makes it a wrong card on the present target."""
        target = self.pile[-1].face
        if not fits(face, target):
            return {rule_of_fit(face, target)}
        if self.options["announce"] == "strict" and say not in right_words(face, target):
            return {rule_of_words(face, target)}
        return set()

    def _missed_words(self, face: str, say: str | None) -> set[str]:
        target = self.pile[-1].face
        if self.options["announce"] != "remind" or say in right_words(face, target):
            return set()
        return {rule_of_words(face, target)}

    def _is_race(self, face: str, time_s: float | None) -> bool:
        """P-A7: too late by a moment, the card fits the one below the card beneath it. Quiet modes say nothing."""
        if self.options["calls"] != "referee" or not self.options["race_grace_ms"] or len(self.pile) < 2:
            return False
        if time_s is None or self.pile[-1].time_s is None:
            return False
        quick = time_s - self.pile[-1].time_s <= self.options["race_grace_ms"] / 1000 + FLOAT_SLACK_S
        return quick and not fits(face, self.pile[-1].face) and fits(face, self.pile[-2].face)

    def _place(self, player: str, face: str, action: Mapping[str, Any], broken: set[str]) -> None:
        self._pull_out(player, face, action)
        self.pile.append(Lying(face, player, action.get("at"), broken))
        self.stuck.clear()

    def _stop(self) -> None:
        """P-W1, P-W2."""
        self.stopped = True
        for seat in self.seats.values():
            seat.discards += seat.uncovered
            seat.uncovered = []

    def _owner_pays(self) -> None:
        """P-W4, P-W6, P-A12: the own card, then the packet of up to two."""
        packet = min(2, len(self.pile) - 2)
        wrong = self.pile.pop()
        assert wrong.owner is not None
        self.seats[wrong.owner].discards.append(wrong.face)
        self._take_packet(wrong.owner, packet)

    def _take_packet(self, player: str, number: int) -> None:
        rest = len(self.pile) - number
        self.seats[player].discards += [lying.face for lying in self.pile[rest:]]
        self.pile = self.pile[:rest]
        for lying in self.pile:  # P-A24: after a ruling what lies there is just the target
            lying.owner = None
        self.stuck.clear()

    def _reveal(self, player: str, face: str) -> None:
        seat = self.seats[player]
        if seat.deck[-1:] != [face]:
            self._foul("P-G2")
            return
        if seat.uncovered:
            self._foul("P-G7")
        if len(seat.uncovered) < 2:
            seat.uncovered.append(seat.deck.pop())

    def _discard(self, player: str, face: str) -> None:
        """The uncovered card, or the upper card of the deck in one go."""
        seat = self.seats[player]
        if face in seat.uncovered:
            seat.uncovered.remove(face)
            seat.discards.append(face)
        elif seat.uncovered:
            self._foul("P-G7")
        elif seat.deck[-1:] == [face]:
            seat.discards.append(seat.deck.pop())
        else:
            self._foul("P-G2")

    def _turn_over(self, player: str) -> None:
        """P-D1, P-A13, P-A14: the card discarded first becomes the upper card."""
        seat = self.seats[player]
        if seat.deck or not seat.discards or len(seat.uncovered) > 1:
            self._foul("P-D1")
            return
        seat.deck = seat.discards[::-1]
        seat.discards = []
        if self.options["reshuffle_on_turnover"]:
            random.Random(len(seat.deck)).shuffle(seat.deck)  # any order will do, but the same in every run

    def _take_back(self, player: str) -> None:
        """P-A19: a card that still lies on top and that nobody has called goes back into its owner's hand."""
        if self.pile[-1].owner != player:
            self.ruling = "void"
            return
        taken = self.pile.pop()
        self._forget([taken])
        self.seats[player].uncovered.append(taken.face)
        self.stuck.clear()
        if len(self.seats[player].uncovered) > 1:
            self._foul("P-G7")

    def _forget(self, cards: Sequence[Lying]) -> None:
        """A wrong card that was called or went back is not listed after the game."""
        for lying in cards:
            if lying.broken and lying.face in self.unnoticed:
                _remove_last(self.unnoticed, lying.face)

    # --- calls ---

    def _call(self, player: str, action: Mapping[str, Any]) -> None:
        if self.stopped:
            self.ruling = "void"
        elif action["call"] == "stuck":
            self._call_stuck(player)
        else:
            self._call_wrong_card(player, action)

    def _call_wrong_card(self, caller: str, action: Mapping[str, Any]) -> None:
        called = self._lying_when_pressed(action.get("at"))
        lying = self.pile[called]
        names_another = action.get("card", lying.face) != lying.face
        if lying.owner is None or lying.owner == caller or names_another:
            self.ruling = "void"
            return
        covering = self.pile[called + 1 :]
        self.pile = self.pile[: called + 1]
        self._forget([lying, *covering])
        self._stop()
        for late in covering:
            assert late.owner is not None
            self.seats[late.owner].discards.append(late.face)
        if lying.broken:
            self.ruling, self.rules = "upheld", set(lying.broken)
            self._owner_pays()
        else:
            self.ruling = "rejected"
            self._take_packet(caller, min(3, len(self.pile) - 1))  # P-W5, P-W6

    def _lying_when_pressed(self, time_s: float | None) -> int:
        """The place in the pile of the card on top when the button was pressed (P-A6)."""
        place = len(self.pile) - 1
        while place > 0 and time_s is not None:
            placed_s = self.pile[place].time_s
            if placed_s is None or time_s - placed_s > PRESS_ALLOWANCE_S + FLOAT_SLACK_S:
                break
            place -= 1
        return place

    def _call_stuck(self, player: str) -> None:
        """P-A16."""
        self.stuck.add(player)
        fitting = sum(fits(card, self.pile[-1].face) for card in self._outside() if card != UNKNOWN)
        if self.deck_known and fitting > len(self.boxed):
            self.stuck.discard(player)
            self.ruling, self.rules = "disproved", {"P-E2"}
        elif (self.deck_known and fitting == 0) or len(self.stuck) == len(self.seats):
            self.ruling = "accepted"
            fewest = min(seat.count() for seat in self.seats.values())
            self._finish("stalemate", {name for name, seat in self.seats.items() if seat.count() == fewest})
        else:
            self.ruling = "pending"

    def _outside(self) -> list[str]:
        """All cards that are not in the target pile."""
        held = [card for seat in self.seats.values() for card in [*seat.deck, *seat.uncovered, *seat.discards]]
        return [*held, *self.boxed]

    # --- the end, and what can be seen ---

    def _finish(self, reason: str, winner: set[str]) -> None:
        self.games += 1
        self.reason, self.winner, self.over = reason, winner, "game"
        self.points = {name: self.points[name] + seat.count() for name, seat in self.seats.items()}
        if self.games >= self.options["series"]:
            self.over = "series"
            self.winner = {name for name, sum_ in self.points.items() if sum_ == min(self.points.values())}

    def observe(self) -> dict[str, Any]:
        """What everybody at the table can see, in the keys of the cases."""
        seen: dict[str, Any] = {
            "pile": [lying.face for lying in self.pile],
            "top": self.pile[-1].face,
            "counts": {name: seat.count() for name, seat in self.seats.items()},
            "holding": [name for name, seat in self.seats.items() if seat.uncovered],
        }
        if self.over:
            seen |= {"over": self.over, "winner": sorted(self.winner), "reason": self.reason, "points": self.points}
            seen["wrong"] = list(self.unnoticed) if self.options["calls"] == "report" else []
        return seen
