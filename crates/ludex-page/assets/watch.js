// Watch: records of matches replayed, matches between programs live, and tournaments.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { words } from "./choice.js";
import { h, s, troubles } from "./dom.js";
import { factTable } from "./play.js";
import { glance } from "./tabs.js";

export function watch(host) {
  const page = new Watch(host);
  return () => page.leave();
}

class Watch {
  constructor(host) {
    this.life = new AbortController();
    this.at = 0;
    this.moves = [];
    this.values = [];
    this.board = new Board({ pick: () => {}, drop: null });
    this.board.host.append(h("p", { class: "noboard" }, "Choose a record, or start a match. It is shown here as it is played."));
    this.title = h("h2", {}, "No match yet");
    this.place = h("input", { type: "range", min: 0, max: 0, value: 0, id: "place", "aria-label": "Move", oninput: e => this.go(Number(e.target.value)) });
    this.where = h("span", { class: "faint", id: "where" });
    this.told = h("p", { role: "status" });
    this.facts = h("div", { class: "facts" }, h("p", { class: "faint" }, "Nothing yet."));
    this.chart = h("div", { class: "chart" });
    this.course = h("p", { role: "status", id: "course", class: "faint" }, "No match was played.");
    this.results = h("div", { class: "wide" });
    this.live = h("ul", { class: "plain", id: "live", "aria-label": "Matches that are being played" });
    this.staged = h("section", { class: "panel" }, h("h2", {}, "Being played now"), this.live);
    const button = (label, title, act, id) => h("button", { type: "button", title, id, "aria-label": /\w/.test(label) ? null : title, onclick: act }, label);
    this.file = h("input", { type: "file", id: "record", accept: ".json,application/json", multiple: true, "aria-label": "Records of matches", onchange: e => this.read(e.target.files) });
    this.games = h("select", { id: "game", multiple: true, size: 6, "aria-label": "Games" });
    this.players = h("input", { type: "text", id: "players", class: "wideinput", value: "mcts, uct", "aria-label": "Players" });
    this.clock = h("input", { type: "number", id: "clock", min: 0.05, max: 60, step: 0.05, value: 0.5, "aria-label": "Seconds a move" });
    this.rounds = h("input", { type: "number", id: "rounds", min: 1, max: 50, value: 1, "aria-label": "Rounds" });
    host.append(h("h1", { class: "writehead" }, "Watch"),
      h("div", { class: "table" },
        h("div", { class: "left" }, this.title, this.board.host,
          h("div", { class: "tools" }, button("|◀", "To the beginning", () => this.go(0)), button("◀", "One move back", () => this.go(this.at - 1), "before"), this.runner = button("Play", "Play or stop", () => this.run(), "run"), button("▶", "One move on", () => this.go(this.at + 1), "after"), button("▶|", "To the end", () => this.go(this.moves.length)), this.place, this.where),
          this.told, this.chart),
        h("div", { class: "right" },
          h("section", { class: "panel" }, h("h2", {}, "Replay records"), h("p", { class: "faint" }, "Files of ludex match -o, or of any game server."), this.file, this.records = h("ul", { class: "plain", id: "records", "aria-label": "Records" }), this.evaluator = h("button", { type: "button", id: "evaluate", disabled: true, onclick: () => this.evaluate().catch(error => error.name === "AbortError" || this.told.replaceChildren(troubles(error))) }, "Evaluate every move")),
          this.staged,
          this.arranged = h("section", { class: "panel" }, h("h2", {}, "Play a match or a tournament"), this.games, h("label", {}, "Players, with commas: mcts, uct, random, http://host:port", this.players),
            h("div", { class: "tools" }, h("label", {}, "seconds a move ", this.clock), h("label", {}, "rounds ", this.rounds), h("button", { type: "button", class: "primary", id: "start", onclick: () => this.start() }, "Start"), h("button", { type: "button", id: "stop", onclick: () => this.halt() }, "Stop"))),
          this.table = h("section", { class: "panel" }, h("h2", {}, "Table"), this.course, this.results),
          h("section", { class: "panel" }, h("h2", {}, "Facts beside the board"), this.facts))));
    ask("games", {}, { signal: this.life.signal }).then(({ games }) => this.games.append(...games.map(g => h("option", { value: g.id, selected: g.id === "tictactoe" }, g.title)))).catch(() => {});
    this.elsewhere = glance(this.life.signal);
    this.lookOn();
  }

  /** Looks every second which matches are being played, in this tab or others, and follows the one that was chosen. */
  async lookOn() {
    try {
      const matches = [...this.elsewhere(), ...await this.served()];
      const button = m => h("li", {}, h("button", { type: "button", onclick: () => this.follow(m) }, `${m.game.split("~")[0]}: ${m.players.join(" – ")}, move ${m.moves.length}`));
      this.live.replaceChildren(...(matches.length ? matches.map(button) : [h("li", { class: "faint" }, "None at the moment. Matches of other tabs are listed here, too.")]));
      const now = matches.find(m => m.number === this.following);
      if (now && JSON.stringify(now.moves) !== JSON.stringify(this.moves)) this.extend(now.moves);
      this.glancing = setTimeout(() => this.lookOn(), 1000);
    } catch { /* the page was left */ }
  }

