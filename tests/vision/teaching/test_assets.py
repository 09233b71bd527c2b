"""Raw material of the scenes: cutting, rounding, posing and preparing, all without a network."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.errors import TeachingError
from vision.teaching.assets import PARTS, prepare_assets, surfaces
from vision.teaching.assets.card_edges import (
    CARD_HEIGHT_PX,
    finish_card,
    outline_width_px,
    round_corners,
    trim_margin,
)
from vision.teaching.assets.catalogue import PictureSet
from vision.teaching.assets.cloth import CLOTH_PATTERNS, felt, table_cloth
from vision.teaching.assets.forearm import Sleeve, with_forearm
from vision.teaching.assets.french_decks import RANKS, SUITS, DeckArt, cut_islands, faces_of_sheet, write_deck
from vision.teaching.assets.glb import SkinnedMesh, load_glb, pose_joints, skin
from vision.teaching.assets.hand_poses import PARENTS, POSES, rotation, turns_of
from vision.teaching.assets.hands import HandSprite
from vision.teaching.assets.packages import Package, Source, run_tool, unpacked
from vision.teaching.assets.picture_files import write_picture
from vision.teaching.assets.rasteriser import rasterise_triangles, vertex_normals
from vision.teaching.assets.surfaces import fill_by_mirrors, limit_side, write_pictures

Image = NDArray[np.uint8]

PACKAGE = Package("npm", "some-deck", "1.0.0", "CC0-1.0")


def drawn_card(*, paper: int = 250, outline_px: int = 4) -> Image:
    """A card of 200 x 300 px with a black outline, big round see-through corners and a red square in the middle."""
    face = np.full((300, 200, 3), paper, np.uint8)
    face[140:160, 90:110] = (0, 0, 255)
    card = round_corners(face, radius=0.06)
    core = cv2.erode(np.pad(card[..., 3], 1), np.ones((2 * outline_px + 1, 2 * outline_px + 1), np.uint8))[1:-1, 1:-1]
    card[core < 128, :3] = 0
    return card


def coloured_sheet() -> str:
    """A sheet of 13 x 5 cells of 20 x 30 whose colour tells the cell: red = 10 x row, green = 10 x column."""
    cells = [
        f'<rect x="{20 * column}" y="{30 * row}" width="20" height="30" fill="rgb({10 * row},{10 * column},200)"/>'
        for row in range(5)
        for column in range(13 if row < 4 else 3)
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="260" height="150">{"".join(cells)}</svg>'


def test_a_sheet_is_cut_into_the_faces_of_its_cells() -> None:
    faces = faces_of_sheet(coloured_sheet())
    middles = {name: face[face.shape[0] // 2, face.shape[1] // 2, :3].tolist() for name, face in faces.items()}
    assert len(faces) == 52 + 2 + 1
    assert middles["AC"] == [200, 0, 0]
    assert middles["10D"] == [200, 90, 10]
    assert middles["QH"] == [200, 110, 20]
    assert middles["KS"] == [200, 120, 30]
    assert middles["JK2"] == [200, 10, 40]
    assert middles["back"] == [200, 20, 40]


def test_cards_that_lie_apart_are_found_row_by_row() -> None:
    sheet = np.zeros((120, 200, 4), np.uint8)
    for number, (x, y) in enumerate([(10, 12), (60, 10), (140, 11), (60, 60), (10, 62)]):
        sheet[y : y + 40, x : x + 30] = (number, number, number, 255)
    sheet[70:75, 150:155] = 255
    rows = cut_islands(sheet)
    assert [[int(card[0, 0, 0]) for card in row] for row in rows] == [[0, 1, 2], [4, 3]]
    assert {card.shape for row in rows for card in row} == {(40, 30, 4)}


def test_a_shadow_margin_is_trimmed_away() -> None:
    framed = np.pad(drawn_card(), ((5, 9), (7, 3), (0, 0)))
    framed[-9:, :, 3] = 90
    assert trim_margin(framed).shape == (300, 200, 4)


@pytest.mark.parametrize("outline_px", [0, 2, 5])
def test_the_outline_is_measured(outline_px: int) -> None:
    assert outline_width_px([drawn_card(outline_px=outline_px)]) == pytest.approx(outline_px, abs=1)


def test_a_finished_card_has_a_rim_of_paper_and_small_round_corners() -> None:
    card = finish_card(drawn_card(), outline_px=5)
    height, width = card.shape[:2]
    assert height == CARD_HEIGHT_PX
    # No black is left where the outline was, neither along the edges nor under the corners.
    ring = np.ones((height, width), bool)
    ring[25:-25, 25:-25] = False
    assert card[ring][:, :3].min() > 230
    assert card[height // 2, width // 2, :3].tolist() == [0, 0, 255]
    assert card[0, 0, 3] == 0
    assert card[0, width // 2, 3] == card[height // 2, 0, 3] == 255


def test_a_margin_makes_room_around_art_that_fills_its_card() -> None:
    tight, roomy = (finish_card(drawn_card(outline_px=1), outline_px=1, margin=margin) for margin in (0.001, 0.05))
    red = [np.argwhere((card[..., 2] > 200) & (card[..., 0] < 50)) for card in (tight, roomy)]
    size_px = [np.ptp(places, axis=0) for places in red]
    assert (size_px[1] < size_px[0]).all()
    assert roomy[:20, 60:-60, :3].min() > 230


def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    with pytest.raises(TeachingError, match="cannot be written"):
        write_picture(tmp_path / "file" / "card.png", drawn_card())


def test_a_written_picture_leaves_nothing_else(tmp_path: Path) -> None:
    write_picture(tmp_path / "deck" / "card.png", drawn_card())
    read = cv2.imread(str(tmp_path / "deck/card.png"), cv2.IMREAD_UNCHANGED)
    assert read is not None
    assert np.array_equal(read, drawn_card())
    assert [path.name for path in (tmp_path / "deck").iterdir()] == ["card.png"]


def test_round_corners_are_smooth_and_equal() -> None:
    alpha = round_corners(np.zeros((500, 320, 3), np.uint8))[..., 3]
    assert np.array_equal(alpha, alpha[::-1])
    assert np.array_equal(alpha, alpha[:, ::-1])
    missing = 500 * 320 - alpha.sum() / 255
    radius_px = 0.035 * 500
    assert missing == pytest.approx((4 - np.pi) * radius_px**2, rel=0.02)
    assert ((alpha > 0) & (alpha < 255)).any()


def test_a_deck_is_written_with_its_facts(tmp_path: Path) -> None:
    faces = {rank + suit: drawn_card() for suit in SUITS for rank in RANKS}
    art = DeckArt("test", "test-family", letters="de", reserved=True)
    write_deck(tmp_path / "test", art, faces, Source(PACKAGE, tmp_path, "1.0.0"))
    facts = json.loads((tmp_path / "test/deck.json").read_text(encoding="utf-8"))
    assert len(list((tmp_path / "test").glob("*.png"))) == 52
    assert facts["reserved"] is True
    assert (facts["family"], facts["letters"], facts["licence"]) == ("test-family", "de", "CC0-1.0")


def test_a_deck_without_all_faces_is_refused(tmp_path: Path) -> None:
    faces = {rank + suit: drawn_card() for suit in SUITS for rank in RANKS if rank + suit != "7D"}
    with pytest.raises(TeachingError, match="7D"):
        write_deck(tmp_path / "test", DeckArt("test", "test"), faces, Source(PACKAGE, tmp_path, "1.0.0"))
    assert not (tmp_path / "test/deck.json").exists()


def test_a_small_tile_grows_without_a_seam() -> None:
    tile = np.arange(100 * 60 * 3, dtype=np.uint32).reshape(100, 60, 3).astype(np.uint8)
    grown = fill_by_mirrors(tile, least_side_px=150)
    assert grown.shape == (150, 150, 3)
    assert np.array_equal(grown[:100, :60], tile)
    assert np.array_equal(grown[:100, 60], tile[:, 59])


def test_a_large_photograph_is_scaled_down_and_a_small_one_kept() -> None:
    assert limit_side(np.zeros((300, 900, 3), np.uint8), most_side_px=450).shape == (150, 450, 3)
    assert limit_side(np.zeros((30, 90, 3), np.uint8), most_side_px=450).shape == (30, 90, 3)


def test_pictures_go_where_their_kind_belongs(tmp_path: Path) -> None:
    source = Source(PACKAGE, tmp_path / "unpacked", "1.0.0")
    (source.folder / "art").mkdir(parents=True)
    cup = np.zeros((40, 50, 4), np.uint8)
    cup[10:30, 15:40] = 255
    cv2.imwrite(str(source.folder / "art/oak.png"), np.full((64, 64, 3), 120, np.uint8))
    cv2.imwrite(str(source.folder / "art/cup.png"), cup)
    chosen = PictureSet(PACKAGE, "art", {"wood": ("oak.*",), "photos": ("oak.*",), "clutter": ("cup.png",)})
    assert write_pictures(tmp_path, chosen, source) == 3
    oak = cv2.imread(str(tmp_path / "surfaces/wood/some-deck-oak.jpg"))
    thing = cv2.imread(str(tmp_path / "clutter/some-deck-cup.png"), cv2.IMREAD_UNCHANGED)
    assert oak is not None
    assert thing is not None
    assert min(oak.shape[:2]) >= 512
    assert thing.shape == (20, 25, 4)
    assert (tmp_path / "photos/some-deck-oak.jpg").is_file()


def test_a_picture_that_a_package_lost_is_named(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    with pytest.raises(TeachingError, match=r"some-deck 1\.0\.0 has no file oak\.png"):
        write_pictures(tmp_path, PictureSet(PACKAGE, "art", {"wood": ("oak.png",)}), Source(PACKAGE, tmp_path, "1.0.0"))


@pytest.mark.parametrize("pattern", sorted(CLOTH_PATTERNS))
def test_cloths_repeat_for_a_seed_and_differ_between_seeds(pattern: str) -> None:
    first = table_cloth(pattern, 1)
    assert np.array_equal(first, table_cloth(pattern, 1))
    assert not np.array_equal(first, table_cloth(pattern, 2))
    assert min(first.shape[:2]) >= 512


def test_felt_is_one_dye() -> None:
    picture = felt(3)
    assert picture.std(axis=(0, 1)).max() < 30


def box_glb(path: Path) -> None:
    """A strip of two triangles: joint `lower` at the origin holds one end, joint `upper` at y = 1 the other."""
    places = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [1, 2, 0], [1, 0, 0]], np.float32)
    joints = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]], np.uint8)
    weights = np.tile(np.array([[1, 0, 0, 0]], np.float32), (5, 1))
    corners = np.array([0, 1, 2, 4, 3, 2], np.uint16)
    inverse = np.stack([np.eye(4, dtype=np.float32)] * 2)
    inverse[1, 3, 1] = -1
    parts: list[tuple[NDArray[Any], int, str]] = [
        (places, 5126, "VEC3"),
        (joints, 5121, "VEC4"),
        (weights, 5126, "VEC4"),
        (corners, 5123, "SCALAR"),
        (inverse.reshape(2, 16), 5126, "MAT4"),
    ]
    blob, views, accessors = b"", list[dict[str, int]](), list[dict[str, int | str]]()
    for values, component, kind in parts:
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": values.nbytes})
        accessors.append({"bufferView": len(accessors), "componentType": component, "count": len(values), "type": kind})
        blob += values.tobytes() + b"\0" * (-values.nbytes % 4)
    primitive = {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3}
    document = json.dumps(
        {
            "meshes": [{"primitives": [primitive]}],
            "skins": [{"joints": [0, 1], "inverseBindMatrices": 4}],
            "nodes": [{"name": "lower"}, {"name": "upper"}],
            "bufferViews": views,
            "accessors": accessors,
        }
    ).encode()
    document += b" " * (-len(document) % 4)
    chunks = struct.pack("<I4s", len(document), b"JSON") + document + struct.pack("<I4s", len(blob), b"BIN\0") + blob
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def test_a_mesh_is_read_and_its_split_vertices_are_joined(tmp_path: Path) -> None:
    box_glb(tmp_path / "strip.glb")
    mesh = load_glb(tmp_path / "strip.glb")
    assert mesh.names == ("lower", "upper")
    assert len(mesh.vertices) == 4
    assert mesh.rest[1, :3, 3].tolist() == [0, 1, 0]
    assert vertex_normals(mesh.vertices, mesh.triangles) == pytest.approx(np.tile([0, 0, 1], (4, 1)))


def test_a_turned_joint_moves_only_what_hangs_on_it(tmp_path: Path) -> None:
    box_glb(tmp_path / "strip.glb")
    mesh = load_glb(tmp_path / "strip.glb")
    posed = skin(mesh, pose_joints(mesh, {"upper": "lower"}, {"upper": rotation("z", 90)}))
    moved = {tuple(rest): place.round(9).tolist() for rest, place in zip(mesh.vertices.tolist(), posed, strict=True)}
    assert moved[0, 0, 0] == [0, 0, 0]
    assert moved[1, 0, 0] == [1, 0, 0]
    # The end at (0, 2) lies 1 above its joint at (0, 1) and swings to the left.
    assert moved[0, 2, 0] == [-1, 1, 0]
    whole = skin(mesh, pose_joints(mesh, {"upper": "lower"}, {"lower": rotation("z", 90)}))
    assert whole[:, :2] == pytest.approx(np.column_stack([-mesh.vertices[:, 1], mesh.vertices[:, 0]]))


def test_a_file_that_is_no_mesh_is_named(tmp_path: Path) -> None:
    (tmp_path / "hand.glb").write_bytes(b"not a mesh at all, only text of some length")
    with pytest.raises(TeachingError, match=r"hand\.glb is no GLB file"):
        load_glb(tmp_path / "hand.glb")


def test_the_nearer_triangle_is_seen_and_one_that_faces_away_is_not() -> None:
    far = [[0, 0, 0], [0, 20, 0], [20, 0, 0]]
    near = [[0, 0, 5], [0, 10, 5], [10, 0, 5]]
    vertices = np.array([*far, *near], float)
    colours = np.array([[1.0]] * 3 + [[2.0]] * 3)
    seen, depth = rasterise_triangles(vertices, np.array([[0, 1, 2], [3, 4, 5]]), colours, size_wh=(20, 20))
    assert (seen[2, 2, 0], seen[2, 14, 0]) == (2.0, 1.0)
    assert (depth[2, 2], depth[2, 14], depth[19, 19]) == (5.0, 0.0, -np.inf)
    _, away = rasterise_triangles(vertices, np.array([[0, 2, 1]]), colours, size_wh=(20, 20))
    assert not np.isfinite(away).any()


def tube_hand() -> SkinnedMesh:
    """A straight tube of radius 2 cm from y = -0.1 (fingertips) to 0.08, open at the wrist's end, all on one joint."""
    angles = np.arange(8) * np.pi / 4
    levels = np.linspace(-0.1, 0.08, 10)
    rings = np.array([[[0.02 * np.cos(a), y, 0.02 * np.sin(a)] for a in angles] for y in levels])
    quads = [
        (r * 8 + k, r * 8 + (k + 1) % 8, r * 8 + 8 + k, r * 8 + 8 + (k + 1) % 8) for r in range(9) for k in range(8)
    ]
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (b, d, c))]
    cap = [(0, k + 1, k) for k in range(1, 7)]
    rest = np.eye(4)
    rest[:3, :3] = rotation("x", 90)
    rest[1, 3] = 0.05
    return SkinnedMesh(rings.reshape(-1, 3), np.array(triangles + cap), np.ones((80, 1)), rest[None], ("wrist",))


