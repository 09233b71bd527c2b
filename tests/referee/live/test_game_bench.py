"""The speed of judging: every game is played, and RLCard's UNO beside it where it is installed."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest
from conftest import TINY_MODELS, Wrongcard

from referee.games import GAMES
from referee.live.game_bench import GameBench, GameSpeed, as_markdown, run_game_bench


def test_every_game_is_timed_and_makes_whole_games() -> None:
    bench = run_game_bench(slices=1)
    speeds = {one.name: one for one in bench.speeds}
    assert set(GAMES) <= set(speeds)
    assert all(one.games_per_s > 0 and one.moves_per_s > one.games_per_s for one in bench.speeds)
    assert ("rlcard-uno" in speeds) == (find_spec("rlcard") is not None)


def test_ratios_are_of_moves_and_of_the_same_run() -> None:
    own, usual, steps = (
        GameSpeed("own", 10.0, 900),
        GameSpeed("rlcard-uno", 99.0, 300),
        GameSpeed("rlcard-uno-steps", 1.0, 600),
    )
    rows = GameBench((own, usual, steps)).as_json()
    assert [(row["ratio"], row["ratio_steps"]) for row in rows] == [(3.0, 1.5), (1.0, 0.5), (2.0, 1.0)]
    assert GameBench((own,)).ratio(own) is None
    assert "| own | 10 | 900 | – | – |" in as_markdown(GameBench((own,)))


@pytest.mark.parametrize(("only", "keys"), [("games", {"games"}), (None, {"games", "timings", "machine"})])
def test_bench_prints_one_json_object(wrongcard: Wrongcard, only: str | None, keys: set[str]) -> None:
    parts = [] if only is None else ["--only", only]
    models = ["--models", TINY_MODELS, "--deck", "french"]
    status, out, _ = wrongcard("bench", "--repetitions", 10, "--threads", 1, "--json", *models, *parts)
    assert status == 0
    printed = json.loads(out)
    assert keys <= set(printed)
    assert {row["name"] for row in printed["games"]} >= set(GAMES)


def test_bench_shows_tables_to_people(wrongcard: Wrongcard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    status, out, _ = wrongcard("bench", "--only", "games")
    assert status == 0
    assert "moves per second" in out
    assert all(name in out for name in GAMES)


def test_too_few_repetitions_are_a_usage_error(wrongcard: Wrongcard) -> None:
    status, _, err = wrongcard("bench", "--repetitions", 3)
    assert status == 2
    assert "--repetitions" in err
