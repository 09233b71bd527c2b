"""Rule cases: small refereeing situations with the right answer, read from YAML.

The format is that of `cases/README.md`. A case names a position, actions in order and what must be true of the
verdict on the last action; only the keys that it gives are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from referee.cards import faces
from referee.entries import Start
from referee.errors import CaseError, RefereeError, UnknownGameError
from referee.games import find_game
from referee.interpret import rule
from referee.moves import Move
from referee.verdicts import Step, Verdict

__all__ = ["Case", "CaseResult", "as_action", "as_move", "load_cases", "report", "run_case", "run_cases"]

_CASE_KEYS = {"id", "game", "players", "options", "covers", "note", "given", "when", "then"}
_NEEDED = ("id", "game", "players", "when", "then")

_TARGETS = ("call", "name", "war", "ask", "answer", "take", "shout")
_CARDS = ("play", "give", "lay", "discard", "reveal")
_SINGLE = ("lay", "reveal")
_OTHERS = ("flip", "draw", "swap", "turnover", "start")
_EXTRAS = ("from", "with", "as", "say", "card", "cards")


@dataclass(frozen=True, slots=True)
class Case:
    """One situation: its position (`given`), its actions (`when`) and what must hold after the last (`then`)."""

    id: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    given: Mapping[str, Any]
    when: tuple[Mapping[str, Any], ...]
    then: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case went; `problems` says in words what was wrong and is empty when it passed."""

    id: str
    path: Path
    problems: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not self.problems


