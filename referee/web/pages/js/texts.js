// The sentences of the page. The language comes from ?lang=, else from what was chosen here, else from the browser.

const LANGUAGES = ["en", "de"];
const STORED = "wrongcard.language";

let texts = {};
let language = "en";

export const currentLanguage = () => language;
export const languages = () => LANGUAGES;

export function wantedLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  const wishes = [asked, localStorage.getItem(STORED), ...(navigator.languages ?? [])];
  return wishes.map((wish) => (wish ?? "").slice(0, 2).toLowerCase()).find((wish) => LANGUAGES.includes(wish)) ?? "en";
}

export async function useLanguage(wanted, { remember = false } = {}) {
  const response = await fetch(`/static/texts/${wanted}.json`);
  if (!response.ok) throw new Error(`no sentences for ${wanted}`);
  texts = await response.json();
  language = wanted;
  if (remember) {
    localStorage.setItem(STORED, wanted);
    const address = new URL(location.href);
    address.searchParams.delete("lang");
    history.replaceState(null, "", address);
  }
  document.documentElement.lang = wanted;
  translatePage();
}

export function has(key) {
  return key in texts;
}

export function t(key, facts = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in facts ? String(facts[name]) : whole));
}

export function count(key, n) {
  const form = n === 0 && has(`${key}.zero`) ? "zero" : new Intl.PluralRules(language).select(n);
  return t(`${key}.${form}`, { n: new Intl.NumberFormat(language).format(n) });
}

// A sentence that came with both languages, such as a verdict's.
export function spoken(both) {
  return both?.[language] ?? both?.en ?? "";
}

function translatePage() {
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
}