@pytest.mark.parametrize("sleeve", [None, Sleeve(start_m=0.1, width=1.3, fold_seed=1)])
def test_a_forearm_continues_the_hand(sleeve: Sleeve | None) -> None:
    hand = tube_hand()
    arm = with_forearm(hand, length_m=0.3, sleeve=sleeve)
    assert arm.names == ("wrist", "forearm")
    assert arm.weights.sum(axis=1) == pytest.approx(1.0)
    assert arm.vertices[:, 1].max() == pytest.approx(0.056 + 0.3)
    # Closed but for the cut at the elbow: each other edge has a triangle on either side.
    edges = {(a, b) for t in arm.triangles.tolist() for a, b in zip(t, t[1:] + t[:1], strict=True)}
    open_ends = {a for a, b in edges if (b, a) not in edges}
    assert arm.vertices[sorted(open_ends), 1] == pytest.approx(0.356)
    radius = np.hypot(*(arm.vertices[-8:, [0, 2]] - arm.vertices[-8:, [0, 2]].mean(axis=0)).T)
    bare = with_forearm(hand, length_m=0.3).vertices[-8:, [0, 2]]
    bare_radius = np.hypot(*(bare - bare.mean(axis=0)).T)
    assert radius.mean() / bare_radius.mean() == pytest.approx(1.0 if sleeve is None else 1.3, abs=0.12)


