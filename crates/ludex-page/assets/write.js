// Write: rules with colours and complaints as one types, the board beside them, layout, random matches, links.

import { ask, own } from "./api.js";
import { words } from "./choice.js";
import { counted, drawing, h, troubles } from "./dom.js";
import { Editor } from "./editor.js";
import { factTable, gameHead } from "./play.js";

const DRAFT = "ludex-draft";

export function write(host, game, options) {
  const page = new Write(host, game);
  page.begin(options).catch(error => page.told.replaceChildren(troubles(error)));
  return () => page.life.abort();
}

class Write {
  constructor(host, game) {
    this.game = game;
    this.life = new AbortController();
    this.name = h("input", { type: "text", value: game ? game.split("~")[0] : "mine", "aria-label": "Name of the game", class: "gamename" });
    this.editor = new Editor(text => this.changed(text));
    this.complaints = h("ul", { class: "complaints", id: "complaints", "aria-label": "Complaints", "aria-live": "polite" });
    this.told = h("div", { class: "told", role: "status" });
    this.board = h("div", { class: "board" });
    this.side = h("div", { class: "side" });
    this.old = h("p", { class: "faint", id: "old", role: "status", hidden: true }, "As it was before the rules had errors.");
    this.other = h("pre", { class: "other", hidden: true, tabindex: 0, "aria-label": "The other syntax" });
    const button = (label, title, act, id) => h("button", { type: "button", title, id, onclick: () => act().catch(error => error.name === "AbortError" || this.told.replaceChildren(troubles(error))) }, label);
    this.templates = h("select", { "aria-label": "Begin with a template", onchange: e => { const t = this.known[e.target.value]; if (t) this.set(t.text); e.target.value = ""; } }, h("option", { value: "" }, "Begin with …"));
    if (game) host.append(gameHead(game, "write")); else host.append(h("h1", { class: "writehead" }, "Write a game"));
    host.append(h("div", { class: "tools" }, this.name, this.templates, button("Format", "Lay the rules out anew", () => this.format(), "format"),
      button("Other syntax", "The same rules in the other syntax, beside", () => this.beside(), "beside"), button("Try 100 matches", "Play random matches and look for faults", () => this.simulate(), "simulate"),
      button("Play it", "Play this game", () => this.playIt(), "playit"), button("Share", "A link that carries the rules", () => this.share(), "share"),
      button("Download", "Save as a file of the browser", () => this.download(), "download"), this.saver = button("Save", "Save into the folder of the server", () => this.save(), "save")),
    this.told, h("div", { class: "desk" }, h("div", { class: "left" }, this.texts = h("div", { class: "texts" }, this.editor.host, this.other), this.complaints), h("div", { class: "left" }, this.board, this.old, this.side)));
  }

  async begin(options) {
    const { signal } = this.life;
    ask("templates", {}, { signal }).then(known => {
      this.known = known;
      this.templates.append(...known.map((t, i) => h("option", { value: i }, t.name)));
    }).catch(() => {});
    ask("games", {}, { signal }).then(({ saves }) => { this.saver.hidden = !saves; }).catch(() => {});
    const text = options.has("rules") ? await unpack(options.get("rules"))
      : this.game ? (await ask("text", { game: this.game }, { signal })).text
        : localStorage.getItem(DRAFT) ?? (await ask("templates", {}, { signal }))[0].text;
    // What was typed in the meantime stays.
    if (!this.editor.value) this.set(text);
  }

  set(text) {
    this.editor.value = text;
    this.changed(text);
  }

