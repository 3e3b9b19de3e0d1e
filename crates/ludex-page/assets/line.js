// The moves of a match as a list, with the branches that were tried.

import { h, tint } from "./dom.js";
import { words } from "./choice.js";

/** Moves that only wait are not worth telling where others are made. */
export function spoken(joint, roles, before) {
  const told = joint.map((text, role) => ({ text: words(text), role, only: (before?.legal[role].length ?? 2) < 2 }));
  const chosen = told.filter(t => !t.only);
  return (chosen.length ? chosen : told.filter(t => t.text.includes(" "))).concat(chosen.length ? [] : told.filter(t => !t.text.includes(" ")).slice(0, 1));
}

/** `go(node)` shows a position. */
export function lineList(match, go) {
  const roles = match.root.sight?.roles ?? [];
  const entry = node => h("button", {
    type: "button", class: "ply", "aria-current": node === match.now ? "step" : null, onclick: () => go(node),
  }, h("span", { class: "nr" }, `${node.depth}.`),
  spoken(node.joint, roles, node.parent.sight).map(({ text, role }) => h("span", { class: tint(roles, role), title: roles[role]?.name }, text)));
  const from = node => {
    const items = [];
    while (node.children.length) {
      const [last, ...others] = [...node.children].reverse();
      items.push(h("li", {}, entry(last), others.length ? h("ol", { class: "branches" }, others.map(o => h("li", {}, entry(o), branch(o)))) : null));
      node = last;
    }
    return items;
  };
  const branch = node => node.children.length ? h("ol", { class: "plies" }, from(node)) : null;
  const list = h("ol", { class: "plies", "aria-label": "Moves" }, from(match.root));
  queueMicrotask(() => {
    const now = list.querySelector("[aria-current]");
    if (now && list.isConnected) list.parentElement.scrollTop = now.offsetTop - list.parentElement.clientHeight / 2;
  });
  return list;
}