  /** The matches between programs; without a server there are none. */
  async served() {
    if (this.arranged.hidden) return [];
    try {
      return (await ask("live", {}, { signal: this.life.signal })).matches;
    } catch (error) {
      if (error.code !== "not-here") throw error;
      for (const part of [this.arranged, this.table]) part.hidden = true;
      this.board.host.querySelector(".noboard")?.replaceChildren("Choose a record, or a match of another tab. It is shown here.");
      return [];
    }
  }

  async follow(match) {
    this.following = match.number;
    await this.load({ game: match.game, moves: match.moves, players: match.players });
    await this.go(this.moves.length);
  }

  /** More moves of the match that is shown; whoever looks at the last one sees the next. */
  extend(moves) {
    const follows = this.at === this.moves.length;
    this.moves = moves;
    this.place.max = moves.length;
    if (follows) this.go(moves.length);
  }

  leave() {
    clearTimeout(this.glancing);
    this.life.abort();
    this.series?.abort();
    clearInterval(this.timer);
  }

  /** Shows a record, not a match of others. */
  async replay(record) {
    this.following = null;
    await this.load(record);
  }

  /** Records, one a file: the field's JSON. The first is shown, the others are a click away. */
  async read(files) {
    const found = [];
    for (const file of files) {
      try {
        const record = JSON.parse(await file.text());
        const name = String(record.gameMetaURL ?? record.game ?? "").replace(/\/+$/, "").split("/").pop().replace(/\.(kif|gdl)$/, "");
        if (!Array.isArray(record.moves)) throw new Error(`${file.name} is not a record of a match: it has no moves`);
        found.push({ file: file.name, game: name, moves: record.moves, roles: record.roles ?? record.gameRoleNames, players: record.playerNamesFromHost });
      } catch (error) {
        this.told.replaceChildren(troubles(error));
      }
    }
    this.records.replaceChildren(...(found.length > 1 ? found.map(record => h("li", {}, h("button", { type: "button", onclick: () => this.replay(record) }, record.file))) : []));
    if (found.length) await this.replay(found[0]);
  }

  async load({ game, moves, roles, players }) {
    this.game = game;
    this.moves = moves;
    this.values = [];
    this.evaluator.disabled = false;
    this.judging?.abort();
    this.rest();
    this.chart.replaceChildren();
    this.seated = players ?? [];
    this.entitle(roles ?? []);
    this.place.max = moves.length;
    await this.go(0);
  }

  /** Who plays what; chance is nobody. */
  entitle(roles) {
    const seats = roles.length === this.seated.length ? roles : roles.filter(name => name !== "random");
    this.title.textContent = `${this.game}${this.seated.length ? `: ${this.seated.map((p, i) => `${seats[i] ? `${seats[i]} ` : ""}${p}`).join(", ")}` : ""}`;
  }

  async go(at) {
    this.at = Math.max(0, Math.min(this.moves.length, at));
    const now = this.at;
    this.place.value = now;
    this.where.textContent = `${now} of ${this.moves.length}`;
    const { game } = this;
    if (!game) return;
    try {
      const sight = await ask("view", { game, moves: this.moves.slice(0, now) }, { signal: this.life.signal });
      if (now !== this.at || game !== this.game) return;
      this.entitle(sight.roles.map(r => r.name));
      this.board.show(sight);
      this.board.mark({ changed: sight.changed });
      this.facts.replaceChildren(factTable(sight, null));
      const last = now ? this.moves[now - 1].map((m, i) => `${sight.roles[i]?.name}: ${words(m)}`).join(" · ") : "the beginning";
      this.told.textContent = sight.terminal ? `${last}. Over: ${sight.roles.map((r, i) => `${r.name} ${sight.goals[i] ?? "no goal"}`).join(", ")}` : last;
    } catch (error) {
      if (error.name !== "AbortError") this.told.replaceChildren(troubles(error));
    }
  }

  run() {
    if (this.timer) return this.rest();
    if (this.at === this.moves.length) this.go(0);
    this.runner.textContent = "Stop";
    this.timer = setInterval(() => this.at >= this.moves.length ? this.rest() : this.go(this.at + 1), 700);
  }

  rest() {
    clearInterval(this.timer);
    this.timer = null;
    this.runner.textContent = "Play";
  }

  /** What the first role expects after each move, until another match is shown. */
  async evaluate() {
    this.judging?.abort();
    this.judging = new AbortController();
    const signal = AbortSignal.any([this.life.signal, this.judging.signal]);
    const { game } = this;
    this.values = [];
    const first = await ask("view", { game, moves: [] }, { signal });
    const role = first.roles.findIndex(r => !r.chance);
    for (let n = 0; n <= this.moves.length; n++) {
      const moves = this.moves.slice(0, n);
      const sight = await ask("view", { game, moves }, { signal });
      const value = sight.terminal ? sight.goals[role] : (await ask("think", { game, moves, role, seconds: 1, iterations: 1500 }, { signal })).value;
      this.values.push(value ?? 50);
      this.draw(first.roles[role].name);
    }
  }

