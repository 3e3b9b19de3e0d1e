// Play: the board, who sits where, what can be chosen, what the engine thinks, and the moves so far.

import { Board } from "./board.js";
import { narrow, words } from "./choice.js";
import { announce, h, pause, tint, troubles } from "./dom.js";
import { choose, ponder, STRENGTHS, verdict } from "./engine.js";
import { lineList, spoken } from "./line.js";
import { Match } from "./match.js";
import { share } from "./tabs.js";

/** Buttons for moves without a place; more are in the list only. */
const BUTTONS = 24;
/** Moves of the list that are shown before something is typed. */
const LISTED = 200;

export function play(host, game, options) {
  const page = new Play(host, game, options);
  page.begin();
  return () => page.leave();
}

/** The head of the pages about one game. */
export function gameHead(game, here) {
  const to = part => `#/${part}/${encodeURIComponent(game)}`;
  const tab = (part, label) => h("a", { href: to(part), "aria-current": part === here ? "page" : null }, label);
  return h("div", { class: "gamehead" }, h("h1", {}, game.split("~")[0]),
    h("nav", { class: "tabs", "aria-label": "About this game" }, tab("play", "Play"), tab("look", "Look into it"), tab("write", "Rules")));
}

class Play {
  constructor(host, game, options) {
    this.options = options;
    this.host = host;
    this.match = new Match(game);
    this.match.id = `page.${Math.random().toString(36).slice(2)}`;
    this.life = new AbortController();
    this.picked = [];
    this.chosen = {};
    this.board = new Board({ pick: key => this.pick(key), drop: (from, to) => this.drop(from, to) });
    this.status = h("p", { class: "status", role: "status" }, "Reading the rules …");
    this.bar = h("div", { class: "bar", "aria-hidden": "true", hidden: true }, h("div", { class: "fill" }));
    this.think = h("div", { class: "think" });
    this.menu = h("div", { class: "menu", role: "group", "aria-label": "Choose" });
    this.list = h("div", { class: "legal" });
    this.moves = h("div", { class: "scroll" });
    this.facts = h("div", { class: "facts" });
    this.seats = h("div", { class: "seats" });
    this.trouble = h("div");
    const button = (label, title, act, id) => h("button", { type: "button", title, id, "aria-label": /\w/.test(label) ? null : title, onclick: act }, label);
    this.looking = h("input", { type: "checkbox", id: "looking", checked: options.get("engine") !== "off", onchange: () => this.evaluate() });
    host.append(gameHead(game, "play"),
      h("div", { class: "table" },
        h("div", { class: "left" }, h("div", { class: "boardrow" }, this.bar, this.board.host), this.menu,
          h("div", { class: "tools", role: "group", "aria-label": "Match" },
            button("New", "Begin anew", () => this.anew(), "anew"), button("Undo", "Take the last move back (u)", () => this.undo(), "undo"),
            button("◀", "One move back", () => this.walk(-1), "back"), button("▶", "One move on", () => this.walk(1), "on"),
            button("Hint", "What the engine would play (h)", () => this.hint(), "hint"))),
        h("div", { class: "right" }, this.status, this.trouble,
          h("section", { class: "panel" }, h("label", { class: "switch" }, this.looking, " The engine looks on"), this.think),
          h("section", { class: "panel" }, h("h2", {}, "Your moves"), this.list),
          h("section", { class: "panel" }, h("h2", {}, "Match"), this.moves),
          h("section", { class: "panel" }, h("h2", {}, "Facts beside the board"), this.facts),
          h("details", { class: "panel", open: true }, h("summary", {}, "Who plays"), this.seats))));
    this.keys = event => this.key(event);
    addEventListener("keydown", this.keys);
    share(() => this.shared(), this.life.signal);
  }

  /** The match as other tabs see it, once somebody has moved. */
  shared() {
    const { game, id, now } = this.match;
    const people = this.who?.filter(seat => !seat.chance) ?? [];
    return now.depth ? { number: id, game, players: people.map(seat => seat.who), moves: now.path } : null;
  }

  leave() {
    removeEventListener("keydown", this.keys);
    this.life.abort();
    this.turn?.abort();
    this.look?.abort();
  }

