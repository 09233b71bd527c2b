"""Shithead a second time, slow and obvious: every card is known, and plain lists change in place.

Written from the rules alone, in the language of the rule cases: actions such as `{"by": "A", "play": ["9S", "9H"]}`.
Nothing here is shared with the referee, so that the two can be compared. The set-up before the start, cards drawn one
by one (every refill is carried out at once), peeking and what may be inferred about hands are not modelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.shithead_cards import (
    DEFAULTS,
    JOKER,
    RANKS,
    Lying,
    faced,
    higher_or_equal,
    next_seat,
    plays,
    rank_of,
    run,
    same_rank,
    subsets,
)

__all__ = ["Model"]

Action = Mapping[str, Any]

VOID = ("S-S4", "S-X8", "S-X10", "S-M1")
"""S-A41: out of turn."""


class Model:
    """One game of Shithead.

    players  names in seating order
    options  house rules that differ from the defaults
    given    `hands`, `open`, `hidden` {player: faces}, `draw` (faces, the next to be drawn last), `pile` (bottom to
             top) with the effective `rank` of its top card, `turn`, `out`, `phase: swap`, `games` and `points`
    """

    def __init__(self, players: Sequence[str], options: Mapping[str, object], given: Mapping[str, object]) -> None:
        """Raises ValueError for an unknown option."""
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown options: {sorted(unknown)}")
        truth: dict[str, Any] = dict(given)
        self.options: dict[str, Any] = {**DEFAULTS, **options}
        self.players = list(players)
        self.hands = {name: list(truth.get("hands", {}).get(name, [])) for name in players}
        self.open = {name: list(truth.get("open", {}).get(name, [])) for name in players}
        self.hidden = {name: list(truth.get("hidden", {}).get(name, [])) for name in players}
        self.draw: list[str] = list(truth.get("draw", []))
        self.pile = [Lying(face, rank_of(face)) for face in truth.get("pile", [])]
        if self.pile and "rank" in truth:
            self.pile[-1].rank = str(truth["rank"])
            self.pile[-1].inherits = rank_of(self.pile[-1].face) == "3" and truth["rank"] != 3
        self.gone: list[str] = []
        self.out: list[str] = list(truth.get("out") or [])
        self.turn: str | None = str(truth.get("turn") or players[0])
        self.may_swap = set(players) if truth.get("phase") == "swap" and self.options["swap"] != "never" else set()
        self.games = int(truth.get("games", 0))
        self.totals = {name: int(truth.get("points", {}).get(name, 0)) for name in players}
        self.over: str | None = None
        self.winner: list[str] = []
        self.points: dict[str, int] = dict(self.totals) if self.options["points"] else {}
        self.fatality: str | None = None
        self.burned = False
        self.waiting: Action | None = None  # jokers that lie on the pile without a rank
        self.skipped: set[str] = set()
        self.extra_turn: str | None = None  # the rule that gave the last player another turn
        self.last: tuple[str, str, int] | None = None  # the last play: player, rank, effective 8s (for follow_up)

    # --- what may be done ---

    def actions(self, player: str) -> list[dict[str, Any]]:
        """Every action that an honest player could make now and that stands; the table itself never acts."""
        return [action for action in self._thinkable(player) if self.stands(action)] if player in self.hands else []

    def _thinkable(self, player: str) -> Iterator[dict[str, Any]]:
        for mine in sorted(set(self.hands[player])) if player in self.may_swap else ():
            for lying in sorted(set(self.open[player])):
                yield {"by": player, "swap": {"hand": mine, "open": lying}}
        if self.waiting is not None:
            yield from ({"by": player, "name": rank} for rank in RANKS)
            return
        yield from plays(player, self.hands[player], self.open[player], self.hidden[player])
        yield {"by": player, "take": "pile"}
        for some in subsets(self.open[player]):
            yield {"by": player, "take": "pile", "with": some}

    def stands(self, action: Action) -> bool:
        """Whether it is legal, accepted or pending."""
        return self.fault(action) is None

    def fault(self, action: Action) -> str | None:
        """The rule that the action breaks, the first one in the order of S-A46; None if it stands."""
        player = action["by"]
        if "swap" in action:
            begun = self.waiting is not None and (player == self.waiting["by"] or self.options["swap"] == "phase")
            return "S-S3" if begun or player not in self.may_swap else None
        if self.over:
            return "S-S4"
        if self.waiting is not None:
            if player != self.waiting["by"]:
                return "S-S4"
            return self._height({**self.waiting, "as": str(action["name"])}) if "name" in action else "S-XJ"
        if "name" in action:
            return "S-XJ"
        if player in self.out:
            return self._out_of_turn(player)
        if player != self.turn and not self._burns_in(action) and not self._follows_up(action):
            return self._out_of_turn(player)
        return self._wrong_take(action) if "take" in action else self._wrong_play(action)

    def _out_of_turn(self, player: str) -> str:
        """S-A41."""
        if player in self.skipped:
            return "S-X8"
        return self.extra_turn or "S-S4"

    def _burns_in(self, action: Action) -> bool:
        """S-A19: cards that make the run four or longer, from the hand or, the hand being empty, the open cards."""
        if not self.options["burn_in"] or "play" not in action or action.get("from") == "blind" or not self.pile:
            return False
        cards, rank = self._cards(self._rightly_played(action)), self._rank(action)
        fourth = rank == self.pile[-1].rank and run(self.pile) + len(cards) >= 4
        return fourth and same_rank(cards) and not self._inherits(action)

    def _follows_up(self, action: Action) -> bool:
        """S-A35."""
        return bool(
            self.options["follow_up"]
            and self.last is not None
            and (action["by"], self._rank(action)) == self.last[:2]
            and same_rank(self._cards(action))
            and action.get("from") != "blind"
        )

    # --- taking the pile ---

    def can_play(self, player: str) -> bool:
        """Whether one of the cards that may be played now could be played; always with face-down cards only."""
        source = "hand" if self.hands[player] else "open" if self.open[player] else "blind"
        if source == "blind":
            return True
        for card in self.hands[player] or self.open[player]:
            for rank in RANKS if card == JOKER else (None,):
                named = {} if rank is None else {"as": rank}
                if self._wrong_play({"by": player, "play": [card], "from": source, **named}) is None:
                    return True
        return False

    def _wrong_take(self, action: Action) -> str | None:
        player, along = action["by"], list(action.get("with", []))
        if not self.hands[player] and not self.open[player]:
            return "S-T1"  # S-A29
        if self.can_play(player) and not (self.options["voluntary_pickup"] and self.pile):
            return "S-T1"
        if along and (self.hands[player] or not same_rank(along) or self.options["take_open_on_pickup"] == "never"):
            return "S-T3"
        if self.options["take_open_on_pickup"] == "must" and not self.hands[player] and not along:
            return "S-T3"
        return None

    # --- playing ---

    def _cards(self, action: Action) -> list[str]:
        return [*action.get("play", []), *action.get("with", [])]

    def _rank(self, action: Action) -> str | None:
        """The effective rank of a play (not the inherited one); None while jokers alone have none."""
        ranks = [rank_of(card) for card in self._cards(action) if card != JOKER]
        return ranks[0] if ranks else str(action["as"]) if "as" in action else None

    def _inherits(self, action: Action) -> bool:
        """S-M4, S-A6, S-A43."""
        hand = self.hands[action["by"]]
        return (
            action.get("from", "hand") == "hand"
            and not self.draw
            and all(rank_of(card) == "3" for card in hand)
            and len(action["play"]) == len(hand) > 0
        )

    def _inherited(self) -> str:
        return self.pile[-1].rank if self.pile else "3"

    def _wrong_play(self, action: Action) -> str | None:
        player, source = action["by"], action.get("from", "hand")
        if source == "open" and self.hands[player]:
            return "S-K4"
        if source == "blind" and (self.hands[player] or self.open[player] or len(self._cards(action)) > 1):
            return "S-K5"
        rest = self._rightly_played(action)
        wrong = None if rest == action else "S-M4" if self._inherits(action) else "S-M3"
        if not same_rank(rest["play"]):
            return "S-K3"
        fault = self._height(rest)
        if fault is None and wrong is None and self._forbidden_finish(rest):
            return "S-G"
        return "S-M2" if fault and source == "blind" and action["play"] != [JOKER] else fault or wrong

    def _rightly_played(self, action: Action) -> Action:
        """S-A42: the play without the open cards that may not go together with the hand cards."""
        hand, cards, along = self.hands[action["by"]], action["play"], list(action.get("with", []))
        left = [card for card in hand if rank_of(card) == self._rank(action)]
        stay = {
            "whole_hand": len(cards) == len(hand),
            "same_rank": len(left) == len([card for card in cards if card != JOKER]),
            "never": False,
        }[self.options["hand_plus_open"]]
        if self._inherits(action):
            along = [card for card in along if rank_of(card) in (self._inherited(), JOKER)]
        else:
            along = [card for card in along if stay and same_rank([*cards, card])]
        along = along if self._inherits(action) or same_rank([*cards, *along]) else []
        return {**action, "with": along} if "with" in action else action

    def _height(self, action: Action) -> str | None:
        """S-K2, S-X7, S-XJ."""
        rank = self._rank(action)
        if rank is None or self._inherits(action):
            return None
        if set(self._cards(action)) == {JOKER}:
            if self.options["joker"] == "free":
                return None
            if self.options["joker"] == "no_specials" and rank in ("2", "3", "7", "8", "10"):
                return "S-XJ"
        top = faced(self.pile, mirror=self.options["three"] == "mirror")
        if top is None or rank in ("2", "3") or (rank == "10" and self.options["ten"] == "wild"):
            return None
        if top.rank == "7" and not top.bare:
            return None if higher_or_equal("7", rank) else "S-X7"
        if rank == "10" and self.options["ten"] == "wild_not_on_7":
            return None
        return None if higher_or_equal(rank, top.rank) else "S-K2"

    def _forbidden_finish(self, action: Action) -> bool:
        """S-A32: the printed cards count, since the joker is named among them."""
        player = action["by"]
        left = len(self.hands[player]) + len(self.open[player]) + len(self.hidden[player]) - len(self._cards(action))
        special = any(rank_of(card) in ("2", "3", "8", "10", JOKER) for card in self._cards(action))
        return bool(self.options["no_special_finish"]) and left == 0 and not self.draw and special

    # --- doing it ---

    def do(self, action: Action) -> None:
        """Carries the action out with its remedy and the refill. Raises ValueError for cards that are not there."""
        self.burned = False
        player, fault = action["by"], self.fault(action)
        if "swap" in action:
            if fault is None:
                self._swap(action)
        elif self.waiting is not None:
            if "name" in action and player == self.waiting["by"]:
                named, self.waiting = {**self.waiting, "as": str(action["name"])}, None
                self.do(named)
        elif "take" in action:
            self._take(action, fault)
        elif "name" in action or fault in VOID:
            return
        elif fault is not None and action.get("from", "hand") == "hand" and self._rightly_played(action) != action:
            self.do(self._rightly_played(action))
        elif (
            fault == "S-M2"
            or (fault == "S-G" and action.get("from") == "blind")
            or (fault in ("S-K2", "S-K3", "S-X7") and self.options["misplay"] == "take_pile")
        ):
            self._remove(player, action)
            self.hands[player] += [*self._take_pile(), *self._cards(action)]
            self._next(player)
        elif fault is None and self._rank(action) is None:
            self.waiting = action
        elif fault is None:
            self._play(action)
        elif action.get("from") == "blind" and fault != "S-K5":
            self.waiting = {key: value for key, value in action.items() if key != "as"}  # S-A12: named again

    def _swap(self, action: Action) -> None:
        hand, lying = self.hands[action["by"]], self.open[action["by"]]
        mine, other = action["swap"]["hand"], action["swap"]["open"]
        hand[hand.index(mine)], lying[lying.index(other)] = other, mine

    def _take(self, action: Action, fault: str | None) -> None:
        player, along = action["by"], list(action.get("with", []))
        if fault == "S-T3" and not along:
            return  # an open card has to come along
        if fault == "S-T3":
            along = []  # S-A45
        elif fault:
            return
        for card in along:
            self.open[player].remove(card)
        self.hands[player] += [*self._take_pile(), *along]
        self._next(player)

    def _take_pile(self) -> list[str]:
        taken = [lying.face for lying in self.pile]
        self.pile = []
        return taken

    def _next(self, player: str) -> None:
        self.turn, self.skipped = self._after(player, 0)
        self.extra_turn, self.last = None, None

    def _remove(self, player: str, action: Action) -> None:
        source = {"hand": self.hands, "open": self.open, "blind": self.hidden}[action.get("from", "hand")][player]
        for card in action["play"]:
            source.remove(card)
        for card in action.get("with", []):
            self.open[player].remove(card)

    def _play(self, action: Action) -> None:
        player, rank = action["by"], self._rank(action)
        if self._inherits(action):
            rank, bare = self._inherited(), self.options["inherit_effects"] == "rank_only"
            cards = [Lying(face, rank, bare and rank != "3", inherits=True) for face in action["play"]]
            cards += [Lying(face, rank) for face in action.get("with", [])]
        else:
            assert rank is not None
            cards = [Lying(face, rank) for face in self._cards(action)]
        self._remove(player, action)
        eights = len([card for card in cards if card.rank == "8" and not card.bare])
        if player != self.turn and self.last is not None and self.last[0] == player:
            eights += self.last[2]  # added cards belong to the play that they are added to
        self.pile += cards
        self.may_swap -= {player} if self.options["swap"] == "own_first_turn" else set(self.players)
        self.burned = rank == "10" or (not cards[-1].bare and run(self.pile) >= 4)
        cause = "S-X10" if rank == "10" else "S-M1"
        if self.burned:
            self.gone += self._take_pile()
        while self.draw and len(self.hands[player]) < 3:
            self.hands[player].append(self.draw.pop())
        if not self.hands[player] and not self.open[player] and not self.hidden[player]:
            self.out.append(player)
        self.turn, self.skipped = self._after(player, 0 if self.burned else eights)
        if self.burned and player not in self.out:
            self.turn = player
        self.extra_turn = cause if self.burned and player not in self.out else None
        self.last = (player, rank, eights)
        self._finish([card.rank for card in cards if not card.bare])

    def _after(self, player: str, eights: int) -> tuple[str | None, set[str]]:
        return next_seat(self.players, self.out, player, eights, count_self=self.options["skip_wrap"] == "count_self")

    def _finish(self, ranks: Sequence[str]) -> None:
        left = [name for name in self.players if name not in self.out]
        if len(left) > 1:
            return
        self.out += left
        self.turn = None
        self.games += 1
        self.over = "series" if 1 < self.options["series"] <= self.games else "game"
        totals = {name: self.totals[name] + self.out.index(name) + 1 for name in self.players}
        self.winner = [min(self.out, key=lambda name: totals[name])] if self.over == "series" else [self.out[0]]
        self.points = totals if self.options["points"] else {}
        for name, rank in (("mic-drop", "8"), ("burn-unit", "10")):
            if set(ranks) == {rank} and name in self.options["fatalities"]:
                self.fatality = name

    # --- what everybody sees ---

    def observe(self) -> dict[str, Any]:
        """The table in the keys of the rule cases; jokers without a rank lie on the pile."""
        waiting = [] if self.waiting is None else self._cards(self.waiting)
        pile = [*(lying.face for lying in self.pile), *waiting]
        rank = None if waiting or not self.pile else self.pile[-1].rank
        hand_size, opens, hidden = (
            {name: len(cards) for name, cards in self.hands.items()},
            {name: sorted(cards) for name, cards in self.open.items()},
            {name: len(cards) for name, cards in self.hidden.items()},
        )
        if self.waiting is not None:
            player, played = self.waiting["by"], len(self.waiting["play"])
            source = self.waiting.get("from", "hand")
            hand_size[player] -= played if source == "hand" else 0
            hidden[player] -= played if source == "blind" else 0
            for card in self.waiting["play"] if source == "open" else self.waiting.get("with", []):
                opens[player].remove(card)
        return {
            "hand_size": hand_size,
            "open": opens,
            "hidden": hidden,
            "draw": len(self.draw),
            "pile": pile,
            "top": pile[-1] if pile else None,
            "rank": int(rank) if rank is not None and rank.isdigit() else rank,
            "turn": self.turn,
            "burned": True if self.burned else None,
            "out": list(self.out),
            "points": dict(self.points),
            "over": self.over,
            "winner": list(self.winner),
            "fatality": self.fatality,
        }
