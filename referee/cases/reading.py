"""Files of cases: YAML becomes cases, or a sentence for everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from referee.cases.actions import EXTRAS, VERBS, verbs
from referee.cases.wanted import BESIDE, OF_ACTIONS, OF_POSITION, OF_THEN, actor, is_text, mapping, texts
from referee.errors import CaseError
from referee.games import GAMES

__all__ = ["Case", "CaseFile", "load_cases", "read_cases"]

_KEYS = ("id", "game", "players", "options", "covers", "note", "given", "when", "then")
_NEEDED = ("id", "game", "players", "when", "then")
_RULES = ("rules", "reminders", "proves")

_TEXT_TAG = "tag:yaml.org,2002:str"

_DIGITS = 100
"""A number in a file has no more digits."""


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
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The cases of one file that can be read, and what is wrong with the others; `broken` is how many these are."""

    path: Path
    cases: tuple[Case, ...]
    errors: tuple[CaseError, ...] = ()
    broken: int = 0


@dataclass(frozen=True, slots=True)
class _Wrong:
    """What is wrong inside a case, and what would be possible there."""

    what: str
    possible: str


def load_cases(path: Path) -> tuple[Case, ...]:
    """The cases of one file. Raises `CaseError`, which says where, when any of them cannot be read."""
    file = read_cases(path)
    if file.errors:
        raise file.errors[0]
    return file.cases


def read_cases(path: Path) -> CaseFile:
    """The cases of one file and everything that is wrong with it. Raises `CaseError` when it is no list of cases."""
    items = _items(path, _text(path))
    cases: list[Case] = []
    errors: list[CaseError] = []
    broken = 0
    taken: dict[str, int] = {}
    for number, (line, item) in enumerate(items, start=1):
        wrongs = list(_wrongs(item, taken))
        errors += [_error(path, line, _name(item, number), wrong) for wrong in wrongs]
        if isinstance(item, Mapping):
            taken.setdefault(str(item.get("id")), line)
        if wrongs:
            broken += 1
        else:
            cases.append(_case(item))
    return CaseFile(path, tuple(cases), tuple(errors), broken)


def _error(path: Path, line: int, name: str, wrong: _Wrong) -> CaseError:
    return CaseError(f"{path}, line {line}, case {name}: {wrong.what}.", hint=f"Possible: {wrong.possible}.")


def _name(item: object, number: int) -> str:
    name = item.get("id") if isinstance(item, Mapping) else None
    return str(name) if is_text(name) else f"number {number}"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CaseError(f"{path} cannot be read: {error.strerror}.", hint="Is the name right?") from error
    except UnicodeDecodeError as error:
        raise CaseError(f"{path} is not a text file: {error.reason}.", hint="Save it as UTF-8.") from error


class _Refused(yaml.YAMLError):
    """YAML that is none of a case: it is told with the line that it stands in."""

    def __init__(self, what: str, at: yaml.Node | yaml.Event, *, hint: str) -> None:
        super().__init__(what)
        self.line, self.hint = 1 if at.start_mark is None else at.start_mark.line + 1, hint


class _Loader(yaml.SafeLoader):
    """Reads plain YAML, and refuses a key that stands twice: the second one would silently win.

    Anchors and aliases are refused too, because a few lines of them can stand for more than any memory holds; so are
    numbers too long to be told, and tags, with which a value pretends to be of another kind.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            sign = f"{'*' if isinstance(event, yaml.AliasEvent) else '&'}{event.anchor}"
            raise _Refused(f"{sign} is an anchor or an alias", event, hint="Write out what it stands for.")
        if getattr(event, "tag", None) not in (None, _TEXT_TAG):
            raise _Refused(f"the tag {event.tag} is not read in a case", event, hint="Write plain values.")
        return super().compose_node(parent, index)

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        if len(node.value) > _DIGITS:
            raise _Refused("this number is too long", node, hint=f"It may have {_DIGITS} digits.")
        return int(super().construct_yaml_int(node))

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise yaml.constructor.ConstructorError(None, None, f"the key '{twice}' stands twice", node.start_mark)
        return dict(super().construct_mapping(node, deep=deep))


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_yaml_int)


def _items(path: Path, text: str) -> list[tuple[int, object]]:
    """What the list in a file holds, each with the line it begins in."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        data = None if node is None else loader.construct_document(node)
    except _Refused as error:
        raise CaseError(f"{path}, line {error.line}: {error}.", hint=error.hint) from error
    except yaml.YAMLError as error:
        raise CaseError(f"{path} is not YAML: {' '.join(str(error).split())}.", hint="Mend that line.") from error
    except (RecursionError, ValueError) as error:
        raise CaseError(f"{path} is not YAML that can be read: {error}.", hint="Write plain values.") from error
    if not isinstance(node, yaml.SequenceNode) or not isinstance(data, list) or not data:
        raise CaseError(f"{path} holds no list of cases.", hint="A file of cases begins with '- id: ...'.")
    return [(child.start_mark.line + 1, item) for child, item in zip(node.value, data, strict=True)]


