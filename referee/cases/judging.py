"""Cases judged: each is played through, and what differs from what it wants is told in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.cases.actions import as_move
from referee.cases.reading import Case, read_cases
from referee.entries import Start
from referee.errors import CaseError, RefereeError
from referee.games import GAMES, find_game
from referee.interpret import rule
from referee.moves import TABLE
from referee.verdicts import Step, Verdict

__all__ = ["CaseResult", "Outcome", "report", "run_case", "run_cases"]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case went; `problems` says in words what was wrong and is empty when it passed."""

    id: str
    path: Path
    game: str
    problems: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Outcome:
    """How all cases of some files went.

    results  of every case that could be read
    errors   everything in the files that could not
    broken   how many cases these errors are about
    """

    results: tuple[CaseResult, ...]
    errors: tuple[CaseError, ...] = ()
    broken: int = 0


def run_cases(paths: Iterable[Path]) -> Outcome:
    """Runs every case of every file, in order; what cannot be read keeps nothing else from being judged."""
    results: list[CaseResult] = []
    errors: list[CaseError] = []
    broken = 0
    for path in paths:
        try:
            file = read_cases(path)
        except CaseError as error:
            errors.append(error)
            continue
        results += [CaseResult(case.id, path, case.game, run_case(case)) for case in file.cases]
        errors += file.errors
        broken += file.broken
    return Outcome(tuple(results), tuple(errors), broken)


def report(outcome: Outcome) -> tuple[tuple[str, ...], bool]:
    """One line per failing case and the closing `N passed, N failed`; and whether all passed.

    Cases of a game that nobody has taught the referee are one line a file, cases that cannot be read count as failed.
    Empty when nothing could be judged.
    """
    failed = [result for result in outcome.results if not result.passed]
    if not outcome.results:
        return (), not outcome.errors
    unknown = Counter((result.path.name, result.game) for result in failed if result.game not in GAMES)
    lines = (
        *(f"{one.id} ({one.path.name}): {'; '.join(one.problems)}" for one in failed if one.game in GAMES),
        *(
            f"{name}: the game '{game}' is not known, {times} not judged. Known games: {', '.join(GAMES)}"
            for (name, game), times in unknown.items()
        ),
        f"{len(outcome.results) - len(failed)} passed, {len(failed) + outcome.broken} failed",
    )
    return lines, not failed and not outcome.errors


def run_case(case: Case) -> tuple[str, ...]:
    """What was wrong when the case was played through; empty when nothing was."""
    try:
        return tuple(_play(case))
    except RefereeError as error:
        return (" ".join(filter(None, (str(error), error.hint))),)


def _play(case: Case) -> Iterator[str]:
    """Judges the actions one after another, each on the table that the remedy before it has left."""
    game = find_game(case.game)
    state = game.start(Start(case.game, case.players, case.options, setup={**game.granted, **case.given}))
    verdict = None
    for seq, action in enumerate(case.when, start=1):
        verdict, state = rule(game, state, move=replace(as_move(action), seq=seq))
    if verdict is not None:
        yield from _differences(case, verdict, table=game.observe(state))


def _differences(case: Case, verdict: Verdict, *, table: Mapping[str, Any]) -> Iterator[str]:
    for key, wanted in case.then.items():
        if key in _OF_VERDICT:
            yield from _compare(key, wanted, found=_OF_VERDICT[key](verdict))
        elif key == "asks":
            yield from _compare_asks(wanted or {}, verdict)
        elif key == "remedy":
            yield from _compare_remedy(wanted or {}, verdict.remedy)
        elif key in table:
            yield from _compare(key, wanted, found=table[key], ordered=key not in _UNORDERED)
        else:
            yield f"'{key}' is nothing that can be checked in {case.game}"


def _result_part(name: str) -> Callable[[Verdict], Any]:
    return lambda verdict: None if verdict.result is None else getattr(verdict.result, name)


