"""Shithead: cards that are laid, judged: where they come from, one rank or not, high enough or not (S-K, S-X, S-M).

Nothing here looks at a card that nobody saw: a hand counts by its size and by the cards that are shown from it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from referee.cards import BACK, UNKNOWN, Face, faces
from referee.errors import MoveError
from referee.games.seats import Seat
from referee.games.shithead.hands import BLIND, ELSEWHERE, HAND, OPEN, left_over, without
from referee.games.shithead.ranks import (
    JOKER,
    JOKER_FACE,
    RANKS,
    SPECIAL_LAST,
    UNREAD,
    Bar,
    Together,
    height_fault,
    is_wild_name,
    match,
    rank_named,
    rank_of,
    together,
)
from referee.games.shithead.state import State
from referee.moves import Json, Move

__all__ = ["Judged", "Laid", "fits_alone", "judge", "kept", "names_for_jokers", "open_cards", "read_laid"]

_THREE = 3


class Laid(NamedTuple):
    """Cards on their way to the pile.

    source  where `cards` come from
    along   open cards added to hand cards
    named   the rank named for jokers, `UNREAD` for none
    """

    seat: Seat
    cards: tuple[Face, ...]
    source: str = HAND
    along: tuple[Face, ...] = ()
    named: int = UNREAD

    @property
    def everything(self) -> tuple[Face, ...]:
        """All cards, the one that ends on top last."""
        return self.cards + self.along if self.along else self.cards


class Judged(NamedTuple):
    """What laid cards are worth.

    fault     the broken rule because of which they do not lie there, or ""
    case      which sentence tells that
    rank      the effective rank; `UNREAD` where nobody knows
    inherits  they are 3s that inherit it (S-M4)
    wrong     open cards that may not join: they go back, and without a `fault` only they (S-A42, rule `joined`)
    sure      False where it hangs on a card that nobody has read
    unnamed   they are jokers that need a rank first (S-XJ)
    """

    fault: str = ""
    case: str = ""
    rank: int = UNREAD
    inherits: bool = False
    wrong: tuple[Face, ...] = ()
    joined: str = ""
    sure: bool = True
    unnamed: bool = False


_SOURCES = {"hand": HAND, "open": OPEN, "blind": BLIND, "discard": ELSEWHERE, "draw": ELSEWHERE}


def read_laid(seat: Seat, move: Move) -> Laid:
    """The play written down as `move`. Raises `MoveError` or `CardError` when it cannot be read."""
    if not move.cards:
        raise MoveError("A card was played, but which one is not said.", hint="Write ?? for a card nobody has read.")
    together(move.cards)  # says so if a face is none
    data = move.data
    if not data:
        return Laid(seat, move.cards, HAND if seat.hand else _usual_source(seat))
    along = open_cards(data.get("with"))
    named = UNREAD if data.get("as") is None else rank_named(data["as"])
    return Laid(seat, move.cards, _source(seat, data.get("from")), along, named)


def _source(seat: Seat, told: Json) -> str:
    if told is None:
        return _usual_source(seat)
    if isinstance(told, str) and told in _SOURCES:
        return _SOURCES[told]
    raise MoveError(f"Cards cannot come from {told!r}.", hint=f"Possible: {', '.join(_SOURCES)}.")


def _usual_source(seat: Seat) -> str:
    """Where nobody says from where: what the order of S-K1 leaves."""
    if seat.hand != ():
        return HAND
    return BLIND if seat.open == () and seat.hidden != () else OPEN if seat.open != () else HAND


def open_cards(told: Json) -> tuple[Face, ...]:
    """The open cards that come along with something, as written under `with`. Raises `MoveError` or `CardError`."""
    if told is None:
        return ()
    if isinstance(told, str) or not isinstance(told, list | tuple):
        raise MoveError(f"{told!r} are no open cards that come along.", hint="Write them as a list.")
    cards = faces(told)
    for card in cards:
        rank_of(card)
    return cards


def judge(state: State, laid: Laid) -> Judged:
    """What the cards are worth on the pile as it lies: the first broken rule in the order of S-A46."""
    if laid.source != HAND:
        source = _source_fault(laid)
        if source:
            return Judged(source, case="several" if source == "S-K5" and len(laid.cards) > 1 else "")
    if state.draw == () and _inherits(laid):
        return _judge_inheriting(state, laid)
    wrong = _wrong_open_cards(state, laid) if laid.along else ()
    judged = _judge_rank(state, kept(laid, wrong) if wrong else laid)
    if judged.fault and laid.source == BLIND:
        return _seen_blind(judged, laid)
    return judged._replace(wrong=wrong, joined="S-M3") if wrong else judged


def kept(laid: Laid, wrong: tuple[Face, ...]) -> Laid:
    """The play without the open cards that may not join."""
    return laid if not wrong else laid._replace(along=without(laid.along, wrong) or ())


def _source_fault(laid: Laid) -> str:
    """S-K1, S-K4, S-K5, S-A27, S-A28: first the hand, then the open cards, then one face-down card."""
    seat, source = laid.seat, laid.source
    if source == OPEN:
        return "S-K4" if seat.hand else ""
    if source == BLIND:
        return "S-K5" if seat.hand or seat.open or len(laid.cards) > 1 else ""
    return "S-K1"


def _inherits(laid: Laid) -> bool:
    """S-M4, S-A6, S-A43: the whole hand, only real 3s; that the draw pile is empty is known already."""
    kind, hand = together(laid.cards), laid.seat.hand
    if kind.rank != _THREE or kind.unread or kind.jokers or laid.source != HAND:
        return False
    return hand is not None and len(laid.cards) >= len(hand) > 0


def _judge_inheriting(state: State, laid: Laid) -> Judged:
    rank = state.top.rank if state.pile else _THREE
    may_join = (rank, JOKER, UNREAD)
    wrong = tuple(card for card in laid.along if rank_of(card) not in may_join) if rank != UNREAD else ()
    if _forbidden_finish(state, kept(laid, wrong)):
        return Judged("S-G", rank=rank, inherits=True, wrong=wrong)
    sure = rank != UNREAD and all(rank_of(card) != UNREAD for card in laid.along)
    return Judged(rank=rank, inherits=True, wrong=wrong, joined="S-M4" if wrong else "", sure=sure)


def _wrong_open_cards(state: State, laid: Laid) -> tuple[Face, ...]:
    """The open cards that may not go with these hand cards (S-M3, S-A26, option `hand_plus_open`)."""
    if laid.source != HAND:
        return ()
    kind = together(laid.cards)
    rank = kind.rank or (_rank_for_jokers(laid) if kind.jokers == len(laid.cards) else UNREAD)
    if kind.several or not _may_join(state, laid, rank):
        return laid.along
    return tuple(card for card in laid.along if rank != UNREAD and rank_of(card) not in (rank, JOKER, UNREAD))


def _rank_for_jokers(laid: Laid) -> int:
    """The rank that jokers from the hand take from the open cards with them (S-A11)."""
    ranks = [rank for rank in map(rank_of, laid.along) if rank != JOKER]
    return laid.named if laid.named in ranks or not ranks else ranks[0]


def _may_join(state: State, laid: Laid, rank: int) -> bool:
    option, hand = state.rules.hand_plus_open, laid.seat.hand
    if option == "never":
        return False
    if hand is None or len(laid.cards) >= len(hand):
        return True
    if option == "whole_hand":
        return False
    left = without(laid.seat.known, [card for card in laid.cards if match(laid.seat.known, card) is not None])
    return all(rank_of(card) != rank for card in left or ())


def _judge_rank(state: State, laid: Laid) -> Judged:
    """One rank (S-K3, S-A11), its height (S-K2, S-X7, S-XJ), and whether one may finish with it (S-A32)."""
    rules, bars = state.rules, state.top.bars
    judged = _on_bars(laid.cards + laid.along, laid.named, bars, rules.ten, rules.joker)
    if rules.no_special_finish and judged.fault != "S-K3" and _forbidden_finish(state, laid):
        kind = together(laid.everything)
        fault = _height_fault(kind, laid.named, bars, rules.ten, rules.joker)
        return Judged(fault or "S-G", rank=kind.rank or laid.named)
    return judged


@lru_cache(maxsize=1 << 14)
def _on_bars(cards: tuple[Face, ...], named: int, bars: tuple[Bar, ...], ten: str, joker: str) -> Judged:
    """What cards are worth where the next one has to beat `bars`, under the options `ten` and `joker`."""
    kind = together(cards)
    if kind.several:
        return Judged("S-K3")
    rank = kind.rank or named
    if rank == UNREAD or (kind.unread and not kind.rank):
        return Judged(sure=False) if kind.unread else Judged(unnamed=True)
    fault = _height_fault(kind, named, bars, ten, joker)
    return Judged(fault, rank=rank) if fault else Judged(rank=rank, sure=fault == "" and not kind.unread)


def _height_fault(kind: Together, named: int, bars: tuple[Bar, ...], ten: str, joker: str) -> str | None:
    """The broken rule of height, "" for none; None where a card that nobody has read decides."""
    if kind.rank:
        return height_fault(ten, bars, kind.rank)
    return _name_fault(named, bars, ten, joker) if named != UNREAD else ""


def _name_fault(rank: int, bars: tuple[Bar, ...], ten: str, joker: str) -> str | None:
    """The rule that jokers break which are named `rank`; as `height_fault`."""
    if joker == "free":
        return ""
    return height_fault(ten, bars, rank) if is_wild_name(rank, joker) else "S-XJ"


def names_for_jokers(state: State) -> tuple[int, ...]:
    """The ranks that jokers alone may be named now (S-XJ, S-A10)."""
    return _names(state.rules.ten, state.rules.joker, state.top.bars)


@cache
def _names(ten: str, joker: str, bars: tuple[Bar, ...]) -> tuple[int, ...]:
    return tuple(rank for rank in RANKS if not _name_fault(rank, bars, ten, joker))


def _forbidden_finish(state: State, laid: Laid) -> bool:
    """Whether the player would get rid of everything with a card that option `no_special_finish` forbids (S-A32)."""
    if not state.rules.no_special_finish or state.draw != ():
        return False
    special = any(rank_of(card) in SPECIAL_LAST for card in laid.everything)
    left = left_over(laid.seat)
    return special and left is not None and left <= len(laid.everything)


def _seen_blind(judged: Judged, laid: Laid) -> Judged:
    """A face-down card that does not go (S-M2); a joker is only named again (S-A12)."""
    named_again = set(laid.cards) == {JOKER_FACE} and judged.fault != "S-G"
    if named_again or judged.fault == "S-G":
        return judged
    return judged._replace(fault="S-M2", case=judged.fault)


def fits_alone(state: State, seat: Seat, card: Face, source: str) -> bool:
    """Whether this one card, from where it lies, could surely be played now (S-T1)."""
    if card in (UNKNOWN, BACK):
        return False
    judged = judge(state, Laid(seat, (card,), source))
    return not judged.fault and judged.sure
