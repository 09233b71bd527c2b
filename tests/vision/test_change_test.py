"""The cheap test: what moves stands out, what only flickers, drifts or lies there does not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.change_test import ABSORB_S, BlockGrid, ChangeTest, connected
from vision.geometry import Floats
from vision.sightings import Frame, Image

WIDTH, HEIGHT = 640, 360
CARD: Floats = np.array([[300.0, 150.0], [340.0, 150.0], [340.0, 206.0], [300.0, 206.0]])

ROOM: Floats = np.array([[292.0, 142.0], [348.0, 142.0], [348.0, 214.0], [292.0, 214.0]])


def table(rng: np.random.Generator, *, noise: float = 0.0, light: float = 1.0) -> Image:
    image = np.full((HEIGHT, WIDTH, 3), 110.0)
    image[::16] = 80.0
    return np.clip(image * light + rng.normal(0, noise, image.shape), 0, 255).astype(np.uint8)


def with_card(image: Image, place: Floats = CARD, colour: int = 235) -> Image:
    (x0, y0), (x1, y1) = place[0].astype(int), place[2].astype(int)
    image = image.copy()
    image[y0:y1, x0:x1] = colour
    return image


def frames(images: list[Image], fps: float = 15.0) -> list[Frame]:
    return [Frame(image, index, index / fps) for index, image in enumerate(images)]


@pytest.mark.parametrize("noise", [0.0, 3.0, 9.0])
def test_noise_alone_neither_moves_nor_changes_anything(noise: float) -> None:
    rng = np.random.default_rng(1)
    test = ChangeTest()
    for frame in frames([table(rng, noise=noise) for _ in range(20)]):
        activity = test.see(frame)
        assert activity.moving.mean() < 0.01
        assert not activity.foreground.any()


def test_slowly_fading_light_changes_nothing() -> None:
    rng = np.random.default_rng(2)
    test = ChangeTest()
    for frame in frames([table(rng, noise=2, light=1 - 0.25 * i / 45) for i in range(45)]):
        activity = test.see(frame)
        assert not activity.foreground.any()
        assert activity.moving.mean() < 0.01


def test_a_lamp_that_is_switched_off_leaves_no_change_behind() -> None:
    rng = np.random.default_rng(3)
    test = ChangeTest()
    seen = [test.see(frame) for frame in frames([table(rng, noise=2, light=1 if i < 5 else 0.6) for i in range(10)])]
    assert not seen[-1].foreground.any()


def test_a_card_that_arrives_moves_once_and_then_stands_out_where_it_lies() -> None:
    rng = np.random.default_rng(4)
    test = ChangeTest()
    seen = [test.see(f) for f in frames([table(rng, noise=2) for _ in range(5)] + [with_card(table(rng, noise=2))] * 3)]
    on_card = seen[-1].grid.mask(CARD)
    assert seen[5].moving[on_card].mean() > 0.9
    assert not seen[6].moving.any()
    assert seen[7].foreground[on_card].mean() > 0.9
    assert not seen[7].foreground[~BlockGrid.of(table(rng)).mask(ROOM)].any()


def test_an_equally_bright_card_of_another_colour_stands_out() -> None:
    rng = np.random.default_rng(5)
    first, second = with_card(table(rng)), with_card(table(rng))
    first[150:206, 300:340] = (200, 90, 90)
    second[150:206, 300:340] = (90, 90, 200)
    test = ChangeTest()
    seen = [test.see(frame) for frame in frames([first, first, second, second])]
    assert seen[-1].foreground[seen[-1].grid.mask(CARD)].mean() > 0.9


def test_what_keeps_still_belongs_to_the_table_unless_it_is_guarded() -> None:
    rng = np.random.default_rng(6)
    images = [table(rng)] * 2 + [with_card(table(rng))] * round(15 * (ABSORB_S + 0.3))
    free, guarding = ChangeTest(), ChangeTest()
    for frame in frames(images):
        activity = free.see(frame)
        kept = guarding.see(frame)
        guarding.guarded = kept.grid.mask(ROOM)
    assert not activity.foreground.any()
    assert kept.foreground[kept.grid.mask(CARD)].mean() > 0.9
    guarding.settle(kept.grid.mask(ROOM))
    assert not guarding.see(Frame(images[-1], len(images), len(images) / 15)).foreground.any()


def test_a_hand_that_rested_for_long_leaves_no_ghost() -> None:
    rng = np.random.default_rng(7)
    rested = [with_card(table(rng), colour=60)] * round(15 * (ABSORB_S + 1))
    test = ChangeTest()
    seen = [test.see(frame) for frame in frames([table(rng)] * 3 + rested + [table(rng)] * 2)]
    assert seen[-1].moving.sum() == 0
    assert not seen[-1].foreground.any()


def test_an_arm_from_the_edge_is_not_taken_for_a_part_of_the_table() -> None:
    rng = np.random.default_rng(8)
    arm = table(rng)
    arm[150:200, :320] = 60
    test = ChangeTest()
    seen = [test.see(frame) for frame in frames([table(rng)] * 2 + [arm] * round(15 * (ABSORB_S + 1)))]
    hand = np.array([[100.0, 150.0], [320.0, 150.0], [320.0, 200.0], [100.0, 200.0]])
    assert seen[-1].foreground[seen[-1].grid.mask(hand)].mean() > 0.8


def test_the_grid_covers_frames_of_any_size() -> None:
    for height, width in ((720, 1280), (1080, 1920), (480, 640), (1280, 720), (200, 150)):
        grid = BlockGrid.of(np.zeros((height, width, 3), np.uint8))
        whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
        assert grid.mask(whole).all()
        assert grid.mask(whole / 1e6 + (width / 2, height / 2)).sum() == 1


def test_connected_keeps_what_touches_the_start() -> None:
    parts = np.zeros((5, 8), np.bool_)
    parts[1, 1:4] = parts[2, 4] = parts[4, 6] = True
    start = np.zeros_like(parts)
    start[1, 1] = start[0, 0] = True
    assert connected(parts, start).sum() == 4
