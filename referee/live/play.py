"""`wrongcard play`: a live table under a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.errors import SetupError
from referee.live.opening import Party, game_deck, read_option_texts
from referee.live.serving import Doorstep, Evening, match_name, serve_evening
from referee.live.watching import watchers
from vision.recording import read_table
from vision.zones import Zones

__all__ = ["Wishes", "run_play"]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for on the command line.

    players  names in seating order, separated by commas
    deck     None: the one that comes with the game
    zones    a `table.toml`; None: the pile is found by itself
    options  house rules, each as `key=value`
    match    name of a match that goes on or of a new one; None: a new one with a name of its own
    """

    game: str
    camera: str
    players: str
    deck: str | None = None
    zones: Path | None = None
    options: Sequence[str] = ()
    match: str | None = None
    models: Path | None = None


def run_play(wishes: Wishes, doorstep: Doorstep) -> None:
    """Referee one match until Ctrl+C. Raises like `serve_evening`; what was asked for is checked first."""
    deck = wishes.deck or game_deck(wishes.game)
    options = read_option_texts(wishes.game, wishes.options)
    party = Party(wishes.game, deck, _names(wishes.players), options)
    zones = Zones() if wishes.zones is None else read_table(wishes.zones).zones
    _check_seats(party, zones)
    name = wishes.match or match_name(wishes.game)
    serve_evening(Evening(party, wishes.camera, lambda: watchers(deck, zones, wishes.models), name), doorstep)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _check_seats(party: Party, zones: Zones) -> None:
    strangers = [name for name in zones.seats if name not in party.players]
    if strangers:
        raise SetupError(
            f"The zones have a seat for {strangers[0]}, who does not play.",
            hint=f"Players: {', '.join(party.players)}. Write the names alike, also upper and lower case.",
        )
