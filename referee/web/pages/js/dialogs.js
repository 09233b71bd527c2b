// The sheets that slide up: the menu, who am I, and correcting what the camera read.

import { byId, h } from "./dom.js";
import { card, isFish, isPiranha } from "./cards.js";
import { currentLanguage, languages, t, useLanguage } from "./texts.js";
import { senses, setSense } from "./senses.js";
import { table } from "./table.js";

const COLOURS = ["R", "O", "Y", "G", "B", "V", "K", "W"];
const SIZES = ["1", "2", "3", "4"];
const ANY_FISH = "R1+B2+Y3";
const LANGUAGE_NAMES = { en: "English", de: "Deutsch" };

export function sheet(id, title, ...children) {
  const dialog = byId(id);
  const close = { type: "button", class: "icon-button", "aria-label": t("close"), onclick: () => dialog.close() };
  dialog.replaceChildren(
    h("div", { class: "sheet-top" }, h("h2", { id: `${id}-title` }, title), h("button", close, "✕")),
    ...children.flat().filter(Boolean));
  if (!dialog.open) dialog.showModal();
  return dialog;
}

export function closeOnBackdrop() {
  for (const dialog of document.querySelectorAll("dialog.sheet")) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
}

// handlers: { changed(), rules() }
export function openMenu(handlers) {
  const choose = async (language) => {
    await useLanguage(language, { remember: true });
    handlers.changed();
    openMenu(handlers);
  };
  sheet("menu", t("menu.title"),
    h("fieldset", { class: "segments" },
      h("legend", {}, t("menu.language")),
      languages().map((language) => languageButton(language, () => choose(language)))),
    table.view ? rulesButton(handlers.rules) : null,
    ["sound", "buzz", "voice"].map(switchRow),
    table.mayAct ? joinPicture() : h("p", { class: "quiet" }, t("spectator")));
}

function languageButton(language, onclick) {
  const pressed = String(language === currentLanguage());
  return h("button", { type: "button", lang: language, "aria-pressed": pressed, onclick }, LANGUAGE_NAMES[language]);
}

function rulesButton(rules) {
  const onclick = () => {
    byId("menu").close();
    rules();
  };
  return h("button", { type: "button", class: "button button-plain button-wide", onclick }, t("menu.rules"));
}

function switchRow(name) {
  const id = `sense-${name}`;
  const box = h("input", { id, type: "checkbox", role: "switch", onchange: () => setSense(name, box.checked) });
  box.checked = senses()[name];
  return h("label", { class: "switch", for: id }, h("span", {}, t(`menu.${name}`)), box);
}

function joinPicture() {
  return h("section", { class: "join" },
    h("h3", {}, t("menu.join")),
    h("p", { class: "quiet" }, t("menu.join.hint")),
    h("img", { src: `/join.svg?${Date.now()}`, alt: t("menu.join.alt"), width: 220, height: 220 }));
}

function choice(text, onclick, properties = {}) {
  return h("button", { type: "button", class: "choice", onclick, ...properties }, text);
}

// Asks who is holding the phone; resolves to a name, or null when nobody was chosen.
export function askWho({ watching = true } = {}) {
  return new Promise((resolve) => {
    let chosen = null;
    const choose = (name) => {
      chosen = name;
      table.me = name;
      dialog.close();
    };
    const buttons = table.view.players.map(({ name }) =>
      choice(name, () => choose(name), { "aria-pressed": String(name === table.me) }));
    if (watching) buttons.push(choice(t("who.none"), () => choose(null), { class: "choice choice-quiet" }));
    const dialog = sheet("who", t("who.title"), h("div", { class: "choices" }, buttons));
    dialog.addEventListener("close", () => resolve(chosen), { once: true });
  });
}

