"""What the referee says: sentences made from rule ids and facts, in the reader's language.

The texts of a game stand on its page, `rulebook/<game>.toml`, those of every game in `rulebook/common.toml`. The
referee's core only knows ids and facts; this is where they become words.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from referee.cards import is_known
from referee.moves import TABLE, UNCLEAR, Json, Move
from referee.verdicts import Ask, Correction, Finding, Result, Step, Verdict

__all__ = ["LANGUAGES", "Wording", "load_page", "load_wording", "read_texts"]

LANGUAGES = ("en", "de")

TOLD_PAIRS = 5
"""A correction tells so many changed verdicts one by one, the rest as a number."""

_SINGLE = ("title", "intro")
"""Tables of a page that are one text each; the others hold several."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of every language, by dotted key: `texts["de"]["rule.P-F2.same"]`; first those of every game alone."""

    texts: Mapping[str, Mapping[str, str]]

    def of(self, game: str) -> Wording:
        """The texts of every game and those of `game`."""
        return _of_game(game)

    def verdict(self, verdict: Verdict) -> dict[str, Any]:
        """A verdict as phones get it, JSON-ready, with its sentence and its steps in every language."""
        return {
            "seq": verdict.seq,
            "time_s": verdict.move.time_s,
            "player": _player(verdict.move.player),
            "kind": _kind(verdict.move),
            "cards": list(verdict.move.cards),
            "beneath": verdict.beneath if verdict.beneath is not None and is_known(verdict.beneath) else None,
            "ruling": verdict.ruling,
            "rules": list(verdict.rules),
            "reminders": [one.rule for one in verdict.reminders],
            "remedy": [_step(step) for step in verdict.remedy],
            "asks": {ask.player or TABLE: ask.kind for ask in verdict.asks},
            "evidence": list(verdict.evidence),
            "text": {language: self.sentence(verdict, language) for language in self.texts},
            "steps": {language: self.steps(verdict, language) for language in self.texts},
        }

    def ask(self, ask: Ask) -> dict[str, Any]:
        """A question as phones get it, JSON-ready."""
        facts = {"player": ask.player or ""}
        return {
            "id": ask.id,
            "seq": ask.seq,
            "kind": ask.kind,
            "player": ask.player,
            "choices": list(ask.choices),
            "text": {language: self._say(language, f"ask.{ask.kind}", facts=facts) for language in self.texts},
        }

    def result(self, result: Result) -> dict[str, Any]:
        """An end as phones get it, JSON-ready."""
        return {
            "reason": result.reason,
            "winners": list(result.winners),
            "scope": result.over,
            "points": dict(result.points),
            "wrong": list(result.wrong),
            "text": {language: self._end(language, result) for language in self.texts},
        }

    def correction(self, correction: Correction) -> dict[str, Any]:
        """What a correction has changed as phones get it, JSON-ready, with a sentence in every language."""
        return {
            "seq": correction.seq,
            "of": correction.of,
            "changed": list(correction.changed),
            "scores": [{"player": name, "before": old, "after": new} for name, old, new in correction.scores],
            "text": {language: self.corrected(correction, language) for language in self.texts},
        }

    def corrected(self, correction: Correction, language: str) -> str:
        """Which verdicts and which scores read differently now."""
        scores, pairs = correction.scores, [pair for pair in correction.pairs if _essence(pair[0]) != _essence(pair[1])]
        if not pairs and not scores:
            return self._say(language, "correction.nothing", facts={})
        told = [self._rejudged(language, pair) for pair in pairs[:TOLD_PAIRS]]
        if len(pairs) > TOLD_PAIRS:
            told.append(self._say(language, "correction.more", facts={"count": str(len(pairs) - TOLD_PAIRS)}))
        points = "; ".join(f"{name} {old} → {new}" for name, old, new in scores)
        judged = self._say(language, "correction.judged", facts={"verdicts": "; ".join(told)}) if told else ""
        scored = self._say(language, "correction.scored", facts={"scores": points}) if points else ""
        return " ".join(part for part in (judged, scored) if part)

    def _rejudged(self, language: str, pair: tuple[Verdict | None, Verdict | None]) -> str:
        """One move, and what was ruled before and after where that differs."""
        judged = [one for one in pair if one is not None]
        rulings = [f"ruling.{one.ruling}" for one in judged] + (["ruling.gone"] if pair[1] is None else [])
        told = dict.fromkeys(self.texts[language][key] for key in rulings)
        return f"{self.did(judged[-1].move, language)}: {' → '.join(told)}"

    def did(self, move: Move, language: str) -> str:
        """What somebody did, as a sentence without its full stop."""
        texts, kind = self.texts[language], _kind(move)
        names = {TABLE: texts["word.table"], UNCLEAR: texts["word.somebody"]}
        swapped = move.data.get("swap")
        facts = {
            "player": names.get(move.player, move.player),
            "kind": kind,
            "cards": ", ".join(texts.get(f"card.{card}", card) for card in _laid(move)),
            "target": self._fact(language, "colour", value=move.target or ""),
            "count": str(move.data.get("n", "")),
            **{key: str(swapped.get(key)) if isinstance(swapped, Mapping) else "" for key in ("hand", "open")},
        }
        keys = (f"did.{kind}.{move.target}", f"did.{kind}", "did.other")
        return " ".join(texts[next(key for key in keys if key in texts)].format_map(facts).split())

    def sentence(self, verdict: Verdict, language: str) -> str:
        """What the referee says about a move: the ruling, why, what to mind, what is asked and how it ended."""
        findings = verdict.faults or verdict.grounds
        opening = self._say(language, self._opening(verdict, bare=not findings), facts={"player": verdict.move.player})
        called = verdict.ruling == "upheld"
        reasons = [self._finding(language, one, called=called) for one in (*findings, *verdict.reminders)]
        if not opening.endswith(":"):
            reasons = [reason[:1].upper() + reason[1:] for reason in reasons]
        asks = [self._say(language, f"ask.{ask.kind}", facts={"player": ask.player or ""}) for ask in verdict.asks]
        ends = [] if verdict.result is None else [self._end(language, verdict.result)]
        return " ".join(part for part in dict.fromkeys((opening, *reasons, *asks, *ends)) if part)

    def steps(self, verdict: Verdict, language: str) -> list[str]:
        """One sentence for every physical step, in order."""
        return [self._instruction(language, step) for step in verdict.remedy]

    def _instruction(self, language: str, step: Step) -> str:
        """The text for a step of so many cards, else for any number."""
        counted, general = f"step.{step.how}.{step.count}", f"step.{step.how}"
        facts = {"player": step.player, "count": str(step.count), "cards": ", ".join(step.cards)}
        return self._say(language, counted if counted in self.texts[language] else general, facts=facts)

    def _opening(self, verdict: Verdict, *, bare: bool) -> str:
        """The most particular opening there is for a ruling on a kind of move, `bare` when no reason follows."""
        ruling, kind = verdict.ruling, _kind(verdict.move)
        particular = "bare" if bare else (verdict.faults or verdict.grounds)[0].rule
        keys = (f"{ruling}.{kind}.{particular}", f"{ruling}.{kind}")
        known = self.texts[LANGUAGES[0]]
        return next((f"opening.{key}" for key in keys if f"opening.{key}" in known), f"opening.{ruling}")

    def _finding(self, language: str, finding: Finding, *, called: bool) -> str:
        """The text of a rule's case, else its usual reason, else the rule; a `called` card is not the reader's own."""
        general = f"rule.{finding.rule}"
        particular = f"{general}.{finding.facts.get('case')}"
        keys = (*((f"{particular}.called",) if called else ()), particular, f"{general}.reason")
        key = next((one for one in keys if one in self.texts[language]), general)
        return self._say(
            language, key, facts={name: self._fact(language, name, value=one) for name, one in finding.facts.items()}
        )

    def _fact(self, language: str, name: str, *, value: Json) -> str:
        return self.texts[language].get(f"{name}.{value}", str(value))

    def _end(self, language: str, result: Result) -> str:
        if not result.winners:
            return self._say(language, "over.count", facts={})
        what = "series" if result.over == "series" else result.reason
        shared = ".shared" if len(result.winners) > 1 else ""
        return self._say(language, f"over.{what}{shared}", facts={"winners": self._names(language, result.winners)})

    def _names(self, language: str, names: Iterable[str]) -> str:
        *first, last = names
        joined = self.texts[language]["word.and"]
        return f"{', '.join(first)} {joined} {last}" if first else last

    def _say(self, language: str, key: str, *, facts: Mapping[str, str]) -> str:
        words = {TABLE: self.texts[language]["word.all"], UNCLEAR: self.texts[language]["word.somebody"]}
        return self.texts[language][key].format_map({name: words.get(value, value) for name, value in facts.items()})


