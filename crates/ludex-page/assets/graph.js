// A graph that can be moved and zoomed. Vertices find their places by pushing each other away.

import { h, s } from "./dom.js";

/** Of larger graphs a part is drawn: nobody could read more. */
const MOST = 450;
const PART = 120;
const ROUNDS = 220;

/** `vertices: [{id, label, kind}]`, `edges: [[from, to]]`. */
export function graph(vertices, edges, name) {
  return vertices.length > MOST ? partly(vertices, edges, name) : whole(vertices, edges, name);
}

/** A vertex of a large graph, found by its label, and what is nearest to it. */
function partly(vertices, edges, name) {
  const beside = new Map(vertices.map(v => [v.id, []]));
  for (const [a, b] of edges) { beside.get(a)?.push(b); beside.get(b)?.push(a); }
  const shown = h("div");
  const around = start => {
    const near = new Set([start]);
    for (const id of near) for (const next of beside.get(id) ?? []) if (near.size < PART) near.add(next);
    shown.replaceChildren(whole(vertices.filter(v => near.has(v.id)), edges.filter(e => near.has(e[0]) && near.has(e[1])), name));
  };
  const find = text => vertices.find(v => v.label.toLowerCase().includes(text.toLowerCase()));
  const busiest = vertices.reduce((a, b) => beside.get(b.id).length > beside.get(a.id).length ? b : a);
  const field = h("input", { type: "search", placeholder: "Around which vertex?", "aria-label": `Find a vertex of the ${name.toLowerCase()}`, onchange: e => { const found = find(e.target.value); if (found) around(found.id); } });
  around(busiest.id);
  return h("div", { class: "partly" }, h("p", { class: "faint" }, `${vertices.length.toLocaleString("en")} vertices and ${edges.length.toLocaleString("en")} edges. The ${PART} nearest to one of them are drawn: `), field, shown);
}

