"""Which pictures of which package become table tops, photographs and clutter: all chosen by eye.

Left out are pictures with brands, playing cards, cracks, blood, see-through parts or unrolled models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vision.teaching.assets.packages import Package

__all__ = ["CLUTTER", "PHOTOS", "TOPS", "PictureSet"]


@dataclass(frozen=True, slots=True)
class PictureSet:
    """Pictures of one package.

    `root` is the folder inside the package, or an archive there (zip format). `names` maps a kind (`wood`, or
    `photos`, `clutter`) to file names below the root; `*` stands for anything but a slash. `grown` lists kinds whose
    small pictures are scaled to twice their size, because mirrors would spoil them.
    """

    package: Package
    root: str
    names: Mapping[str, tuple[str, ...]]
    grown: frozenset[str] = field(default_factory=frozenset)


def _numbered(pattern: str, numbers: str) -> tuple[str, ...]:
    return tuple(pattern.format(number) for number in numbers.split())


_UFO_HOUSES = "textures/tex_buildings/"
_UFO_CITY = "textures/tex_ctp1/"
_UFO_MATERIAL = "textures/tex_material/"
_UFO_MATTN = "textures/tex_mattn/"

_METAWORLD = PictureSet(
    Package("pypi", "metaworld", "3.1.1", "MIT"),
    "metaworld/assets",
    {
        "wood": (
            *_numbered("scene/textures/{}.png", "wood wood2"),
            *_numbered("textures/{}.png", "darkwood light_wood light_wood_v2 light_wood_v3 real_door"),
            # wood1 holds nothing but colour noise.
            *_numbered("textures/{}.png", "wood2 wood3 wood4 wood_light"),
        ),
        "cloth": _numbered("scene/textures/{}.png", "fabricPattern fabricPlain"),
        "felt": ("textures/navy_blue.png",),
        "tile": (
            *_numbered("textures/{}.png", "floor1 floor2"),
            *_numbered("scene/textures/{}.png", "white_marble_tile white_marble_tile2"),
        ),
        "stone": _numbered("textures/{}.png", "granite marble"),
        "plaster": ("scene/textures/plaster.png", "textures/plaster1.png"),
        "metal": ("scene/textures/metal.png", "scene/textures/metal1.png", "textures/metal2.png"),
    },
)
_ROBOSUITE = PictureSet(
    Package("pypi", "robosuite", "1.5.2", "MIT"),
    "robosuite/models/assets/textures",
    {
        "wood": (
            *_numbered("{}-wood.png", "blue dark green light red"),
            *_numbered("{}.png", "gray-woodgrain wood-tiles wood-varnished-panels"),
        ),
        "felt": ("gray-felt.png",),
        "tile": _numbered("{}.png", "light-gray-floor-tile ceramic"),
        "stone": _numbered("{}.png", "clay brass-ambra"),
        "plaster": _numbered("{}-plaster.png", "cream gray light-gray pink white yellow"),
        "metal": _numbered("steel-{}.png", "brushed scratched"),
    },
)
_UFOAI = PictureSet(
    Package("debian", "ufoai-textures", "2.5-2", "GPL-2+, some CC-BY-3.0, CC-BY-SA-3.0, public domain"),
    "usr/share/games/ufoai/base/0textures.pk3",
    {
        "carpet": (
            *_numbered(_UFO_HOUSES + "carpet0{}.png", "01 02 03 04 05 07 08 09 10 11 12 13 14 15 17 18 19"),
            *_numbered(_UFO_HOUSES + "carpet0{}.png", "20 21 23 24 25 26 27 28 29 30 31"),
            _UFO_HOUSES + "carpet006.jpg",
        ),
        "wood": (
            *_numbered(_UFO_HOUSES + "floor0{}.*", "02 22 26 27 34 35 36 37 38 39"),
            *_numbered(_UFO_HOUSES + "{}.*", "floor_wood01 wall_wood_001 wizwood1_2 woodceiling1a"),
            *_numbered(_UFO_CITY + "wood_{}.jpg", "b_1 b_2 b_3 b_4 b_6 b_9 b_10 b_11 g_1"),
            *_numbered(_UFO_MATERIAL + "{}.png", "s_wood002 s_wood003 wood002 wood003 wood005 wood006 wood007"),
            *_numbered(_UFO_MATERIAL + "wood0{}.png", "08 09 10 11 12 13 14 15 16 17 18"),
            *_numbered(_UFO_MATTN + "wood0{}.*", "01 05 07a 08 09 10 12 15 16 17 24"),
            _UFO_CITY + "woodb_5.jpg",
        ),
        "stone": (
            *_numbered(_UFO_HOUSES + "{}.*", "floor003 floor005 concrete002 concrete007 concrete008 concrete024"),
            *_numbered(_UFO_CITY + "concrete_{}.jpg", "g_4 g_5 g_6 g_7 g_8 g_9 g_10 g_11"),
            *_numbered(_UFO_MATTN + "{}.*", "concrete001 concrete003 floor006 stone002"),
            _UFO_CITY + "marble_m_1.jpg",
        ),
        "tile": (
            *_numbered(_UFO_HOUSES + "floor0{}.*", "08 10 13 15 17 18 20"),
            *_numbered(_UFO_HOUSES + "{}.*", "tile01 tile02"),
            *_numbered(_UFO_CITY + "tiles_{}.jpg", "b_1 b_2 b_3 g_2 g_3 m_1 m_3 m_5 m_6 r_1 r_2 w_1"),
            *_numbered(_UFO_MATTN + "floor0{}.*", "13 27 28"),
        ),
        "paper": (
            *_numbered(_UFO_HOUSES + "wallpaper0{}.jpg", "01 02 04 05 11 12"),
            *_numbered(_UFO_CITY + "wallpaper_{}.jpg", "b_1 bl_1 g_1 g_3 r_1 t_1"),
        ),
        "cloth": (
            *_numbered(_UFO_CITY + "concrete_{}.jpg", "b_1 b_2 g_1 r_4 y_1"),
            *_numbered(_UFO_MATTN + "floor0{}.*", "14 24 26 29"),
            "textures/tex_furniture/jap_carpet001.png",
        ),
        "cork": _numbered("textures/tex_nature/wood_chips{}.jpg", "01 02"),
    },
    grown=frozenset({"carpet"}),
)
_SWEETHOME = Package("debian", "sweethome3d-furniture", "1.8-1", "CC0-1.0, CC-BY-3.0")
_SWEETHOME_ROOT = "usr/share/sweethome3d/furniture/"
_BLENDSWAP_CC0 = PictureSet(
    _SWEETHOME,
    _SWEETHOME_ROOT + "BlendSwap-CC-0.sh3f",
    {
        "stone": _numbered("blendswap-cc-0/{}.jpg", "lowerCabinet/marble_14 stoneLantern/1K-cave_rock_1-diffuse"),
        "cloth": _numbered("blendswap-cc-0/{}.jpg", "tableWithTablecloth/red_checked couch2/Fabric_011_COLOR"),
        "wood": ("blendswap-cc-0/table/Wood_013_COLOR.jpg",),
    },
)
_BLENDSWAP_CCBY = PictureSet(
    _SWEETHOME,
    _SWEETHOME_ROOT + "BlendSwap-CC-BY.sh3f",
    {
        "leather": ("blendswap-cc-by/sofa3/dark-brown_leather.jpg",),
        "cloth": _numbered("blendswap-cc-by/{}.jpg", "plaidChair/cloth-texture-19 cornerSofa/Fabric_04"),
        "wood": ("blendswap-cc-by/plaidChair/pine.jpg",),
    },
)
_SCOPIA = PictureSet(
    _SWEETHOME,
    _SWEETHOME_ROOT + "Scopia.sh3f",
    {
        "wood": (
            *_numbered("scopia/{}.jpg", "wood_bank/madera_pino wooden_office_teak_table/teak_tile parque/burlwood2"),
            *_numbered("scopia/{}.jpg", "table-on-trestles/texture-bois wooden_office_pear_table_rect/pear_wood"),
            *_numbered("scopia/{}.jpg", "round-table/oaktexture bowlWithSalad/textureWoodBowl puerta/tilewood"),
            *_numbered("scopia/{}.jpg", "double_vanity/dark_wood kids_wooden_desk/rojiza_tileable"),
            *_numbered("scopia/{}.jpg", "captains-bed/woodtexture bar_table/wood_table_chairs living_lamp/little_wood"),
            *_numbered("scopia/{}.jpg", "wooden_office_alder_table/alder_tileable child_swing/pine-wood"),
            *_numbered("scopia/{}.jpg", "contemp_living_room/big_brown_wood_tile step-ladder-wood/wood-texture"),
            *_numbered("scopia/{}.jpg", "kitchenKnifeStandSet/woodentexture children_chair/pine"),
        ),
        "cloth": (
            *_numbered("scopia/{}.jpg", "convertible-sofa-BZ-closed/texturefabric folded_clothes/blue-fabric"),
            *_numbered("scopia/{}.jpg", "hammock/fabricTexture round-carpet/round-carpet-texture"),
            "scopia/rattanArmchair/textureRattan.jpg",
        ),
        "stone": _numbered("scopia/{}.jpg", "aquarium/granite coffee-table2/little_stones"),
        "carpet": ("scopia/doormat/texturedoormat.jpeg",),
    },
)
_SKIMAGE = Package("pypi", "scikit-image", "0.26.0", "BSD-3-Clause")
_SKIMAGE_TOPS = PictureSet(
    _SKIMAGE, "skimage/data", {"stone": _numbered("{}.png", "gravel brick"), "grass": ("grass.png",)}
)

TOPS: Mapping[str, tuple[PictureSet, ...]] = {
    "metaworld": (_METAWORLD,),
    "robosuite": (_ROBOSUITE,),
    "skimage-tops": (_SKIMAGE_TOPS,),
    "ufoai": (_UFOAI,),
    "sweethome": (_BLENDSWAP_CC0, _BLENDSWAP_CCBY, _SCOPIA),
}

_SKIMAGE_PHOTOS = PictureSet(
    _SKIMAGE,
    "skimage/data",
    {
        "photos": (
            *_numbered("{}.png", "astronaut camera chelsea coffee coins ihc motorcycle_left text"),
            *_numbered("{}.jpg", "hubble_deep_field retina rocket"),
        )
    },
)
_SKLEARN_PHOTOS = PictureSet(
    Package("pypi", "scikit-learn", "1.9.1", "BSD-3-Clause"),
    "sklearn/datasets/images",
    {"photos": ("china.jpg", "flower.jpg")},
)
_PLASMA_PHOTOS = PictureSet(
    Package("debian", "plasma-workspace-wallpapers", "4:5.27.5-2", "LGPL-3, CC-BY-SA-4.0"),
    "usr/share/wallpapers",
    {
        "photos": (
            *_numbered("{}/contents/images/5120x2880.*", "Altai IceCold Flow Kay Patak Volna SafeLanding MilkyWay"),
            *_numbered("{}/contents/images/2560x1600.*", "FallenLeaf Path DarkestHour Autumn summer_1am EveningGlow"),
            *_numbered("{}/contents/images/2560x1600.*", "Grey Kite ColorfulCups OneStandsOut ColdRipple BytheWater"),
            *_numbered("{}/contents/images/3840x2160.*", "Opal Canopee Cascade Kokkini Cluster"),
        )
    },
)
_MATE_PHOTOS = PictureSet(
    Package("debian", "mate-backgrounds", "1.26.0-1", "GPL-2+, CC-BY-SA-4.0"),
    "usr/share/backgrounds/mate",
    {
        "photos": (
            *_numbered("nature/{}.jpg", "Garden Dune Wood Aqua TwoWings Storm GreenMeadow RainDrops Blinds LadyBird"),
            *_numbered("{}.jpg", "nature/YellowFlower abstract/Elephants"),
        )
    },
)
_LOMIRI_16 = PictureSet(
    Package("debian", "lomiri-wallpapers-16.04", "20.04.0-2", "CC-BY-SA-3.0"),
    "usr/share/backgrounds",
    {"photos": ("*_by_*.jpg",)},
)
_LOMIRI_20 = PictureSet(
    Package("debian", "lomiri-wallpapers-20.04", "20.04.0-2", "CC-BY-SA-3.0"),
    "usr/share/backgrounds",
    {"photos": ("*_by_*.jpg",)},
)
_OPENCV_PHOTOS = PictureSet(
    Package("debian", "opencv-doc", "4.6.0+dfsg-12", "Apache-2.0, BSD-3-Clause"),
    "usr/share/doc/opencv-doc/examples/data",
    {
        "photos": (
            *_numbered("{}.jpg", "fruits baboon leuvenA squirrel_cls home aloeL board starry_night orange stuff"),
            *_numbered("{}.jpg", "ela_original messi5 left right aero1 leuvenB butterfly building aero3 apple"),
            *_numbered("{}.png", "sudoku chicky_512 basketball1 basketball2 rubberwhale1 graf1 graf3 box box_in_scene"),
            *_numbered("left{}.jpg", "01 03 05 07 09 12 14"),
            *_numbered("right{}.jpg", "02 04 06 08 11 13"),
        )
    },
)

PHOTOS: Mapping[str, tuple[PictureSet, ...]] = {
    "scikit": (_SKIMAGE_PHOTOS, _SKLEARN_PHOTOS),
    "wallpapers": (_PLASMA_PHOTOS, _MATE_PHOTOS, _LOMIRI_16, _LOMIRI_20),
    "opencv": (_OPENCV_PHOTOS,),
}

_TUXPAINT = PictureSet(
    Package("debian", "tuxpaint-stamps-default", "2022.06.04-1", "GPL-2"),
    "usr/share/tuxpaint/stamps",
    {
        "clutter": (
            "food/fruit/*.png",
            "food/vegetables/*.png",
            "food/spices/*.png",
            *_numbered("food/nuts/{}.png", "almond pecan walnut"),
            *_numbered("symbols/money/{}/coins/*.png", "us euro canadian"),
            "symbols/money/japanese/*.png",
            *_numbered("household/{}.png", "Lightbulb cylinder kettle key rubberduck dishes/glass dishes/mug"),
            *_numbered("household/dishes/{}.png", "pitcher_small teapot utensils/nutcracker utensils/pepper_grinder"),
            *_numbered("household/arttools/{}.png", "highlighter pen_dryerase"),
            *_numbered("household/arttools/scissors_small_{}.png", "closed open"),
            *_numbered("household/tools/{}.png", "hammer mallet_metal measuring_tape paintbrush_large plyers wrench"),
            *_numbered("household/tools/{}.png", "wrench_adjustable wrench_plumbers toolbox"),
            *_numbered("clothes/{}.png", "button clothespin_new clothespin_old"),
            *_numbered("medical/{}.png", "bandage_adhesive mercurythermometer stethoscope"),
            *_numbered("hobbies/{}.png", "binoculars camera_35mm"),
            *_numbered(
                "plants/flowers/{}.png", "adeenia anemone_red daffodil flower1 flower5 flower9 iris marigold rose"
            ),
            *_numbered("sports/{}.png", "cricketball tennis_ball"),
            *_numbered("animals/shellfish/{}.png", "abalone murray-mussel"),
        )
    },
)
_UFOAI_CLUTTER = PictureSet(_UFOAI.package, _UFOAI.root, {"clutter": (_UFO_MATTN + "newspaper.png",)})

CLUTTER: Mapping[str, tuple[PictureSet, ...]] = {"stamps": (_TUXPAINT,), "newspaper": (_UFOAI_CLUTTER,)}