def _player(name: str) -> str | None:
    return None if name in (TABLE, UNCLEAR) else name


def _kind(move: Move) -> str:
    """A challenge is a `call`; the other calls go by their own name (`stuck`, `mine`)."""
    return move.target if move.kind == "call" and move.target not in (None, "wrong-card") else move.kind


def _essence(verdict: Verdict | None) -> object:
    """What matters of a verdict to the table; another reason for the same ruling is nothing to be told."""
    if verdict is None:
        return None
    return verdict.ruling, verdict.rules, verdict.move.player, verdict.move.cards, verdict.remedy, verdict.result


def _laid(move: Move) -> tuple[str, ...]:
    """The cards of a move, those that several players turn over together included."""
    together = move.data.get("cards")
    turned = tuple(map(str, together.values())) if isinstance(together, Mapping) else ()
    added = move.data.get("with")
    return (*move.cards, *turned, *(map(str, added) if isinstance(added, list | tuple) else ()))


def _step(step: Step) -> dict[str, Any]:
    return {
        "player": step.player,
        "action": step.action,
        "cards": list(step.cards),
        "count": step.count,
        "to": step.to,
    }


@cache
def load_wording() -> Wording:
    """The texts that come with the program: constant data, read once."""
    return Wording(_read("common"))


@cache
def _of_game(game: str) -> Wording:
    common, page = load_wording().texts, _read(game)
    return Wording({language: {**common[language], **page[language]} for language in LANGUAGES})


def _read(page: str) -> Mapping[str, Mapping[str, str]]:
    return read_texts(load_page(page))


@cache
def load_page(page: str) -> Mapping[str, Any]:
    """The page of a game, or `common`, as it is written: constant data, read once."""
    text = resources.files("referee").joinpath("rulebook", f"{page}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def read_texts(page: Mapping[str, Any]) -> Mapping[str, Mapping[str, str]]:
    """Every text of a page by language and dotted key: each table with a text for every language is one."""
    texts: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    for group, entries in page.items():
        tables = {group: entries} if group in _SINGLE else _tables(group, entries)
        for key, table in tables.items():
            for language in LANGUAGES:
                texts[language][key] = table[language]
    return texts


def _tables(group: str, entries: Any) -> Mapping[str, Mapping[str, str]]:
    if isinstance(entries, Mapping):
        return {f"{group}.{key}": table for key, table in entries.items()}
    return {f"{group}.{number}": section["title"] for number, section in enumerate(entries)}
