"""Named tuples that games change with every move: a position of twenty fields, of which two or three differ."""

from __future__ import annotations

from typing import Any, TypeVar

__all__ = ["replacing"]

T = TypeVar("T", bound=tuple[Any, ...])


def replacing(kind: type[T]) -> type[T]:
    """The named tuple `kind` with a `_replace` that does the same in half the time.

    It raises `KeyError` where the usual one raises `ValueError`: for a field that the type checker does not let pass.
    """
    places = {name: place for place, name in enumerate(kind._fields)}  # type: ignore[attr-defined]

    def _replace(self: T, /, **changes: object) -> T:
        values = [*self]
        for name, value in changes.items():
            values[places[name]] = value
        return tuple.__new__(kind, values)

    kind._replace = _replace  # type: ignore[attr-defined]
    return kind