function whole(vertices, edges, name) {
  const at = new Map(vertices.map((v, i) => {
    const angle = i * 2.399963, far = 40 * Math.sqrt(i + 1);
    return [v.id, { ...v, x: far * Math.cos(angle), y: far * Math.sin(angle), dx: 0, dy: 0 }];
  }));
  const lines = edges.map(([a, b]) => [at.get(a), at.get(b)]).filter(([a, b]) => a && b);
  const view = s("g", {});
  const svg = s("svg", { class: "graph", role: "img", "aria-label": `${name}: ${vertices.length} vertices, ${lines.length} edges`, tabindex: 0 },
    s("defs", {}, s("marker", { id: "head", viewBox: "0 0 10 10", refX: 16, refY: 5, markerWidth: 6, markerHeight: 6, orient: "auto" }, s("path", { d: "M0 0L10 5L0 10Z" }))), view);
  const drawn = lines.map(() => s("line", { "marker-end": "url(#head)" }));
  const nodes = [...at.values()].map(v => s("g", { class: `vertex ${v.kind ?? ""}` }, s("circle", { r: 7 }), s("text", { x: 10, y: 4 }, v.label), s("title", {}, v.label)));
  view.append(...drawn, ...nodes);
  const camera = { x: 0, y: 0, zoom: 1 };
  const look = () => view.setAttribute("transform", `translate(${camera.x} ${camera.y}) scale(${camera.zoom})`);
  const draw = () => {
    lines.forEach(([a, b], i) => { for (const [n, v] of [["x1", a.x], ["y1", a.y], ["x2", b.x], ["y2", b.y]]) drawn[i].setAttribute(n, v.toFixed(1)); });
    [...at.values()].forEach((v, i) => nodes[i].setAttribute("transform", `translate(${v.x.toFixed(1)} ${v.y.toFixed(1)})`));
  };
  const fit = () => {
    const { width, height } = svg.getBoundingClientRect();
    const xs = [...at.values()].map(v => v.x), ys = [...at.values()].map(v => v.y);
    const [l, r, t, b] = [Math.min(...xs) - 30, Math.max(...xs) + 90, Math.min(...ys) - 30, Math.max(...ys) + 30];
    camera.zoom = Math.min(1.6, width / (r - l), height / (b - t));
    camera.x = width / 2 - camera.zoom * (l + r) / 2;
    camera.y = height / 2 - camera.zoom * (t + b) / 2;
    look();
  };
  let round = 0;
  const settle = () => {
    if (!svg.isConnected) return round < ROUNDS && round === 0 ? void requestAnimationFrame(settle) : undefined;
    for (let i = 0; i < 8 && round < ROUNDS; i++, round++) push([...at.values()], lines, 1 - round / ROUNDS);
    draw();
    fit();
    if (round < ROUNDS) requestAnimationFrame(settle);
  };
  requestAnimationFrame(settle);
  new ResizeObserver(fit).observe(svg);
  const zoom = (by, x, y) => {
    const box = svg.getBoundingClientRect();
    const [cx, cy] = [x ?? box.width / 2, y ?? box.height / 2];
    camera.x = cx - (cx - camera.x) * by;
    camera.y = cy - (cy - camera.y) * by;
    camera.zoom *= by;
    look();
  };
  svg.addEventListener("wheel", e => { e.preventDefault(); const box = svg.getBoundingClientRect(); zoom(e.deltaY < 0 ? 1.15 : 0.87, e.clientX - box.x, e.clientY - box.y); }, { passive: false });
  svg.addEventListener("pointerdown", e => {
    svg.setPointerCapture(e.pointerId);
    const move = m => { camera.x += m.movementX; camera.y += m.movementY; look(); };
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", () => svg.removeEventListener("pointermove", move), { once: true });
  });
  svg.addEventListener("keydown", e => {
    const act = { "+": () => zoom(1.2), "-": () => zoom(0.83), ArrowLeft: () => { camera.x += 40; look(); }, ArrowRight: () => { camera.x -= 40; look(); }, ArrowUp: () => { camera.y += 40; look(); }, ArrowDown: () => { camera.y -= 40; look(); } }[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  const button = (label, title, act) => h("button", { type: "button", title, "aria-label": title, onclick: act }, label);
  return h("figure", { class: "graphbox" }, svg, h("figcaption", {}, `${vertices.length} vertices, ${lines.length} edges `,
    button("+", "Zoom in", () => zoom(1.3)), button("−", "Zoom out", () => zoom(0.77)), button("⤢", "Show all", fit)));
}

/** One round: all push each other away, edges pull. */
function push(all, lines, heat) {
  for (let i = 0; i < all.length; i++) {
    for (let j = i + 1; j < all.length; j++) {
      const [a, b] = [all[i], all[j]];
      let [x, y] = [a.x - b.x, a.y - b.y];
      const d = Math.max(x * x + y * y, 25);
      const force = 2600 / d;
      const length = Math.sqrt(d);
      x *= force / length; y *= force / length;
      a.dx += x; a.dy += y; b.dx -= x; b.dy -= y;
    }
  }
  for (const [a, b] of lines) {
    const [x, y] = [b.x - a.x, b.y - a.y];
    const force = (Math.hypot(x, y) - 60) * 0.02;
    const length = Math.hypot(x, y) || 1;
    a.dx += x / length * force * 6; a.dy += y / length * force * 6;
    b.dx -= x / length * force * 6; b.dy -= y / length * force * 6;
  }
  for (const v of all) {
    const far = Math.hypot(v.dx, v.dy) || 1;
    const most = Math.min(far, 30 * heat + 1);
    v.x += v.dx / far * most - v.x * 0.004; v.y += v.dy / far * most - v.y * 0.004;
    v.dx = v.dy = 0;
  }
}

/** Vertices and edges of a text in the language of Graphviz. */
export function ofDot(text) {
  const vertices = [], edges = [];
  for (const line of text.split("\n")) {
    const edge = line.match(/^\s*"?([\w]+)"?\s*->\s*"?([\w]+)"?/);
    const vertex = line.match(/^\s*"?(\w+)"?\s*\[(.*)\]/);
    if (edge) edges.push([edge[1], edge[2]]);
    else if (vertex && !["node", "edge", "graph"].includes(vertex[1])) {
      const label = vertex[2].match(/label="((?:[^"\\]|\\.)*)"/)?.[1] ?? vertex[1];
      vertices.push({ id: vertex[1], label: label.replace(/\\(.)/g, "$1") });
    }
  }
  const named = new Set(vertices.map(v => v.id));
  for (const id of edges.flat()) if (!named.has(id)) { named.add(id); vertices.push({ id, label: id }); }
  return { vertices, edges };
}
