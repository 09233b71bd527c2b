"""Raw material of the scenes: card decks, table tops, photographs, clutter and hands.

Everything is fetched from packages of Debian, npm and PyPI, or computed, when the eyes are taught; nothing of it is
part of this project. Layout of the prepared folder:

    decks/<deck>/<FACE>.png       BGRA, 500 px high; `2C` .. `AS`, `JK1`, `JK2`, `back`, `back2` ...; and deck.json
    surfaces/<kind>/*.jpg         table tops, at least 512 px
    photos/*.jpg                  photographs, longer side at most 1280 px
    clutter/*.png                 things with alpha
    hands/*.png                   hands with alpha, 512 px high, and hands.json
    done/<part>.json              where a part came from; a part with this file is complete
    .packages/                    unpacked packages, until all parts are complete
"""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from vision.errors import TeachingError
from vision.teaching.assets.catalogue import CLUTTER, PHOTOS, TOPS, PictureSet
from vision.teaching.assets.deck_sources import DECK_PARTS
from vision.teaching.assets.hands import write_hands
from vision.teaching.assets.packages import unpacked
from vision.teaching.assets.surfaces import write_made_up_cloths, write_pictures

__all__ = ["PARTS", "prepare_assets"]

_LOG = logging.getLogger(__name__)

Record = dict[str, str]
Part = Callable[[Path, Path], list[Record]]


def prepare_assets(folder: Path, *, only: tuple[str, ...] = ()) -> None:
    """Prepare all parts that are not complete yet; with `only`, just these parts or groups.

    A part is named `<group>/<name>`, the groups are decks, surfaces, photos, clutter and hands.

    Raises:
        TeachingError: `only` names nothing known, a tool is missing, or a package is not served or has changed.
    """
    wanted = _wanted(only)
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(wanted, 1):
        done = _mark(folder, name)
        if done.is_file():
            _LOG.info("%d of %d: %s is complete", number, len(wanted), name)
            continue
        _LOG.info("%d of %d: preparing %s", number, len(wanted), name)
        sources = PARTS[name](folder, folder / ".packages")
        done.parent.mkdir(exist_ok=True)
        done.write_text(json.dumps({"part": name, "sources": sources}, indent=2) + "\n", encoding="utf-8")
    if all(_mark(folder, name).is_file() for name in PARTS):
        # Two gigabytes that nobody needs any more.
        shutil.rmtree(folder / ".packages", ignore_errors=True)


def _mark(folder: Path, part: str) -> Path:
    return folder / "done" / f"{part.replace('/', '-')}.json"


def _wanted(only: tuple[str, ...]) -> list[str]:
    groups = {name.split("/")[0] for name in PARTS}
    unknown = sorted(set(only) - set(PARTS) - groups)
    if unknown:
        known = ", ".join(sorted(groups))
        raise TeachingError(f"No part of the raw material is called {unknown[0]}.", hint=f"Choose of: {known}.")
    return [name for name in PARTS if not only or name in only or name.split("/")[0] in only]


def _picture_part(sets: Sequence[PictureSet], folder: Path, cache: Path) -> list[Record]:
    records = []
    for pictures in sets:
        source = unpacked(pictures.package, cache)
        count = write_pictures(folder, pictures, source)
        _LOG.info("%d pictures from %s", count, source.package.name)
        records.append(source.as_record())
    return records


def _made_up_cloths(folder: Path, _cache: Path) -> list[Record]:
    _LOG.info("%d cloths computed", write_made_up_cloths(folder))
    return []


PARTS: dict[str, Part] = {
    **{f"decks/{name}": part for name, part in DECK_PARTS.items()},
    "surfaces/cloths": _made_up_cloths,
    **{f"surfaces/{name}": partial(_picture_part, sets) for name, sets in TOPS.items()},
    **{f"photos/{name}": partial(_picture_part, sets) for name, sets in PHOTOS.items()},
    **{f"clutter/{name}": partial(_picture_part, sets) for name, sets in CLUTTER.items()},
    "hands/webxr": write_hands,
}
