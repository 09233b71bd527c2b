"""From changes on the table to moves of the game, or to a question: pure, and never helped by what would be legal.

A face is chosen by the eyes and by conservation alone: a face of which every copy already lies in the target pile
cannot be played again. Legality must not choose, or an illegal play would be read as a legal one. When several faces
stay plausible, the game judges each of them: the same ruling needs no question, different rulings are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from referee.cards import UNKNOWN, Face, is_known
from referee.errors import CardError
from referee.games.base import Game
from referee.moves import TABLE, UNCLEAR, Change, Json, Move
from referee.verdicts import Finding, Verdict

__all__ = ["CONSERVATION", "Question", "interpret", "possible", "rule"]

CONSERVATION = "conservation"
"""Names, among the grounds of a verdict, that a card cannot be what it was read as: a card is only in one place."""

SURE_WHO = 0.6
"""From this confidence on the player whose hand was seen counts as the one who played."""

_WITHOUT_CARD = ("start", "repaired", "turnover")

_LAYING = ("play", "lay", "discard", "give", "reveal")
"""Moves whose cards come from where nobody saw them: none of them can lie somewhere else."""

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Question:
    """A change that needs the table's word. `move` is what is known so far: written into the log it asks for itself.

    `choices` are faces (`which-card`) or players (`whose`), the likeliest first; empty when nothing limits the answer.
    """

    kind: Literal["whose", "which-card"]
    choices: tuple[str, ...]
    move: Move


def interpret(game: Game[S], state: S, *, change: Change, sure_who: float = SURE_WHO) -> tuple[Move | Question, ...]:
    """What a change means, in the order in which it happened: moves of the table and of a player, at most one question.

    Empty when nothing happened in terms of the game, for example when a covered card came to light again. A play seen
    after the repair of a stop was seen becomes two moves: `start` by the table, then the play.
    """
    seen = replace(change, candidates=possible(game, state, change=change))
    moves = game.read(state, change, player=_player(change, sure_who))
    outcomes: list[Move | Question] = []
    for move in moves:
        complete = _complete(move, seen)
        outcomes.append(_question(game, state, move=complete, change=change) or complete)
        state = rule(game, state, move=complete)[1]
    return tuple(outcomes)


def possible(game: Game[S], state: S, *, change: Change) -> tuple[tuple[Face, float], ...]:
    """The plausible faces that conservation leaves, the likeliest first, their probabilities made to add up to 1."""
    gone, copies = game.exhausted(state) if change.what == "appeared" else frozenset(), game.copies(state)
    fitting = (one for one in change.candidates if one[0] not in gone and _in_deck(one[0], copies))
    left = sorted(fitting, key=lambda one: -one[1])
    whole = sum(p for _, p in left)
    return tuple((card, p / whole if whole > 0 else 1 / len(left)) for card, p in left)


def _player(change: Change, sure_who: float) -> str:
    if change.owner is not None:
        return change.owner
    return change.who if change.who is not None and change.who_confidence >= sure_who else UNCLEAR


def _complete(move: Move, change: Change) -> Move:
    """The move with the faces, the time and the interval of the change; some moves are about no card."""
    data = {**move.data, "since_s": change.since_s}
    if move.kind in _WITHOUT_CARD:
        return replace(move, time_s=change.until_s)
    best = change.candidates[0][0] if change.candidates else UNKNOWN
    candidates = change.candidates if len(change.candidates) > 1 else ()
    return replace(move, cards=(best,), candidates=candidates, time_s=change.until_s, data=data)


def _question(game: Game[S], state: S, *, move: Move, change: Change) -> Question | None:
    verdict, _ = rule(game, state, move=move)
    kinds = {ask.kind: ask for ask in verdict.asks}
    if "which-card" in kinds:
        return Question("which-card", kinds["which-card"].choices or _faces(change), verdict.move)
    if "whose" in kinds:
        guess = (change.who,) if change.who in kinds["whose"].choices else ()
        choices = (*guess, *(name for name in kinds["whose"].choices if name not in guess))
        return Question("whose", tuple(name for name in choices if name is not None), move)
    return None


def _faces(change: Change) -> tuple[str, ...]:
    return tuple(card for card, _ in sorted(change.candidates, key=lambda one: -one[1]))


def rule(game: Game[S], state: S, *, move: Move) -> tuple[Verdict, S]:
    """The verdict on a move and the state after it, also where its card was read uncertainly.

    If every plausible face gives the same ruling for the same reasons and leaves the same table, the likeliest face
    stands; in a game that keeps readings it lies there in company with the others, and the next card is judged against
    all of them. Otherwise the card counts as unread, which the game answers with a question. So does a face of which
    every copy is known to lie elsewhere.

    Raises like `Game.decide`, and `CardError` for a face that is not in the deck.
    """
    left, grounds = _conserved(game, state, move)
    verdict, after = _weigh(game, state, left)
    return (replace(verdict, grounds=(*grounds, *verdict.grounds)), after) if grounds else (verdict, after)


def _conserved(game: Game[S], state: S, move: Move) -> tuple[Move, tuple[Finding, ...]]:
    """The move without faces that cannot be, and why they cannot."""
    copies = game.copies(state)
    if len(move.candidates) < 2:
        _check_deck(move, copies)
    if move.kind not in _LAYING or move.player == TABLE or move.data.get("from") == "open":
        return move, ()
    gone = game.exhausted(state)
    if len(move.candidates) < 2:
        return _some_unread(move, gone, copies)
    left = tuple(one for one in move.candidates if one[0] not in gone and _in_deck(one[0], copies))
    if left:
        return replace(move, cards=(left[0][0],), candidates=left if len(left) > 1 else ()), ()
    return _some_unread(replace(move, cards=(move.candidates[0][0],), candidates=()), gone, copies)


def _in_deck(card: Face, copies: Mapping[Face, int]) -> bool:
    """Whether the deck may hold a card; a face with a question mark stands for several."""
    return not copies or card in copies or not is_known(card) or "?" in card


def _check_deck(move: Move, copies: Mapping[Face, int]) -> None:
    for card in (*move.cards, *_mentioned(move.data)):
        if not _in_deck(card, copies):
            raise CardError(f"There is no card {card} in this deck.", hint="Look at the card again.")


def _mentioned(data: Mapping[str, Json]) -> Iterator[Face]:
    """Faces beside those that a move is about: open cards that go with it, swapped ones, those of several players."""
    for key in ("with", "swap", "cards"):
        value = data.get(key)
        several = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
        yield from (Face(card) for card in several if isinstance(card, str))


def _some_unread(move: Move, gone: frozenset[Face], copies: Mapping[Face, int]) -> tuple[Move, tuple[Finding, ...]]:
    """Every face that lies elsewhere, or that stands more often in one move than in the deck, counts as unread."""
    cards: list[Face] = []
    reasons: dict[Face, str] = {}
    for card, reason in zip(move.cards, _reasons(move.cards, gone, copies), strict=True):
        cards.append(UNKNOWN if reason else card)
        if reason:
            reasons.setdefault(card, reason)
    findings = tuple(
        Finding(CONSERVATION, (card,), {"case": reason, "card": card, "copies": copies.get(card, 0)})
        for card, reason in reasons.items()
    )
    return (replace(move, cards=tuple(cards)), findings) if findings else (move, ())


def _reasons(cards: tuple[Face, ...], gone: frozenset[Face], copies: Mapping[Face, int]) -> Iterator[str]:
    """Why each of some cards cannot be what it was read as; empty where it can."""
    named: Counter[Face] = Counter()
    for card in cards:
        named[card] += 1
        if not is_known(card) or "?" in card:
            yield ""
        elif not _in_deck(card, copies):
            yield "foreign"
        elif card in gone:
            yield "elsewhere"
        else:
            yield "surplus" if copies and named[card] > copies[card] else ""


def _weigh(game: Game[S], state: S, move: Move) -> tuple[Verdict, S]:
    """The verdict on a move whose faces are all possible."""
    if len(move.candidates) < 2:
        return game.decide(state, move)
    outcomes = [game.decide(state, _read_as(move, card)) for card, _ in move.candidates]
    if len({_essence(verdict) for verdict, _ in outcomes}) == 1 and _go_on_alike(game, [one for _, one in outcomes]):
        settled = replace(move, cards=(move.candidates[0][0],))
        return replace(outcomes[0][0], move=settled), game.apply(state, settled)
    unread = replace(move, cards=(UNKNOWN,))
    return game.decide(state, unread)


def _go_on_alike(game: Game[S], states: list[S]) -> bool:
    """Whether it makes no difference for what follows which face it was: the next card might be judged by it."""
    return game.keeps_readings or all(game.view(one) == game.view(states[0]) for one in states[1:])


def _read_as(move: Move, card: Face) -> Move:
    return replace(move, cards=(card,), candidates=())


def _essence(verdict: Verdict) -> tuple[Any, ...]:
    """What must not depend on the face: the ruling, the broken rules, whether it is over and what is asked."""
    over = None if verdict.result is None else verdict.result.over
    return verdict.ruling, frozenset(verdict.rules), over, frozenset(ask.id for ask in verdict.asks)
