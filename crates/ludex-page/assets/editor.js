// An editor: a text field above a coloured layer of the same text.

import { h } from "./dom.js";

const KINDS = ["keyword", "variable", "relation", "function", "constant", "comment"];

export class Editor {
  /** `changed(text)` hears of every change. */
  constructor(changed) {
    this.layer = h("pre", { class: "layer", "aria-hidden": "true" });
    this.field = h("textarea", { class: "field", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "Rules of the game", "aria-describedby": "complaints" });
    this.gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
    this.host = h("div", { class: "editor" }, this.gutter, h("div", { class: "sheets" }, this.layer, this.field));
    this.field.addEventListener("input", () => { this.plain(); changed(this.field.value); });
    this.field.addEventListener("scroll", () => this.scroll());
    this.field.addEventListener("keydown", e => this.key(e));
  }

  get value() { return this.field.value; }

  set value(text) {
    this.field.value = text;
    this.plain();
  }

  /** The text until its colours are known: those of the part that did not change stay. */
  plain() {
    const text = this.field.value;
    const glance = this.glance;
    if (glance) {
      let same = 0;
      while (same < text.length && text[same] === this.painted[same]) same += 1;
      this.paint({ colours: glance.colours.filter(c => c[1] < same), complaints: [] }, false);
    } else this.layer.textContent = text + "\n";
    this.number();
  }

  number() {
    const lines = this.field.value.split("\n").length;
    if (lines === this.lines) return;
    this.lines = lines;
    this.gutter.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n") + "\n";
  }

  /** Colours and underlines of `Glance`. */
  paint(glance, keep = true) {
    const text = this.field.value;
    if (keep) { this.glance = glance; this.painted = text; }
    const cuts = [];
    for (const [start, end, kind] of glance.colours) cuts.push({ start, end, name: KINDS[kind] });
    const wrong = glance.complaints.map(c => ({ start: c.start, end: Math.max(c.end, c.start + 1), name: c.error ? "wrong" : "doubtful" }));
    const edges = [...new Set([0, text.length, ...cuts.flatMap(c => [c.start, c.end]), ...wrong.flatMap(c => [c.start, c.end])])].filter(e => e <= text.length).sort((a, b) => a - b);
    const pieces = [];
    let at = 0;
    for (let i = 0; i + 1 < edges.length; i++) {
      const [start, end] = [edges[i], edges[i + 1]];
      while (at < cuts.length && cuts[at].end <= start) at += 1;
      const names = [cuts[at] && cuts[at].start <= start ? cuts[at].name : null, ...wrong.filter(w => w.start <= start && end <= w.end).map(w => w.name)].filter(Boolean);
      const piece = text.slice(start, end);
      pieces.push(names.length ? h("span", { class: names.join(" ") }, piece) : piece);
    }
    this.layer.replaceChildren(...pieces, "\n");
    this.number();
    this.scroll();
  }

  scroll() {
    this.layer.scrollTop = this.gutter.scrollTop = this.field.scrollTop;
    this.layer.scrollLeft = this.field.scrollLeft;
  }

  /** Shows a place of the text. */
  reveal(start, end) {
    this.field.focus();
    this.field.setSelectionRange(start, Math.max(end, start));
    const line = this.field.value.slice(0, start).split("\n").length;
    const height = this.field.scrollHeight / Math.max(1, this.lines);
    this.field.scrollTop = Math.max(0, (line - 5) * height);
  }

  /** Replaces a part of the text, which can be undone. */
  replace(start, end, text) {
    this.field.focus();
    this.field.setSelectionRange(start, end);
    if (!document.execCommand("insertText", false, text)) {
      this.field.setRangeText(text, start, end, "end");
      this.field.dispatchEvent(new Event("input"));
    }
  }

  /** Tab indents; Escape lets it leave the field. */
  key(event) {
    if (event.key === "Escape") this.free = true;
    else if (event.key === "Tab" && !this.free && !event.shiftKey) { event.preventDefault(); this.replace(this.field.selectionStart, this.field.selectionEnd, "  "); }
    else if (event.key !== "Shift") this.free = false;
  }
}
