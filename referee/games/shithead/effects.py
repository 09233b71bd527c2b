"""Shithead: what follows when cards lie there: burning, skipping, refilling, finishing, whose turn (S-X8 to S-T4).

The ruling notes are section 5 of the rules.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from referee.cards import Face
from referee.games.seats import with_seat
from referee.games.shithead.claims import NO_RULE, showed
from referee.games.shithead.ending import finish
from referee.games.shithead.hands import HAND, is_out, played
from referee.games.shithead.lay import Judged, Laid
from referee.games.shithead.ranks import UNREAD, Bar, bars_of
from referee.games.shithead.state import NOTHING, Due, Last, State, Top

__all__ = ["FOUR", "next_players", "stand"]

_THREE, _SEVEN, _EIGHT, _TEN = 3, 7, 8, 10
FOUR: Final = 4
"""So many equal ranks in a row clear the pile (S-M1)."""


def stand(state: State, laid: Laid, judged: Judged, readings: tuple[Face, ...] = ()) -> tuple[State, tuple[str, ...]]:
    """The table after the cards lie there, their owner has refilled the hand and the next player is due.

    With it the rules that an earlier claim is now shown to have broken. `readings` are the plausible faces of an unread
    card.
    """
    before, cards, source, along, _ = laid
    player, rank, claims, proves, out = before.name, judged.rank, state.claims, NO_RULE, state.out
    top, eights = _top(state, laid, judged, readings)
    if player != state.turn:
        eights += _added_to(state.last, player)
    burns = "S-X10" if rank == _TEN else "S-M1" if top.run >= FOUR else ""
    seat, draw, drawn = played(before, cards, source, along, state.draw)
    if claims:
        claims, proves = showed(claims, before, cards if source == HAND else (), seat, drawn=drawn)
    if not seat.hand and judged.sure and is_out(seat):
        out = (*out, player)
    turn, skipped = next_players(state, player, out, eights=0 if burns else eights)
    again = burns != "" and player not in out
    pile = state.pile + cards + along
    # In the order of the fields: to replace most of them by name costs more than everything else here.
    after = State(
        state.rules,
        state.names,
        with_seat(state.seats, seat),
        player if again else turn,
        "playing",
        () if burns else pile,
        NOTHING if burns else top,
        draw,
        state.burnt + pile if burns else state.burnt,
        burns != "",
        out,
        claims,
        _drawing(player, drawn) if drawn else None,
        None,  # waiting
        False,  # owing
        burns if again else "",
        skipped,
        () if rank else _maybe(state, laid, out, turn=turn, readings=readings),
        _last(player, rank, eights),
        () if burns else state.asks,
        None,  # stop
        state.turns + 1,
        *state[22:],  # what no play changes unless it ends the game: from `offered` on
    )
    if len(out) >= len(state.seats) - 1:
        after = finish(after, "last-card", ranks=_effective(state, judged))
    return after, proves


def _added_to(last: Last | None, player: str) -> int:
    """The 8s of the play that somebody adds to: added cards belong to it (S-A35)."""
    return last.eights if last is not None and last.player == player else 0


@cache
def _drawing(player: str, number: int) -> Due:
    return Due(player, "draw", number)


@cache
def _last(player: str, rank: int, eights: int) -> Last:
    return Last(player, rank, eights)


def _top(state: State, laid: Laid, judged: Judged, readings: tuple[Face, ...]) -> tuple[Top, int]:
    """What then lies on top, and how many 8s of the play skip somebody."""
    rank, top = judged.rank, state.top
    if rank == UNREAD:
        return Top(UNREAD, 0, top.bars if judged.inherits else _unread_bars(state, laid, readings)), 0
    count = len(laid.cards) + len(laid.along)
    run = count + top.run if top.rank == rank else count
    if judged.inherits and _is_bare(state, judged):
        count = run = len(laid.along)
    elif rank == _THREE and state.rules.three == "mirror" and not judged.inherits and state.pile:
        return Top(rank, run, top.bars), 0
    return _lying(rank, run, in_force=count > 0), count if rank == _EIGHT else 0


@cache
def _lying(rank: int, run: int, *, in_force: bool) -> Top:
    """The top where so many cards in a row count as `rank`; a 7 is only in force where it was laid as one."""
    return Top(rank, run, (Bar(rank, rank == _SEVEN and in_force),))


def _is_bare(state: State, judged: Judged) -> bool:
    """Whether only the height is inherited (option `inherit_effects: rank_only`); an inherited 3 is a 3."""
    return judged.inherits and state.rules.inherit_effects == "rank_only" and judged.rank != _THREE


def _effective(state: State, judged: Judged) -> frozenset[int]:
    """The ranks that the cards of a play count as (S-A38); 3s that inherit only the height are 3s."""
    return frozenset({judged.rank, _THREE}) if _is_bare(state, judged) else frozenset({judged.rank})


def next_players(state: State, player: str, out: tuple[str, ...], *, eights: int = 0) -> tuple[str, tuple[str, ...]]:
    """Who acts after `player` when so many 8s skip somebody, and who is skipped (S-X8, S-A14, S-A15, S-A33)."""
    return _next(state.names, player, out, eights, state.rules.skip_wrap == "not_self")


@lru_cache(maxsize=4096)
def _next(
    names: tuple[str, ...], player: str, out: tuple[str, ...], eights: int, not_self: bool
) -> tuple[str, tuple[str, ...]]:
    place = names.index(player) + 1
    circle = [name for name in names[place:] + names[:place] if name not in out]
    if not circle:
        return player, ()
    if not_self and circle[-1] == player:
        eights = min(eights, len(circle) - 1)
    return circle[eights % len(circle)], tuple(dict.fromkeys(circle[number % len(circle)] for number in range(eights)))


def _unread_bars(state: State, laid: Laid, readings: tuple[Face, ...]) -> tuple[Bar, ...]:
    """What there may be to beat on cards that nobody has read: nothing if they burn the pile."""
    bars = (Bar() if _would_burn(state, laid, bar.height) else bar for bar in bars_of(readings))
    return tuple(dict.fromkeys(bars))


def _would_burn(state: State, laid: Laid, rank: int) -> bool:
    return rank == _TEN or (rank == state.top.rank and state.top.run + len(laid.everything) >= FOUR)


def _maybe(state: State, laid: Laid, out: tuple[str, ...], *, turn: str, readings: tuple[Face, ...]) -> tuple[str, ...]:
    """Who else may be next after cards that nobody has read: they may be 8s, or burn the pile."""
    player, count = laid.seat.name, len(laid.everything)
    others = []
    for bar in bars_of(readings):
        if _would_burn(state, laid, bar.height):
            others.append(player)
        elif bar.height == _EIGHT:
            others.append(next_players(state, player, out, eights=count)[0])
    return tuple(name for name in dict.fromkeys(others) if name != turn)
