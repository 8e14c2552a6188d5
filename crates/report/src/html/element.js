// Elements and texts. Whatever comes from the data goes into the page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children. Functions among the attributes listen to events. */
function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of a drawing. */
function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A sentence whose names are between backquotes: names are set as code. */
function sentence(text) {
  return text.split("`").map((part, at, parts) => (at % 2 === 0 ? part : at === parts.length - 1 ? `\`${part}` : el("code", {}, part)));
}

/** What is drawn on buttons: what is filled, and what is not. */
const ICONS = {
  first: ["", "M5 4v12M15 4l-6 6 6 6"],
  back: ["", "M13 4l-6 6 6 6"],
  forward: ["", "M7 4l6 6-6 6"],
  last: ["", "M15 4v12M5 4l6 6-6 6"],
  play: ["M6 3.5l10 6.5-10 6.5z"],
  pause: ["M6 4v12M14 4v12"],
  theme: ["M10 3a7 7 0 0 0 0 14z", "M10 3a7 7 0 0 1 0 14"],
  help: ["", "M7.2 7.4a2.8 2.8 0 1 1 4.3 2.5c-1 .6-1.5 1.1-1.5 2.3M10 15.4v.1"],
  plus: ["", "M10 4v12M4 10h12"],
  minus: ["", "M4 10h12"],
  fit: ["", "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4"],
};

function icon(name) {
  return svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, ICONS[name].map((d, at) => svg("path", { d, fill: at === 1 ? "none" : null })));
}

/** A button with a drawing, its name for those who do not see it, and its key. */
function iconButton(name, label, key, click) {
  const title = key ? `${label} (${key})` : label;
  return el("button", { type: "button", class: "icon-button", "aria-label": label, title, click }, icon(name));
}

/** `1,234 steps`. */
function count(number, what) {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

/** The color of a thread, by its position. */
function threadColor(at) {
  return `var(--thread-${at % 8})`;
}

/** `a.c:3:7`, as far as it is known. */
function placeText(location) {
  return location ? `${location.file}:${location.line}:${location.column}` : "";
}

/** Numbers in names count as numbers: `x[2]` comes before `x[10]`. */
const byName = new Intl.Collator("en", { numeric: true }).compare;

/** What kinds of violations are called. */
const KINDS = {
  assertion: "assertion violation",
  memory: "invalid memory access",
  deadlock: "deadlock",
  "data-race": "data race",
  atomicity: "atomicity violation",
  "non-termination": "non-termination",
};

/** A verdict in words. */
function verdictText(verdict) {
  return verdict === "non-terminating" ? verdict : (verdict ?? "").replaceAll("-", " ");
}

/** What a verdict is: nothing wrong, something wrong, or not known. */
function verdictClass(verdict) {
  if (["safe", "none", "none-within-bounds"].includes(verdict)) return "good";
  return ["unknown", "partially-safe"].includes(verdict) ? "unsure" : "bad";
}