// handlers: { amend(verdict, value), retract(verdict) }
export function openCorrection(verdict, handlers) {
  const send = (action) => {
    byId("correct").close();
    action();
  };
  const amend = (value) => send(() => handlers.amend(verdict, value));
  sheet("correct", t("correct.title"),
    h("p", { class: "quiet" }, t("correct.hint")),
    verdict.cards.length === 1 ? otherCard(verdict.cards[0], amend) : null,
    verdict.player !== null || verdict.kind === "play" ? otherPlayer(verdict.player, amend) : null,
    h("section", {}, h("button", {
      type: "button", class: "button button-plain button-wide", onclick: () => send(() => handlers.retract(verdict)),
    }, t("correct.never"))));
}

function otherCard(face, amend) {
  const editor = faceEditor(face);
  const onclick = () => amend({ cards: [editor.face()] });
  return h("section", {},
    h("h3", {}, t("correct.card")),
    editor.element,
    h("button", { type: "button", class: "button button-go", onclick }, t("send")));
}

function otherPlayer(player, amend) {
  const others = table.view.players.filter(({ name }) => name !== player);
  return h("section", {},
    h("h3", {}, t("correct.player")),
    h("div", { class: "choices" }, others.map(({ name }) => choice(name, () => amend({ player: name })))));
}

// Builds a face by choosing: three fish, one piranha, or for other decks the card's name as text.
function faceEditor(face) {
  if (!isFish(face) && !isPiranha(face) && face !== "??") return textEditor(face);
  const state = {
    piranha: isPiranha(face),
    colour: isPiranha(face) ? face[2] : COLOURS[0],
    fish: (isFish(face) ? face : ANY_FISH).split("+").map((one) => [...one]),
  };
  const element = h("div", { class: "editor" });
  const now = () => (state.piranha ? `P-${state.colour}` : state.fish.map((one) => one.join("")).join("+"));
  const draw = () => {
    const focused = document.activeElement?.id;
    const fields = state.piranha ? piranhaField(state, change) : state.fish.map((one, at) => fishField(one, at, change));
    element.replaceChildren(
      h("div", { class: "editor-card" }, card(now())),
      h("div", { class: "editor-fields" }, kindChoice(state, change), fields));
    if (focused) byId(focused)?.focus();
  };
  const change = (edit) => {
    edit();
    draw();
  };
  draw();
  return { element, face: now };
}

function kindChoice(state, change) {
  const button = (piranha, key) => h("button", {
    type: "button", id: `editor-${key}`, "aria-pressed": String(state.piranha === piranha),
    onclick: () => change(() => (state.piranha = piranha)),
  }, t(`correct.kind.${key}`));
  return h("div", { class: "segments" }, button(false, "fish"), button(true, "piranha"));
}

function piranhaField(state, change) {
  const set = (value) => change(() => (state.colour = value));
  return h("div", { class: "editor-row" },
    select("editor-piranha", t("correct.colour"), colourNames(), { chosen: state.colour, set }));
}

function fishField(one, at, change) {
  const name = t("correct.fish", { n: at + 1 });
  const part = (key, index, names) => select(`editor-${at}-${key}`, `${name}: ${t(`correct.${key}`)}`, names, {
    chosen: one[index], set: (value) => change(() => (one[index] = value)),
  });
  return h("div", { class: "editor-row" }, part("colour", 0, colourNames()), part("size", 1, sizeNames()));
}

const colourNames = () => COLOURS.map((value) => [value, t(`colour.${value}`)]);
const sizeNames = () => SIZES.map((value) => [value, `${value} ${t(`size.${value}`)}`]);

function select(id, label, names, { chosen, set }) {
  const box = h("select", { id, "aria-label": label, onchange: () => set(box.value) },
    names.map(([value, name]) => h("option", { value }, name)));
  box.value = chosen;
  return box;
}

function textEditor(face) {
  const box = h("input", { type: "text", maxlength: 40, autocomplete: "off", autocapitalize: "characters" });
  box.value = face;
  return {
    element: h("label", { class: "editor-text" }, t("correct.text"), box),
    face: () => box.value.trim() || face,
  };
}