def _wrongs(item: object, taken: Mapping[str, int]) -> Iterator[_Wrong]:
    """Everything that is wrong with a case. `taken` are the ids before it, with their lines."""
    if not isinstance(item, Mapping):
        yield _Wrong(f"{item!r} is not a case", "a case, which begins with '- id: ...'")
        return
    yield from _unknown("", item, allowed=_KEYS)
    missing = [key for key in _NEEDED if item.get(key) is None]
    if missing:
        yield _Wrong(f"it lacks {', '.join(missing)}", f"every case has {', '.join(_NEEDED)}")
        return
    yield from _head_wrongs(item, taken)
    players = item["players"]
    if texts(players) is not None or not players:
        yield _Wrong(f"'players' is {players!r}", "the names of all players in square brackets; quotes around numbers")
        return
    yield from _when_wrongs(item["when"], players)
    yield from _then_wrongs(item["then"], players, game=item["game"])


def _head_wrongs(item: Mapping[Any, Any], taken: Mapping[str, int]) -> Iterator[_Wrong]:
    for key in ("id", "game"):
        if not is_text(item[key]):
            yield _Wrong(f"'{key}' is {item[key]!r}", "a word")
    if str(item["id"]) in taken:
        yield _Wrong(
            f"'id' is {item['id']!r}, like that of the case in line {taken[str(item['id'])]}", "an id of its own"
        )
    if not isinstance(item.get("note", ""), str | None):
        yield _Wrong(f"'note' is {item['note']!r}", "a line of text, in quotes where it looks like something else")
    for key, check in {"options": mapping, "given": mapping, "covers": texts}.items():
        possible = None if item.get(key) is None else check(item[key])
        if possible is not None:
            yield _Wrong(f"'{key}' is {item[key]!r}", possible)


def _unknown(where: str, item: Mapping[Any, Any], *, allowed: Sequence[str]) -> Iterator[_Wrong]:
    for key in item:
        if key not in allowed:
            yield _Wrong(f"{where}the key {key!r} is unknown", ", ".join(allowed))


def _when_wrongs(when: object, players: Sequence[str]) -> Iterator[_Wrong]:
    if not isinstance(when, list) or not when:
        yield _Wrong(f"'when' is {when!r}", "a list with at least one action, as in {by: A, play: [R2+B4+Y1]}")
        return
    latest = 0.0
    for number, action in enumerate(when, start=1):
        wrongs = list(_action_wrongs(f"action {number}, ", action, players))
        yield from wrongs
        if wrongs or action.get("at") is None:
            continue
        # A press may come to light only after the card that it was quicker than; cards come one after another.
        if action["at"] < latest and "call" not in action:
            yield _Wrong(f"action {number}, 'at' is {action['at']!r}, before an earlier action", f"{latest} or later")
        latest = max(latest, action["at"])


def _action_wrongs(where: str, action: object, players: Sequence[str]) -> Iterator[_Wrong]:
    if not isinstance(action, Mapping):
        yield _Wrong(f"{where}{action!r} is no action", "who and what, as in {by: A, play: [R2+B4+Y1]}")
        return
    yield from _unknown(where, action, allowed=("by", "at", *VERBS, *EXTRAS))
    found = verbs(action)
    if len(found) != 1:
        how_many = f"{' and '.join(found)} stand together" if found else "nothing is done"
        yield _Wrong(f"{where}{how_many}", f"exactly one of {', '.join(VERBS)}")
    if "by" not in action:
        yield _Wrong(f"{where}nobody does it", "by: a player, or by: table")
    for key, value in action.items():
        check = actor if key == "by" else OF_ACTIONS.get(key)
        possible = None if check is None else check(value, players)
        if possible is not None:
            yield _Wrong(f"{where}'{key}' is {value!r}", possible)
        if key in BESIDE and len(found) == 1 and found[0] not in BESIDE[key]:
            yield _Wrong(f"{where}'{key}' stands beside '{found[0]}'", f"'{key}' beside {', '.join(BESIDE[key])}")


def _then_wrongs(then: object, players: Sequence[str], *, game: object) -> Iterator[_Wrong]:
    if not isinstance(then, Mapping) or not then:
        yield _Wrong(f"'then' is {then!r}", "at least one key with what must be true, as in {ruling: legal}")
        return
    yield from _unknown("then, ", then, allowed=tuple(dict.fromkeys((*OF_THEN, *OF_POSITION))))
    for key, value in then.items():
        possible = OF_THEN[key](value, players) if key in OF_THEN else None
        if possible is not None:
            yield _Wrong(f"then, '{key}' is {value!r}", possible)
        elif key in _RULES and str(game) in GAMES:
            yield from _rule_wrongs(key, value or (), rule_ids=GAMES[str(game)].rule_ids)


def _rule_wrongs(key: str, rules: Sequence[str], *, rule_ids: frozenset[str]) -> Iterator[_Wrong]:
    for rule in rules:
        if rule not in rule_ids:
            yield _Wrong(f"then, '{key}' names {rule!r}, which is no rule of the game", ", ".join(sorted(rule_ids)))


def _case(item: Any) -> Case:
    return Case(
        id=item["id"],
        game=item["game"],
        players=tuple(item["players"]),
        options=item.get("options") or {},
        given=item.get("given") or {},
        when=tuple(item["when"]),
        then=item["then"],
        covers=tuple(item.get("covers") or ()),
    )
