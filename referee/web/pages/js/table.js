// What this phone knows, and how it talks to the table.

import { currentLanguage, t } from "./texts.js";

const STORED_NAME = "wrongcard.me";

export const table = {
  view: null,
  role: "spectator",
  get me() {
    const name = localStorage.getItem(STORED_NAME);
    return this.view?.players.some((player) => player.name === name) ? name : null;
  },
  set me(name) {
    if (name === null) localStorage.removeItem(STORED_NAME);
    else localStorage.setItem(STORED_NAME, name);
  },
  get mayAct() {
    return this.role !== "spectator";
  },
};

export class Refused extends Error {
  constructor({ error, hint }) {
    super(error);
    this.hint = hint;
  }
}

async function ask(path, options) {
  const response = await fetch(path, { credentials: "same-origin", ...options });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer);
  return answer;
}

function post(path, body) {
  const headers = { "content-type": "application/json", "accept-language": currentLanguage() };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

// The rules of the game that is played, in every language.
export async function fetchRules() {
  try {
    return await ask("/api/rules", { headers: { "accept-language": currentLanguage() } });
  } catch (error) {
    throw error instanceof Refused ? error : unanswered();
  }
}

const unanswered = () => new Refused({ error: t("error.network"), hint: t("hint.network") });

// The token of the QR code stands in the fragment; it is traded for a cookie and wiped from the address.
export async function pairFromAddress() {
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  try {
    if (token) {
      history.replaceState(null, "", location.pathname + location.search);
      table.role = (await post("/api/pair", { token })).role;
    }
  } finally {
    if (!token || table.role === "spectator") table.role = (await ask("/api/me")).role;
  }
}

// `crypto.randomUUID` is missing on plain HTTP.
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Sends one press. A lost answer is asked for again with the same key: the table acts once.
export async function act(kind, details = {}) {
  const body = { kind, key: newKey(), ...details };
  for (const waitMs of [400, 1_200, null]) {
    try {
      return await post("/api/actions", body);
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (waitMs === null) throw unanswered();
      await pause(waitMs);
    }
  }
}
