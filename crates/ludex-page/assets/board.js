// The board: a drawing whose places can be clicked, dragged between, and reached with the keyboard.

import { drawing, h, s } from "./dom.js";

/** Pixels on the screen of a hundred units of a drawing, at the most. */
const LARGEST = 0.92;
/** Pixels that a small board may take as well. */
const SMALLEST = 540;

export class Board {
  /** `pick(key)` hears of places; `drop(from, to)` of a piece that was dragged. */
  constructor({ pick, drop }) {
    this.host = h("div", { class: "board", role: "group", "aria-label": "Board" });
    this.pick = pick;
    this.drop = drop;
    this.hits = new Map();
    this.drag = null;
    this.host.addEventListener("pointerdown", e => this.begin(e));
    this.host.addEventListener("keydown", e => this.key(e));
  }

  show(sight) {
    const focused = this.host.contains(document.activeElement) ? document.activeElement.dataset?.key : null;
    const svg = drawing(sight.svg);
    this.hits.clear();
    this.svg = svg;
    if (!svg) {
      this.host.replaceChildren(h("p", { class: "noboard" }, "This game has no board. Its facts are in the list."));
      return;
    }
    const box = svg.viewBox.baseVal;
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.style.maxWidth = `${Math.round(Math.max(SMALLEST, box.width * LARGEST))}px`;
    svg.style.setProperty("--ratio", box.width / box.height);
    svg.setAttribute("role", "presentation");
    this.host.replaceChildren(svg);
    const boards = [...svg.children].filter(g => g.localName === "g" && g.hasAttribute("transform"));
    (sight.cells ?? []).forEach((cells, number) => boards[number] && this.place(boards[number], number, cells));
    this.arrows = s("g", { class: "arrows" });
    svg.append(this.arrows);
    if (focused) this.held = focused;
  }

  /** Puts a rectangle that hears clicks over each place of a board. */
  place(board, number, cells) {
    const over = s("g", { class: "over" });
    const { e = 0, f = 0 } = board.transform.baseVal.consolidate()?.matrix ?? {};
    for (const { place, x, y } of cells) {
      const key = `${number}:${place}`;
      const hit = s("rect", { class: "hit", x: x - 48, y: y - 48, width: 96, height: 96, rx: 6, "data-key": key });
      const facts = [...board.querySelectorAll(`[data-place="${CSS.escape(place)}"][data-fact]`)].map(g => g.dataset.fact);
      hit.label = [place, ...facts].join(", ");
      hit.setAttribute("aria-label", hit.label);
      hit.centre = [x + e, y + f, 96];
      this.hits.set(key, hit);
      over.append(hit);
    }
    board.append(over);
  }

  /** What can be picked, what was picked, where a piece can go, what has just changed. */
  mark({ open = new Set(), picked = [], targets = new Set(), changed = [], hint = [] }) {
    const marks = { open, picked: new Set(picked), target: targets, changed: new Set(changed), hint: new Set(hint) };
    for (const [key, hit] of this.hits) {
      for (const [name, keys] of Object.entries(marks)) hit.classList.toggle(name, keys.has(key));
      const live = open.has(key) || targets.has(key) || marks.picked.has(key);
      if (live) {
        hit.setAttribute("tabindex", "0");
        hit.setAttribute("role", "button");
        hit.setAttribute("aria-label", hit.label + (marks.picked.has(key) ? ", picked" : targets.has(key) ? ", target" : ""));
      } else {
        hit.removeAttribute("tabindex");
        hit.removeAttribute("role");
      }
    }
    this.refocus();
  }

  /** Whoever plays with the keyboard stays on the board: where they were, or as near to it as can be picked. */
  refocus() {
    const from = this.hits.get(this.held);
    const live = [...this.hits.values()].filter(hit => hit.hasAttribute("tabindex"));
    if (!from || !live.length) return;
    this.held = null;
    const away = ({ centre: [x, y] }) => Math.hypot(x - from.centre[0], y - from.centre[1]);
    if (document.activeElement === document.body) live.reduce((a, b) => away(b) < away(a) ? b : a).focus();
  }