_OF_VERDICT: Mapping[str, Callable[[Verdict], Any]] = {
    "ruling": lambda verdict: verdict.ruling,
    "rules": lambda verdict: frozenset(verdict.rules),
    "reminders": lambda verdict: frozenset(one.rule for one in verdict.reminders),
    "proves": lambda verdict: frozenset(verdict.proves),
    "over": _result_part("over"),
    "reason": _result_part("reason"),
    "fatality": _result_part("fatality"),
    "winner": lambda verdict: frozenset() if verdict.result is None else frozenset(verdict.result.winners),
    "wrong": lambda verdict: None if verdict.result is None else verdict.result.wrong,
}


_UNORDERED = ("open", "holding", "names")
"""What lies or sits beside one another at the table: a list of it has no order."""


def _compare(key: str, wanted: Any, *, found: Any, ordered: bool = True) -> Iterator[str]:
    """A mapping is compared for the names that it gives; sets without order; nothing equals an empty list."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        for name, value in wanted.items():
            yield from _compare(f"{key} of {name}", value, found=found.get(name), ordered=ordered)
    elif not _same(wanted, found, ordered=ordered):
        yield f"{key} is {_shown(found)} instead of {_shown(wanted)}"


def _same(wanted: Any, found: Any, *, ordered: bool) -> bool:
    if isinstance(found, frozenset):
        return frozenset(wanted or ()) == found
    if isinstance(found, Sequence) and not isinstance(found, str):
        listed = list(wanted or ())
        return listed == list(found) if ordered else Counter(listed) == Counter(found)
    if isinstance(wanted, str) != isinstance(found, str) and not isinstance(wanted, bool):
        return found is not None and wanted is not None and str(wanted) == str(found)
    return bool(wanted == found) or (_is_nothing(wanted) and _is_nothing(found))


def _is_nothing(value: Any) -> bool:
    """Nothing, false and empty are all the same, but 0 is a number."""
    return value is None or value is False or (not isinstance(value, int | float) and not value)


def _shown(value: Any) -> str:
    if isinstance(value, frozenset):
        value = sorted(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    return "none" if value is None else str(value)


def _compare_asks(wanted: Mapping[str, Any], verdict: Verdict) -> Iterator[str]:
    """What every player named is asked; with no player named, that nobody is asked anything."""
    found: dict[str, list[str]] = {}
    for ask in verdict.asks:
        found.setdefault(ask.player or TABLE, []).append(ask.kind)
    if not wanted and found:
        yield f"asks is {_shown(found)} instead of none"
    for player, value in wanted.items():
        kinds = found.get(player, [])
        fine = value in kinds if isinstance(value, str) else sorted(value or ()) == sorted(kinds)
        if not fine:
            yield f"asks of {player} is {_shown(kinds)} instead of {_shown(value)}"


def _compare_remedy(wanted: Mapping[str, Any], steps: Sequence[Step]) -> Iterator[str]:
    """The remedy of every player named, complete; with no player named, that nobody takes or draws anything."""
    if not wanted:
        ordered = [step.player for step in steps if step.action in ("take", "draw")]
        yield from _compare("remedy", [], found=ordered)
    for player, value in wanted.items():
        own = [step for step in steps if step.player == player]
        expected = value or {}
        yield from _compare_take(player, expected.get("take"), steps=[step for step in own if step.action == "take"])
        drawn = sum(step.count for step in own if step.action == "draw")
        yield from _compare(f"draw of {player}", expected.get("draw") or 0, found=drawn)
        if expected.get("to") is not None:
            places = sorted({step.to for step in own if step.action == "take"})
            yield from _compare(f"remedy of {player}, to", [expected["to"]], found=places)


def _compare_take(player: str, wanted: Any, *, steps: Sequence[Step]) -> Iterator[str]:
    if not wanted or isinstance(wanted, int):
        yield from _compare(f"take of {player}", wanted or 0, found=sum(step.count for step in steps))
    else:
        taken = sorted(card for step in steps for card in step.cards)
        cards = [wanted] if isinstance(wanted, str) else wanted
        yield from _compare(f"take of {player}", sorted(cards), found=taken)
