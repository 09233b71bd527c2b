// The rules of the game that is played: every sentence with its id, and the house rules of this table.

import { h } from "./dom.js";
import { spoken, t } from "./texts.js";
import { sheet } from "./dialogs.js";
import { fetchRules } from "./table.js";

// Rejects with `Refused` when the table has none to show.
export async function openRules() {
  const { title, intro, sections, house, decisions } = await fetchRules();
  sheet("rules", t("rules.title", { game: spoken(title) }),
    h("p", {}, spoken(intro)),
    sections.map(section),
    h("section", {}, h("h3", {}, spoken(house.title)), h("dl", { class: "rules" }, house.options.map(houseRule))),
    decisions.map(section));
}

function section({ title, rules }) {
  return h("section", {},
    h("h3", {}, spoken(title)),
    h("ul", { class: "rules" }, rules.map(({ id, text }) => h("li", {}, spoken(text), " ", h("small", {}, id)))));
}

function houseRule({ text, value, choices }) {
  const chosen = choices.filter((choice) => choice.in_force).map((choice) => spoken(choice.text));
  const answers = choices.length > 0 ? chosen : [value];
  return [h("dt", {}, spoken(text)), (answers.length > 0 ? answers : ["–"]).map((answer) => h("dd", {}, answer))];
}
