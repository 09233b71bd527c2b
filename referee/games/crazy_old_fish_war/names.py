"""Crazy Old Fish War: fish names as they are compared with each other (C-A12)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["plain"]


@lru_cache(maxsize=1024)
def plain(name: str) -> str:
    """A fish name without case, accents, blanks, signs and a plural -s."""
    letters = [one for one in unicodedata.normalize("NFKD", name.casefold()) if one.isalnum()]
    return "".join(letters).removesuffix("s")