  async begin() {
    try {
      const sight = await this.match.see(this.match.root, this.life.signal, first => {
        this.board.show(first);
        this.facts.replaceChildren(factTable(first, null));
      });
      this.seat(sight);
      const given = this.options.get("moves");
      if (given) this.match.follow(JSON.parse(given));
      else if (!this.options.has("seats")) this.match.recall();
      await this.show();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.status.textContent = "This does not go on.";
    this.trouble.replaceChildren(troubles(error));
  }

  /** Who sits where: `?seats=you,best` or the first role here and the others with the engine. */
  seat(sight) {
    const wished = (this.options.get("seats") ?? "").split(",").filter(Boolean);
    let people = 0;
    this.who = sight.roles.map(role => {
      if (role.chance) return { who: "random", chance: true, seconds: 1 };
      const who = wished[people] ?? (people === 0 ? "you" : "best");
      people += 1;
      return { who, seconds: Number(this.options.get("seconds") ?? 1), address: "http://localhost:9147" };
    });
    const choices = [["you", "you"], ...STRENGTHS.map(([id, label]) => [id, `engine, ${label}`]), ["program", "a program elsewhere"]];
    const row = (seat, role) => {
      const address = h("input", { type: "url", value: seat.address, "aria-label": "Address of the program", hidden: seat.who !== "program", onchange: e => { seat.address = e.target.value; } });
      const seconds = h("input", { type: "number", min: 0.1, max: 60, step: 0.1, value: seat.seconds, "aria-label": "Seconds a move", onchange: e => { seat.seconds = Number(e.target.value) || 1; } });
      const time = h("label", { class: "time", hidden: seat.who === "you" }, seconds, " s");
      return h("div", { class: "seatrow" }, h("span", { class: tint(sight.roles, role) }, sight.roles[role].name),
        h("select", { "aria-label": `Who plays ${sight.roles[role].name}`, onchange: e => {
          seat.who = e.target.value;
          address.hidden = seat.who !== "program";
          time.hidden = seat.who === "you";
          this.show();
        } }, choices.map(([id, label]) => h("option", { value: id, selected: id === seat.who }, label))), time, address);
    };
    this.seats.replaceChildren(...this.who.map((seat, role) => seat.chance
      ? h("div", { class: "seatrow" }, h("span", { class: tint(sight.roles, role) }, sight.roles[role].name), "chance") : row(seat, role)));
  }

  here(role) {
    return this.who[role].who === "you";
  }

  /** Shows the present position and lets those move who are not here. */
  async show() {
    this.turn?.abort();
    this.turn = new AbortController();
    const { signal } = this.turn;
    const node = this.match.now;
    this.chosen = {};
    this.picked = [];
    this.hinted = [];
    // Until the position is shown there is nothing to choose.
    this.role = -1;
    try {
      const sight = await this.match.see(node, signal);
      if (signal.aborted) return;
      this.sight = sight;
      this.board.show(sight);
      this.facts.replaceChildren(factTable(sight, node.parent?.sight));
      this.moves.replaceChildren(node.depth || this.match.root.children.length ? lineList(this.match, to => this.goto(to)) : h("p", { class: "faint" }, "No move yet."));
      this.trouble.replaceChildren();
      this.evaluate();
      if (sight.terminal) return this.over();
      const stuck = sight.legal.findIndex(l => !l.length);
      if (stuck >= 0) return this.over(`${sight.roles[stuck].name} has no legal move.`);
      this.pass(node.sight.legal);
      this.ask();
      await this.others(node, signal);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Tells programs that look at the page that something has changed. */
  beat() {
    this.host.dataset.beat = Number(this.host.dataset.beat ?? 0) + 1;
  }

  over(why) {
    const { roles, goals } = this.sight;
    const results = roles.map((r, i) => ({ ...r, goal: goals[i] })).filter(r => !r.chance);
    const best = Math.max(...results.map(r => r.goal ?? -1));
    const winners = results.filter(r => r.goal === best);
    const head = why ?? (results.length === 1 ? (best >= 100 ? "Solved!" : "Over.") : winners.length === 1 ? `${winners[0].name} wins.` : "A draw.");
    this.status.replaceChildren(h("strong", {}, head), " ", ...results.map(r => h("span", { class: "result" }, `${r.name} ${r.goal ?? "no goal"} `)));
    this.status.dataset.over = "yes";
    announce(this.status.textContent);
    this.menu.replaceChildren(h("button", { type: "button", class: "primary", onclick: () => this.anew() }, "Play again"));
    this.list.replaceChildren(h("p", { class: "faint" }, "The match is over."));
    this.board.mark({ changed: this.sight.changed });
    this.beat();
  }

  /** The next role here that has to choose. */
  get asking() {
    return this.sight.legal.findIndex((legal, role) => this.here(role) && !(role in this.chosen) && legal.length > 1);
  }

  /** Those here who have no choice pass, unless it is a single person's move on the board. */
  pass(legal) {
    const own = legal.map((_, role) => role).filter(role => this.here(role));
    for (const role of own.filter(role => legal[role].length === 1)) {
      if (own.length > 1 || !legal[role][0].steps.length) this.chosen[role] = legal[role][0].text;
    }
  }

  /** Chooses for all who are not here. */
  async others(node, signal) {
    const { legal } = node.sight;
    const own = legal.map((_, role) => role).filter(role => this.here(role));
    const open = own.filter(role => legal[role].length > 1);
    const waiting = this.who.map((seat, role) => ({ seat, role })).filter(({ role }) => !this.here(role));
    const thinking = waiting.filter(({ role, seat }) => legal[role].length > 1 && !seat.chance);
    if (!open.length && !thinking.length && Object.keys(this.chosen).length === own.length) await pause(300);
    if (signal.aborted) return;
    if (thinking.length && !open.length) this.status.textContent = `${thinking.map(t => this.sight.roles[t.role].name).join(", ")}: the engine thinks …`;
    await Promise.all(waiting.map(async ({ seat, role }) => {
      const text = await choose(seat, this.match, node, role, signal);
      if (signal.aborted) throw new DOMException("ended", "AbortError");
      this.chosen[role] = text;
    }));
    if (!signal.aborted && legal.every((_, role) => role in this.chosen)) this.settle();
  }

  /** Makes the joint move when everybody has chosen. */
  settle() {
    const { legal } = this.sight;
    if (!legal.every((_, role) => role in this.chosen)) return this.ask();
    this.role = -1;
    const joint = legal.map((_, role) => this.chosen[role]);
    const told = spoken(joint, this.sight.roles, this.sight).map(t => `${this.sight.roles[t.role].name}: ${t.text}`);
    announce(told.join(", "));
    this.match.go(joint);
    this.show();
  }

  /** Asks the role here whose turn it is. */
  ask() {
    const role = this.asking >= 0 ? this.asking : this.sight.legal.findIndex((_, r) => this.here(r) && !(r in this.chosen));
    delete this.status.dataset.over;
    this.role = role;
    if (role < 0) {
      const thinks = this.who.some((seat, r) => !this.here(r) && !(r in this.chosen));
      if (thinks) this.status.textContent = "The engine thinks …";
      this.menu.replaceChildren();
      this.list.replaceChildren(h("p", { class: "faint" }, "Not your turn."));
      this.mark();
      return this.beat();
    }
    const name = this.sight.roles[role].name;
    const legal = this.sight.legal[role];
    this.status.replaceChildren(h("span", { class: tint(this.sight.roles, role) }, name), ` to move, ${legal.length} ${legal.length === 1 ? "move" : "moves"}`);
    this.mark();
    this.listMoves(legal);
    this.buttons();
    this.beat();
  }

  /** Buttons for what has no place, or what a click could not tell apart. */
  buttons(ready = null) {
    const legal = this.sight.legal[this.role] ?? [];
    const shown = (ready ?? legal.filter(m => !m.steps.length)).slice(0, BUTTONS);
    const button = move => h("button", { type: "button", class: "choice", "data-move": move.text, onclick: () => this.choose(move.text) }, words(move.text));
    const cancel = ready ? h("button", { type: "button", class: "quiet", onclick: () => { this.picked = []; this.ask(); } }, "cancel") : null;
    this.menu.replaceChildren(...(ready ? [h("span", {}, "Which? ")] : []), ...shown.map(button), ...(ready?.length > BUTTONS ? [h("span", { class: "faint" }, `and ${ready.length - BUTTONS} more: click another place, or find it in the list`)] : []), ...(cancel ? [cancel] : []));
    if (ready) this.menu.querySelector("button")?.focus({ preventScroll: true });
  }

  listMoves(legal) {
    const list = h("ul", { class: "moves" });
    const fill = text => {
      const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = legal.filter(m => wanted.every(w => m.text.toLowerCase().includes(w)));
      list.replaceChildren(...fits.slice(0, LISTED).map(m => h("li", {}, h("button", {
        type: "button", "data-move": m.text, onclick: () => this.choose(m.text),
        onmouseenter: () => this.board.point([{ keys: m.steps.map(step => step[0]), weight: 0.7 }]), onmouseleave: () => this.arrows(),
      }, words(m.text)))), ...(fits.length > LISTED ? [h("li", { class: "faint" }, `and ${fits.length - LISTED} more; type to find them`)] : []));
    };
    fill("");
    this.list.replaceChildren(legal.length > 8 ? h("input", { type: "search", placeholder: "Find a move", "aria-label": "Find a move", oninput: e => fill(e.target.value) }) : "", list);
  }

  mark() {
    const legal = this.role >= 0 ? this.sight.legal[this.role] : [];
    const open = new Set(legal.flatMap(m => m.steps[0] ?? []));
    const targets = this.picked.length ? narrow(legal, this.picked).targets : new Set();
    this.board.mark({ open, picked: this.picked, targets, changed: this.picked.length ? [] : this.sight.changed, hint: this.hinted });
  }

  pick(key) {
    if (this.role === undefined || this.role < 0 || this.sight.terminal) return;
    const legal = this.sight.legal[this.role];
    let picked = [...this.picked, key];
    let found = narrow(legal, picked);
    if (!found.fitting.length) {
      picked = this.picked.length === 1 && this.picked[0] === key ? [] : [key];
      found = narrow(legal, picked);
      if (!found.fitting.length) picked = [];
    }
    this.picked = picked;
    if (!picked.length) return this.ask();
    if (found.ready.length === 1 && found.fitting.length === 1) return this.choose(found.ready[0].text);
    this.mark();
    if (found.ready.length) this.buttons(found.ready); else this.buttons();
    this.beat();
  }

  /** A piece is taken up (`to` is null) or put down. */
  drop(from, to) {
    if (to === null) { this.picked = []; this.pick(from); }
    else this.pick(to);
  }

  choose(text) {
    if (this.role < 0) return;
    this.chosen[this.role] = text;
    this.picked = [];
    this.hinted = [];
    this.menu.replaceChildren();
    this.settle();
  }

  /** The engine looks at the position: bar, best moves, expected line. */
  evaluate() {
    this.look?.abort();
    this.thought = null;
    this.think.replaceChildren();
    this.bar.hidden = true;
    if (!this.looking.checked || !this.sight || this.sight.terminal) return this.board.point([]);
    const roles = this.sight.roles.map((r, i) => i).filter(i => !this.sight.roles[i].chance);
    const role = roles.find(i => this.sight.legal[i].length > 1) ?? roles[0];
    if (role === undefined || this.sight.legal.some(l => !l.length)) return;
    this.look = new AbortController();
    ponder(this.match, this.match.now, role, 4, (thought, done) => this.tell(thought, role, roles, done), this.look.signal);
  }

  tell(thought, role, roles, done) {
    if (!thought) return this.think.replaceChildren(h("p", { class: "faint" }, "The engine has nothing to say here."));
    if (!thought.visits && !thought.proven) return this.think.replaceChildren(h("p", { class: "faint" }, done ? "The engine had too little time here." : "The engine begins to think …"));
    this.thought = { ...thought, role };
    const name = this.sight.roles[role].name;
    const own = thought.value;
    if (roles.length === 2) {
      const first = role === roles[0] ? own : 100 - own;
      this.bar.hidden = false;
      this.bar.firstChild.style.height = `${Math.max(2, Math.min(98, first))}%`;
      this.bar.title = `${this.sight.roles[roles[0]].name} ${first.toFixed(0)}`;
    }
    const best = this.ranked(thought).slice(0, 4);
    const steps = m => this.sight.legal[role].find(l => l.text === m.text)?.steps ?? [];
    this.think.replaceChildren(
      h("p", { class: thought.proven ? "solved" : "" }, verdict(thought, name), h("span", { class: "faint" }, ` · ${thought.visits.toLocaleString("en")} visits${done ? "" : " …"}`)),
      h("ul", { class: "best" }, best.map(m => h("li", {
        onmouseenter: () => this.board.point([{ keys: steps(m).map(x => x[0]), weight: 1 }]), onmouseleave: () => this.arrows(),
      }, h("meter", { min: 0, max: 100, value: m.value, "aria-label": `expected ${m.value.toFixed(0)}` }), ` ${m.value.toFixed(0)}${m.proven ? " exactly" : ""} `, h("code", {}, words(m.text))))),
      thought.line.length > 1 ? h("p", { class: "expected" }, "expected: ", thought.line.slice(0, 8).map(joint => this.short(joint)).join(" · ")) : "");
    this.arrows();
  }

  /** The moves of a thought: the one that it would play first, then the most visited. */
  ranked(thought) {
    return [...thought.moves].sort((a, b) => (b.text === thought.move) - (a.text === thought.move));
  }

  /** A joint move in a few words. */
  short(joint) {
    return spoken(joint, this.sight.roles, null).filter(t => !/^(noop|wait|pass)$/i.test(t.text)).map(t => t.text).join(" | ");
  }

  arrows() {
    const { thought } = this;
    if (!thought || !this.looking.checked || this.role < 0 || this.who?.[thought.role]?.who !== "you") return this.board.point([]);
    const most = thought.moves[0]?.visits || 1;
    const chosen = m => m.text === thought.move;
    const shown = this.ranked(thought).slice(0, 3).filter(m => chosen(m) || !thought.proven && m.visits * 4 > most);
    this.board.point(shown.map(m => ({
      keys: (this.sight.legal[thought.role].find(l => l.text === m.text)?.steps ?? []).map(step => step[0]), weight: chosen(m) ? 1 : 0.8 * m.visits / most,
    })));
  }

  async hint() {
    if (!this.sight || this.sight.terminal || this.role < 0) return;
    const { role } = this;
    const node = this.match.now;
    const known = this.thought?.role === role ? this.thought.move : null;
    const text = known ?? await choose({ who: "best", seconds: 1 }, this.match, node, role, this.turn.signal).catch(() => null);
    if (!text || node !== this.match.now) return;
    this.hinted = this.sight.legal[role].find(m => m.text === text)?.steps.flat() ?? [];
    this.mark();
    this.menu.prepend(h("span", { class: "hinted" }, `The engine would play ${words(text)}. `));
    announce(`The engine would play ${words(text)}`);
  }

  goto(node) {
    this.match.now = node;
    this.match.keep();
    this.show();
  }

  /** Back to where somebody here had a choice. */
  undo() {
    let node = this.match.now.parent;
    const had = n => n.sight?.legal.some((legal, role) => this.here(role) && legal.length > 1);
    while (node?.parent && !had(node)) node = node.parent;
    if (node) this.goto(node);
  }

  walk(way) {
    const { now } = this.match;
    const next = way < 0 ? now.parent : now.children.at(-1);
    if (next) this.goto(next);
  }

  anew() {
    this.match.id = `page.${Math.random().toString(36).slice(2)}`;
    this.goto(this.match.root);
  }

  key(event) {
    if (event.target.closest?.("input, select, textarea, .hit") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { u: () => this.undo(), h: () => this.hint(), ArrowLeft: () => this.walk(-1), ArrowRight: () => this.walk(1) }[event.key];
    if (act) { event.preventDefault(); act(); }
  }
}

/** Facts of a relation that are shown. */
const MOST = 200;

/** The facts that are on no board; those that are new stand out, and come first where not all have room. */
export function factTable(sight, before) {
  const known = new Set((before?.table ?? []).flatMap(row => row.values.length ? row.values.map(v => `${row.name} ${v}`) : [row.name]));
  if (!sight.table.length) return h("p", { class: "faint" }, sight.has_board ? "All facts are on the board." : "No fact is true.");
  const fresh = (row, v) => before && !known.has(`${row.name} ${v}`);
  const value = (row, v) => h("span", { class: fresh(row, v) ? "value new" : "value" }, v);
  const shown = row => row.values.length > MOST ? row.values.toSorted((a, b) => fresh(row, b) - fresh(row, a)).slice(0, MOST) : row.values;
  return h("dl", {}, sight.table.map(row => [
    h("dt", { class: before && !row.values.length && !known.has(row.name) ? "new" : null }, row.name),
    h("dd", {}, shown(row).map(v => value(row, v)), row.values.length > MOST ? h("span", { class: "faint" }, `and ${row.values.length - MOST} more`) : null)]));
}
