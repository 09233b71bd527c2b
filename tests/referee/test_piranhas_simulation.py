"""Piranhas with every card known: what could be done, which no verdict may hang on, and where every card lies."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from referee.cards import UNKNOWN, Face, faces
from referee.entries import Start
from referee.errors import CardError, SetupError
from referee.games.piranhas import Piranhas
from referee.games.piranhas.state import State
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.playout import deal, play_out, standing
from referee.verdicts import Verdict

GAME = Piranhas()
NAMES = ("A", "B", "C", "D", "E")
TARGET = "R2+G4+Y1"
FITS = "R3+K1+V1"
WRONG = "O1+W2+V3"
STUCK = "G1+W1+O2"
"""Fits neither TARGET nor STUCK."""


def pack() -> tuple[Face, ...]:
    dice = random.Random(7)
    fish: set[str] = set()
    while len(fish) < 45:
        fish.add("+".join(f"{colour}{dice.randint(1, 4)}" for colour in sorted(dice.sample("ROYGBVKW", 3))))
    return faces([*sorted(fish), *(f"P-{colour}" for colour in "ROYGBVKW")])


def dealt(players: int, seed: int = 0, options: Mapping[str, Json] | None = None) -> Start:
    return deal(GAME, NAMES[:players], pack=pack(), dice=random.Random(seed), options=options)


def begin(decks: Mapping[str, Sequence[str]], options: Mapping[str, Json] | None = None, **setup: Any) -> State:
    """A position in which the decks are known, their upper cards last."""
    setup = {"pile": [TARGET], "decks": decks, "boxed": 0, "hears": True, **setup}
    return GAME.start(Start("piranhas", tuple(decks), options or {}, setup=setup))


def done(state: State, *moves: Move) -> State:
    for move in moves:
        state = GAME.apply(state, move)
    return state


def told(state: State, *moves: Move) -> list[Verdict]:
    verdicts = []
    for move in moves:
        verdict, state = GAME.decide(state, move)
        verdicts.append(verdict)
    return verdicts


def act(player: str, kind: str, *cards: str, **data: Any) -> Move:
    return Move(player, kind, faces(cards), data=data)


def play(player: str, card: str, say: str | None = None) -> Move:
    return Move(player, "play", faces([card]), data={} if say is None else {"say": say})


def could(state: State, player: str, **how: Any) -> set[tuple[Any, ...]]:
    """What a player could do, as (kind, card or call, announcement)."""
    moves = GAME.legal(state, player, **how)
    assert len(moves) == len({repr(move) for move in moves})
    return {(one.kind, *(one.cards or (one.target,)), one.data.get("say")) for one in moves}


# --- dealing ---
@pytest.mark.parametrize(("players", "each", "boxed"), [(2, 26, 0), (3, 17, 1), (4, 13, 0), (5, 10, 2)])
def test_everybody_is_dealt_what_the_table_of_the_rules_says(players: int, each: int, boxed: int) -> None:
    start = dealt(players, options={"more_players": True})
    state = GAME.start(start)
    assert [seat.owned for seat in state.seats] == [each] * players
    assert GAME.observe(state)["boxed"] == boxed
    assert Counter(GAME.inventory(state)) == Counter(pack())


def test_the_target_is_dealt_first_and_the_last_card_of_a_deck_is_its_upper_one() -> None:
    deck = pack()
    setup = GAME.deal(("A", "B"), {}, deck=deck)
    assert setup["pile"] == [deck[0]]
    state = GAME.start(Start("piranhas", ("A", "B"), deck=deck, setup=setup))
    assert ("reveal", deck[26], None) in could(state, "A")
    assert ("reveal", deck[52], None) in could(state, "B")


@pytest.mark.parametrize(
    ("decks", "error"), [({"A": ["R9"], "B": []}, CardError), ({"Z": ["P-R"]}, SetupError), (["P-R"], SetupError)]
)
def test_impossible_decks_are_refused(decks: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        GAME.start(Start("piranhas", ("A", "B"), setup={"pile": [TARGET], "decks": decks}))


# --- what a player could do ---
def test_with_nothing_uncovered_the_upper_card_is_turned_over_played_or_discarded() -> None:
    state = begin({"A": ["P-R", FITS], "B": ["P-K", STUCK]})
    assert could(state, "A") == {("play", FITS, "red"), ("discard", FITS, None), ("reveal", FITS, None)}
    assert could(state, "B") == {("discard", STUCK, None), ("reveal", STUCK, None)}
    assert could(state, TABLE) == set()
    assert could(state, UNCLEAR) == set()


def test_with_a_card_uncovered_only_that_one_is_used() -> None:
    state = done(begin({"A": ["P-R", FITS], "B": ["P-K"]}), act("A", "reveal", FITS))
    assert could(state, "A") == {("play", FITS, "red"), ("discard", FITS, None)}


def test_with_two_cards_uncovered_one_of_them_goes() -> None:
    state = done(begin({"A": ["P-B", STUCK, FITS], "B": ["P-K"]}), act("A", "reveal", FITS), act("A", "reveal", STUCK))
    assert could(state, "A") == {("play", FITS, "red"), ("discard", FITS, None), ("discard", STUCK, None)}


@pytest.mark.parametrize(
    ("pile", "card", "say"),
    [(TARGET, FITS, "red"), (TARGET, "P-K", "piranhas"), ("P-R", "P-K", "piranhas"), ("P-R", STUCK, "fresh-fish")],
)
def test_each_play_is_listed_with_what_is_to_be_said(pile: str, card: str, say: str) -> None:
    state = begin({"A": ["P-B", card], "B": ["P-K"]}, {"announce": "strict"}, pile=[pile])
    assert ("play", card, say) in could(state, "A")
    (move,) = (one for one in GAME.legal(state, "A") if one.kind == "play")
    verdict = GAME.judge(state, move)
    assert (verdict.ruling, verdict.reminders) == ("legal", ())
    assert GAME.judge(state, play("A", card)).ruling == "foul"


def test_in_a_quiet_mode_a_wrong_card_stands_too_but_not_as_the_last_one() -> None:
    quiet: dict[str, Json] = {"calls": "players"}
    assert ("play", STUCK, None) in could(begin({"A": ["P-R", STUCK], "B": ["P-K"]}, quiet), "A")
    assert could(begin({"A": [STUCK], "B": ["P-K"]}, quiet), "A") == {("discard", STUCK, None), ("reveal", STUCK, None)}


def test_while_the_table_is_asked_a_card_turned_over_is_discarded_and_the_uncovered_one_stays_in_the_hand() -> None:
    state = begin({"A": ["P-R", "P-Y"], "B": ["P-K", STUCK, FITS]}, {"calls": "players"})
    state = done(state, act("B", "reveal", FITS), play("A", UNKNOWN), Move("B", "call", target="wrong-card"))
    assert GAME.view(state)["phase"] == "stopped"
    state = done(state, act("B", "reveal", STUCK), Move(TABLE, "start"))
    assert {(kind, card) for kind, card, _ in could(state, "B") if kind == "discard"} == {("discard", FITS)}


def test_the_discard_pile_is_turned_over_when_the_deck_is_used_up_and_not_before() -> None:
    state = begin({"A": [FITS, STUCK], "B": ["P-K"]})
    state = done(state, act("A", "discard", STUCK))
    assert ("turnover", None, None) not in could(state, "A")
    state = done(state, act("A", "reveal", FITS))
    assert could(state, "A") == {("play", FITS, "red"), ("discard", FITS, None), ("turnover", None, None)}
    state = done(state, act("A", "discard", FITS), act("A", "turnover"))
    assert could(state, "A") == {("discard", STUCK, None), ("reveal", STUCK, None)}


def test_turned_over_early_the_discards_go_below_the_deck() -> None:
    state = begin({"A": [FITS, "P-B", STUCK], "B": ["P-K"]})
    verdict, state = GAME.decide(done(state, act("A", "discard", STUCK)), act("A", "turnover"))
    assert [one.rule for one in verdict.reminders] == ["P-D1"]
    state = done(state, act("A", "discard", "P-B"), act("A", "discard", FITS))
    assert could(state, "A") == {("discard", STUCK, None), ("reveal", STUCK, None)}


def test_a_turn_over_that_nobody_saw_is_noticed_when_the_next_card_comes() -> None:
    state = begin({"A": [FITS, STUCK], "B": ["P-K"]})
    state = done(state, act("A", "discard", STUCK), act("A", "discard", FITS), act("A", "reveal", STUCK))
    assert could(state, "A") == {("discard", STUCK, None)}
    assert Counter(GAME.inventory(state)) == Counter([TARGET, FITS, STUCK, "P-K"])


def test_in_a_stop_only_the_restart_is_left_and_after_the_game_nothing() -> None:
    state = done(begin({"A": ["P-R", WRONG], "B": ["P-K"]}), play("A", WRONG))
    assert (could(state, "A"), could(state, "B"), could(state, TABLE)) == (set(), set(), {("start", None, None)})
    state = done(begin({"A": [FITS], "B": ["P-K"]}), play("A", FITS))
    assert GAME.result(state) is not None
    assert standing(GAME, state, ("A", "B")) == ()


def test_before_the_start_the_table_starts_when_everything_is_in_place() -> None:
    decks = dict.fromkeys("ABC", 17)
    ready = GAME.start(Start("piranhas", tuple("ABC"), setup={"phase": "setup", "decks": decks, "boxed": 1}))
    assert (could(ready, TABLE), could(ready, "A")) == ({("start", None, None)}, set())
    missing = GAME.start(Start("piranhas", tuple("ABC"), setup={"phase": "setup", "decks": decks, "boxed": 0}))
    assert could(missing, TABLE) == set()


def test_cards_held_may_be_given() -> None:
    state = GAME.start(Start("piranhas", ("A", "B"), setup={"pile": [TARGET], "counts": {"A": 9, "B": 9}}))
    assert could(state, "A") == set()
    plays = [one for one in GAME.legal(state, "A", held=faces([FITS, WRONG, "P-K", "??"])) if one.kind == "play"]
    assert [one.cards for one in plays] == [(FITS,), ("P-K",), (UNKNOWN,)]
    state = done(state, act("A", "reveal", FITS))
    assert could(state, "A") == {("play", FITS, "red"), ("discard", FITS, None)}
    assert could(state, "A", held=faces(["P-K"])) == set()  # it cannot be played beside the uncovered card


def test_a_known_order_tells_the_upper_card_at_a_real_table() -> None:
    state = GAME.start(Start("piranhas", ("A", "B"), setup={"pile": [TARGET], "counts": {"A": 2, "B": 9}}))
    state = done(state, act("A", "discard", STUCK), act("A", "discard", "P-R"))
    assert ("turnover", None, None) not in could(state, "A")  # whether these two are all is only known by counting
    state = done(state, act("A", "turnover"))
    assert could(state, "A") == {("discard", STUCK, None), ("reveal", STUCK, None)}


# --- "I am stuck" only if it is true (P-E2) ---
CALL = ("call", "stuck", None)


def test_stuck_is_listed_when_no_player_owns_a_card_that_fits() -> None:
    state = begin({"A": [STUCK], "B": ["P-R"]}, boxed=[FITS], unseen=[STUCK, "P-R", FITS])
    assert (CALL in could(state, "A"), CALL in could(state, "B")) == (True, True)
    # The fitting card is in the box, which only the truth tells: until all have pressed it stays undecided.
    verdict, state = GAME.decide(state, Move("A", "call", target="stuck"))
    assert verdict.ruling == "pending"
    assert (CALL in could(state, "A"), CALL in could(state, "B")) == (False, True)
    assert GAME.judge(state, Move("B", "call", target="stuck")).ruling == "accepted"


@pytest.mark.parametrize("hidden", [{"A": [FITS, STUCK], "B": ["P-R"]}, {"A": [STUCK], "B": ["P-R", FITS, "P-G"]}])
def test_stuck_is_not_listed_while_somebody_owns_a_card_that_fits(hidden: dict[str, list[str]]) -> None:
    state = begin(hidden)
    assert CALL not in could(state, "A")
    assert CALL not in could(state, "B")


@pytest.mark.parametrize(
    ("setup", "listed"),
    [
        ({"unseen": ["P-R", STUCK]}, True),  # counting shows that nothing fits
        ({"unseen": ["P-R", FITS]}, False),
        ({}, False),  # nobody knows
        ({"decks": {"A": 1, "B": 1}, "unseen": ["P-R", STUCK]}, True),
        ({"decks": {"A": [FITS], "B": 1}, "unseen": ["P-R", FITS]}, False),
        ({"pile": ["??"], "unseen": ["P-R", STUCK]}, False),
    ],
)
def test_without_the_truth_stuck_is_listed_only_when_counting_shows_it(setup: dict[str, Any], listed: bool) -> None:
    given = {"pile": [TARGET], "counts": {"A": 1, "B": 1}, "boxed": 0, **setup}
    state = GAME.start(Start("piranhas", ("A", "B"), setup=given))
    assert (CALL in could(state, "A")) == listed


# --- no verdict hangs on a card that nobody saw ---
def test_the_same_moves_get_the_same_verdicts_however_the_decks_lie() -> None:
    """Two deals with the same target; the moves are those of a game with the first one, and some that are wrong."""
    for seed in range(8):
        dice = random.Random(seed)
        options: dict[str, Json] = {"calls": dice.choice(["referee", "players"]), "series": 1}
        start = dealt(3, seed, options)
        target, *rest = start.deck
        other = GAME.deal(start.players, options, deck=(target, *reversed(rest)))
        one, two = GAME.start(start), GAME.start(Start("piranhas", start.players, options, start.deck, other))
        for move in [turn.move for turn in play_out(GAME, start, dice=dice)]:
            card = dice.choice(start.deck)
            for attempt in (
                move,
                Move(dice.choice(start.players), dice.choice(["play", "discard", "reveal"]), (card,)),
            ):
                assert GAME.judge(one, attempt) == GAME.judge(two, attempt)
            one, two = GAME.apply(one, move), GAME.apply(two, move)
            assert GAME.view(one) == GAME.view(two)
            assert GAME.knowledge(one) == GAME.knowledge(two)


def test_a_card_from_within_the_deck_is_found_out_only_where_everybody_knows_the_order() -> None:
    state = begin({"A": [FITS, STUCK], "B": ["P-K"]})
    assert GAME.judge(state, play("A", FITS, "red")).ruling == "legal"
    assert ("discard", STUCK, None) in could(done(state, play("A", FITS, "red")), "A")
    state = done(state, act("A", "discard", STUCK), act("A", "discard", FITS), act("A", "turnover"))
    assert GAME.judge(state, play("A", FITS, "red")).rules == ("P-G2",)
    verdict, after = GAME.decide(state, act("A", "discard", FITS))
    assert (verdict.ruling, verdict.rules, [step.how for step in verdict.remedy]) == ("foul", ("P-G2",), ["back"])
    assert after == state


def test_whoever_holds_a_card_and_lays_another_aside_has_turned_over_two() -> None:
    """The other one lies where P-G7 wants it, so nothing is left to be done; one card shown twice is no second card."""
    state = begin({"A": ["P-R", FITS, STUCK], "B": ["P-K"]})
    held = done(state, act("A", "reveal", STUCK))
    verdict, again = GAME.decide(held, act("A", "reveal", STUCK))
    assert (verdict.ruling, verdict.rules, again) == ("legal", (), held)
    verdict, after = GAME.decide(held, act("A", "discard", FITS))
    assert (verdict.ruling, verdict.rules, verdict.remedy) == ("foul", ("P-G7",), ())
    seat = after.seats[0]
    assert (seat.uncovered, seat.discards, seat.owned) == ((STUCK,), (FITS,), 3)


# --- every card is somewhere ---
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"calls": "players", "reshuffle_on_turnover": True}])
def test_random_games_end_and_keep_every_card(players: int, options: dict[str, Json]) -> None:
    for seed in range(5):
        start = dealt(players, seed, options)
        turns = list(play_out(GAME, start, dice=random.Random(seed)))
        assert len(turns) < GAME.most_moves
        last = turns[-1].after
        assert isinstance(last, State)
        assert GAME.result(last) is not None
        for turn in turns:
            assert isinstance(turn.after, State)
            assert Counter(GAME.inventory(turn.after)) == Counter(start.deck)


def test_penalties_calls_and_cards_in_a_stop_keep_every_card() -> None:
    decks = {"A": ["P-R", "P-Y", WRONG], "B": ["P-K", STUCK], "C": ["P-W", "P-O"]}
    state = begin(decks, pile=["R1+B2+K3", TARGET])
    everything = Counter(GAME.inventory(state))
    moves = [
        act("B", "reveal", STUCK),
        play("A", WRONG),  # a stop: B lays STUCK down, A takes two cards
        act("B", "discard", STUCK),  # that is what B had to do
        play("C", "P-O"),  # too late, goes on C's discard pile
        act("A", "reveal", "P-Y"),  # so does this one
        act("C", "play", "P-O"),  # and this one is there already
        act(TABLE, "start"),
        play("C", "P-W", "piranhas"),
        Move("A", "call", target="wrong-card"),  # it fits: A takes it
        act(TABLE, "repaired", go=True),
    ]
    for move in moves:
        state = GAME.apply(state, move)
        assert Counter(GAME.inventory(state)) == everything, move
    assert [seat.owned for seat in state.seats] == [5, 2, 1]


def test_a_penalty_that_nobody_has_owned_up_to_is_counted_until_then() -> None:
    state = begin({"A": ["P-R", STUCK], "B": ["P-K", WRONG]}, pile=["R1+B2+K3", TARGET])
    everything = Counter(GAME.inventory(state))
    state = done(state, play(UNCLEAR, WRONG))
    assert Counter(GAME.inventory(state)) == everything + Counter([WRONG])  # still in somebody's deck, for all we know
    state = done(state, Move("B", "call", target="mine"))
    assert Counter(GAME.inventory(state)) == everything


def test_at_a_real_table_the_cards_are_counted_unseen() -> None:
    setup: dict[str, Json] = {"pile": [TARGET], "counts": {"A": 3}, "boxed": 2, "holding": ["A"]}
    state = GAME.start(Start("piranhas", ("A", "B"), setup=setup))
    assert Counter(GAME.inventory(state)) == Counter([TARGET, *["??"] * 5])


# --- hints ---
@pytest.mark.parametrize("hints", [True, False])
def test_phones_show_uncovered_cards_only_with_hints(hints: bool) -> None:
    state = done(begin({"A": ["P-R", FITS], "B": ["P-K"]}, {"hints": hints}), act("A", "reveal", FITS))
    players = GAME.view(state)["players"]
    assert isinstance(players, list)
    assert [one.get("known") for one in players] == ([[FITS], []] if hints else [None, None])
    assert GAME.knowledge(state)["A"] == (1, (FITS,))
    assert [one.ruling for one in told(state, Move("B", "call", target="stuck"))] == ["pending"]
