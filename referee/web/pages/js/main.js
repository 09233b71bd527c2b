// Starts the page and joins its parts: stream -> what this phone knows -> what it shows, and presses -> table.

import { byId, h, renderOnce } from "./dom.js";
import { placePatterns } from "./cards.js";
import { currentLanguage, spoken, t, useLanguage, wantedLanguage } from "./texts.js";
import { feel, speak, wakeSenses } from "./senses.js";
import { Refused, act, pairFromAddress, table } from "./table.js";
import { askWho, closeOnBackdrop, openCorrection, openMenu } from "./dialogs.js";
import { hideVerdict, isLoud, refreshVerdict, showVerdict, wireVerdict } from "./verdict.js";
import { openRules } from "./rules.js";
import { renderBoard, renderWaiting, winners } from "./board.js";
import { Stream } from "./stream.js";

const TOAST_MS = 6_000;
let toastTimer = 0;
let link = "live";

const verdictHandlers = { go: () => press("go"), correct: (verdict) => openCorrection(verdict, correctionHandlers) };
const correctionHandlers = {
  amend: (verdict, value) => press("amend", { seq: verdict.seq, value }),
  retract: (verdict) => press("retract", { seq: verdict.seq }),
};
const menuHandlers = { changed: () => render(), rules: () => openRules().catch(refusal) };
const boardHandlers = {
  answer: (ask, choice) => press("answer", { seq: ask.seq, ask: ask.id, value: choice }),
  open: (verdict) => showVerdict(verdict, verdictHandlers),
};

function toast(text, hint = "") {
  const box = byId("toast");
  clearTimeout(toastTimer);
  box.replaceChildren(h("strong", {}, text), hint ? h("span", {}, hint) : "");
  box.classList.add("toast-on");
  toastTimer = setTimeout(() => box.classList.remove("toast-on"), TOAST_MS);
}

function refusal(error) {
  if (!(error instanceof Refused)) throw error;
  toast(error.message, error.hint);
}

// A press tells where the phone stood at that moment: the table may have moved on meanwhile.
async function press(kind, details = {}) {
  const buttons = document.querySelectorAll("#actions button, .button-go");
  for (const button of buttons) button.setAttribute("aria-busy", "true");
  try {
    const corrected = table.view.correction?.seq;
    await act(kind, { player: table.me, seq: table.view.seq, ...details });
    // What a correction has changed says more than that it was sent.
    if (table.view.correction?.seq === corrected) toast(t(`sent.${kind}`));
  } catch (error) {
    refusal(error);
  } finally {
    for (const button of buttons) button.removeAttribute("aria-busy");
  }
}

async function pressAs(kind) {
  const seq = table.view.seq; // asking for a name takes a while; what counts is the moment of the press
  const player = table.me ?? (await askWho({ watching: false }));
  render();
  if (player) await press(kind, { player, seq });
}

function renderActions() {
  const box = byId("actions");
  const view = table.view;
  box.hidden = !view || (view.over !== null && table.mayAct);
  renderOnce(box, JSON.stringify([currentLanguage(), table.role, view?.phase]), () => {
    if (!table.mayAct) return h("p", { class: "quiet" }, t("spectator"));
    if (view?.phase === "stopped") return actionButton("button-go", "go.on", () => press("go"));
    if (view?.phase === "setup") return actionButton("button-go", "go.start", () => press("go"));
    return [
      actionButton("button-call", "call.button", () => pressAs("call")),
      actionButton("button-stuck", "stuck.button", () => pressAs("stuck")),
    ];
  });
}

function actionButton(look, key, onclick) {
  return h("button", { type: "button", class: `button ${look}`, onclick }, t(key));
}

function renderWho() {
  const button = byId("who-button");
  button.hidden = !table.view || !table.mayAct;
  button.textContent = table.me ? t("who.me", { name: table.me }) : t("who.ask");
}

function renderLink() {
  const banner = byId("link-banner");
  banner.hidden = link === "live";
  banner.textContent = link === "live" ? "" : t(`link.${link}`);
}

function render() {
  document.title = table.view?.stop ? `${t("phase.stopped")} · Wrongcard` : "Wrongcard";
  renderLink();
  renderWho();
  renderBoard(table.view, boardHandlers);
  renderActions();
}

function take(view) {
  const justWon = view.over && !table.view?.over;
  const corrected = table.view && view.correction && view.correction.seq !== table.view.correction?.seq;
  table.view = view;
  refreshVerdict(view, verdictHandlers);
  render();
  if (corrected) toast(spoken(view.correction.text));
  if (justWon) {
    hideVerdict();
    feel("won");
    speak(winners(view.over.winners));
  }
}

// Whoever joins during a stop sees why everybody waits.
function takeSnapshot(view) {
  take(view);
  const reason = view.stop && view.verdicts.find((verdict) => verdict.seq === view.stop.seq);
  if (reason && isLoud(reason)) showVerdict(reason, verdictHandlers);
}

function hear(verdict) {
  speak(spoken(verdict.text));
  if (isLoud(verdict)) {
    feel(verdict.ruling === "rejected" ? "fits" : "wrong");
    showVerdict(verdict, verdictHandlers);
  } else {
    feel("seen");
    if (verdict.ruling !== "legal") toast(spoken(verdict.text));
  }
}

function setLink(state) {
  const before = link;
  link = state;
  renderLink();
  if (state === "live" && before !== "live") toast(t("link.back"));
}

async function pair() {
  byId("pair-banner").hidden = true;
  try {
    await pairFromAddress();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    byId("pair-banner").textContent = `${error.message} ${error.hint}`;
    byId("pair-banner").hidden = false;
  }
  render();
}

async function start() {
  await useLanguage(wantedLanguage());
  placePatterns();
  renderWaiting();
  closeOnBackdrop();
  wireVerdict();
  wakeSenses();
  byId("menu-button").addEventListener("click", () => openMenu(menuHandlers));
  byId("who-button").addEventListener("click", () => askWho().then(render));
  window.addEventListener("hashchange", pair);
  await pair();
  new Stream({ snapshot: takeSnapshot, verdict: hear, view: take, link: setLink }).start();
}

start();