  /** Arrows for moves: `[{keys, weight, kind}]`, a ring where a move names one place. */
  point(moves) {
    this.arrows?.replaceChildren();
    if (!this.arrows) return;
    for (const { keys, weight, kind } of moves) {
      const at = keys.map(key => this.hits.get(key)?.centre).filter(Boolean);
      if (!at.length) continue;
      const [x, y, size] = at[0];
      const shown = { class: `arrow ${kind ?? ""}`, opacity: (0.25 + 0.6 * weight).toFixed(2) };
      if (at.length === 1) {
        this.arrows.append(s("circle", { ...shown, cx: x, cy: y, r: size * 0.36 }));
        continue;
      }
      for (let i = 1; i < at.length; i++) this.arrows.append(arrow(at[i - 1], at[i], shown));
    }
  }

  /** Puts locks on places: `[{key, shut, label}]`. */
  lock(places) {
    for (const { key, shut, label } of places) {
      const [x, y] = this.hits.get(key)?.centre ?? [];
      if (x === undefined) continue;
      this.svg.append(s("g", { class: shut ? "lock shut" : "lock", transform: `translate(${x + 26} ${y - 30})`, role: "img", "aria-label": label },
        s("title", {}, label), s("path", { d: shut ? "M-7 0V-7A7 7 0 0 1 7 -7V0" : "M-7 0V-9A7 7 0 0 1 6 -12" }), s("rect", { x: -11, y: 0, width: 22, height: 17, rx: 3 })));
    }
  }

  begin(event) {
    const key = event.target.closest?.(".hit")?.dataset.key;
    if (!key || event.button > 0) return;
    const from = [event.clientX, event.clientY];
    const hit = this.hits.get(key);
    let ghost = null;
    const move = e => {
      const far = Math.hypot(e.clientX - from[0], e.clientY - from[1]) > 8;
      if (!ghost && far && hit.classList.contains("open") && this.drop) {
        ghost = h("div", { class: "ghost", "aria-hidden": "true" });
        document.body.append(ghost);
        this.drop(key, null);
      }
      if (ghost) { ghost.style.left = `${e.clientX}px`; ghost.style.top = `${e.clientY}px`; e.preventDefault(); }
    };
    const end = e => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const dragged = ghost !== null;
      ghost?.remove();
      const under = document.elementFromPoint(e.clientX, e.clientY)?.closest?.(".hit")?.dataset.key;
      if (dragged) { if (under && under !== key) this.drop(key, under); }
      else if (e.type === "pointerup" && under === key) this.pick(key);
    };
    addEventListener("pointermove", move, { passive: false });
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  key(event) {
    const hit = event.target.closest?.(".hit");
    if (!hit) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.held = hit.dataset.key;
      this.pick(hit.dataset.key);
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    this.nearest(hit, way)?.focus();
  }

  /** The nearest place that can be picked in a direction. */
  nearest(from, [dx, dy]) {
    let best = null;
    for (const hit of this.hits.values()) {
      if (!hit.hasAttribute("tabindex") || hit === from) continue;
      const [x, y] = [hit.centre[0] - from.centre[0], hit.centre[1] - from.centre[1]];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (along > 0 && (!best || along + 3 * aside < best.cost)) best = { hit, cost: along + 3 * aside };
    }
    return best?.hit;
  }
}

function arrow([x, y, size], [u, v], shown) {
  const length = Math.hypot(u - x, v - y) || 1;
  const [dx, dy] = [(u - x) / length, (v - y) / length];
  const head = Math.min(size * 0.34, length * 0.5);
  const width = Math.max(size * 0.09, 4);
  const [bx, by] = [u - dx * head, v - dy * head];
  const points = [
    [x - dy * width, y + dx * width], [bx - dy * width, by + dx * width], [bx - dy * width * 2.6, by + dx * width * 2.6],
    [u, v], [bx + dy * width * 2.6, by - dx * width * 2.6], [bx + dy * width, by - dx * width], [x + dy * width, y - dx * width],
  ];
  return s("polygon", { ...shown, points: points.map(p => p.map(n => n.toFixed(1)).join(",")).join(" ") });
}
