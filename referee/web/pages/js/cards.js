// Cards as drawings. Every colour also has a pattern and a sign, every size a direction and a number, so that nobody
// needs to tell colours apart. Sizes 4 and 2 swim to the left, 3 and 1 to the right.

import { h, svg } from "./dom.js";
import { t } from "./texts.js";

const INK = "#14212b";
const FILLS = {
  R: "#e23b3f", O: "#f5831f", Y: "#ffd21f", G: "#2fa353", B: "#2f74e0", V: "#9146cf", K: "#343a42", W: "#ffffff",
};
const LENGTHS = { 1: 56, 2: 80, 3: 106, 4: 134 };
const LANES = [57, 144, 231];
const BODY = "M0 0C11-26 46-34 72-9L97-27C91-9 91 9 97 27L72 9C46 34 11 26 0 0Z";
const SUITS = { S: ["♠", "black"], C: ["♣", "black"], H: ["♥", "red"], D: ["♦", "red"] };

// One pattern per colour, drawn in the fish's own units (100 long), on top of the plain fill.
const PATTERNS = {
  R: ["M6-2V20", 14, { stroke: "#ffffff", "stroke-width": 4.5, opacity: 0.55 }],
  O: ["M4 4h.01M11 11h.01", 14, { stroke: "#7a2d00", "stroke-width": 5.5, "stroke-linecap": "round", opacity: 0.6 }],
  Y: ["M-2 10L4 4L10 10L16 4", 12, { stroke: "#a86a00", "stroke-width": 3, fill: "none", opacity: 0.75 }],
  G: ["M-3 15L15-3M-3 3L3-3M9 15L15 9", 12, { stroke: "#ffffff", "stroke-width": 3, opacity: 0.6 }],
  B: ["M-1 6Q3.5 0 8 6T17 6", 16, { stroke: "#ffffff", "stroke-width": 3, fill: "none", opacity: 0.65 }],
  V: ["M7 2V12M2 7H12", 15, { stroke: "#ffffff", "stroke-width": 2.6, "stroke-linecap": "round", opacity: 0.75 }],
  K: ["M3 3h5v5h-5zM11 11h5v5h-5z", 16, { fill: "#ffffff", opacity: 0.5 }],
  W: ["M0 0A7 7 0 0 0 14 0M-7 7A7 7 0 0 0 7 7A7 7 0 0 0 21 7", 14,
    { stroke: "#8ea3b1", "stroke-width": 2, fill: "none" }],
};

export function placePatterns() {
  const patterns = Object.keys(PATTERNS).flatMap((colour) => [pattern(colour, "", 1), pattern(colour, "-big", 1.9)]);
  const water = svg("linearGradient", { id: "water", x1: 0, y1: 0, x2: 0, y2: 1 },
    svg("stop", { offset: 0, "stop-color": "#f4fcff" }), svg("stop", { offset: 1, "stop-color": "#bfe3f2" }));
  const deep = svg("linearGradient", { id: "deep", x1: 0, y1: 0, x2: 0, y2: 1 },
    svg("stop", { offset: 0, "stop-color": "#2b8aa8" }), svg("stop", { offset: 1, "stop-color": "#0b3a55" }));
  document.body.append(
    svg("svg", { class: "patterns", width: 0, height: 0, "aria-hidden": "true" },
      svg("defs", {}, patterns, water, deep)));
}

function pattern(colour, suffix, scale) {
  const [path, size, look] = PATTERNS[colour];
  return svg("pattern", {
    id: `pattern-${colour}${suffix}`, width: size, height: size,
    patternUnits: "userSpaceOnUse", patternTransform: `scale(${scale})`,
  }, svg("path", { d: path, ...look }));
}

const FISH_FACE = /^[ROYGBVKW][1-4](\+[ROYGBVKW][1-4]){0,2}$/;
const PIRANHA_FACE = /^P-[ROYGBVKW]$/;
const FRENCH_FACE = /^(10|[2-9TJQKA])([SCHD])$/;

export const isFish = (face) => FISH_FACE.test(face ?? "");
export const isPiranha = (face) => PIRANHA_FACE.test(face ?? "");

// What a card is called, in words.
export function cardName(face) {
  if (isFish(face)) {
    return face.split("+")
      .map((fish) => t("card.fish", { size: t(`size.${fish[1]}`), colour: t(`colour.${fish[0]}`) }))
      .join(t("card.join"));
  }
  if (isPiranha(face)) return t("card.piranha", { colour: t(`colour.${face[2]}`) });
  return !face || face === "??" ? t("card.back") : face;
}

// A card as a picture with its name for those who listen.
export function card(face, { hidden = false } = {}) {
  const accessible = hidden ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(face) };
  const picture = svg("svg", { viewBox: "0 0 200 282", class: "card-picture", ...accessible }, drawing(face));
  return h("span", { class: "card", "data-face": face ?? "" }, picture);
}

function drawing(face) {
  if (isFish(face)) return fishCard(face);
  if (isPiranha(face)) return piranhaCard(face[2]);
  const french = FRENCH_FACE.exec(face ?? "");
  if (french) return frenchCard(french[1] === "T" ? "10" : french[1], ...SUITS[french[2]]);
  return backCard(!face || face === "??" ? "?" : face);
}

function sheet(fill) {
  return svg("rect", { x: 3, y: 3, width: 194, height: 276, rx: 17, fill, stroke: INK, "stroke-width": 3 });
}

