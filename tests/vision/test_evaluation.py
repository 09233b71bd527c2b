"""Measuring on photographs: overlap, matching, figures, their table, the sheet, and a broken index."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.errors import CameraError, TeachingError
from vision.evaluation.metrics import (
    Label,
    Ratio,
    Score,
    compare,
    corner_error_px,
    match,
    overlap,
    rank_and_suit,
)
from vision.evaluation.photographs import Report, evaluate_photographs, read_index, read_picture
from vision.evaluation.sheet import FALSE, MISNAMED, MISSED, RIGHT, worst, write_sheet
from vision.evaluation.table import as_json, as_markdown
from vision.geometry import Floats, bounds_xyxy
from vision.sightings import Image, Sighting

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"
SIZE = (400, 300)
approx = pytest.approx


def box(x0: float, y0: float, x1: float, y1: float) -> Floats:
    """A box as a quad (4, 2)."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64)


def moved(quad: Floats, dx: float, dy: float = 0) -> Floats:
    """A quad somewhere else."""
    return np.asarray(quad + np.array([dx, dy]))


def turned(quad: Floats, degrees: float) -> Floats:
    """A quad turned about its middle."""
    angle, middle = math.radians(degrees), quad.mean(axis=0)
    matrix = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return np.asarray((quad - middle) @ matrix + middle)


def label(quad: Floats, kind: str = "card", text: str = "AS", *, as_quad: bool = False) -> Label:
    """A label whose box bounds `quad`."""
    return Label(text, bounds_xyxy(quad), quad if as_quad else None, kind)


def sighting(quad: Floats, *candidates: tuple[str, float], score: float = 0.9) -> Sighting:
    """A front with candidates, or a back without."""
    return Sighting(quad, "front" if candidates else "back", score, candidates)


def inside(quad: Floats, points: Floats) -> NDArray[np.bool_]:
    """Which points (n, 2) lie within a convex quad, by the sign of the four cross products."""
    sides = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        edge, away = end - start, points - start
        sides.append(edge[0] * away[:, 1] - edge[1] * away[:, 0])
    signs = np.array(sides)
    return np.asarray((signs >= 0).all(axis=0) | (signs <= 0).all(axis=0))


def rastered_iou(first: Floats, second: Floats) -> float:
    """IoU by counting points of a fine grid: slow, and independent of any clipping."""
    both = np.concatenate([first, second])
    axes = [np.linspace(low, high, 500) for low, high in zip(both.min(axis=0), both.max(axis=0), strict=True)]
    points = np.stack([part.ravel() for part in np.meshgrid(*axes)], axis=1)
    one, other = inside(first, points), inside(second, points)
    return float((one & other).sum() / (one | other).sum())


# --- overlap ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("as_quad", [True, False])
def test_overlap_agrees_with_counting_points(seed: int, as_quad: bool) -> None:
    rng = np.random.default_rng(seed)
    true = turned(box(120, 80, 120 + rng.uniform(40, 90), 80 + rng.uniform(60, 120)), rng.uniform(0, 180))
    seen = turned(moved(true, *rng.uniform(-25, 25, 2)), rng.uniform(-15, 15)) + rng.uniform(-4, 4, (4, 2))
    iou, _ = overlap(label(true, as_quad=as_quad), seen, SIZE)
    pair = (true, seen) if as_quad else (box(*bounds_xyxy(true)), box(*bounds_xyxy(seen)))
    assert iou == approx(rastered_iou(*pair), abs=0.01)


@pytest.mark.parametrize(("shift", "iou", "found"), [(0, 1.0, True), (2, 80 / 120, True), (4, 60 / 140, False)])
def test_a_box_is_found_from_half_overlap_on(shift: float, iou: float, found: bool) -> None:
    assert overlap(label(box(10, 10, 20, 20)), moved(box(10, 10, 20, 20), shift), SIZE) == approx((iou, found))


def test_a_quad_label_asks_for_more_than_the_same_bounds() -> None:
    true = box(100, 100, 200, 200)
    diamond = np.array([[150, 100], [200, 150], [150, 200], [100, 150]], dtype=np.float64)
    assert overlap(label(true), diamond, SIZE) == (1.0, True)
    assert overlap(label(true, as_quad=True), diamond, SIZE)[0] == approx(0.5)


