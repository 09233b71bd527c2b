"""Crazy Old Fish War a second time, slow and obvious: every card is known, every pile is a list that changes in place.

Written from the rules alone, in the language of the rule cases: actions such as `{"by": "A", "play": ["G2"]}`.
Nothing here is shared with the referee, so that the two can be compared.

A card that has to be drawn is in the hand at once: `actions` and `observe` show the table with every remedy carried
out. The draw itself may still follow as an action, until anything else is done than naming a colour; it changes nothing
any more. Players here are honest: false claims, challenges and shouted fish are not modelled. When the draw pile is
empty, the play pile without its top card is turned over as it is: its lowest card is drawn first. (At a table it would
be shuffled.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from models.crazy_basics import COLOURS, DEFAULTS, SUITS, colour_of, fits, is_eight, is_mermaid, is_wild, number_of

__all__ = ["TABLE", "Model"]

TABLE = "table"


class Model:
    """One round of Crazy Old Fish War with the whole truth.

    players  names in seating order: the first one begins, the last one has dealt
    options  house rules that differ from the defaults
    given    `hands` {player: faces}, `draw` (faces, the next one to be drawn last), `pile` (bottom to top), `turn`,
             optionally `colour`, `names`, `wins` and `phase` (`setup`: before the start)
    """

    def __init__(self, players: Sequence[str], options: Mapping[str, object], given: Mapping[str, object]) -> None:
        """Raises ValueError for an unknown option."""
        truth: dict[str, Any] = dict(given)
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"no options of Crazy Old Fish War: {sorted(unknown)}")
        self.options: dict[str, Any] = {**DEFAULTS, **options}
        self.players = list(players)
        self.hands: dict[str, list[str]] = {player: list(truth["hands"][player]) for player in players}
        self.draw_pile: list[str] = list(truth["draw"])
        self.pile: list[str] = list(truth["pile"])
        self.turn: str = truth.get("turn") or self.players[0]
        self.colour: str | None = truth.get("colour")
        self.names: list[str] = list(truth.get("names", []))
        self.wins: dict[str, int] = {player: truth.get("wins", {}).get(player, 0) for player in players}
        every = [*self.draw_pile, *self.pile, *(face for hand in self.hands.values() for face in hand)]
        self.colours = sorted((SUITS if any(face[-1] in SUITS for face in every) else COLOURS).values())
        self.step = "turn"
        """What is awaited: setup, colour, turn, war, answer (of the asked player), received (its play) or over."""
        self.anything = False  # nobody has to match the wild card on top
        self.after: str = self.turn
        self.namer: str | None = None
        self.naming_in_own_turn = False
        self.other: str | None = None
        self.received: str | None = None
        self.laid: dict[str, str | None] = {}
        self.tied: dict[str, list[str]] = {}
        self.owed: dict[str, int] = {}
        self.over: str | None = None
        self.winner: list[str] = []
        if truth.get("phase") == "setup":
            self.step = "setup"
        elif self.pile and is_wild(self.pile[-1]) and self.colour is None:
            self._begin()

    # --- small questions ---

    def left_of(self, player: str) -> str:
        """The next player clockwise."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def matches(self, face: str) -> bool:
        """C-T1, C-81, C-M1, C-A25: whether the card may be played on the top card now."""
        return self.anything or fits(face, self.pile[-1], self.colour)

    def can_still_draw(self) -> int:
        """How many cards could be drawn at most (C-A14)."""
        below = len(self.pile) - 1 if self.options["empty_draw"] == "reshuffle" else 0
        return len(self.draw_pile) + below

    # --- what may be done ---

    def actions(self, player: str) -> list[dict[str, Any]]:
        """Every action that this player (or `table`), never making a false claim, may take now."""
        draws = [{"by": who, "draw": number} for who, number in self.owed.items() if who == player and number]
        return [] if self.over else [*draws, *self._actions_but_draws(player)]

    def _actions_but_draws(self, player: str) -> list[dict[str, Any]]:
        if player == TABLE:
            return self._actions_of_table()
        if self.step == "colour" and player == self.namer:
            return [{"by": player, "name": colour} for colour in self.colours]
        if self.step == "answer" and player == self.other:
            cards = [face for face in sorted(set(self.hands[player])) if self.matches(face)]
            return [{"by": player, "give": [face]} for face in cards] or [{"by": player, "answer": "no"}]
        if self.step == "war" and player in self.laid and self.laid[player] is None:
            from_draw = {} if self.hands[player] else {"from": "draw"}
            return [{"by": player, "lay": "back", **from_draw}]
        if self.step == "received" and player == self.turn:
            return [{"by": player, "play": [self.received]}]
        if self.step == "turn" and player == self.turn:
            return self._actions_in_turn(player)
        return []

    def _actions_in_turn(self, player: str) -> list[dict[str, Any]]:
        cards = [face for face in sorted(set(self.hands[player])) if self.matches(face)]
        if cards:
            return [{"by": player, "play": [face]} for face in cards]
        others = [other for other in self.players if other != player]
        wars = [{"by": player, "war": other} for other in others if self.options["fallback"] != "fish_only"]
        asks = [{"by": player, "ask": other} for other in others if self.options["fallback"] != "war_only"]
        return [*wars, *asks]

    def _actions_of_table(self) -> list[dict[str, Any]]:
        if self.step == "setup":
            another = [{"by": TABLE, "reveal": face} for face in self.draw_pile[-1:]]
            return another if self._must_turn_another() else [{"by": TABLE, "start": True}]
        if self.step != "war":
            return []
        (one, ones), (two, twos) = ((who, self._may_have_laid(who)) for who in self.laid)
        return [{"by": TABLE, "flip": True, "cards": {one: first, two: second}} for first in ones for second in twos]

    def _may_have_laid(self, player: str) -> list[str]:
        """The cards that the player may flip. A card off the draw pile is known; one from the hand may be any."""
        laid = self.laid[player]
        return sorted(set(self.hands[player])) if laid in (None, "hand") else [str(laid)]

    def _must_turn_another(self) -> bool:
        """C-A2."""
        return not self.pile or (is_wild(self.pile[-1]) and self.options["start_special"] == "turn_more")

    def stands(self, action: Mapping[str, Any]) -> bool:
        """Whether a play, a gift or a named colour would be legal or pending now."""
        player = str(action["by"])
        if "name" in action:
            return self.step == "colour" and player == self.namer and action["name"] in self.colours
        cards = list(action["play"] if "play" in action else action["give"])
        if len(cards) != 1:
            return False
        if "play" in action and self.step == "received":
            return player == self.turn and cards[0] == self.received
        may = ("turn", self.turn) if "play" in action else ("answer", self.other)
        return (self.step, player) == may and cards[0] in self.hands[player] and self.matches(cards[0])

    # --- doing it ---

    def do(self, action: Mapping[str, Any]) -> None:
        """Carries the action out. A play, gift or name that does not stand changes nothing: the card goes back."""
        player = str(action["by"])
        if "draw" in action:
            self.owed[player] = max(0, self.owed.get(player, 0) - int(action["draw"]))
            return
        if "name" not in action:
            self.owed = {}
        if self.over or (("play" in action or "give" in action or "name" in action) and not self.stands(action)):
            return
        if "play" in action:
            self._play(player, str(action["play"][0]))
        elif "give" in action:
            self._give(player, str(action["give"][0]))
        elif "name" in action:
            self._name(str(action["name"]))
        elif "war" in action:
            self.step, self.other = "war", str(action["war"])
            self.laid = {player: None, self.other: None}
            self.tied = {player: [], self.other: []}
        elif "lay" in action:
            self._lay(player, from_draw=action.get("from") == "draw")
        elif "flip" in action:
            self._flip(dict(action["cards"]))
        elif "ask" in action:
            self.step, self.other = "answer", str(action["ask"])
        elif "answer" in action:
            self._owe(self.turn, 1)
            self._next(self.left_of(self.turn))
        elif "reveal" in action:
            self.pile.append(self.draw_pile.pop())
            if not self._must_turn_another():
                self._begin()
        elif "start" in action:
            self._begin()
        elif "shout" in action:
            self.names.append(str(action["shout"]))
        else:
            raise ValueError(f"not an action of an honest player of Crazy Old Fish War: {action!r}")

    def _begin(self) -> None:
        """C-A2: the first turn, or what has to come before it."""
        self.step = "setup" if self._must_turn_another() else "turn"
        if self.step == "turn" and is_wild(self.pile[-1]):
            if self.options["start_special"] == "dealer_names":
                self._ask_colour(self.players[-1], then=self.turn)
            else:
                self.anything = True

    def _next(self, player: str) -> None:
        if not self.over:
            self.step, self.turn, self.other = "turn", player, None

    def _ask_colour(self, namer: str, *, then: str) -> None:
        self.step, self.namer, self.after = "colour", namer, then

    def _name(self, colour: str) -> None:
        self.colour, self.namer, self.naming_in_own_turn = colour, None, False
        self._next(self.after)

    def _onto_pile(self, face: str) -> None:
        self.pile.append(face)
        self.colour = None
        self.anything = False

    def _play(self, player: str, face: str) -> None:
        """C-T1, C-G4 and the wild cards."""
        if self.step == "received":
            self.received = None
        else:
            self.hands[player].remove(face)
        self._onto_pile(face)
        last = not self.hands[player]
        if last and (not is_mermaid(face) or self.options["mermaid_finish"] == "wins"):
            self._finish([player])
            return
        if is_mermaid(face):
            self._owe(player, 5)
        if self.over:
            return
        if is_wild(face):
            self._ask_colour(player, then=self.left_of(player))
            self.naming_in_own_turn = True
        else:
            self._next(self.left_of(player))

    def _give(self, player: str, face: str) -> None:
        """C-G2, C-A9."""
        self.hands[player].remove(face)
        self.step, self.received = "received", face
        if not self.hands[player] and self.options["give_last"] == "draws_one":
            self._owe(player, 1)
        if not self.hands[player] and not self.over:
            self._finish([player])

    # --- drawing ---

    def _draw_one(self, player: str) -> None:
        """C-A14."""
        if not self.draw_pile:
            self.draw_pile = self.pile[:-1][::-1]
            self.pile = self.pile[-1:]
        self.hands[player].append(self.draw_pile.pop())

    def _owe(self, player: str, number: int) -> None:
        """Draws what there is; with `empty_draw: end_round` a draw that cannot be made ends the round."""
        possible = max(0, min(number, self.can_still_draw()))
        for _ in range(possible):
            self._draw_one(player)
        self.owed[player] = self.owed.get(player, 0) + possible
        if possible < number and self.options["empty_draw"] == "end_round":
            sizes = {who: len(self.hands[who]) for who in self.players}
            sizes[self.turn] += self.received is not None
            self._finish([who for who in self.players if sizes[who] == min(sizes.values())])

    # --- war ---

    def _lay(self, player: str, *, from_draw: bool) -> None:
        """C-V2, C-V8. Which hand card was laid shows when it is flipped."""
        if not from_draw:
            self.laid[player] = "hand"
        elif not self.hands[player] and self.can_still_draw():
            self._draw_one(player)
            self.laid[player] = self.hands[player].pop()

    def _flip(self, cards: Mapping[str, str]) -> None:
        starter, other = self.turn, str(self.other)
        from_hand = self.laid[starter] in (None, "hand")
        would_match = self.matches(cards[starter])
        strength = {player: 99 if is_mermaid(face) else number_of(face) or 0 for player, face in cards.items()}
        for player, face in cards.items():
            if self.laid[player] in (None, "hand"):
                self.hands[player].remove(face)
            self.laid[player] = None
        if from_hand and would_match:  # C-A16, C-V10
            self._take_back_own(cards)
            self._next(starter)
        elif is_mermaid(cards[starter]) and is_mermaid(cards[other]):  # C-V14, C-A7
            self._onto_pile(cards[starter])
            self._onto_pile(cards[other])
            self._take_back_own({})
            self._ask_colour(starter, then=self.left_of(starter))
        elif strength[starter] == strength[other]:
            self._tie(cards)
        elif strength[starter] > strength[other]:
            self._win_war(starter, other, cards)
        else:
            self._win_war(other, starter, cards)

    def _take_back_own(self, cards: Mapping[str, str]) -> None:
        for player, tied in self.tied.items():
            self.hands[player] += tied
            if player in cards:
                self.hands[player].append(cards[player])
        self.tied, self.laid = {}, {}

    def _tie(self, cards: Mapping[str, str]) -> None:
        """C-V6, C-V7; C-A15 when the two cannot both lay another card."""
        needed = [player for player in cards if not self.hands[player]]
        if len(needed) > self.can_still_draw():
            self._take_back_own(cards)
            self._next(self.left_of(self.turn))
            return
        for player, face in cards.items():
            self.tied[player].append(face)

    def _win_war(self, winner: str, loser: str, cards: Mapping[str, str]) -> None:
        """C-V4, C-V5, C-V9, C-V11 to C-V13, C-A4, C-A5, C-A8, C-A17."""
        face = cards[winner]
        before = self.colour or colour_of(self.pile[-1])
        was_free = self.anything
        self._onto_pile(face)
        self.hands[loser] += [cards[loser], *self.tied[loser], *self.tied[winner]]
        self.tied, self.laid = {}, {}
        after = self.left_of(self.turn)
        out = not self.hands[winner]
        if out and self.options["war_last"] == "wins":
            self._finish([winner])
            return
        self._owe(loser, 1)
        if out and not self.over:
            self._owe(winner, 1)
        if is_mermaid(face) and self.options["war_mermaid_draw5"] and not self.over:
            self._owe(winner, 5)
        if not self.hands[winner] and not self.over:  # no card was to be had
            self._finish([winner])
        if self.over:
            return
        rule = self.options["war_eight_colour"] if is_eight(face) else "winner"
        if is_wild(face) and rule == "winner":
            self._ask_colour(winner, then=after)
            return
        if is_wild(face) and rule == "keep":
            self.colour, self.anything = before, was_free
        elif is_wild(face):
            self.anything = True
        self._next(after)

    # --- the end, and what can be seen ---

    def _finish(self, winners: list[str]) -> None:
        """C-E1, C-W2. Nothing more is drawn; the cards on the table go back to whoever has laid or received them."""
        if self.received is not None:
            self.hands[self.turn].append(self.received)
            self.received = None
        self.owed, self.step, self.winner = {}, "over", winners
        for player in winners:
            self.wins[player] += 1
        self.over = "game" if max(self.wins.values()) >= self.options["rounds_to_win"] else "round"

    def observe(self) -> dict[str, Any]:
        """What everybody can see. What the rules leave open is left out:

        the hand sizes during a war or while a received card waits, the turn while a colour is named after a war.
        """
        seen: dict[str, Any] = {"draw": len(self.draw_pile), "pile": list(self.pile), "colour": self.colour}
        seen |= {"top": self.pile[-1] if self.pile else None, "wins": dict(self.wins)}
        if self.step not in ("war", "received"):
            seen["hand_size"] = {player: len(self.hands[player]) for player in self.players}
        if not self.over and (self.step != "colour" or self.naming_in_own_turn):
            seen["turn"] = self.turn
        if self.over:
            seen |= {"over": self.over, "winner": list(self.winner)}
        return seen
