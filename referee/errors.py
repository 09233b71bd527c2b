"""Errors of the referee, one branch per decision of the caller.

RefereeError                anything that somebody at the table can do something about
├── UnreadableError         what was written down cannot be read as a card, a move or an entry: write it differently
│   ├── CardError           a text is no card of this deck
│   ├── MoveError           a game has no such move, or it lacks a part
│   └── EntryError          a line of the log is not an entry this version understands
├── SetupError              a game cannot begin like this: other players, other position
│   ├── OptionError         a house rule is unknown or has an impossible value
│   └── UnknownGameError    there is no such game
├── LogError                an entry does not continue the log: look at the log again, then decide anew
│   └── ConflictError       somebody else has written that number first
├── StoreError              the file with the matches cannot be read or written: other file, free disk
└── CaseError               a file of rule cases cannot be read: mend the file
"""

from __future__ import annotations

__all__ = [
    "CardError",
    "CaseError",
    "ConflictError",
    "EntryError",
    "LogError",
    "MoveError",
    "OptionError",
    "RefereeError",
    "SetupError",
    "StoreError",
    "UnknownGameError",
    "UnreadableError",
]


class RefereeError(Exception):
    """What is wrong and where (`str(error)`), and what to do about it (`hint`)."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UnreadableError(RefereeError):
    """Something written down cannot be read."""


class CardError(UnreadableError):
    """A text that is no card of the deck in play."""


class MoveError(UnreadableError):
    """A move that the game does not know, or one that lacks a part."""


class EntryError(UnreadableError):
    """A log entry that is damaged or written by a newer version."""


class SetupError(RefereeError):
    """A game that cannot begin with these players or from this position."""


class OptionError(SetupError):
    """An unknown house rule, or one with an impossible value."""


class UnknownGameError(SetupError):
    """A game that nobody has taught the referee."""


class LogError(RefereeError):
    """An entry that does not continue the log, or a correction of something that is not there."""


class ConflictError(LogError):
    """The number of an entry is taken already: somebody else has written in between."""


class StoreError(RefereeError):
    """The file with the matches cannot be opened, read or written."""


class CaseError(RefereeError):
    """A file of rule cases that cannot be read."""