@pytest.mark.parametrize(
    ("visible", "found"),
    [
        (box(100, 150, 160, 180), True),  # the lower 30 of 80 rows: covered, IoU 0.375
        (box(100, 165, 160, 180), False),  # the lower 15 rows: IoU 0.19
        (box(100, 150, 172, 180), False),  # a fifth wider than the card: 60 / 72 = 0.83 covered
        (box(100, 150, 170, 180), True),  # 60 / 70 = 0.857 covered
    ],
)
def test_a_visible_part_is_found_by_the_whole_card(visible: Floats, found: bool) -> None:
    assert overlap(label(visible, "visible"), box(100, 100, 160, 180), SIZE)[1] is found


@pytest.mark.parametrize("degrees", [0, 20, 45, 70])
def test_the_perfect_quad_of_a_slanted_card_finds_its_visible_label(degrees: float) -> None:
    card = turned(box(150, 100, 210, 185), degrees)
    assert overlap(label(card, "visible"), card, SIZE) == approx((1.0, True))


def test_what_a_find_shows_beyond_the_picture_does_not_count_against_it() -> None:
    at_the_edge = label(box(0, 100, 30, 180), "amodal")
    assert overlap(at_the_edge, box(-30, 100, 30, 180), SIZE) == approx((1.0, True))


# --- matching --------------------------------------------------------------------------------------------------------

tables = st.integers(0, 5).flatmap(
    lambda rows: st.integers(0, 5).flatmap(
        lambda columns: st.lists(
            st.sampled_from([0.0, 0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0]),
            min_size=rows * columns,
            max_size=rows * columns,
        ).map(lambda values: np.array(values, dtype=np.float64).reshape(rows, columns))
    )
)


@given(tables, st.sampled_from([0.3, 0.5, 0.75]))
def test_matching_is_one_to_one_and_leaves_no_fitting_pair_apart(ious: Floats, threshold: float) -> None:
    pairs = match(ious, ious >= threshold)
    rows, columns = [pair.label for pair in pairs], [pair.find for pair in pairs]
    assert len(set(rows)) == len(rows)
    assert len(set(columns)) == len(columns)
    assert all(ious[pair.label, pair.find] == pair.iou >= threshold for pair in pairs)
    free = np.delete(np.delete(ious, rows, axis=0), columns, axis=1)
    assert (free < threshold).all()


@given(tables)
def test_what_matches_at_a_higher_threshold_matches_at_a_lower_one(ious: Floats) -> None:
    strict, loose = match(ious, ious >= 0.75), match(ious, ious >= 0.5)
    assert set(strict) <= set(loose)
    assert set(strict) == {pair for pair in loose if pair.iou >= 0.75}


@given(tables)
def test_greedy_matching_is_close_to_the_best_of_all_assignments(ious: Floats) -> None:
    weights = np.where(ious >= 0.5, ious, 0.0)
    small = weights if weights.shape[0] <= weights.shape[1] else weights.T
    rows = range(small.shape[0])
    best = max(sum(small[rows, list(order)]) for order in itertools.permutations(range(small.shape[1]), len(rows)))
    got = sum(pair.iou for pair in match(ious, ious >= 0.5))
    assert best / 2 <= got + 1e-9
    assert got <= best + 1e-9


def test_two_overlapping_cards_keep_their_own_finds() -> None:
    lower, upper = box(100, 100, 160, 180), box(120, 100, 180, 180)
    cards, strays = compare(
        [label(lower, "amodal", "AS"), label(upper, "amodal", "KH")],
        [sighting(upper, ("KH", 0.9)), sighting(lower, ("AS", 0.9)), sighting(moved(lower, 2, 2), ("AS", 0.8))],
        SIZE,
    )
    assert [card.sighting.face for card in cards if card.sighting] == ["AS", "KH"]
    assert [stray.candidates[0][1] for stray in strays] == [0.8]


# --- corners and names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_corner_error_is_the_same_whichever_corner_the_label_begins_with(step: int, mirrored: bool) -> None:
    true = turned(box(100, 100, 160, 180), 25)
    listed = np.roll(true[::-1] if mirrored else true, step, axis=0)
    assert corner_error_px(moved(true, 3, 4), listed) == approx(5)


def test_corner_error_is_the_mean_over_corners() -> None:
    true = box(100, 100, 160, 180)
    seen = true.copy()
    seen[2] += (0, 8)
    assert corner_error_px(seen, true) == approx(2)


@pytest.mark.parametrize(
    ("face", "parts"),
    [("10H", ("10", "H")), ("AS", ("A", "S")), ("rank:K", ("K", "")), ("JK", ("JK", "")), ("R2+B4", ("R2+B4", ""))],
)
def test_rank_and_suit(face: str, parts: tuple[str, str]) -> None:
    assert rank_and_suit(face) == parts


# --- a small collection, computed by hand ----------------------------------------------------------------------------


