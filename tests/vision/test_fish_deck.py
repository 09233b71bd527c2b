"""The fish deck: what is on the cards, and whether people and cameras can tell the cards apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.decks import Deck, load_deck, raster
from vision.drawing.composition import COLOUR_ORDER, LEFT_OUT
from vision.drawing.fish_deck import fish_card, main
from vision.drawing.fish_shapes import SPECIES, fish
from vision.drawing.palette import COLOURS

Floats = npt.NDArray[np.float64]

# --- what is on the cards ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load_deck("fish")


def fish_on(face: str) -> list[tuple[str, int]]:
    """Colour and size of every fish, from top to bottom."""
    return [(one[0], int(one[1])) for one in face.split("+")]


def fish_faces(deck: Deck) -> list[str]:
    return [face for face in deck.faces if not face.startswith("P-")]


def test_45_different_fish_cards_and_a_piranha_of_each_colour(deck: Deck) -> None:
    assert deck.size == 53
    assert len({frozenset(fish_on(face)) for face in fish_faces(deck)}) == 45
    assert {face for face in deck.faces if face.startswith("P-")} == {f"P-{colour}" for colour in "ROYGBVKW"}


def test_three_different_colours_on_every_fish_card_and_no_two_cards_with_the_same_three(deck: Deck) -> None:
    triples = {frozenset(colour for colour, _ in fish_on(face)) for face in fish_faces(deck)}
    assert {len(triple) for triple in triples} == {3}
    assert len(triples) == 45


def test_every_colour_is_on_16_or_17_cards(deck: Deck) -> None:
    cards = Counter(colour for face in fish_faces(deck) for colour, _ in fish_on(face))
    assert set(cards) == set("ROYGBVKW")
    assert set(cards.values()) <= {16, 17}


def test_every_pair_of_colours_meets_on_4_or_5_cards(deck: Deck) -> None:
    pairs = Counter(
        pair for face in fish_faces(deck) for pair in combinations(sorted(colour for colour, _ in fish_on(face)), 2)
    )
    assert len(pairs) == 28
    assert set(pairs.values()) == {4, 5}


def test_the_triples_left_out_cover_every_pair() -> None:
    assert len(LEFT_OUT) == 11
    covered = {pair for triple in LEFT_OUT for pair in combinations(sorted(triple), 2)}
    assert covered == set(combinations(sorted(COLOUR_ORDER), 2))


def test_every_size_is_equally_often_in_every_colour(deck: Deck) -> None:
    counts = Counter(one for face in fish_faces(deck) for one in fish_on(face))
    assert len(counts) == 32
    assert set(counts.values()) <= {4, 5}
    sizes = Counter(size for face in fish_faces(deck) for _, size in fish_on(face))
    assert max(sizes.values()) - min(sizes.values()) <= 1


def test_no_card_is_hopeless_or_unbeatable(deck: Deck) -> None:
    """Every fish card can be eaten by some of the others, and can eat some (rule P-F2)."""

    def eats(upper: str, lower: str) -> bool:
        below = dict(fish_on(lower))
        return any(size > below.get(colour, 4) for colour, size in fish_on(upper))

    faces = fish_faces(deck)
    assert min(sum(eats(upper, lower) for upper in faces) for lower in faces) >= 8
    assert min(sum(eats(upper, lower) for lower in faces) for upper in faces) >= 8


def test_fish_stand_in_the_order_of_the_colours(deck: Deck) -> None:
    for face in fish_faces(deck):
        places = [COLOUR_ORDER.index(colour) for colour, _ in fish_on(face)]
        assert places == sorted(places)


# --- the files --------------------------------------------------------------------------------------------------------


def test_the_committed_files_are_what_the_code_draws(deck: Deck, tmp_path: Path) -> None:
    main([str(tmp_path)])
    drawn = {str(file.relative_to(tmp_path)): file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    committed = {
        str(file.relative_to(deck.folder)): file.read_bytes()
        for file in (deck.folder / "deck.toml", *(deck.folder / "art").iterdir())
    }
    assert drawn.keys() == committed.keys()
    assert [name for name in drawn if drawn[name] != committed[name]] == []


def test_pictures_are_self_contained_and_small(deck: Deck) -> None:
    for file in (deck.folder / "art").iterdir():
        svg = file.read_text(encoding="utf-8")
        assert len(svg) < 12_000, file.name
        assert not re.search(r"<(text|image|filter|style|script)|href=\"[^#]|url\([^#]", svg), file.name
        names = re.findall(r' id="([^"]+)"', svg)
        assert len(names) == len(set(names)), file.name
        assert set(re.findall(r"(?:url\(|href=\")#([^)\"]+)", svg)) <= set(names), file.name


def test_pictures_have_the_shape_of_the_card_white_margins_and_round_corners(deck: Deck) -> None:
    assert deck.back is not None
    for file in (*(card.art for card in deck.cards if card.art is not None), deck.back):
        image = raster(file, 220)
        assert image.shape == (220, 158, 4)
        assert image[0, 0, 3] == 0
        rim = np.concatenate([image[3, 15:-15], image[-4, 15:-15], image[15:-15, 3], image[15:-15, -4]])
        assert (rim == 255).all(), file.name


def test_only_the_back_looks_the_same_after_half_a_turn(deck: Deck) -> None:
    assert deck.back is not None
    for file in (*(card.art for card in deck.cards if card.art is not None), deck.back):
        image = picture(file, 220)
        difference = float(np.abs(image - image[::-1, ::-1]).mean())
        assert (difference < 1.0) == (file == deck.back), file.name


# --- what a camera sees -----------------------------------------------------------------------------------------------


@cache
def picture(file: Path, height_px: int) -> npt.NDArray[np.int_]:
    """A picture as (H, W, 3) BGR."""
    return raster(file, height_px)[..., :3].astype(int)


def bands(deck: Deck, face: str, height_px: int) -> list[npt.NDArray[np.int_]]:
    """The three bands of a fish card, from top to bottom."""
    art = next(card.art for card in deck.cards if card.face == face)
    assert art is not None
    return _thirds(picture(art, height_px))


def _thirds(image: npt.NDArray[np.int_]) -> list[npt.NDArray[np.int_]]:
    unit = len(image) / 880
    edges = [round((26 + row * 276) * unit) for row in range(4)]
    return [image[top:bottom] for top, bottom in pairwise(edges)]


@pytest.fixture(scope="module")
def water(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A card without fish."""
    file = tmp_path_factory.mktemp("water") / "water.svg"
    file.write_text(fish_card(()), encoding="utf-8")
    return file