def load_cases(path: Path) -> tuple[Case, ...]:
    """The cases of one file. Raises `CaseError`, which says where, when it cannot be read."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CaseError(f"{path} cannot be read: {error.strerror}.", hint="Is the name right?") from error
    except UnicodeDecodeError as error:
        raise CaseError(f"{path} is not a text file: {error.reason}.", hint="Save it as UTF-8.") from error
    except yaml.YAMLError as error:
        raise CaseError(f"{path} is not YAML: {' '.join(str(error).split())}.", hint="Mend that line.") from error
    if not isinstance(data, list) or not data:
        raise CaseError(f"{path} holds no list of cases.", hint="A file of cases begins with '- id: ...'.")
    return tuple(_case(item, f"{path}, case {number}") for number, item in enumerate(data, start=1))


def _case(item: object, where: str) -> Case:
    if not isinstance(item, Mapping):
        raise CaseError(f"{where} is {item!r}, not a case.", hint="A case begins with '- id: ...'.")
    missing = [key for key in _NEEDED if key not in item]
    unknown = [str(key) for key in item if key not in _CASE_KEYS]
    if missing or unknown:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has unknown keys: {', '.join(unknown)}"
        raise CaseError(f"{where} {wrong}.", hint=f"A case has the keys {', '.join(sorted(_CASE_KEYS))}.")
    return Case(
        id=str(item["id"]),
        game=str(item["game"]),
        players=tuple(str(name) for name in _typed(item, "players", kind=list, where=where)),
        options=_typed(item, "options", kind=dict, where=where),
        given=_typed(item, "given", kind=dict, where=where),
        when=tuple(_action(one, where) for one in _typed(item, "when", kind=list, where=where)),
        then=_typed(item, "then", kind=dict, where=where),
    )


def _typed(item: Mapping[Any, Any], key: str, *, kind: type[list[Any]] | type[dict[Any, Any]], where: str) -> Any:
    value = item.get(key)
    if value is None:
        return kind()
    if not isinstance(value, kind):
        wanted = "a list" if kind is list else "a mapping"
        raise CaseError(f"{where}: '{key}' is {value!r}, not {wanted}.", hint="See the format of the cases.")
    return value


def _action(item: object, where: str) -> Mapping[str, Any]:
    if not isinstance(item, Mapping) or "by" not in item or len(_verbs(item)) != 1:
        raise CaseError(
            f"{where}: {item!r} is not one action.", hint="Write who and what, as in {by: A, play: [R2+B4+Y1]}."
        )
    return item


def _verbs(item: Mapping[Any, Any]) -> list[str]:
    return [key for key in (*_TARGETS, *_CARDS, *_OTHERS) if key in item]


def run_cases(paths: Iterable[Path]) -> Iterator[CaseResult]:
    """Runs every case of every file, in order. Raises `CaseError` for a file that cannot be read."""
    for path in paths:
        for case in load_cases(path):
            yield CaseResult(case.id, path, run_case(case))


def report(results: Iterable[CaseResult]) -> tuple[tuple[str, ...], bool]:
    """One line per failing case and the closing `N passed, N failed`; and whether all passed."""
    done = list(results)
    failed = [result for result in done if not result.passed]
    lines = [f"{result.id} ({result.path.name}): {'; '.join(result.problems)}" for result in failed]
    return (*lines, f"{len(done) - len(failed)} passed, {len(failed)} failed"), not failed


def run_case(case: Case) -> tuple[str, ...]:
    """What was wrong when the case was played through; empty when nothing was."""
    try:
        return tuple(_play(case))
    except UnknownGameError:
        return (f"game not known yet: {case.game}",)
    except RefereeError as error:
        return (" ".join(filter(None, (str(error), error.hint))),)


def _play(case: Case) -> Iterator[str]:
    """Judges the actions one after another, each on the table that the remedy before it has left."""
    game = find_game(case.game)
    state = game.start(Start(case.game, case.players, case.options, setup=_setup(case)))
    verdict = None
    for seq, action in enumerate(case.when, start=1):
        verdict, state = rule(game, state, move=replace(as_move(action), seq=seq))
    if verdict is None:
        yield "the case has no action to judge"
    else:
        yield from _differences(case, verdict, table=game.observe(state))


def _setup(case: Case) -> Mapping[str, Any]:
    # In a case an announcement that is not written was not made: such a table can be heard.
    return {**case.given, "hears": True} if case.game == "piranhas" else case.given


def as_move(action: Mapping[str, Any]) -> Move:
    """An action of a case as a move. Raises `CardError` for a text that is no card."""
    (kind,) = _verbs(action)
    value = action[kind]
    data = {key: action[key] for key in _EXTRAS if key in action and not (kind == "call" and key == "card")}
    player, at = str(action["by"]), action.get("at")
    time_s = None if at is None else float(at)
    if kind in _CARDS:
        return Move(player, kind, faces(value if isinstance(value, list) else [value]), data=data, time_s=time_s)
    if kind in _TARGETS:
        cards = faces([action["card"]]) if kind == "call" and "card" in action else ()
        return Move(player, kind, cards, target=str(value), data=data, time_s=time_s)
    if kind == "draw":
        data["n"] = value
    elif kind == "swap":
        data["swap"] = value
    return Move(player, kind, data=data, time_s=time_s)


def as_action(move: Move) -> dict[str, Any]:
    """A move in the words of the cases; `as_move` is its inverse, apart from times that nobody wrote down."""
    action: dict[str, Any] = {"by": move.player}
    if move.kind in _CARDS:
        action[move.kind] = move.cards[0] if move.kind in _SINGLE else list(move.cards)
    elif move.kind in _TARGETS:
        action[move.kind] = move.target
        if move.cards:
            action["card"] = move.cards[0]
    else:
        action[move.kind] = {"draw": move.data.get("n"), "swap": move.data.get("swap")}.get(move.kind, True)
    extras = {key: move.data[key] for key in _EXTRAS if key in move.data}
    return {**action, **extras} if move.time_s is None else {**action, **extras, "at": move.time_s}


def _differences(case: Case, verdict: Verdict, *, table: Mapping[str, Any]) -> Iterator[str]:
    for key, wanted in case.then.items():
        if key in _OF_VERDICT:
            yield from _compare(key, wanted, found=_OF_VERDICT[key](verdict))
        elif key == "remedy":
            yield from _compare_remedy(wanted or {}, verdict.remedy)
        elif key in table:
            yield from _compare(key, wanted, found=table[key])
        else:
            yield f"'{key}' is nothing that can be checked in {case.game}"


def _result_part(name: str) -> Callable[[Verdict], Any]:
    return lambda verdict: None if verdict.result is None else getattr(verdict.result, name)


_OF_VERDICT: Mapping[str, Callable[[Verdict], Any]] = {
    "ruling": lambda verdict: verdict.ruling,
    "rules": lambda verdict: frozenset(verdict.rules),
    "reminders": lambda verdict: frozenset(one.rule for one in verdict.reminders),
    "proves": lambda verdict: frozenset(verdict.proves),
    "asks": lambda verdict: {ask.player: ask.kind for ask in verdict.asks},
    "over": _result_part("over"),
    "reason": _result_part("reason"),
    "winner": lambda verdict: frozenset() if verdict.result is None else frozenset(verdict.result.winners),
    "wrong": lambda verdict: None if verdict.result is None else verdict.result.wrong,
}


def _compare(key: str, wanted: Any, *, found: Any) -> Iterator[str]:
    """A mapping is compared for the names that it gives; sets without order; nothing equals an empty list."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        for name, value in wanted.items():
            yield from _compare(f"{key} of {name}", value, found=found.get(name))
    elif not _same(wanted, found):
        yield f"{key} is {_shown(found)} instead of {_shown(wanted)}"


def _same(wanted: Any, found: Any) -> bool:
    if isinstance(found, frozenset):
        return frozenset(wanted or ()) == found
    if isinstance(found, Sequence) and not isinstance(found, str):
        return list(wanted or ()) == list(found)
    return bool(wanted == found) or (not wanted and not found and wanted != 0 and found != 0)


def _shown(value: Any) -> str:
    if isinstance(value, frozenset):
        value = sorted(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    return "none" if value is None else str(value)


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
        if "to" in expected:
            places = sorted({step.to for step in own if step.action == "take"})
            yield from _compare(f"remedy of {player}, to", [expected["to"]], found=places)


def _compare_take(player: str, wanted: Any, *, steps: Sequence[Step]) -> Iterator[str]:
    if isinstance(wanted, int):
        yield from _compare(f"take of {player}", wanted, found=sum(step.count for step in steps))
    else:
        taken = sorted(card for step in steps for card in step.cards)
        yield from _compare(f"take of {player}", sorted(map(str, wanted or ())), found=taken)