class Remembers:
    """Eyes that know each picture by its colour."""

    def __init__(self, answers: dict[int, tuple[Sighting, ...]]) -> None:
        self.answers = answers

    def look(self, image: Image) -> tuple[Sighting, ...]:
        """The answer for this picture."""
        return self.answers[int(image[0, 0, 0])]


def entry(file: str, *cards: dict[str, Any], complete: bool | None = True, game: str = "standard") -> dict[str, Any]:
    """One photograph of the index."""
    size = {"width": SIZE[0], "height": SIZE[1]}
    return {"file": file, **size, "game": game, "complete": complete, "hands": False, "cards": list(cards)}


def card(text: str, quad: Floats, kind: str = "card", *, with_quad: bool = False, by: str = "auto") -> dict[str, Any]:
    """One label of the index."""
    corners = quad.tolist() if with_quad else None
    return {"label": text, "box": bounds_xyxy(quad).tolist(), "quad": corners, "kind": kind, "labelled_by": by}


A, B, C, D = (box(20 + 90 * column, 100, 80 + 90 * column, 180) for column in range(4))


@pytest.fixture
def collection(tmp_path: Path) -> tuple[Path, Remembers]:
    """Four pictures in three groups, and what the eyes see in them."""
    entries = [
        entry("one-001.png", card("AS", A, with_quad=True), card("10H", B), card("rank:K", C, "visible")),
        entry("one-002.png", card("QD", A), complete=None),
        entry("two-2-001.png", card("7C", A), card("8C", B)),
        entry("set-001.png", card("set:1-green", A), game="set"),
    ]
    for number, item in enumerate(entries, start=1):
        picture = np.full((SIZE[1], SIZE[0], 3), 10 * number, np.uint8)
        cv2.imwrite(str(tmp_path / item["file"]), picture)
    answers = {
        # AS right, 6 px off; 10H read as 10D; a king of spades where only the rank is known; one stray
        10: (
            sighting(moved(A, 6), ("AS", 0.99)),
            sighting(moved(B, 12), ("10D", 0.9), ("10H", 0.1)),
            sighting(C, ("KS", 0.8)),
            sighting(D, ("2S", 0.9)),
        ),
        # unsure, but right; a stray that cannot be judged
        20: (sighting(A, ("QD", 0.6)), sighting(C)),
        # 7C taken for a back; 8C missed
        30: (sighting(A),),
        40: (sighting(A, ("JK", 0.99)),),
    }
    index = tmp_path / "index.json"
    index.write_text(json.dumps(entries))
    return index, Remembers(answers)


def by_group(report: Report) -> dict[str, Score]:
    """The scores by the names of their groups."""
    return {line.group: line for line in report.scores}


def test_figures_of_a_small_collection(collection: tuple[Path, Remembers]) -> None:
    scores = by_group(evaluate_photographs(*collection))
    assert list(scores) == ["one", "two-2", "set", "all"]
    everything = scores["all"]
    assert (everything.pictures, everything.cards) == (4, 7)
    assert everything.recall_50 == Ratio(6, 7)
    assert everything.precision_50 == Ratio(5, 6)  # the second picture is not complete
    # six labels bound whole cards: 10H has 48 / 72, 8C is missed
    assert everything.recall_75 == Ratio(4, 6)
    assert scores["two-2"].recall_50 == Ratio(1, 2)


def test_corner_error_is_told_where_quads_are_labelled(collection: tuple[Path, Remembers]) -> None:
    corners = by_group(evaluate_photographs(*collection))["all"].corners
    assert (corners.n, corners.mean_px, corners.mean_share) == approx((1, 6, 6 / 80))


def test_names_are_judged_by_what_the_label_tells(collection: tuple[Path, Remembers]) -> None:
    scores = by_group(evaluate_photographs(*collection))
    naming = scores["all"].naming
    # found and named by their labels: AS, 10H, K, QD, 7C
    assert naming.right == Ratio(3, 5)
    assert naming.rank == Ratio(4, 5)
    assert naming.suit == Ratio(2, 4)
    assert (naming.named, naming.named_wrong) == (Ratio(3, 5), Ratio(1, 3))
    # nine of ten of five is all five: the back cannot be named at all
    assert (naming.at_90, naming.at_90_wrong) == (Ratio(5, 5), Ratio(2, 5))
    assert scores["set"].naming.right == Ratio(0, 0)
    assert scores["set"].naming.right.share is None


