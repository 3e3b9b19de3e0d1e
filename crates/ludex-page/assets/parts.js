// Small parts that findings are shown with.

import { drawing, h } from "./dom.js";

export const table = (heads, rows) => h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map(t => h("th", { scope: "col" }, t)))),
  h("tbody", {}, rows.map(row => h("tr", {}, row.map(cell => h("td", {}, cell ?? "")))))));

export const list = (items, most = 300) => h("ul", { class: "facts-list" }, items.length ? null : h("li", { class: "faint" }, "none"), items.slice(0, most).map(i => h("li", {}, h("code", {}, i))), items.length > most ? h("li", { class: "faint" }, `and ${items.length - most} more`) : null);

export const picture = svg => h("div", { class: "board small" }, drawing(svg) ?? "no picture");
