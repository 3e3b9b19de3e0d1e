// Factors: the parts of a game as colours on its board, and their trees beside the one that they make woven together.

import { ask } from "./api.js";
import { drawing, h, number, s } from "./dom.js";
import { list } from "./parts.js";

export function factors({ game, path, signal }, question, { answer }) {
  const coloured = h("div", { class: "board small" });
  ask("view", { game, moves: path }, { signal }).then(sight => {
    const svg = drawing(sight.svg);
    coloured.replaceChildren(svg ?? "no board");
    if (answer.factors.length > 1) paint(svg, answer.factors);
  }).catch(() => {});
  const apart = answer.factors.length > 1;
  return [h("p", { class: "figure" }, apart ? `${answer.factors.length} games, ${answer.kind}, searched separately: ${answer.exact}` : `one game. ${answer.tie ?? ""}`),
    answer.condition ? h("p", {}, answer.condition) : "", coloured,
    h("div", { class: "pictures" }, answer.factors.map((f, i) => h("section", { class: `factorbox factor${i % 6}` }, h("h3", {}, `Factor ${i + 1}${f.relevant ? "" : ", does not matter"}`),
      list(f.patterns, 20), h("p", { class: "faint" }, `${f.fluents.length} facts, ${f.moves.length} moves, ${number(f.gates)} gates`)))),
    apart ? trees(answer) : ""];
}

/** Facts of a factor in its colour. */
function paint(svg, found) {
  for (const element of svg?.querySelectorAll("[data-fact]") ?? []) {
    const facts = element.dataset.fact.split(/(?<=\)) (?=\()/);
    const of = found.findIndex(f => facts.some(x => f.fluents.includes(x)));
    if (of >= 0) element.classList.add(`factor${of % 6}`);
  }
}

/** The trees of the factors side by side, and the woven one. */
function trees({ factors: found, leaves }) {
  const shown = found.slice(0, 4);
  const branches = shown.map(f => Math.max(2, Math.min(3, f.moves.length)));
  const one = (i, n) => h("figure", {}, tree([branches[i], branches[i]], [i, i]), h("figcaption", {}, `factor ${i + 1}${n === null || n === undefined ? "" : `: ${number(n)} leaves`}`));
  const levels = branches.slice(0, 2).flatMap((n, i) => [[n, i], [n, i]]);
  const woven = h("figure", {}, tree(levels.map(l => l[0]), levels.map(l => l[1])), h("figcaption", {}, `woven together${leaves?.product === null || leaves?.product === undefined ? "" : `: ${number(leaves.product)} leaves`}`));
  const same = leaves?.factors.length === 2 && leaves.factors[0] === leaves.factors[1] && leaves.factors[0];
  const sum = leaves?.sum !== null && leaves?.sum !== undefined ? `Searched apart: ${number(leaves.sum)} leaves${same ? ", 2n" : ""}. Woven together: ${number(leaves.product)}${same ? ", n²" : ""}.` : "Searched apart, n and n leaves are 2n; woven together they are n².";
  return h("div", {}, h("h3", {}, "The trees, side by side and woven together"), h("div", { class: "trees" }, shown.map((_, i) => one(i, leaves?.factors[i])), woven),
    h("p", { class: "figure" }, sum), h("p", { class: "faint" }, "The trees are sketches: two levels of each factor, with at most three moves."));
}

const [WIDE, HIGH] = [240, 150];

/** A tree with so many branches at each level, each level in the colour of its factor. */
function tree(branches, colours) {
  const lines = [];
  const step = HIGH / branches.length - 6;
  const grow = (x, width, level) => {
    if (level === branches.length) return;
    const part = width / branches[level];
    for (let i = 0; i < branches[level]; i++) {
      const to = x - width / 2 + part * (i + 0.5);
      lines.push(s("line", { x1: x.toFixed(1), y1: 8 + level * step, x2: to.toFixed(1), y2: 8 + (level + 1) * step, class: `twig twig${colours[level] % 6}` }));
      grow(to, part, level + 1);
    }
  };
  grow(WIDE / 2, WIDE, 0);
  return s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "tree", role: "img", "aria-label": `a tree of ${branches.reduce((a, b) => a * b, 1)} leaves` }, lines);
}