def test_ninety_per_cent_are_the_surest_and_equally_sure_ones_stay_together(tmp_path: Path) -> None:
    quads = [box(20 * n, 100, 20 * n + 14, 120) for n in range(20)]
    confidences = [0.99] * 17 + [0.7, 0.7, 0.2]  # 18 of 20 would part the two of 0.7
    cv2.imwrite(str(tmp_path / "x-1.png"), np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    (tmp_path / "index.json").write_text(json.dumps([entry("x-1.png", *(card("AS", quad) for quad in quads))]))
    faces = ["AS"] * 16 + ["2S", "AS", "3S", "4S"]
    seen = tuple(sighting(quad, (face, sure)) for quad, face, sure in zip(quads, faces, confidences, strict=True))
    naming = evaluate_photographs(tmp_path / "index.json", Remembers({0: seen})).scores[0].naming
    assert (naming.named, naming.named_wrong) == (Ratio(17, 20), Ratio(1, 17))
    assert (naming.at_90, naming.at_90_wrong) == (Ratio(19, 20), Ratio(2, 19))


# --- table, JSON, sheet ----------------------------------------------------------------------------------------------


def test_the_markdown_table(collection: tuple[Path, Remembers]) -> None:
    lines = as_markdown(evaluate_photographs(*collection).scores).splitlines()
    assert lines[1] == "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    assert lines[2] == (
        "| one | 2, 4 | 100.0 % (4) | 75.0 % (4) | 66.7 % (3) | 6.0 px, 7.5 % (1) | 75.0 % (4) "
        "| 75.0 %, 33.3 % wrong (3) | 100.0 %, 25.0 % wrong (4) |"
    )
    assert lines[4] == "| set | 1, 1 | 100.0 % (1) | 100.0 % (1) | 100.0 % (1) | – | – | – | – |"
    assert {line.count("|") for line in lines} == {10}


def test_the_json_tells_sample_sizes_and_the_mistakes_of_every_picture(collection: tuple[Path, Remembers]) -> None:
    report = json.loads(json.dumps(as_json(evaluate_photographs(*collection))))
    assert report["groups"][-1]["recall_50"] == {"hits": 6, "n": 7, "share": approx(6 / 7)}
    assert report["groups"][2]["naming"]["named"] == {"hits": 0, "n": 0, "share": None}
    first, second, third, _ = report["pictures"]
    assert (first["missed"], first["misnamed"], first["strays"]) == ([], [["10H", "10D"]], 1)
    assert (second["misnamed"], second["strays"]) == ([], None)
    assert third["missed"] == ["8C"]


def test_the_sheet_shows_the_worst_pictures_in_their_colours(
    collection: tuple[Path, Remembers], tmp_path: Path
) -> None:
    report = evaluate_photographs(*collection)
    assert [result.path.name for result in worst(report.pictures)] == ["one-001.png", "two-2-001.png"]
    assert write_sheet(report.pictures, tmp_path / "sheet.png") == 2
    sheet = read_picture(tmp_path / "sheet.png").astype(int)

    def has(colour: tuple[int, int, int], part: NDArray[np.int_]) -> bool:
        return bool((abs(part - colour).max(axis=2) < 12).sum() > 50)

    left, right = np.hsplit(sheet, 2)
    assert [has(colour, left) for colour in (RIGHT, MISNAMED, FALSE, MISSED)] == [True, True, True, False]
    assert [has(colour, right) for colour in (RIGHT, MISNAMED, FALSE, MISSED)] == [True, False, False, True]


def test_a_sheet_without_mistakes_is_still_a_picture(tmp_path: Path) -> None:
    assert write_sheet([], tmp_path / "sheet.jpg") == 0
    assert read_picture(tmp_path / "sheet.jpg").size


def test_a_sheet_needs_the_name_of_a_picture(tmp_path: Path) -> None:
    with pytest.raises(TeachingError, match="no name of a picture"):
        write_sheet([], tmp_path / "sheet.docx")


