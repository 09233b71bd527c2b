// The main part of the page: target card, questions, players, what happened, and the end of the game.

import { byId, h, renderOnce, svg } from "./dom.js";
import { card, cardName, isFish, isPiranha } from "./cards.js";
import { count, currentLanguage, has, spoken, t } from "./texts.js";
import { table } from "./table.js";

const SIGNS = {
  legal: "✓", pending: "…", foul: "✗", void: "∅", upheld: "!", rejected: "✓", accepted: "✓", disproved: "✗",
};
const WELCOME = ["R2+B4+Y1", "P-G", "V3+W4+O2"];

// handlers: { answer(ask, choice), open(verdict) }
export function renderBoard(view, handlers) {
  document.documentElement.dataset.state = view ? view.phase : "waiting";
  byId("waiting").hidden = Boolean(view);
  for (const id of ["target", "players-box", "log-box"]) byId(id).hidden = !view;
  byId("over").hidden = !view?.over;
  if (!view) return;
  byId("target").hidden = Boolean(view.over);
  renderTarget(view);
  renderNotices(view.notices ?? []);
  renderAsks(view.asks, handlers);
  renderPlayers(view);
  renderLog(view.verdicts, handlers);
  renderOver(view);
}

export function renderWaiting() {
  renderOnce(byId("waiting-fish"), "fish", () => WELCOME.map((face) => card(face, { hidden: true })));
}

// Two renderings are the same when the language and these facts are.
const keyOf = (...facts) => JSON.stringify([currentLanguage(), ...facts]);

function renderTarget({ target, phase }) {
  renderOnce(byId("target-card"), keyOf(target.face, target.pile), () => card(target.face));
  byId("target-who").textContent = whose(target);
  byId("target-pile").textContent = count("pile", target.pile);
  byId("phase").textContent = t(`phase.${phase}`);
}

function whose(target) {
  if (target.player) return t("target.who", { name: target.player });
  return t(target.pile <= 1 ? "target.start" : "target.unknown");
}

// Words from the table itself, such as "the camera was moved": shown as long as the view carries them.
function renderNotices(notices) {
  const box = byId("notices");
  box.hidden = notices.length === 0;
  renderOnce(box, keyOf(notices), () => notices.map((notice) => h("p", { class: "banner" }, spoken(notice.text))));
}

function renderAsks(asks, handlers) {
  const box = byId("asks");
  box.hidden = asks.length === 0;
  renderOnce(box, keyOf(asks, table.role), () => asks.map((ask) => question(ask, handlers)));
}

function question(ask, handlers) {
  const title = has(`ask.${ask.kind}`) ? t(`ask.${ask.kind}`) : t("ask.other");
  return h("div", { class: "ask", role: "group", "aria-label": title },
    h("h2", {}, title),
    h("div", { class: "ask-choices" }, ask.choices.map((choice) => choiceButton(ask, choice, handlers))));
}

function choiceButton(ask, choice, handlers) {
  const isCard = isFish(choice) || isPiranha(choice);
  const words = isCard ? cardName(choice) : has(`choice.${choice}`) ? t(`choice.${choice}`) : choice;
  return h("button", {
    type: "button", class: isCard ? "choice choice-card" : "choice", disabled: !table.mayAct,
    "aria-label": t("ask.choice", { choice: words }), onclick: () => handlers.answer(ask, choice),
  }, isCard ? card(choice, { hidden: true }) : words);
}

function renderPlayers({ players, over }) {
  const key = keyOf(players, table.me, over);
  renderOnce(byId("players"), key, () => players.map((player) => tile(player, over)));
}

function tile(player, over) {
  const mine = player.name === table.me;
  const won = over?.winners.includes(player.name);
  const you = mine ? h("span", { class: "tile-you" }, ` (${t("players.you")})`) : null;
  return h("li", { class: `tile${mine ? " tile-mine" : ""}${won ? " tile-won" : ""}` },
    h("span", { class: "tile-name" }, player.name, you),
    tally(player.count),
    h("span", { class: "tile-facts" },
      h("span", {}, count("played", player.played)), h("span", {}, count("slips", player.wrong))));
}

function tally(left) {
  const known = left !== null;
  return h("span", { class: known ? "tile-count" : "tile-count tile-unknown" },
    h("span", { "aria-hidden": "true" }, known ? left : "?"),
    h("span", { class: "unseen" }, known ? count("left", left) : t("players.unknown")));
}

function renderLog(verdicts, handlers) {
  byId("log-empty").hidden = verdicts.length > 0;
  renderOnce(byId("log"), keyOf(verdicts), () => verdicts.map((verdict) => line(verdict, handlers)));
}

export function rulingName(verdict) {
  const wrongCard = verdict.ruling !== "foul" || isWrongCard(verdict);
  return t(wrongCard ? `ruling.${verdict.ruling}` : "ruling.foul.other");
}

// A card that does not fit what lies beneath it; other fouls (a broken set-up) have no card beneath.
export function isWrongCard(verdict) {
  return Boolean(verdict.cards[0] && verdict.beneath);
}

function line(verdict, handlers) {
  return h("li", { class: `line line-${verdict.ruling}` },
    h("button", { type: "button", class: "line-button", onclick: () => handlers.open(verdict) },
      h("span", { class: "line-sign", "aria-hidden": "true" }, SIGNS[verdict.ruling] ?? "•"),
      h("span", { class: "line-text" },
        h("span", { class: "line-head" },
          h("strong", {}, rulingName(verdict)), verdict.player ? h("span", {}, verdict.player) : null),
        h("span", {}, spoken(verdict.text)),
        h("span", { class: "unseen" }, t("log.open"))),
      verdict.cards[0] ? h("span", { class: "line-card" }, card(verdict.cards[0], { hidden: true })) : null));
}

function renderOver({ over, players }) {
  if (!over) return;
  renderOnce(byId("over"), keyOf(over, players), () => [
    confetti(),
    trophy(),
    h("p", { class: "over-kicker" }, t("over.title")),
    h("h2", { id: "over-title", tabindex: -1 }, winners(over.winners)),
    h("p", { class: "over-reason" }, t(`over.${over.reason}`)),
  ]);
}

export function winners(names) {
  if (names.length === 0) return t("over.nobody");
  const joined = new Intl.ListFormat(currentLanguage(), { type: "conjunction" }).format(names);
  return t(names.length === 1 ? "over.winner" : "over.shared", { names: joined });
}

function confetti() {
  return h("div", { class: "confetti", "aria-hidden": "true" }, Array.from({ length: 18 }, () => h("i")));
}

function trophy() {
  const part = (d, look) => svg("path", { d, ...look });
  const rim = { stroke: "#7a5200", "stroke-width": 2.5, "stroke-linejoin": "round" };
  const star = "M32 14l3 6 6.5 1-4.7 4.6 1.1 6.4-5.9-3.1-5.9 3.1 1.1-6.4L22.5 21l6.5-1z";
  return svg("svg", { viewBox: "0 0 64 64", class: "trophy", "aria-hidden": "true" },
    part("M18 8h28v14c0 11-6 19-14 19S18 33 18 22z", { fill: "#ffd54a", ...rim }),
    part("M18 12H8c0 11 4 17 12 18M46 12h10c0 11-4 17-12 18", {
      fill: "none", stroke: "#e0a92e", "stroke-width": 4, "stroke-linecap": "round",
    }),
    part("M29 40h6v8h-6zM20 48h24v8H20z", { fill: "#e0a92e", ...rim }),
    part(star, { fill: "#fff8dc" }));
}
