"""Shithead: verdicts on plays, with the reasons that the table should hear early (section 6 of the rules)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.cards import Face
from referee.games.shithead.hands import BLIND, HAND, OPEN
from referee.games.shithead.lay import Judged, Laid, names_for_jokers
from referee.games.shithead.options import FATALITIES
from referee.games.shithead.ranks import JOKER, rank_of, word
from referee.games.shithead.state import State
from referee.moves import Json, Move
from referee.verdicts import Ask, Finding, Ruling, Step, Verdict

__all__ = [
    "back_steps", "beneath", "finding", "listed", "open_back", "rank_ask", "told_back", "told_standing", "told_taken",
    "told_unnamed",
]  # fmt: skip

_BACK_TO = {HAND: ("hand", "back"), OPEN: ("open", "back-open"), BLIND: ("hidden", "back-hidden")}
_THREE, _SEVEN, _TEN = 3, 7, 10


def beneath(state: State) -> Face | None:
    """The card that a played one is compared with."""
    return state.pile[-1] if state.pile else None


def listed(names: tuple[str, ...]) -> str:
    """Names as one fact of a sentence."""
    return ", ".join(names)


def back_steps(laid: Laid) -> tuple[Step, ...]:
    """The cards go back where they came from."""
    player, cards = laid.seat.name, laid.cards
    to, how = _BACK_TO.get(laid.source, ("pile", "back-away"))
    steps = (Step(player, "take", cards, count=len(cards), to=to, how=how),)
    return (*steps, open_back(player, laid.along)) if laid.along else steps


def open_back(player: str, cards: tuple[Face, ...]) -> Step:
    """Open cards that may not come along go back to the others."""
    return Step(player, "take", cards, count=len(cards), to="open", how="back-open")


def finding(state: State, laid: Laid, judged: Judged) -> Finding:
    """The broken rule with the facts of its sentence."""
    facts: dict[str, Json] = {}
    if judged.fault in ("S-K2", "S-X7", "S-M2", "S-XJ"):
        facts = {"rank": word(judged.rank), "beneath": _to_beat(state)}
    if judged.case:
        facts["case"] = judged.case
    elif judged.fault in ("S-K2", "S-X7") and set(map(rank_of, laid.cards)) == {JOKER}:
        facts["case"] = "named"
    return Finding(judged.fault, laid.everything, facts)


def _to_beat(state: State) -> str:
    """The rank to beat; the highest where nobody knows which it is."""
    return word(max(state.top.bars).height)


def told_back(
    state: State, move: Move, laid: Laid, *, ruling: Ruling, fault: Finding, asks: tuple[Ask, ...] = (),
    proves: tuple[str, ...] = ()
) -> Verdict:  # fmt: skip
    """Cards that do not lie there: back with them."""
    return Verdict(
        move, ruling, beneath=beneath(state), faults=(fault,), remedy=back_steps(laid), asks=asks, proves=proves
    )


def told_taken(
    state: State, move: Move, laid: Laid, *, wrong: tuple[Face, ...], fault: Finding, asks: tuple[Ask, ...] = (),
    proves: tuple[str, ...] = ()
) -> Verdict:  # fmt: skip
    """Cards that cost the whole pile (S-M2, `misplay: take_pile`); `wrong` open cards go back."""
    cards = state.pile + laid.everything
    step = Step(laid.seat.name, "take", cards, count=len(cards), to="hand", how="take-pile-with")
    steps = (step, open_back(laid.seat.name, wrong)) if wrong else (step,)
    return Verdict(move, "foul", beneath=beneath(state), faults=(fault,), remedy=steps, asks=asks, proves=proves)


def told_unnamed(state: State, move: Move, laid: Laid) -> Verdict:
    """Jokers that need a rank first (S-XJ)."""
    ask = rank_ask(state, laid.seat.name, move.seq)
    ground = Finding("S-XJ", laid.cards, {"case": "unnamed"})
    return Verdict(move, "pending", beneath=beneath(state), grounds=(ground,), asks=(ask,))


def rank_ask(state: State, player: str, seq: int | None) -> Ask:
    """The question for the rank of jokers; the choices are those that may be named."""
    return Ask("rank", seq=seq, player=player, choices=tuple(map(word, names_for_jokers(state))))


def told_standing(
    move: Move, before: State, after: State, laid: Laid, judged: Judged, proves: tuple[str, ...],
    asks: tuple[Ask, ...] = (), late: Finding | None = None
) -> Verdict:  # fmt: skip
    """Cards that lie there now: why, what follows, and what their player has to do.

    Wrongly added open cards go back (S-A42), which makes it a foul. `proves` are rules that earlier claims have broken,
    `asks` are open because of cards nobody has read, `late` is the rule that was broken too long ago.
    """
    steps = (*_wrong_back(laid, judged), *_consequences(before, after, laid))
    faults = (Finding(judged.joined, judged.wrong, {"case": "added"}),) if judged.wrong else ()
    ruling: Ruling = "foul" if faults else "pending" if asks and not judged.sure else "legal"
    grounds = (late,) if late is not None else tuple(_grounds(before, after, laid, judged))
    return Verdict(
        move, ruling, beneath=beneath(before), faults=faults, grounds=grounds if judged.sure else (),
        proves=proves, remedy=steps, asks=asks, result=after.result,
    )  # fmt: skip


def _wrong_back(laid: Laid, judged: Judged) -> tuple[Step, ...]:
    return (open_back(laid.seat.name, judged.wrong),) if judged.wrong else ()


def _consequences(before: State, after: State, laid: Laid) -> Iterator[Step]:
    player, burnt = laid.seat.name, _burnt(before, after)
    if burnt:
        yield Step(player, "burn", burnt, count=len(burnt), to="burnt", how="burn")
    if after.due is not None:
        yield Step(player, "draw", count=after.due.number, to="hand", how="refill")


def _burnt(before: State, after: State) -> tuple[Face, ...]:
    """The cards that the play took out of the game."""
    return after.burnt[len(before.burnt) :]


def _grounds(before: State, after: State, laid: Laid, judged: Judged) -> Iterator[Finding]:
    yield _why(before, laid, judged)
    player = laid.seat.name
    if judged.inherits:
        yield Finding("S-M4", laid.cards, {"case": "inherits", "rank": word(judged.rank)})
    elif any(rank_of(card) == JOKER for card in laid.everything):
        yield Finding("S-XJ", laid.cards, {"case": "counts", "rank": word(judged.rank)})
    if after.burned:
        facts: dict[str, Json] = {"case": "again" if after.extra else "burnt", "player": player}
        yield Finding("S-X10" if judged.rank == _TEN else "S-M1", _burnt(before, after), facts)
    if after.skipped:
        yield Finding("S-X8", laid.cards, {"case": "skips", "players": listed(after.skipped)})
    if after.result is not None:
        yield from _ending(after)
        return
    if any(bar.duty for bar in after.top.bars):
        yield Finding("S-X7", laid.cards, {"case": "next", "player": after.turn})
    if player in after.out:
        yield Finding("S-G", laid.cards, {"case": "out", "player": player, "place": len(after.out)})
    elif laid.source == HAND:
        yield from _next_source(after, player)


def _why(before: State, laid: Laid, judged: Judged) -> Finding:
    """Why the cards may lie there."""
    rank, facts = judged.rank, {"rank": word(judged.rank), "beneath": _to_beat(before)}
    if rank == 2:
        return Finding("S-X2", laid.everything, {"case": "always"})
    if rank == _THREE or judged.inherits:
        return Finding("S-X3", laid.everything, {"case": "always"})
    if not before.pile:
        return Finding("S-K2", laid.everything, {"case": "free"})
    bar = max(before.top.bars)
    if bar.duty and rank <= _SEVEN:
        return Finding("S-X7", laid.everything, {**facts, "case": "low"})
    wild = rank < bar.height or bar.duty
    return Finding("S-K2", laid.everything, {**facts, "case": "wild" if wild else "fits"})


def _next_source(after: State, player: str) -> Iterator[Finding]:
    """The moment when open or face-down cards come into play (S-K1)."""
    seat = next(seat for seat in after.seats if seat.name == player)
    if seat.hand == () and seat.open != ():
        yield Finding("S-K1", facts={"case": "open", "player": player})
    elif seat.hand == ():
        yield Finding("S-K1", facts={"case": "blind", "player": player})


def _ending(after: State) -> Iterator[Finding]:
    result = after.result
    if result is not None and result.fatality is not None:
        yield Finding(FATALITIES[result.fatality][1], facts={"player": after.out[-2]})
    yield Finding("S-G", facts={"case": "last", "player": after.out[-1]})