# --- what is wrong with an index or a picture ------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda e: e.update(file="gone-001.png"), "lists gone-001.png, but that picture is missing"),
        (lambda e: e.pop("cards"), "one-001.png, lacks 'cards'"),
        (lambda e: e.pop("file"), "photograph 1 lacks 'file'"),
        (lambda e: e.update(width="400"), 'has width = "400"'),
        (lambda e: e.update(width=True), "has width = true"),
        (lambda e: e["cards"][0].update(kind="half"), "card 1 is of the kind 'half'"),
        (lambda e: e["cards"][0].update(label="11H"), "card 1 has the label '11H'"),
        (lambda e: e["cards"][0].update(label="K"), "card 1 has the label 'K'"),
        (lambda e: e["cards"][0].update(box=[80, 100, 20, 180]), "has an empty box"),
        (lambda e: e["cards"][0].update(box=[80, 100, 20]), "box has to be 4 numbers"),
        (lambda e: e["cards"][0].update(box=[80, 100, "x", 180]), "box is not made of numbers"),
        (lambda e: e["cards"][0].update(quad=[[1, 2], [3, 4]]), "quad has to be 4 times 2 numbers"),
        (lambda e: e["cards"][0].update(box=[380, 100, 402, 180]), "card 1 reaches 2 px beyond its picture of 400×300"),
        (lambda e: e["cards"][0].update(box=[-20, 100, 80, 180], labelled_by="hand"), "reaches 20 px beyond"),
        (lambda e: e["cards"][0].update(quad=[[0, 0], [9, 0], [9, 305], [0, 9]]), "reaches 5 px beyond"),
    ],
)
def test_a_wrong_entry_is_named(collection: tuple[Path, Remembers], change: Change, sentence: str) -> None:
    index, _ = collection
    entries = json.loads(index.read_text())
    change(entries[0])
    index.write_text(json.dumps(entries))
    with pytest.raises(TeachingError) as caught:
        read_index(index)
    assert sentence in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("by", "reach", "accepted"), [("hand", 14, True), ("hand", 16, False), ("auto", 0.9, True), ("auto", 1.1, False)]
)
def test_typed_labels_may_reach_a_little_beyond(
    collection: tuple[Path, Remembers], by: str, reach: float, accepted: bool
) -> None:
    index, _ = collection
    entries = json.loads(index.read_text())
    entries[1]["cards"][0].update(box=[-reach, 100, 80, 180], labelled_by=by)
    index.write_text(json.dumps(entries))
    if accepted:
        assert read_index(index)[1].labels[0].box_xyxy[0] == -reach
    else:
        with pytest.raises(TeachingError, match="beyond its picture"):
            read_index(index)


def test_a_missing_index(tmp_path: Path) -> None:
    with pytest.raises(TeachingError, match="no list of photographs"):
        read_index(tmp_path / "index.json")


@pytest.mark.parametrize(("text", "sentence"), [('[{"file": ', "not valid JSON"), ("[]", "lists no photographs")])
def test_an_index_that_is_no_list(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "index.json").write_text(text)
    with pytest.raises(TeachingError, match=sentence):
        read_index(tmp_path / "index.json")


def test_a_picture_of_another_size_than_its_labels_were_made_for(collection: tuple[Path, Remembers]) -> None:
    index, eyes = collection
    cv2.imwrite(str(index.parent / "one-001.png"), np.full((150, 200, 3), 10, np.uint8))
    with pytest.raises(TeachingError, match=r"200×150 pixels, but its labels were made for 400×300"):
        evaluate_photographs(index, eyes)


def jpeg(colour: int = 90) -> bytes:
    """A JPEG with structure in it."""
    picture = np.random.default_rng(colour).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def with_thumbnail(picture: bytes) -> bytes:
    """A JPEG that carries a small whole JPEG in its header, as cameras write it."""
    inner = jpeg(3)[:9000] + b"\xff\xd9"
    return picture[:2] + b"\xff\xe1" + (len(inner) + 2).to_bytes(2, "big") + inner + picture[2:]


@pytest.mark.parametrize("trailer", [b"", b"\x00more behind the end\xff\xda\xff"])
def test_whole_jpegs_are_read(tmp_path: Path, trailer: bytes) -> None:
    (tmp_path / "a.jpg").write_bytes(with_thumbnail(jpeg()) + trailer)
    assert read_picture(tmp_path / "a.jpg").shape == (120, 160, 3)


@pytest.mark.parametrize(
    "data",
    [b"", b"no picture at all", jpeg()[:-900], with_thumbnail(jpeg())[:-900], jpeg()[:3]],
    ids=["empty", "text", "cut off", "cut off with thumbnail", "three bytes"],
)
def test_a_damaged_picture_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.jpg").write_bytes(data)
    with pytest.raises(CameraError, match="cannot be read as a picture"):
        read_picture(tmp_path / "a.jpg")


def test_a_missing_picture(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="There is no picture"):
        read_picture(tmp_path / "a.jpg")


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the collection of real photographs is not here")
def test_the_real_index_is_read_completely() -> None:
    photographs = read_index(PHOTOS / "index.json")
    assert len(photographs) == 340
    assert sum(len(photograph.labels) for photograph in photographs) == 1246
    groups = [photograph.group for photograph in photographs]
    counts = {group: groups.count(group) for group in dict.fromkeys(groups)}
    assert counts == {"edje": 152, "poker": 110, "blackjack": 16, "hand": 48, "set": 14}
