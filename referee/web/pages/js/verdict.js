// "Wrong card!": one verdict over the whole screen, until play goes on or somebody closes it.

import { byId, h, renderOnce } from "./dom.js";
import { card } from "./cards.js";
import { currentLanguage, spoken, t } from "./texts.js";
import { isWrongCard, rulingName } from "./board.js";
import { table } from "./table.js";

const LOUD = new Set(["foul", "upheld", "rejected"]);
const MARKS = {
  foul: "✗", upheld: "✗", disproved: "✗", void: "∅", pending: "…", legal: "✓", rejected: "✓", accepted: "✓",
};

let shown = null;
let stopped = false;

export const isLoud = (verdict) => LOUD.has(verdict.ruling);

// handlers: { go(), correct(verdict) }
export function showVerdict(verdict, handlers) {
  const dialog = byId("foul");
  shown = verdict;
  stopped = Boolean(table.view?.stop);
  dialog.className = `foul foul-${verdict.ruling}`;
  render(handlers);
  if (!dialog.open) {
    dialog.showModal();
    dialog.scrollTop = 0;
  }
  byId("foul-title").focus({ preventScroll: true });
}

export function hideVerdict() {
  shown = null;
  byId("foul").close();
}

export function wireVerdict() {
  byId("foul").addEventListener("close", () => (shown = null));
}

// The view has changed: play goes on, or the verdict was corrected, or only who may press what.
export function refreshVerdict(view, handlers) {
  if (!shown) return;
  const now = view.verdicts.find((verdict) => verdict.seq === shown.seq);
  const wentOn = stopped && !view.stop;
  const corrected = now && now.ruling !== shown.ruling;
  if (wentOn || corrected || view.over) {
    hideVerdict();
    return;
  }
  stopped = Boolean(view.stop);
  shown = now ?? shown;
  render(handlers);
}

function title(verdict) {
  if (verdict.ruling === "rejected") return t("foul.title.rejected");
  if (verdict.ruling === "upheld" || (verdict.ruling === "foul" && isWrongCard(verdict))) return t("foul.title");
  return isLoud(verdict) ? t("foul.title.other") : rulingName(verdict);
}

function render(handlers) {
  const key = JSON.stringify([currentLanguage(), table.role, table.view?.phase, shown]);
  renderOnce(byId("foul"), key, () => parts(shown, handlers));
}

function parts(verdict, handlers) {
  return h("div", { class: "foul-inner" },
    h("div", { class: "foul-head", role: isLoud(verdict) ? "alert" : null },
      h("h2", { id: "foul-title", tabindex: -1 }, title(verdict)),
      verdict.player ? h("p", { class: "foul-who" }, who(verdict)) : null,
      h("p", { class: "foul-reason" }, spoken(verdict.text))),
    cards(verdict),
    steps(spoken(verdict.steps) || []),
    pictures(verdict.evidence),
    rules(verdict),
    buttons(verdict, handlers));
}

function who(verdict) {
  return t(verdict.kind === "call" ? "foul.called" : "foul.who", { name: verdict.player });
}

function cards(verdict) {
  if (!verdict.cards[0]) return null;
  const beneath = verdict.beneath
    ? [h("span", { class: "foul-mark", "aria-hidden": "true" }, MARKS[verdict.ruling]),
      figure(verdict.beneath, "foul.beneath")]
    : [];
  return h("div", { class: "foul-cards" }, figure(verdict.cards[0], "foul.played"), beneath);
}

function figure(face, caption) {
  return h("figure", {}, card(face), h("figcaption", {}, t(caption)));
}

function steps(list) {
  if (list.length === 0) return null;
  return h("section", { class: "foul-steps" },
    h("h3", {}, t("foul.steps")),
    h("ol", {}, list.map((step) => h("li", {}, step))));
}

function rules(verdict) {
  const ids = [...verdict.rules, ...verdict.reminders];
  return ids.length > 0 ? h("p", { class: "foul-rules" }, t("foul.rule", { rules: ids.join(", ") })) : null;
}

function pictures(ids) {
  if (ids.length === 0) return null;
  return h("figure", { class: "foul-pictures" },
    ids.slice(0, 2).map(picture), h("figcaption", {}, t("foul.picture")));
}

// A picture that is not there leaves no hole.
function picture(id) {
  const gone = ({ target }) => {
    const box = target.parentElement;
    target.remove();
    box.hidden = !box.querySelector("img");
  };
  return h("img", { src: `/evidence/${encodeURIComponent(id)}.jpg`, alt: t("foul.picture"), onerror: gone });
}

function button(look, key, onclick) {
  return h("button", { type: "button", class: `button ${look}`, onclick }, t(key));
}

function buttons(verdict, handlers) {
  return h("div", { class: "foul-buttons" },
    table.mayAct && table.view?.stop ? button("button-go", "go.on", handlers.go) : null,
    button("button-plain", "foul.dismiss", hideVerdict),
    table.mayAct ? button("button-plain", "foul.misread", () => handlers.correct(verdict)) : null);
}
