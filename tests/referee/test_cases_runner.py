"""The runner of rule cases: what it checks, what it tells, and what it does with files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cases import as_action, as_move, load_cases, read_cases, report, run_cases
from referee.errors import CaseError

FITS = """
- id: T-1
  game: piranhas
  players: [A, B]
  given: {pile: [R2+B4+Y1], counts: {A: 5}}
  when:
    - {by: A, play: [R3+G1+K2], say: red}
  then: {ruling: legal, rules: [], counts: {A: 4}, pile: [R2+B4+Y1, R3+G1+K2], over: null}
"""


def run(folder: Path, text: str) -> tuple[tuple[str, ...], bool]:
    path = folder / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    return report(run_cases([path]))


def test_passing_case_is_only_counted(tmp_path: Path) -> None:
    assert run(tmp_path, FITS) == (("1 passed, 0 failed",), True)


@pytest.mark.parametrize(
    ("right", "wrong", "problem"),
    [
        ("ruling: legal", "ruling: foul", "ruling is legal instead of foul"),
        ("rules: []", "rules: [P-F2]", "rules is [] instead of [P-F2]"),
        ("counts: {A: 4}", "counts: {A: 5}", "counts of A is 4 instead of 5"),
        ("over: null", "over: game", "over is none instead of game"),
        ("over: null", "winner: [A]", "winner is [] instead of [A]"),
        ("over: null", "remedy: {A: {take: 2}}", "take of A is 0 instead of 2"),
        ("over: null", "colour: blue", "'colour' is nothing that can be checked in piranhas"),
        ("counts: {A: 4}", "counts: null", "counts is {'A': 4, 'B': None} instead of none"),
        ("counts: {A: 4}", "boxed: 5", "boxed is none instead of 5"),
        ("given: {", "given: {deck: maybe, ", "'deck' is 'maybe'. Possible: known, unknown."),
        ("given: {", "given: {holding: [A, A], ", "'holding' names A twice."),
        (
            "given: {",
            "given: {boxed: 100000000000000000000, ",
            "which is too large a number of cards. Possible: 0 to 1000.",
        ),
        ("counts: {A: 5}", "counts: {A: 1001}", "'counts' is 1001, which is too large a number of cards."),
        ("counts: {A: 5}", "decks: {A: 1000000000}", "'decks' is 1000000000, which is too large a number of cards."),
        (
            "counts: {A: 5}",
            "games: 10000000",
            "'games' is 10000000, which is too large a number. Possible: 0 to 1000000",
        ),
        ("counts: {A: 5}", "turns: {A: 5}", "A game of Piranhas has no 'turns' to begin with. It knows: phase, pile"),
        (
            "given:",
            "options: {calls: nobody}\n  given:",
            "'calls' cannot be 'nobody'. Possible: referee, players, report",
        ),
        ("[R3+G1+K2], say", "[R3+G9+K2], say", "'R3+G9+K2' is not a fish card: 'G9' is no fish."),
    ],
)
def test_every_wrong_expectation_is_told(tmp_path: Path, right: str, wrong: str, problem: str) -> None:
    lines, passed = run(tmp_path, FITS.replace(right, wrong, 1))
    assert not passed
    assert lines[0].startswith("T-1 (cases.yaml): ")
    assert problem in lines[0]
    assert lines[-1] == "0 passed, 1 failed"


def test_complete_remedy_of_a_named_player_is_compared(tmp_path: Path) -> None:
    foul = FITS.replace("R3+G1+K2], say: red", "R1+G1+K2], say: red")
    right = "{ruling: foul, remedy: {A: {take: [R1+G1+K2], to: discard}}}"
    for then, ok in ((right, True), (right.replace("discard", "hand"), False), ("{remedy: null}", False)):
        assert run(tmp_path, f"{foul.rsplit('  then:', 1)[0]}  then: {then}\n")[1] is ok


def test_what_a_case_may_want_is_compared_as_the_format_says(tmp_path: Path) -> None:
    """Sets have no order, nothing is an empty list, and a number may be written as a word where it is one."""
    stuck = FITS.rsplit("  when:", 1)[0]
    stalemate = (
        stuck.replace("counts: {A: 5}", "counts: {A: 2, B: 2}")
        + "  when: [{by: A, call: stuck}, {by: B, call: stuck}]\n"
    )
    unread = FITS.replace("[R3+G1+K2], say: red", "'??'").rsplit("  then:", 1)[0]
    for case, then, ok in (
        (stalemate, "{ruling: accepted, winner: [B, A], over: game, reason: stalemate, points: {B: 2}}", True),
        (stalemate, "{winner: [A]}", False),
        (
            stalemate,
            "{rules: null, reminders: [], proves: null, wrong: [], fatality: null, remedy: {}, asks: {}}",
            True,
        ),
        (stalemate, "{asks: null, remedy: null}", True),
        (unread, "{ruling: pending, asks: {table: which-card}}", True),
        (unread, "{asks: {table: [which-card]}}", True),
        (unread, "{asks: {table: whose}}", False),
        (unread, "{asks: {table: null}}", False),
        (unread, "{asks: {}}", False),
        (unread, "{asks: {A: null}}", True),
    ):
        lines, passed = run(tmp_path, f"{case}  then: {then}\n")
        assert passed is ok, (then, lines)


LIES_OPEN = """
- id: T-5
  game: shithead
  players: [A, B]
  given: {top: 7H, turn: A, hands: {A: [9S, 9C, 4D]}, hand_size: {B: 3}, open: {A: [5S, 4S, 4S]}, draw: 9}
  when: [{by: A, play: [9S]}]
