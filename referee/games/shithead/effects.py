"""Shithead: what follows when cards lie there: burning, skipping, refilling, finishing, whose turn (S-X8 to S-T4).

The ruling notes are section 5 of the rules.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.cards import Face
from referee.games.seats import Cards, Seat, with_seat
from referee.games.shithead.claims import showed, took, without_certain
from referee.games.shithead.ending import finish
from referee.games.shithead.hands import HAND, is_out, leave, refill
from referee.games.shithead.lay import Judged, Laid
from referee.games.shithead.ranks import ANYTHING, UNREAD, Bar, bars_of
from referee.games.shithead.state import NOTHING, Due, Last, State, Top
from referee.knowledge import Claim

__all__ = ["FOUR", "Effects", "next_players", "stand"]

_THREE, _SEVEN, _EIGHT, _TEN = 3, 7, 8, 10
_NOTHING: tuple[str, ...] = ()
FOUR: Final = 4
"""So many equal ranks in a row clear the pile (S-M1)."""


class Effects(NamedTuple):
    """What a play has caused, for those who tell it.

    burnt    the cards that leave the game, because of the rule `rule` (S-X10, S-M1)
    drawn    how many cards its player draws (S-T4)
    skipped  who is skipped (S-X8)
    proves   rules that an earlier claim is now shown to have broken
    """

    burnt: tuple[Face, ...] = ()
    rule: str = ""
    drawn: int = 0
    skipped: tuple[str, ...] = ()
    proves: tuple[str, ...] = ()


def stand(state: State, laid: Laid, judged: Judged, *, readings: tuple[Face, ...] = ()) -> tuple[State, Effects]:
    """The table after the cards lie there, their owner has refilled the hand and the next player is due.

    `readings` are the plausible faces of an unread card.
    """
    player, rank = laid.seat.name, judged.rank
    top, eights = _top(state, laid, judged, readings)
    if player != state.turn and state.last is not None and state.last.player == player:
        eights += state.last.eights  # cards that are added belong to the play that they are added to (S-A35)
    burns = "S-X10" if rank == _TEN else "S-M1" if top.run >= FOUR else ""
    pile = state.pile + laid.everything
    seat, draw, drawn, claims, proves = _hand_after(state, laid)
    out = (*state.out, player) if judged.sure and is_out(seat) else state.out
    turn, skipped = next_players(state, player, out, eights=0 if burns else eights)
    again = bool(burns) and player not in out
    after = state._replace(
        seats=with_seat(state.seats, seat),
        turn=player if again else turn,
        phase="playing",
        pile=() if burns else pile,
        top=NOTHING if burns else top,
        draw=draw,
        burnt=state.burnt + pile if burns else state.burnt,
        burned=bool(burns),
        out=out,
        claims=claims,
        due=Due(player, "draw", drawn) if drawn else None,
        waiting=None,
        extra=burns if again else "",
        skipped=skipped,
        maybe=_maybe(state, laid, out, turn=turn) if rank == UNREAD else (),
        last=Last(player, rank, eights),
        asks=() if burns else state.asks,
        stop=None,
        turns=state.turns + 1,
    )
    if len(out) >= len(state.seats) - 1:
        after = finish(after, "last-card", ranks=_effective(state, judged))
    return after, Effects(pile if burns else (), burns, drawn, skipped, proves)


def _hand_after(state: State, laid: Laid) -> tuple[Seat, Cards, int, tuple[Claim, ...], tuple[str, ...]]:
    """The player's seat after the play and the refill (S-A22), the draw pile, the cards drawn, the claims."""
    claims, proves = state.claims, _NOTHING
    if claims and laid.source == HAND:
        claims, proves = showed(claims, laid.seat, laid.cards)
    seat, draw, drawn = refill(leave(laid.seat, laid.cards, laid.source, laid.along), state.draw)
    seat = seat._replace(played=seat.played + len(laid.everything))
    if claims:
        claims = without_certain(took(claims, seat.name, (), unseen=drawn), seat)
    return seat, draw, drawn, claims, proves


def _top(state: State, laid: Laid, judged: Judged, readings: tuple[Face, ...]) -> tuple[Top, int]:
    """What then lies on top, and how many 8s of the play skip somebody."""
    rank, rules = judged.rank, state.rules
    if rank == UNREAD:
        return Top(UNREAD, 0, state.top.bars if judged.inherits else bars_of(readings) if readings else ANYTHING), 0
    row = laid.along if _is_bare(state, judged) else laid.everything
    before = 0 if row is laid.along or state.top.rank != rank else state.top.run
    bars: tuple[Bar, ...] = (Bar(rank, rank == _SEVEN and bool(row)),)
    if rank == _THREE and rules.three == "mirror" and not judged.inherits and state.pile:
        bars = state.top.bars
    return Top(rank, before + len(row), bars), len(row) if rank == _EIGHT else 0


def _is_bare(state: State, judged: Judged) -> bool:
    """Whether only the height is inherited (option `inherit_effects: rank_only`); an inherited 3 is a 3."""
    return judged.inherits and state.rules.inherit_effects == "rank_only" and judged.rank != _THREE


def _effective(state: State, judged: Judged) -> frozenset[int]:
    """The ranks that the cards of a play count as (S-A38); 3s that inherit only the height are 3s."""
    return frozenset({judged.rank, _THREE}) if _is_bare(state, judged) else frozenset({judged.rank})


def next_players(state: State, player: str, out: tuple[str, ...], *, eights: int = 0) -> tuple[str, tuple[str, ...]]:
    """Who acts after `player` when so many 8s skip somebody, and who is skipped (S-X8, S-A14, S-A15, S-A33)."""
    names = [seat.name for seat in state.seats]
    place = names.index(player) + 1
    circle = [name for name in names[place:] + names[:place] if name not in out]
    if not circle:
        return player, ()
    if state.rules.skip_wrap == "not_self" and circle[-1] == player:
        eights = min(eights, len(circle) - 1)
    return circle[eights % len(circle)], tuple(dict.fromkeys(circle[number % len(circle)] for number in range(eights)))


def _maybe(state: State, laid: Laid, out: tuple[str, ...], *, turn: str) -> tuple[str, ...]:
    """Who else may be next after cards that nobody has read: they may be 8s, or burn the pile."""
    skipping, _ = next_players(state, laid.seat.name, out, eights=len(laid.everything))
    return tuple(name for name in dict.fromkeys((laid.seat.name, skipping)) if name != turn)