  changed(text) {
    this.shown = null;
    if (!this.game) try { localStorage.setItem(DRAFT, text); } catch { /* no room */ }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.glance(text), 120);
  }

  async glance(text) {
    this.asking?.abort();
    this.asking = new AbortController();
    const signal = AbortSignal.any([this.asking.signal, this.life.signal]);
    try {
      const glance = await ask("glance", { name: this.name.value, text }, { signal });
      if (this.editor.value !== text) return;
      this.editor.paint(glance);
      this.complain(glance.complaints);
      this.infix = glance.infix;
      if (!this.other.hidden) this.beside(true).catch(() => {});
      if (glance.complaints.some(c => c.error)) return this.age(true);
      const id = await own(this.name.value, text);
      // A position of this text that was asked for in the meantime stays.
      if (this.shown === text) return;
      this.id = id;
      await this.look([], signal);
    } catch (error) {
      if (error.name !== "AbortError") this.side.replaceChildren(troubles(error));
    }
  }

  /** Whether the board is of rules that were there before. */
  age(old) {
    this.old.hidden = !old || !this.side.childElementCount;
    this.board.classList.toggle("old", old);
  }

  complain(complaints) {
    const row = c => h("li", { class: c.error ? "error" : "warning" },
      h("button", { type: "button", class: "place", onclick: () => this.editor.reveal(c.start, c.end) }, c.line ? `${c.line}:${c.column}` : "file"),
      h("span", {}, c.message, c.hint ? h("span", { class: "hint" }, ` ${c.hint}`) : ""),
      c.fix ? h("button", { type: "button", class: "fix", onclick: () => this.fix(c) }, `Write ${c.fix.new}`) : "",
      h("button", { type: "button", class: "quiet", onclick: e => this.explain(c.code, e.target) }, "Why?"),
      c.follows?.length ? h("ul", { class: "follows" }, c.follows.map(f => h("li", {}, `${f.line}: ${f.message}`))) : "");
    const errors = complaints.filter(c => c.error).length;
    const sum = complaints.length ? `${counted(errors, "error")}, ${counted(complaints.length - errors, "warning")}` : "No complaints.";
    this.complaints.replaceChildren(h("li", { class: complaints.length ? "sum" : "sum fine" }, sum), ...complaints.slice(0, 100).map(row));
  }

  fix({ fix }) {
    const lines = this.editor.value.split("\n");
    const start = lines.slice(0, fix.line - 1).reduce((n, l) => n + l.length + 1, 0) + [...lines[fix.line - 1]].slice(0, fix.column - 1).join("").length;
    this.editor.replace(start, start + fix.old.length, fix.new);
  }

  async explain(code, at) {
    const { text } = await ask("explain", { code }, { signal: this.life.signal });
    at.replaceWith(h("pre", { class: "why" }, text?.replace(/^```.*\n/gm, "") ?? code));
  }

  /** The position after some moves of a random match; the one that was asked for last is shown. */
  async look(moves, signal = this.life.signal) {
    const asked = this.asked = Symbol("position");
    const sight = await ask("view", { game: this.id, moves }, { signal });
    if (this.asked !== asked) return;
    this.age(false);
    const svg = drawing(sight.svg);
    this.board.replaceChildren(svg ?? h("p", { class: "noboard" }, "No board was found in the rules."));
    if (svg) { svg.removeAttribute("width"); svg.removeAttribute("height"); svg.style.maxWidth = `${svg.viewBox.baseVal.width * 0.8}px`; }
    const over = sight.terminal || sight.legal.some(l => !l.length);
    const step = () => this.look([...moves, sight.legal.map(l => l[Math.floor(Math.random() * l.length)].text)]);
    const button = (label, act, disabled, id) => h("button", { type: "button", disabled, id, onclick: () => act().catch(e => this.side.append(troubles(e))) }, label);
    this.side.replaceChildren(
      h("div", { class: "tools" }, button("From the beginning", () => this.look([]), !moves.length), button("◀ Step back", () => this.look(moves.slice(0, -1)), !moves.length), button("Random step ▶", step, over, "randomstep")),
      h("p", {}, over ? `Over after ${counted(moves.length, "move")}: ${sight.roles.map((r, i) => `${r.name} ${sight.goals[i] ?? "no goal"}`).join(", ")}${sight.terminal ? "" : " (a role has no move)"}`
        : `${counted(moves.length, "move")}; legal: ${sight.roles.map((r, i) => `${r.name} ${sight.legal[i].length}`).join(", ")}`),
      moves.length ? h("p", { class: "faint" }, `last: ${moves.at(-1).map(words).join(" | ")}`) : "", h("div", { class: "facts" }, factTable(sight, null)));
  }

  async format() {
    const { text } = await ask("format", { text: this.editor.value }, { signal: this.life.signal });
    if (text && text !== this.editor.value) this.editor.replace(0, this.editor.value.length, text);
    this.told.textContent = "Laid out anew.";
  }

  async beside(stay = false) {
    if (!stay) this.other.hidden = !this.other.hidden;
    this.texts.classList.toggle("both", !this.other.hidden);
    if (this.other.hidden) return;
    const { text } = await ask("format", { text: this.editor.value, to: this.infix ? "kif" : "infix" }, { signal: this.life.signal });
    this.other.textContent = text;
  }

  async simulate() {
    this.told.textContent = "Playing …";
    const found = await ask("simulate", { text: this.editor.value }, { signal: this.life.signal });
    const { simulation: sim, errors, warnings = [] } = found;
    const show = moves => async () => {
      this.shown = this.editor.value;
      this.id = await own(this.name.value, this.shown);
      await this.look(moves);
    };
    const place = e => e.moves ? h("button", { type: "button", class: "fix", onclick: () => show(e.moves)().catch(error => this.side.replaceChildren(troubles(error))) }, `Show it, after ${counted(e.moves.length, "move")}`) : "";
    const seen = e => e.matches ? h("span", { class: "hint" }, ` in ${counted(e.matches, "match", "matches")}`) : "";
    this.told.replaceChildren(h("div", { class: "panel" }, sim ? h("p", {}, `${sim.matches} random matches: ${sim.ended} ended, ${sim.moves} moves, the longest had ${sim.longest}.`) : h("p", {}, "No match could be played."),
      h("ul", { class: "complaints" }, [...errors.map(e => ["error", e]), ...warnings.map(e => ["warning", e])].map(([kind, e]) => h("li", { class: kind }, e.line ? `${e.line}: ` : "", e.message, seen(e), e.hint ? h("span", { class: "hint" }, ` ${e.hint}`) : "", place(e))),
        (sim?.noticed ?? []).map(n => h("li", { class: "notice" }, n.message)))));
  }

  async playIt() {
    this.id = await own(this.name.value, this.editor.value);
    location.hash = `#/play/${encodeURIComponent(this.id)}`;
  }

  async share() {
    const link = `${location.href.split("#")[0]}#/write/?rules=${await pack(this.editor.value)}`;
    const field = h("input", { type: "text", readonly: true, value: link, class: "wideinput", id: "link", "aria-label": "Link" });
    this.told.replaceChildren(h("p", {}, "The link carries the rules; nothing is sent anywhere. "), field);
    field.select();
    await navigator.clipboard?.writeText(link).catch(() => {});
  }

  async download() {
    const link = h("a", { download: `${this.name.value || "game"}.${this.infix ? "gdl" : "kif"}`, href: URL.createObjectURL(new Blob([this.editor.value], { type: "text/plain" })) });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async save() {
    const name = `${this.name.value}.${this.infix ? "gdl" : "kif"}`;
    const ask_ = overwrite => ask("save", { name, text: this.editor.value, overwrite }, { signal: this.life.signal });
    const done = ({ id }) => { this.told.textContent = `Saved as ${id}.`; };
    try { done(await ask_(false)); } catch (error) {
      if (error.code !== "exists") throw error;
      this.told.replaceChildren(h("p", {}, `${name} exists. `, h("button", { type: "button", onclick: () => ask_(true).then(done) }, "Overwrite it")));
    }
  }
}

/** Text -> what a link can carry, and back. */
async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A link cannot unfold into more. */
const LARGEST = 8_000_000;

async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, c => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > LARGEST) throw new Error("the rules in this link are too large");
    parts.push(value);
  }
}