  draw(name) {
    const [w, t] = [600, 140];
    const x = i => 10 + i * (w - 20) / Math.max(1, this.moves.length);
    const y = v => t - 15 - v / 100 * (t - 30);
    const points = this.values.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(" ");
    this.chart.replaceChildren(h("p", { class: "faint" }, `what ${name} expects, from 0 to 100`), s("svg", { viewBox: `0 0 ${w} ${t}`, role: "img", "aria-label": `evaluation of ${this.values.length} positions` },
      s("line", { x1: 10, x2: w - 10, y1: y(50), y2: y(50), class: "middle" }), s("polyline", { points, class: "curve" }), ...this.values.map((v, i) => s("circle", { cx: x(i), cy: y(v), r: 4, class: "dot" }))));
  }

  halt() {
    this.series?.abort();
  }

  /** Every game, with the players in every order of seats, so many rounds. */
  async start() {
    this.series?.abort();
    this.series = new AbortController();
    const { signal } = this.series;
    const games = [...this.games.selectedOptions].map(o => o.value);
    const players = this.players.value.split(/,\s*(?=mcts|uct|random|http)/).map(p => p.trim()).filter(Boolean);
    const table = new Map(players.map(p => [p, { matches: 0, points: 0, goals: 0, faults: 0 }]));
    const lines = [];
    this.course.textContent = "";
    this.following = null;
    try {
      for (let round = 0; round < Number(this.rounds.value); round++) {
        for (const game of games) {
          const sight = await ask("view", { game, moves: [] }, { signal });
          const roles = sight.roles.filter(r => !r.chance).length;
          const seatings = players.length > 1 ? players.map((_, i) => Array.from({ length: roles }, (_, r) => players[(i + r) % players.length])) : [Array(roles).fill(players[0])];
          for (const seats of seatings) {
            const record = await this.match(game, seats, lines.length + 1, signal);
            lines.push({ game, seats, record });
            count(table, seats, record, sight.roles);
            this.show(table, lines);
          }
        }
      }
      this.course.textContent = "The tournament is over.";
    } catch (error) {
      if (error.name !== "AbortError") this.course.replaceChildren(troubles(error));
      else this.course.textContent = "Stopped.";
    }
  }

  /** One match, shown as it is played. */
  async match(game, players, seed, signal) {
    if (!this.following) await this.load({ game, moves: [], roles: null, players });
    const clock = Number(this.clock.value) || 0.5;
    const record = await ask("match", { game, players, start_clock: Math.max(2, clock), play_clock: clock, seed }, { signal, on: (event, data) => {
      if (event === "turn" && !this.following) this.extend(data.moves);
    } });
    if (this.following) return record;
    this.moves = record.moves;
    this.place.max = this.moves.length;
    await this.go(this.moves.length);
    return record;
  }

  show(table, lines) {
    const rows = [...table].sort((a, b) => b[1].points - a[1].points);
    this.results.replaceChildren(h("table", { id: "standings" }, h("thead", {}, h("tr", {}, ["player", "matches", "points", "mean goal", "faults"].map(t => h("th", {}, t)))),
      h("tbody", {}, rows.map(([p, r]) => h("tr", {}, h("td", {}, p), h("td", {}, r.matches), h("td", {}, r.points), h("td", {}, (r.goals / Math.max(1, r.matches)).toFixed(1)), h("td", {}, r.faults))))),
    h("ol", { class: "matches" }, lines.map(({ game, seats, record }) => h("li", {}, h("button", { type: "button", onclick: () => this.replay({ game, moves: record.moves, roles: record.roles, players: seats }) }, `${game}: ${record.goalValues.join(" to ")}`), " ",
      h("button", { type: "button", class: "quiet", title: "Save the record", onclick: () => save(record) }, "save")))));
  }
}

function count(table, seats, record, roles) {
  const people = roles.map((r, i) => ({ ...r, i })).filter(r => !r.chance);
  const goals = people.map(r => record.goalValues[r.i] ?? 0);
  const best = Math.max(...goals);
  const winners = goals.filter(g => g === best).length;
  seats.forEach((player, n) => {
    const row = table.get(player);
    row.matches += 1;
    row.goals += goals[n];
    row.points += goals.length === 1 ? goals[n] / 100 : goals[n] === best ? (winners === 1 ? 1 : 0.5) : 0;
    row.faults += record.errors.filter(e => e[people[n].i]).length;
  });
}

function save(record) {
  const link = h("a", { download: `${record.matchId}.json`, href: URL.createObjectURL(new Blob([JSON.stringify(record)], { type: "application/json" })) });
  link.click();
  URL.revokeObjectURL(link.href);
}
