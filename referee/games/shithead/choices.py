"""Shithead: every move that would stand now, for simulations and checks: here alone the true hands are looked at.

Sets of cards are prepared once per rank and kept: the list of moves is put together from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product

from referee.cards import UNKNOWN, Face, is_known
from referee.games.seats import Seat, seat_of
from referee.games.shithead.ending import is_offered
from referee.games.shithead.hands import BLIND, HAND, OPEN
from referee.games.shithead.lay import judge, names_for_jokers, read_laid
from referee.games.shithead.pickup import can_take_along
from referee.games.shithead.play import play
from referee.games.shithead.ranks import JOKER, JOKER_FACE, UNREAD, may_fit, rank_of, together, word
from referee.games.shithead.setup import may_swap, setup_faults
from referee.games.shithead.state import State
from referee.moves import TABLE, Json, Move

__all__ = ["only_turn_acts", "standing"]

Moves = tuple[Move, ...]

_THREE = 3


def standing(state: State, player: str, held: tuple[Face, ...] | None) -> Moves:
    """Every move of `player` that would stand; `held` is the hand, where the state does not know it.

    Sets of cards are listed once, in the order of their names. One exception from standing: a player who has only
    face-down cards left must turn one over (S-A29), so where none of them fits those that do not are listed.
    """
    if player == TABLE:
        return _of_table(state)
    seat = seat_of(state.seats, player)
    if seat is None or state.phase == "over" or (state.phase == "setup" and setup_faults(state)):
        return ()
    hand = seat.hand if held is None else held
    known = None if hand is None or UNKNOWN in hand else hand
    swaps = _swaps(seat, known) if known and may_swap(state, seat) else ()
    if state.waiting is not None:
        return swaps + (_names(player, names_for_jokers(state)) if state.waiting.player == player else ())
    if player != state.turn:
        return swaps + _out_of_turn(state, seat, known)
    if state.owing:
        return swaps + _takes(state, seat)
    return swaps + _in_turn(state, seat, known)


def only_turn_acts(state: State) -> bool:
    """Whether it is plain that nobody but the player in turn can do anything now."""
    if state.phase != "playing" or state.maybe or state.waiting is not None:
        return False
    rules = state.rules
    return rules.swap == "phase" and not (rules.burn_in or rules.follow_up or is_offered(state))


def _of_table(state: State) -> Moves:
    if state.phase == "setup":
        return () if setup_faults(state) else (Move(TABLE, "start"),)
    return (Move(TABLE, "call", target="stop"),) if is_offered(state) else ()


def _swaps(seat: Seat, hand: tuple[Face, ...]) -> Moves:
    opens = [card for card in sorted(set(seat.open or ())) if is_known(card)]
    return tuple(_swap(seat.name, card, one) for card in sorted(set(hand)) for one in opens)


@cache
def _swap(player: str, hand: Face, lying: Face) -> Move:
    return Move(player, "swap", data={"swap": {"hand": hand, "open": lying}})


@cache
def _names(player: str, ranks: tuple[int, ...]) -> Moves:
    return tuple(Move(player, "name", target=word(rank)) for rank in ranks)


def _in_turn(state: State, seat: Seat, hand: tuple[Face, ...] | None) -> Moves:
    if seat.hand == () and seat.open == ():
        return _flips(state, seat)
    if seat.hand == ():
        plays = _plays(state, seat, _fitting(state, seat.open or ()), OPEN)
    elif hand is None:
        return _takes(state, seat) if state.rules.voluntary_pickup and state.pile else ()
    else:
        groups = _fitting(state, hand)
        plays = _plays(state, seat, groups, HAND)
        if groups and seat.open and (state.rules.hand_plus_open == "same_rank" or _is_one_rank(hand)):
            plays += tuple(_plays_with_open(state, seat, tuple(sorted(hand))))
    may_take = not plays or (state.rules.voluntary_pickup and bool(state.pile))
    return plays + _takes(state, seat) if may_take else plays


def _fitting(state: State, cards: tuple[Face, ...]) -> dict[int, tuple[Face, ...]]:
    """Those of `cards` that fit, or may, by their ranks."""
    fitting = may_fit(state.rules.ten, state.top.bars)
    groups: dict[int, tuple[Face, ...]] = {}
    for card in sorted(filter(fitting.__contains__, cards)):
        rank = fitting[card]
        groups[rank] = (*groups[rank], card) if rank in groups else (card,)
    return groups


def _plays(state: State, seat: Seat, groups: dict[int, tuple[Face, ...]], source: str) -> Moves:
    """Plays of one rank, with and without jokers, and of jokers alone, of fitting cards in groups of one rank."""
    jokers = len(groups[JOKER]) if JOKER in groups else 0
    of_rank = _plays_of(seat.name, jokers, source)
    moves: Moves = ()
    for rank, cards in groups.items():
        if rank != JOKER:
            moves += of_rank[cards]
    if jokers:
        moves += _of_jokers(seat.name, jokers, source, names_for_jokers(state))
    if state.rules.no_special_finish and state.draw == ():
        return tuple(move for move in moves if _stands(state, seat, move))
    return moves


class _PlaysOf(dict[tuple[Face, ...], Moves]):
    """By the cards of one rank that a player has: every choice of one or more, alone or with up to so many jokers."""

    def __init__(self, player: str, jokers: int, source: str) -> None:
        super().__init__()
        self._player, self._jokers, self._source = player, jokers, source

    def __missing__(self, cards: tuple[Face, ...]) -> Moves:
        self[cards] = moves = tuple(
            _play(self._player, some + (JOKER_FACE,) * count, source=self._source)
            for some in _choices(cards)
            for count in range(self._jokers + 1)
        )
        return moves


@cache
def _plays_of(player: str, jokers: int, source: str) -> _PlaysOf:
    return _PlaysOf(player, jokers, source)


@cache
def _of_jokers(player: str, jokers: int, source: str, ranks: tuple[int, ...]) -> Moves:
    """One joker or several, without a rank, to be named afterwards, or with one."""
    return tuple(
        _play(player, (JOKER_FACE,) * count, source=source, named=named)
        for count in range(1, jokers + 1)
        for named in (0, *ranks)
    )


def _play(player: str, cards: tuple[Face, ...], *, source: str, along: tuple[Face, ...] = (), named: int = 0) -> Move:
    data: dict[str, Json] = {} if source == HAND else {"from": source}
    if along:
        data["with"] = list(along)
    if named:
        data["as"] = word(named)
    return Move(player, "play", cards, data=data)


def _plays_with_open(state: State, seat: Seat, hand: tuple[Face, ...]) -> Iterator[Move]:
    """Hand cards with open ones (S-M3, S-M4)."""
    opens = tuple(sorted(filter(is_known, seat.open or ())))
    for cards in _hand_sets_for_open(state, hand):
        for along in _choices(_joining(cards, opens)):
            jokers_only = {*cards, *along} == {JOKER_FACE}
            for named in (0, *names_for_jokers(state)) if jokers_only else (0,):
                move = _play(seat.name, cards, source=HAND, along=along, named=named)
                if _stands(state, seat, move) and _all_of_rank(state, hand, cards, along, named):
                    yield move


def _joining(cards: tuple[Face, ...], opens: tuple[Face, ...]) -> tuple[Face, ...]:
    """The open cards that may go with `cards`: jokers and those of their rank; with jokers or 3s it may be any."""
    rank = together(cards).rank
    return tuple([card for card in opens if rank_of(card) in (rank, JOKER)]) if rank not in (UNREAD, _THREE) else opens


def _is_one_rank(hand: tuple[Face, ...]) -> bool:
    first = rank_of(hand[0])
    for card in hand:
        rank = rank_of(card)
        if rank not in (first, JOKER):
            if first != JOKER:
                return False
            first = rank
    return True


def _hand_sets_for_open(state: State, hand: tuple[Face, ...]) -> tuple[tuple[Face, ...], ...]:
    """The hand cards that open ones may join: the whole hand, or at some tables all of one rank."""
    if state.rules.hand_plus_open != "same_rank":
        return (hand,)
    ranks = {rank_of(card) for card in hand} - {JOKER}
    sets = [tuple(card for card in hand if rank_of(card) == rank) for rank in sorted(ranks)]
    jokers = range(hand.count(JOKER_FACE) + 1)
    some = ((*cards, *(JOKER_FACE,) * count) for cards in (*sets, ()) for count in jokers)
    return tuple(cards for cards in some if cards)


@lru_cache(maxsize=4096)
def _choices(cards: tuple[Face, ...]) -> tuple[tuple[Face, ...], ...]:
    """Every choice of one or more of the cards, small ones first; equal faces make no difference."""
    copies = Counter(cards)
    counts = product(*(range(times + 1) for times in copies.values()))
    some = [tuple(face for face, times in zip(copies, taken, strict=True) for _ in range(times)) for taken in counts]
    return tuple(sorted(filter(None, some), key=lambda one: (len(one), one)))


def _all_of_rank(
    state: State, hand: tuple[Face, ...], cards: tuple[Face, ...], along: tuple[Face, ...], named: int
) -> bool:
    """Whether no card of the played rank stays in the true hand (`hand_plus_open: same_rank`)."""
    if len(cards) == len(hand) or state.rules.hand_plus_open != "same_rank":
        return True
    ranks = {named, *map(rank_of, (*cards, *along))} - {JOKER}
    return sum(rank_of(card) in ranks for card in hand) == sum(rank_of(card) in ranks for card in cards)


def _stands(state: State, seat: Seat, move: Move) -> bool:
    judged = judge(state, read_laid(seat, move))
    return not judged.fault and not judged.wrong


def _flips(state: State, seat: Seat) -> Moves:
    """Face-down cards that fit; where none does, those that do not."""
    names = names_for_jokers(state)
    flips: list[Move] = []
    for card in sorted(set(filter(is_known, seat.hidden or ()))):
        joker = card == JOKER_FACE
        flips += _of_jokers(seat.name, 1, BLIND, names) if joker else _plays_of(seat.name, 0, BLIND)[(card,)]
    return tuple(move for move in flips if _stands(state, seat, move)) or tuple(flips)


def _takes(state: State, seat: Seat) -> Moves:
    """The pile, alone and with open cards of one rank (S-T3); where some must come along, only with them."""
    pile = _take(seat.name)
    if not can_take_along(state, seat):
        return (pile,)
    some = tuple(
        Move(seat.name, "take", target="pile", data={"with": list(along)})
        for along in _choices(tuple(sorted(filter(is_known, seat.open or ()))))
        if _is_one_rank(along)
    )
    return some if state.rules.take_open_on_pickup == "must" else (pile, *some)


@cache
def _take(player: str) -> Move:
    return Move(player, "take", target="pile")


def _out_of_turn(state: State, seat: Seat, hand: tuple[Face, ...] | None) -> Moves:
    """Plays that stand although it is somebody else's turn (`burn_in`, `follow_up`, an unread card).

    Jokers alone are left out: they need a rank at once there, which no camera sees.
    """
    rules = state.rules
    if not (rules.burn_in or rules.follow_up or seat.name in state.maybe) or seat.name in state.out:
        return ()
    moves = [move for move in _in_turn(state, seat, hand) if move.kind == "play" and "as" not in move.data]
    return tuple(move for move in moves if play(state, move)[0]().ruling in ("legal", "pending"))