def test_each_pose_turns_only_joints_of_the_rig() -> None:
    for pose in POSES.values():
        assert set(turns_of(pose)) <= set(PARENTS)
        assert pose.rolls_deg


def test_a_left_hand_is_the_mirrored_right_one() -> None:
    picture = np.zeros((10, 6, 4), np.uint8)
    picture[2, 1] = 255
    left = HandSprite(picture, (1.5, 2.5), (3.0, 8.0), 4.0, sleeve=False).mirrored()
    assert left.picture[2, 4].tolist() == [255] * 4
    assert left.grip_px == (4.5, 2.5)
    assert left.wrist_px == (3.0, 8.0)


def test_complete_parts_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = tmp_path / "assets"
    (prepared / "done").mkdir(parents=True)
    for part in PARTS:
        (prepared / "done" / f"{part.replace('/', '-')}.json").write_text("{}", encoding="utf-8")
    before = {path: path.read_bytes() for path in prepared.rglob("*") if path.is_file()}
    # Nothing can be fetched: no client is on the path.
    monkeypatch.setenv("PATH", str(tmp_path))
    prepare_assets(prepared)
    assert {path: path.read_bytes() for path in prepared.rglob("*") if path.is_file()} == before


def test_a_part_is_computed_once_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surfaces, "_CLOTHS_OF_A_PATTERN", 1)
    monkeypatch.setattr(surfaces, "_FELTS", 1)
    prepare_assets(tmp_path, only=("surfaces/cloths",))
    cloths = sorted((tmp_path / "surfaces/cloth").glob("*.jpg"))
    assert len(cloths) == len(CLOTH_PATTERNS)
    assert json.loads((tmp_path / "done/surfaces-cloths.json").read_text())["part"] == "surfaces/cloths"
    cloths[0].write_bytes(b"touched")
    prepare_assets(tmp_path, only=("surfaces/cloths",))
    assert cloths[0].read_bytes() == b"touched"


def test_an_unknown_part_is_refused_with_the_known_groups(tmp_path: Path) -> None:
    with pytest.raises(TeachingError, match="cats") as caught:
        prepare_assets(tmp_path, only=("cats",))
    assert "decks" in caught.value.hint


def test_a_missing_client_is_named_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(TeachingError, match="'npm' is not installed") as caught:
        unpacked(PACKAGE, tmp_path)
    assert "apt-get install npm" in caught.value.hint


def test_a_failing_program_tells_its_reason(tmp_path: Path) -> None:
    with pytest.raises(TeachingError, match="no such package") as caught:
        run_tool(["sh", "-c", "echo no such package >&2; exit 3"], tmp_path, missing_hint="", failure_hint="Try later.")
    assert caught.value.hint == "Try later."


def test_an_unpacked_package_is_not_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "npm" / "some-deck"
    (home / "content").mkdir(parents=True)
    (home / "version.txt").write_text("1.0.0", encoding="utf-8")
    monkeypatch.setenv("PATH", "")
    source = unpacked(PACKAGE, tmp_path)
    assert (source.folder, source.version) == (home / "content", "1.0.0")
    assert source.as_record()["licence"] == "CC0-1.0"