def fish_columns(band: npt.NDArray[np.int_], empty: npt.NDArray[np.int_], size: int) -> npt.NDArray[np.int_]:
    """Columns in which something differs from empty water, away from the bubbles before the fish."""
    changed = np.asarray((np.abs(band - empty).max(axis=2) > 50).any(axis=0))
    bubbles_end = int(93 / 630 * band.shape[1] + 1)
    part = slice(None, bubbles_end) if size in (4, 2) else slice(-bubbles_end, None)
    changed[part] = False
    return np.flatnonzero(changed)


def test_sizes_stay_apart_on_a_card_100_px_tall(deck: Deck, water: Path) -> None:
    widths: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: []}
    empty = _thirds(picture(water, 100))
    for face in fish_faces(deck):
        for (_, size), band, still in zip(fish_on(face), bands(deck, face, 100), empty, strict=True):
            columns = fish_columns(band, still, size)
            widths[size].append(int(columns[-1] - columns[0]) + 1)
    for smaller, larger in ((1, 2), (2, 3), (3, 4)):
        assert min(widths[larger]) - max(widths[smaller]) >= 9, widths
    assert all(max(found) - min(found) <= 3 for found in widths.values()), widths


def test_sizes_4_and_2_swim_left_and_3_and_1_swim_right(deck: Deck, water: Path) -> None:
    """The pupil is in the front half of the fish, and the bubbles lie before its mouth."""
    empty = _thirds(picture(water, 660))
    for face in fish_faces(deck):
        for (colour, size), band, still in zip(fish_on(face), bands(deck, face, 660), empty, strict=True):
            columns = fish_columns(band, still, size)
            middle = (columns[0] + columns[-1]) / 2
            assert (pupil_x(band) < middle) == (size in (4, 2)), (face, colour)
            rims = np.flatnonzero(bubble_rims(band).any(axis=0))
            assert (rims.max() < columns[0]) if size in (4, 2) else (rims.min() > columns[-1]), (face, colour)


