// The search tree, live: each position that is opened has a search of its own, which goes on while it is open.

import { ask } from "./api.js";
import { words } from "./choice.js";
import { h } from "./dom.js";

const SECONDS = 20;

/** The tree below a position. */
export function searchTree(game, path, signal) {
  const host = h("div", { class: "searchtree" });
  open(game, path, host, signal, true);
  return host;
}

async function open(game, path, host, signal, first) {
  host.replaceChildren(h("p", { class: "faint" }, "…"));
  let sight;
  try {
    sight = await ask("view", { game, moves: path }, { signal });
  } catch (error) {
    if (error.name !== "AbortError") host.replaceChildren(h("p", { class: "faint" }, error.message));
    return;
  }
  if (sight.terminal) {
    host.replaceChildren(h("p", {}, "over: ", sight.roles.map((r, i) => `${r.name} ${sight.goals[i]}`).join(", ")));
    return;
  }
  const roles = sight.roles.map((_, i) => i).filter(i => !sight.roles[i].chance);
  const role = roles.find(i => sight.legal[i].length > 1) ?? roles[0] ?? 0;
  const name = sight.roles[role].name;
  const head = h("p", { class: "faint" }, `${name} to move`);
  const list = h("ul", { class: "branches" });
  host.replaceChildren(head, list);
  const rows = new Map();
  const told = thought => {
    head.textContent = `${name} to move · ${thought.visits.toLocaleString("en")} visits · expects ${thought.value.toFixed(1)}${thought.proven ? ", solved" : ""}`;
    const most = thought.moves[0]?.visits || 1;
    for (const move of thought.moves) {
      let row = rows.get(move.text);
      if (!row) {
        const below = h("div", { class: "below", hidden: true });
        const toggle = h("button", { type: "button", class: "open", "aria-expanded": "false", onclick: () => {
          below.hidden = !below.hidden;
          toggle.setAttribute("aria-expanded", String(!below.hidden));
          if (!below.childElementCount) open(game, [...path, joint(sight, role, move.text, thought.line)], below, signal, false);
        } }, words(move.text));
        row = { toggle, meter: h("meter", { min: 0, max: 100, "aria-label": "expected" }), text: h("span", { class: "faint" }), share: h("span", { class: "share" }) };
        row.item = h("li", {}, row.share, toggle, row.meter, row.text, below);
        rows.set(move.text, row);
      }
      row.meter.value = move.value;
      row.share.style.width = `${Math.max(1, 100 * move.visits / most)}px`;
      row.text.textContent = `${move.value.toFixed(1)}${move.proven ? " solved" : ""} · ${move.visits.toLocaleString("en")}`;
    }
    // What is not among the best any more goes, unless somebody has opened it.
    const best = new Set(thought.moves.map(m => m.text));
    const opened = [...rows].filter(([text, row]) => !best.has(text) && row.toggle.getAttribute("aria-expanded") === "true");
    const order = [...thought.moves.map(m => rows.get(m.text)), ...opened.map(([, row]) => row)].map(row => row.item);
    const same = order.length === list.children.length && order.every((item, i) => list.children[i] === item);
    if (!same && !list.contains(document.activeElement)) list.replaceChildren(...order);
  };
  try {
    const last = await ask("think", { game, moves: path, role, seconds: first ? SECONDS : SECONDS / 4 }, { signal, on: (event, data) => event === "thought" && told(data) });
    told(last);
  } catch (error) {
    if (error.name !== "AbortError") head.textContent = error.message;
  }
}

/** The joint move with a move of one role; the others as expected, or any. */
function joint(sight, role, text, line) {
  return sight.legal.map((legal, r) => r === role ? text : legal.find(m => m.text === line[0]?.[r])?.text ?? legal[0].text);
}
