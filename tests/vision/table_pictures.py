"""Pictures of a lone card on a table, with the truth about it."""

from __future__ import annotations

from pathlib import Path

from vision.decks import load_deck
from vision.geometry import Floats
from vision.sightings import Image
from vision.teaching.catalogue import Catalogue
from vision.teaching.pinhole import Pinhole
from vision.teaching.render import render
from vision.teaching.scenes import CardInScene, Lens, Lighting, Scene, TableTop

__all__ = ["photograph"]


def photograph(assets: Path, *, tilt_deg: float, angle_deg: float) -> tuple[Image, Floats]:
    """A lone fish card on a grey table, slightly noisy; its true quad. `assets` is a folder without art."""
    card = CardInScene("own/fish/R4+O1+V4", "R4+O1+V4", (63.0, 88.0), (0.0, 0.0), angle_deg)
    scene = Scene(
        5,
        Pinhole((480, 360), 600.0, (0.0, 0.0), 600 * 88 / 160, tilt_deg, 30.0),
        TableTop("plain/90-90-90", 100, 0, (1, 1, 1), 1.0, (9000, 9000), 0, "plain/20-20-20"),
        Lighting(40.0, 0.4, 1.0, 2.0, (0.05, 0.0), 0.05, (1.0, 1.0, 1.0)),
        Lens(noise=3.0, defocus_px=0.6, jpeg_quality=85),
        (card,),
    )
    picture = render(scene, Catalogue(assets, (load_deck("fish"),)))
    return picture.image, picture.cards[0].quad_px