def pupil_x(band: npt.NDArray[np.int_]) -> float:
    """Where the largest patch of the pupil's own black lies."""
    black = (band == (26, 19, 16)).all(axis=2).astype(np.uint8)
    _, _, stats, centres = cv2.connectedComponentsWithStats(black, connectivity=8)
    return float(centres[1 + stats[1:, cv2.CC_STAT_AREA].argmax()][0])


def bubble_rims(band: npt.NDArray[np.int_]) -> npt.NDArray[np.bool_]:
    return np.asarray((np.abs(band - (181, 155, 47)) <= 2).all(axis=2))


def test_as_many_bubbles_as_the_size(deck: Deck) -> None:
    for face in fish_faces(deck):
        for (colour, size), band in zip(fish_on(face), bands(deck, face, 660), strict=True):
            count = cv2.connectedComponents(bubble_rims(band).astype(np.uint8), connectivity=8)[0] - 1
            assert count == size, (face, colour)


def test_piranhas_cannot_be_taken_for_fish(deck: Deck) -> None:
    """In a thumbnail of 8 x 6 pixels every piranha is far darker around its rim than any fish card."""
    rims = {}
    for card in deck.cards:
        assert card.art is not None
        panel = picture(card.art, 220)[10:-10, 10:-10].astype(np.float32)
        small = cv2.resize(panel, (6, 8), interpolation=cv2.INTER_AREA).mean(axis=2)
        rims[card.face] = float(small[[0, 0, -1, -1], [0, -1, 0, -1]].mean())
    piranhas = [value for face, value in rims.items() if face.startswith("P-")]
    others = [value for face, value in rims.items() if not face.startswith("P-")]
    assert min(others) - max(piranhas) > 60


