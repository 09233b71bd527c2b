// Small helpers for building elements. Text is always set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

// Replaces the children only when `key` differs from the last time: what a person is reading or focusing stays.
export function renderOnce(element, key, build) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
}