"""
FISH_NAMES = """
- id: T-6
  game: crazy-old-fish-war
  players: [A, B]
  given: {top: G6, turn: A, hand_size: {A: 4, B: 4}, names: [trout, carp]}
  when: [{by: A, play: [G3]}]
"""
HELD = FITS.replace("counts: {A: 5}", "holding: [A, B], counts: {A: 5, B: 5}").rsplit("  when:", 1)[0]
HELD += "  when: [{by: A, call: stuck}]\n"


@pytest.mark.parametrize(
    ("case", "then", "ok"),
    [
        (LIES_OPEN, "{open: {A: [5S, 4S, 4S]}}", True),
        (LIES_OPEN, "{open: {A: [4S, 5S, 4S]}}", True),
        (LIES_OPEN, "{open: {A: [4S, 5S]}}", False),
        (LIES_OPEN, "{open: {A: [4S, 5S, 5S]}}", False),
        (LIES_OPEN, "{open: {B: null}}", True),
        (LIES_OPEN, "{hand_size: {}, open: {}, hidden: {}}", True),
        (LIES_OPEN, "{pile: [9S, 7H]}", False),
        (FISH_NAMES, "{names: [trout, carp]}", True),
        (FISH_NAMES, "{names: [carp, trout]}", True),
        (FISH_NAMES, "{names: [trout]}", False),
        (FISH_NAMES.replace("[trout, carp]", "[5]"), "{ruling: legal}", False),
        (FISH_NAMES.replace("[trout, carp]", "['5']"), "{ruling: legal}", True),
        (FISH_NAMES.replace("A: 4, B", "A: 1000000000, B"), "{ruling: legal}", False),
        (HELD, "{holding: [B, A]}", True),
        (HELD, "{holding: [B]}", False),
        (FITS.rsplit("  then:", 1)[0], "{counts: {}, points: {}}", True),
    ],
)
def test_what_lies_side_by_side_has_no_order_and_a_mapping_is_checked_for_its_players(
    tmp_path: Path, case: str, then: str, ok: bool
) -> None:
    lines, passed = run(tmp_path, f"{case}  then: {then}\n")
    assert passed is ok, lines


def test_a_press_may_be_earlier_than_the_card_above_it_and_ids_may_return_in_another_file(tmp_path: Path) -> None:
    late = FITS.replace("say: red}", "say: red, at: 12}\n    - {by: B, call: wrong-card, at: 11.9}")
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text(late.rsplit("  then:", 1)[0] + "  then: {rules: []}\n", encoding="utf-8")
    second.write_text(FITS, encoding="utf-8")
    outcome = run_cases([first, second])
    assert [result.id for result in outcome.results] == ["T-1", "T-1"]
    assert outcome.errors == ()


UNKNOWN = FITS.replace("game: piranhas", "game: tiddlywinks")


def test_unknown_game_is_one_line_however_many_cases_it_has(tmp_path: Path) -> None:
    lines, passed = run(tmp_path, UNKNOWN + UNKNOWN.replace("T-1", "T-2") + FITS.replace("T-1", "T-3"))
    assert not passed
    known = "crazy-old-fish-war, mau-mau, piranhas, shithead"
    told = f"cases.yaml: the game 'tiddlywinks' is not known, 2 not judged. Known games: {known}"
    assert lines == (told, "1 passed, 2 failed")


BOMB = ", ".join(("[&a0 [x]", *(f"&a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)))) + "]"
"""A line that stands for thirty thousand million words."""

THEN = "{ruling: legal, rules: [], counts: {A: 4}, pile: [R2+B4+Y1, R3+G1+K2], over: null}"


@pytest.mark.parametrize(
    ("right", "wrong", "message", "possible"),
    [
        ("given:", "gven:", "the key 'gven' is unknown", "given, when, then"),
        ("id: T-1", "id: 7", "'id' is 7", "a word"),
        ("game: piranhas", "game: [piranhas]", "'game' is ['piranhas']", "a word"),
        ("[A, B]", "Ada", "'players' is 'Ada'", "square brackets"),
        ("[A, B]", "[1, 2]", "'players' is [1, 2]", "quotes around numbers"),
        ("[A, B]", "[]", "'players' is []", "the names of all players"),
        ("given: {pile: [R2+B4+Y1], counts: {A: 5}}", "given: [1]", "'given' is [1]", "curly brackets"),
        ("given:", "options: calls\n  given:", "'options' is 'calls'", "curly brackets"),
        ("given:", "covers: P-F2\n  given:", "'covers' is 'P-F2'", "square brackets"),
        ("given:", "note: [x]\n  given:", "'note' is ['x']", "a line of text"),
        ("play: [R3+G1+K2], say: red", "sing: red", "action 1, the key 'sing' is unknown", "play, give, lay"),
        ("play: [R3+G1+K2], say: red", "at: 3", "action 1, nothing is done", "exactly one of call"),
        ("say: red", "draw: 1", "action 1, play and draw stand together", "exactly one of"),
        ("by: A, ", "", "action 1, nobody does it", "by: a player"),
        ("by: A, ", "by: Z, ", "action 1, 'by' is 'Z'", "A, B, table, ?"),
        ("[R3+G1+K2]", "[R3 G1]", "action 1, 'play' is ['R3 G1']", "cards in square brackets"),
        ("[R3+G1+K2]", "[]", "action 1, 'play' is []", "at least one card"),
        ("[R3+G1+K2]", "[7]", "action 1, 'play' is [7]", "cards in square brackets"),
        ("say: red", "say: on", "action 1, 'say' is True", "write them in quotes"),
        ("say: red", "card: P-R", "action 1, 'card' stands beside 'play'", "beside call"),
        ("say: red", "at: noon", "action 1, 'at' is 'noon'", "a time in seconds"),
        ("say: red", "at: .inf", "action 1, 'at' is inf", "a time in seconds"),
        ("say: red", "at: .nan", "action 1, 'at' is nan", "a time in seconds"),
        ("say: red", "at: -5", "action 1, 'at' is -5", "a time in seconds, 0 or later"),
        ("say: red", f"at: {10**90}", f"action 1, 'at' is {10**90}", "a time in seconds"),
        (
            "say: red}",
            "at: 5.5}\n    - {by: B, play: [R2+G4+Y1], at: 4}",
            "action 2, 'at' is 4, before an earlier action",
            "5.5 or later",
        ),
        ("play: [R3+G1+K2], say: red", "draw: 1000000000", "action 1, 'draw' is 1000000000", "a whole number from 0"),
        ("play: [R3+G1+K2], say: red", "draw: -1", "action 1, 'draw' is -1", "a whole number"),
        ("play: [R3+G1+K2], say: red", "answer: no", "action 1, 'answer' is False", "write them in quotes"),
        ("play: [R3+G1+K2], say: red", "start: 1", "action 1, 'start' is 1", "true"),
        ("play: [R3+G1+K2], say: red", "take: all", "action 1, 'take' is 'all'", "pile, own"),
        ("play: [R3+G1+K2], say: red", "swap: {hand: KH}", "action 1, 'swap' is {'hand': 'KH'}", "open: a card"),
        ("play: [R3+G1+K2], say: red", "flip: true, cards: {Z: KH}", "'cards' is {'Z': 'KH'}", "out of A, B"),
        ("{by: A, play: [R3+G1+K2], say: red}", "go", "action 1, 'go' is no action", "who and what"),
        (THEN, "{}", "'then' is {}", "at least one key"),
        (THEN, "legal", "'then' is 'legal'", "at least one key"),
        ("ruling: legal", "ruling: fine", "then, 'ruling' is 'fine'", "legal, pending, foul, void"),
        ("ruling: legal", "rulling: legal", "then, the key 'rulling' is unknown", "ruling, rules"),
        ("rules: []", "rules: P-F2", "then, 'rules' is 'P-F2'", "square brackets"),
        ("rules: []", "rules: [P-F77]", "then, 'rules' names 'P-F77', which is no rule of the game", "P-F1, P-F2"),
        ("rules: []", "proves: [C-T2]", "then, 'proves' names 'C-T2'", "P-F1, P-F2"),
        ("counts: {A: 4}", "counts: {Z: 4}", "then, 'counts' is {'Z': 4}", "out of A, B"),
        ("counts: {A: 4}", "counts: {A: four}", "then, 'counts' is {'A': 'four'}", "a whole number"),
        ("over: null", "over: lunch", "then, 'over' is 'lunch'", "round, game, series"),
        ("over: null", "winner: A", "then, 'winner' is 'A'", "a list of players"),
        ("over: null", "open: {A: 5}", "then, 'open' is {'A': 5}", "cards in square brackets"),
        ("over: null", "open: {A: 4S}", "then, 'open' is {'A': '4S'}", "cards in square brackets"),
        ("over: null", "open: 5", "then, 'open' is 5", "something for each player"),
        ("over: null", "hidden: {A: [4S]}", "then, 'hidden' is {'A': ['4S']}", "a whole number"),
        ("over: null", "names: 4", "then, 'names' is 4", "a list of words"),
        ("over: null", "names: [4]", "then, 'names' is [4]", "a list of words"),
        ("over: null", "run: true", "then, 'run' is True", "a whole number"),
        ("over: null", "boxed: true", "then, 'boxed' is True", "a whole number"),
        ("over: null", "burned: 1", "then, 'burned' is 1", "true or false"),
        ("over: null", "remedy: {A: {eat: 2}}", "then, 'remedy' is {'A': {'eat': 2}}", "take, draw and to"),
        (
            "over: null",
            "remedy: {A: {take: -2}}",
            "then, 'remedy' is",
            "take: cards in square brackets or their number",
        ),
        ("over: null", "remedy: {A: {to: bed}}", "then, 'remedy' is", "to: hand, discard, open, hidden"),
        ("over: null", "asks: {A: 3}", "then, 'asks' is {'A': 3}", "what is asked"),
    ],
)
def test_mistake_inside_a_case_is_told_with_place_and_what_is_possible(
    tmp_path: Path, right: str, wrong: str, message: str, possible: str
) -> None:
    assert right in FITS
    path = tmp_path / "broken.yaml"
    path.write_text(FITS.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        load_cases(path)
    assert str(caught.value).startswith(f"{path}, line 2, case ")
    assert message in str(caught.value)
    assert possible in caught.value.hint


def test_every_mistake_of_a_file_is_told_and_the_rest_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "mixed.yaml"
    twice = FITS.replace("ruling: legal", "ruling: fine").replace("by: A", "by: Z").replace("T-1", "T-2")
    path.write_text(FITS + twice + FITS + "- 3\n- {id: T-4, game: piranhas}\n", encoding="utf-8")
    file = read_cases(path)
    assert [case.id for case in file.cases] == ["T-1"]
    assert [str(error).removeprefix(f"{path}, ") for error in file.errors] == [
        "line 10, case T-2: action 1, 'by' is 'Z'.",
        "line 10, case T-2: then, 'ruling' is 'fine'.",
        "line 18, case T-1: 'id' is 'T-1', like that of the case in line 2.",
        "line 25, case number 4: 3 is not a case.",
        "line 26, case T-4: it lacks players, when, then.",
    ]
    assert report(run_cases([path])) == (("1 passed, 4 failed",), False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- id: [", "is not YAML"),
        ("", "holds no list of cases"),
        ("[]", "holds no list of cases"),
        ("just words", "holds no list of cases"),
        ("id: T-1", "holds no list of cases"),
        (FITS.replace("ruling: legal", "ruling: legal, ruling: foul"), "the key 'ruling' stands twice"),
        (FITS.replace("id: T-1", "id: 2026-99-99"), "is not YAML that can be read: month must be in"),
        ("[" * 5000, "is not YAML"),
        ("- id: \0", "is not YAML"),
        (
            FITS.replace("A, B", "!!python/object:os.system x"),
            "line 4: the tag tag:yaml.org,2002:python/object:os.system",
        ),
        (FITS.replace("A: 5", "A: !!int ''"), "line 5: the tag tag:yaml.org,2002:int is not read in a case"),
        (FITS.replace("over: null", "over: !!bool maybe"), "line 8: the tag tag:yaml.org,2002:bool is not read"),
        (FITS.replace("A: 5", f"A: 0x{'f' * 5000}"), "line 5: this number is too long"),
        (FITS.replace("[A, B]", "&us [A, B]"), "line 4: &us is an anchor or an alias"),
        (FITS.replace("over: null", "over: *us"), "line 8: *us is an anchor or an alias"),
        (FITS.replace("given:", f"note: {BOMB}\n  given:"), "line 5: &a0 is an anchor or an alias"),
    ],
)
def test_unreadable_file_says_where_and_what_to_do(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError, match=r"broken\.yaml") as caught:
        load_cases(path)
    assert message in str(caught.value)
    assert caught.value.hint
    outcome = run_cases([path])
    assert (outcome.results, [str(one) for one in outcome.errors]) == ((), [str(caught.value)])
    assert report(outcome) == ((), False)


def test_missing_and_binary_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"nowhere\.yaml cannot be read: No such file"):
        load_cases(tmp_path / "nowhere.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(CaseError, match="is not a text file"):
        load_cases(tmp_path / "binary.yaml")


EVERYTHING = """
- id: T-9
  game: tiddlywinks
  players: [A, B, "No"]
  options:
  covers:
  note:
  given:
  when:
    - {by: A, play: KH}
    - {by: A, play: ['9?', '??'], from: open, at: 0}
    - {by: A, play: [9S], with: [9H, 9D], as: 9, say: red}
    - {by: A, play: [JK], from: blind, as: Q}
    - {by: "No", call: wrong-card, card: KH, at: 12.5}
    - {by: A, call: no-match}
    - {by: A, name: blue}
    - {by: A, name: 9}
    - {by: A, war: B}
    - {by: A, ask: B}
    - {by: B, give: [MM]}
    - {by: B, answer: "no"}
    - {by: A, lay: back}
    - {by: B, lay: Y4, from: draw}
    - {by: table, flip: true, cards: {A: R9, B: Y4}}
    - {by: B, draw: 1}
    - {by: B, take: pile, with: [9H]}
    - {by: B, take: own}
    - {by: B, swap: {hand: 9S, open: 4D}}
    - {by: B, shout: trout}
    - {by: B, discard: [P-R]}
    - {by: B, reveal: back}
    - {by: B, turnover: true}
    - {by: '?', play: [KH]}
    - {by: table, start: true}
  then:
    ruling: void
    rules: [X-1]
    reminders: null
    proves: []
    remedy: {A: {take: [KH], to: hand, draw: 2}, B: {take: 3}, "No": null}
    asks: {A: colour, B: null}
    over: series
    reason: last-card
    fatality: null
    winner: [A, B]
    wrong: [KH]
    burned: true
    turn: A
    pile: []
    top: KH
    rank: 9
    colour: blue
    draw: 0
    hand_size: {A: 3}
    holding: []
    counts: {A: 3}
    out: [B]
    points: {A: 3}
    wins: {A: 3}
    open: {A: [KH]}
    hidden: {A: 3}
    names: [trout]
"""


def test_everything_that_the_format_allows_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "everything.yaml"
    path.write_text(EVERYTHING, encoding="utf-8")
    (case,) = load_cases(path)
    moves = [as_move(action) for action in case.when]
    assert [as_move(as_action(move)) for move in moves] == moves
    assert [move.kind for move in moves[:3]] == ["play", "play", "play"]
    assert moves[2].data == {"with": ["9H", "9D"], "as": 9, "say": "red"}
    assert (moves[4].player, moves[4].cards, moves[4].target, moves[4].time_s) == ("No", ("KH",), "wrong-card", 12.5)
    assert moves[7].target == "9"