# --- what people see --------------------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# severity 1.0, for linear sRGB.
PROTANOPIA = [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
DEUTERANOPIA = [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
TRITANOPIA = [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
# A black body of 2700 K seen by a camera balanced for 4000 K: ratio of their linear sRGB values, red set to 1.
WARM = (1.0, 0.64, 0.27)


def linear(srgb: Floats) -> Floats:
    """Linear light of sRGB values from 0 to 1 (IEC 61966-2-1)."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def hexadecimal(colour: str) -> Floats:
    return linear(np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255)


def lab(light: Floats) -> Floats:
    """CIE L*a*b* under D65 of linear sRGB."""
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    )
    xyz = to_xyz @ np.clip(light, 0, 1) / (0.95047, 1.0, 1.08883)
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def ciede2000(first: Floats, second: Floats) -> float:
    """Colour difference of two L*a*b* values after Sharma, Wu and Dalal (2005)."""
    chroma = (np.hypot(first[1], first[2]) + np.hypot(second[1], second[2])) / 2
    stretch = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    a = np.array([first[1], second[1]]) * stretch
    b = np.array([first[2], second[2]])
    c, h = np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360
    turn = (h[1] - h[0] + 180) % 360 - 180
    hue = (h[0] + turn / 2) % 360 if c.min() > 0 else h.sum()
    d_hue = 2 * np.sqrt(c[0] * c[1]) * np.sin(np.radians(turn / 2))
    weights = np.array([-0.17, 0.24, 0.32, -0.20])
    t = 1 + weights @ np.cos(np.radians(np.array([hue - 30, 2 * hue, 3 * hue + 6, 4 * hue - 63])))
    light = ((first[0] + second[0]) / 2 - 50) ** 2
    mean = c.mean()
    parts = (
        (second[0] - first[0]) / (1 + 0.015 * light / np.sqrt(20 + light)),
        (c[1] - c[0]) / (1 + 0.045 * mean),
        d_hue / (1 + 0.015 * mean * t),
    )
    rotation = -2 * np.sqrt(mean**7 / (mean**7 + 25.0**7)) * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    return float(np.sqrt(sum(part**2 for part in parts) + rotation * parts[1] * parts[2]))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_formula_gives_published_values(
    first: tuple[float, ...], second: tuple[float, ...], expected: float
) -> None:
    """Test data of Sharma, Wu and Dalal (2005), table 1."""
    assert ciede2000(np.array(first), np.array(second)) == pytest.approx(expected, abs=1e-4)


SIGHT: dict[str, tuple[Callable[[Floats], Floats], float, float]] = {
    # name: what becomes of light on its way, least difference of body colours, least difference of whole tiny fish
    "daylight": (lambda light: light, 25, 22),
    "dim": (lambda light: light * 0.35, 20, 17),
    "warm lamp": (lambda light: light * WARM, 11, 11),
    "protanopia": (lambda light: np.array(PROTANOPIA) @ light, 13, 12),
    "deuteranopia": (lambda light: np.array(DEUTERANOPIA) @ light, 13, 8),
    "tritanopia": (lambda light: np.array(TRITANOPIA) @ light, 13, 9),
}
CLOSE = 11.5
"""Colours nearer than this are not trusted alone: their fish must also differ in shape. The unit of CIEDE2000 is about
what is just noticeable side by side; some ten of them are seen at a glance, in a blurred spot, from memory."""


def differences(colours: dict[str, Floats], sight: str) -> dict[str, float]:
    """CIEDE2000 of every pair of colours, given as linear sRGB, in one kind of sight."""
    seen = {name: lab(SIGHT[sight][0](light)) for name, light in colours.items()}
    return {a + b: ciede2000(seen[a], seen[b]) for a, b in combinations(seen, 2)}


@pytest.mark.parametrize("sight", SIGHT)
def test_body_colours_stay_apart(sight: str) -> None:
    found = differences({colour: hexadecimal(ink.body) for colour, ink in COLOURS.items()}, sight)
    assert min(found.values()) >= SIGHT[sight][1], sorted(found.items(), key=lambda item: item[1])[:4]


def picture_of(colour: str, size: int, height_px: int, folder: Path) -> npt.NDArray[np.uint8]:
    """One fish alone, BGRA; its length is 100/62 of the height."""
    file = folder / f"{colour}{size}.svg"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -31 100 62">{fish(colour, size, "clip")}</svg>'
    file.write_text(svg, encoding="utf-8")
    return raster(file, height_px)


@pytest.fixture(scope="module")
def tiny_fish(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Floats]:
    """Mean light of every colour's smallest fish on a card 100 px tall: all that a blurred spot keeps."""
    folder = tmp_path_factory.mktemp("tiny")
    spots = {}
    for colour in SPECIES:
        image = picture_of(colour, 1, 10, folder)
        spots[colour] = linear(image[image[..., 3] > 200][:, 2::-1].astype(np.float64) / 255).mean(axis=0)
    return spots


@pytest.mark.parametrize("sight", SIGHT)
def test_mean_colours_of_tiny_fish_stay_apart(sight: str, tiny_fish: dict[str, Floats]) -> None:
    found = differences(tiny_fish, sight)
    assert min(found.values()) >= SIGHT[sight][2], sorted(found.items(), key=lambda item: item[1])[:4]


def test_where_colours_come_close_shapes_differ(tiny_fish: dict[str, Floats], tmp_path: Path) -> None:
    """Fish whose colours are close for somebody share less than 78 % of their common outline, other fish 90 %."""
    shapes = {colour: picture_of(colour, 3, 124, tmp_path)[..., 3] > 127 for colour in SPECIES}
    close = {pair for sight in SIGHT for pair, found in differences(tiny_fish, sight).items() if found < CLOSE}
    assert close, "nothing would be checked"
    for one, other in combinations(SPECIES, 2):
        overlap = (shapes[one] & shapes[other]).sum() / (shapes[one] | shapes[other]).sum()
        assert overlap < (0.78 if one + other in close else 0.90), (one, other)


@pytest.mark.parametrize("colour", COLOUR_ORDER)
def test_the_body_colour_dominates_the_fish(colour: str, tmp_path: Path) -> None:
    """At least half of a middle fish is closer to its body colour than to anything else it is painted with."""
    image = picture_of(colour, 3, 124, tmp_path)
    solid = image[image[..., 3] > 200][:, 2::-1].astype(float)
    body = np.array([int(COLOURS[colour].body[start : start + 2], 16) for start in (1, 3, 5)])
    assert (np.abs(solid - body).max(axis=1) < 60).mean() >= 0.5