function fishCard(face) {
  const bubbles = [[100, 100, 5], [112, 91, 3], [92, 187, 4], [103, 179, 2.5], [176, 100, 3], [24, 188, 3]].map(
    ([cx, cy, r]) => svg("circle", { cx, cy, r, fill: "#ffffff", stroke: "#7db7cf", "stroke-width": 1.5 }));
  const fish = face.split("+").map((one, lane, all) => fishInLane(one[0], Number(one[1]), laneY(lane, all.length)));
  return [sheet("url(#water)"), bubbles, fish];
}

function laneY(lane, lanes) {
  return lanes === 3 ? LANES[lane] : (282 / (lanes + 1)) * (lane + 1);
}

function fishInLane(colour, size, y) {
  const left = size % 2 === 0;
  const scale = LENGTHS[size] / 97;
  const move = left ? `translate(12 ${y}) scale(${scale})` : `translate(188 ${y}) scale(${-scale} ${scale})`;
  return svg("g", {}, svg("g", { transform: move }, fish(colour, scale)), badge(colour, size, left ? 176 : 24, y));
}

function fish(colour, scale) {
  const line = { stroke: INK, "stroke-width": 2.6 / scale, "stroke-linejoin": "round", "stroke-linecap": "round" };
  return [
    svg("path", { d: "M34-22Q46-37 63-30L58-16Z", fill: FILLS[colour], ...line }),
    svg("path", { d: BODY, fill: FILLS[colour] }),
    svg("path", { d: BODY, fill: `url(#pattern-${colour})`, ...line }),
    svg("path", { d: "M44 4Q56 2 58 14Q48 16 44 4Z", fill: FILLS[colour], ...line }),
    svg("circle", { cx: 19, cy: -6, r: 7, fill: "#ffffff", ...line, "stroke-width": 1.6 / scale }),
    svg("circle", { cx: 17.5, cy: -6, r: 3.6, fill: INK }),
    svg("path", { d: "M5 6Q11 12 18 9", fill: "none", ...line, "stroke-width": 2.2 / scale }),
  ];
}

function badge(colour, size, x, y) {
  return svg("g", {},
    svg("rect", {
      x: x - 15, y: y - 24, width: 30, height: 48, rx: 11, fill: "#ffffff", stroke: INK, "stroke-width": 2,
    }),
    label(t(`sign.${colour}`), x, y - 3, 19), label(String(size), x, y + 18, 17));
}

function label(text, x, y, size, fill = INK) {
  return svg("text", { x, y, "font-size": size, "font-weight": 800, "text-anchor": "middle", fill }, text);
}

function piranhaCard(colour) {
  const line = { stroke: INK, "stroke-width": 3.4, "stroke-linejoin": "round", "stroke-linecap": "round" };
  const body = "M100 62C150 62 178 98 178 142C178 188 146 220 100 220C54 220 22 188 22 142C22 98 50 62 100 62Z";
  const tooth = { ...line, fill: "#ffffff", "stroke-width": 2 };
  const teeth = [52, 68, 84, 100, 116, 132];
  return [
    sheet("url(#deep)"),
    svg("path", { d: "M62 72L76 34L96 58L112 28L124 60L146 44L144 78Z", fill: FILLS[colour], ...line }),
    svg("path", { d: "M26 128L8 104L12 172L30 164ZM174 128L192 104L188 172L170 164Z", fill: FILLS[colour], ...line }),
    svg("path", { d: body, fill: FILLS[colour] }),
    svg("path", { d: body, fill: `url(#pattern-${colour}-big)`, ...line }),
    svg("path", { d: "M42 154Q100 138 158 154Q154 204 100 206Q46 204 42 154Z", fill: "#5a0f1a", ...line }),
    teeth.map((x) => svg("path", { d: `M${x} 151l8 20l8-20Z`, ...tooth })),
    teeth.slice(0, 5).map((x) => svg("path", { d: `M${x + 8} 203l8-19l8 19Z`, ...tooth })),
    [66, 134].map((x) => svg("circle", { cx: x, cy: 114, r: 19, fill: "#ffffff", ...line })),
    [71, 129].map((x) => svg("circle", { cx: x, cy: 117, r: 8.5, fill: INK })),
    svg("path", { d: "M40 88L88 104M160 88L112 104", fill: "none", ...line, "stroke-width": 8 }),
    [[27, 31], [173, 251]].map(([x, y]) => svg("g", {},
      svg("circle", { cx: x, cy: y, r: 17, fill: "#ffffff", stroke: INK, "stroke-width": 2 }),
      label(t(`sign.${colour}`), x, y + 7, 19))),
  ];
}

function frenchCard(rank, suit, colour) {
  const fill = colour === "red" ? "#c1121f" : INK;
  const corner = [label(rank, 34, 50, 40, fill), label(suit, 34, 84, 34, fill)];
  return [sheet("#ffffff"), corner, label(suit, 108, 190, 120, fill)];
}

function backCard(text) {
  return [
    sheet("#dfeaf0"),
    svg("rect", { x: 18, y: 18, width: 164, height: 246, rx: 10, fill: "none", stroke: "#5d7f92", "stroke-width": 3,
      "stroke-dasharray": "9 9" }),
    label(text, 100, text.length > 2 ? 152 : 172, text.length > 2 ? Math.min(44, 260 / text.length) : 96, "#34515f"),
  ];
}
