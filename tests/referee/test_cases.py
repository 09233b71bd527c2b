"""Every rule case of `tests/cases`, judged: no case is retyped here. The format is told in `tests/cases/README.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from referee.cases import Case, as_move, load_cases, run_case
from referee.entries import Start
from referee.errors import CaseError
from referee.games import GAMES
from referee.games.base import Game
from referee.interpret import rule
from referee.playout import standing

CASES = Path(__file__).resolve().parents[1] / "cases"
FILES = sorted(CASES.glob("*.yaml"))
HANDED = ("crazy-old-fish-war", "piranhas", "shithead")
"""The games of the handed cases, one file each; other files are named after their game, too: `<game>-more.yaml`."""


@cache
def cases_of(path: Path) -> tuple[Case, ...]:
    """The cases of a file; none of one that cannot be read, which fails in a test of its own."""
    try:
        return load_cases(path)
    except CaseError:
        return ()


def known_cases() -> Iterator[object]:
    for path in FILES:
        for case in cases_of(path):
            if case.game in GAMES:
                yield pytest.param(case, id=case.id)


@pytest.mark.parametrize("case", list(known_cases()))
def test_case(case: Case) -> None:
    assert run_case(case) == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_can_be_done_and_what_comes_of_it_is_the_same_by_the_short_way(path: Path) -> None:
    """Who asks only those that can act finds every move; who needs no words may ask for the state after it alone."""
    for case in (one for one in cases_of(path) if one.game in GAMES):
        game = GAMES[case.game]
        state = game.start(Start(case.game, case.players, case.options, setup={**game.granted, **case.given}))
        for seq, action in enumerate(case.when, start=1):
            done = replace(as_move(action), seq=seq)
            stands = standing(game, state, case.players)
            # A game may know who can act at all; one that does not asks everybody and finds the same.
            everybody = Game.to_act(game, state, case.players)
            assert stands == tuple(move for name in everybody for move in game.legal(state, name)), case.id
            for move in (done, *stands):
                assert game.apply(state, move) == game.decide(state, move)[1], (case.id, move)
            state = rule(game, state, move=done)[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_file_can_be_read_and_its_game_is_known(path: Path) -> None:
    games = {case.game for case in load_cases(path)}
    unknown = sorted(games - GAMES.keys())
    if unknown and not GAMES.keys() >= set(HANDED):
        pytest.skip(f"nobody has taught the referee yet: {', '.join(unknown)}")
    assert unknown == []
    assert {path.stem.removesuffix("-more")} == games


def test_ids_name_one_case_each() -> None:
    ids = Counter(case.id for path in FILES for case in cases_of(path))
    assert [name for name, times in ids.items() if times > 1] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_cases_cover_are_rules(path: Path) -> None:
    covered = {(case.game, rule) for case in cases_of(path) if case.game in GAMES for rule in case.covers}
    assert sorted(rule for game, rule in covered if rule not in GAMES[game].rule_ids) == []


@pytest.mark.parametrize("game", HANDED)
def test_copies_of_the_handed_cases_are_complete(game: str, shared: Path) -> None:
    handed, copy = shared / "cases" / f"{game}.yaml", CASES / f"{game}.yaml"
    assert copy.read_text(encoding="utf-8") == handed.read_text(encoding="utf-8")
