// Elements made from code: text is always text, never markup.

/** An element with attributes, listeners (`on…`) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of SVG. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat(9).filter(child => child !== null && child !== undefined));
  return element;
}

/** A drawing of the server as an element; names inside it get a prefix, so that drawings do not share them. */
let drawings = 0;
export function drawing(text) {
  if (!text) return null;
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") return null;
  const prefix = `d${++drawings}-`;
  for (const element of parsed.querySelectorAll("script, foreignObject, a, animate, set")) element.remove();
  for (const element of parsed.querySelectorAll("*")) {
    for (const { name } of [...element.attributes]) if (name.startsWith("on")) element.removeAttribute(name);
    if (element.id) element.id = prefix + element.id;
    const href = element.getAttribute("href");
    if (href?.startsWith("#")) element.setAttribute("href", "#" + prefix + href.slice(1));
    else if (href) element.removeAttribute("href");
  }
  // The page has a ground of its own.
  const ground = parsed.querySelector(":scope > rect");
  if (ground?.getAttribute("fill") === "#ffffff") ground.remove();
  return document.importNode(parsed, true);
}

/** Tells people who do not see the page. */
export function announce(text) {
  document.getElementById("announce").textContent = text;
}

export const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

/** A number as people read it. */
export function number(n) {
  if (n === null || n === undefined) return "?";
  return Number(n).toLocaleString("en");
}

/** So many things, in words: `1 move`, `2 moves`. */
export const counted = (n, word, more = `${word}s`) => `${number(n)} ${n === 1 ? word : more}`;

/** A message of an answer that did not come. */
export function troubles(error) {
  const faults = error?.faults ?? [{ message: String(error?.message ?? error) }];
  return h("div", { class: "trouble", role: "alert" },
    faults.map(f => h("p", {}, f.line ? h("span", { class: "where" }, `line ${f.line}: `) : "", f.message,
      f.hint ? h("span", { class: "hint" }, ` ${f.hint}`) : "")));
}

const NAMED = { blue: 0, red: 1, green: 2, yellow: 3, orange: 3, purple: 4, violet: 4, pink: 4, magenta: 4, grey: 5, gray: 5, teal: 6, cyan: 6 };

/** The class with the colour of a role: the one that its name says, or one that nobody else has. */
export function tint(roles, role) {
  const named = roles.map(r => NAMED[r.name.toLowerCase()]);
  const free = [0, 1, 2, 3, 4, 5, 6].filter(n => !named.includes(n));
  const others = roles.map((_, i) => i).filter(i => named[i] === undefined);
  return `by by${named[role] ?? free[others.indexOf(role) % Math.max(1, free.length)] ?? 0}`;
}
