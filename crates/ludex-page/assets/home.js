// Home: all games as cards with their boards, found by name, kind and what is known of them.

import { ask } from "./api.js";
import { words } from "./choice.js";
import { counted, drawing, h, troubles } from "./dom.js";

const KINDS = [["", "all"], ["in turn", "in turn"], ["at once", "at once"], ["puzzle", "puzzles"]];
/** What can be known of a game: a word of its facts. */
const KNOWN = [["", "anything"], ["symmetries", "has symmetries"], ["factors", "falls apart"], ["every match ends", "always ends"], ["solved", "solved"], ["same game", "has a double"]];

export function home(host) {
  const grid = h("ul", { class: "cards", "aria-label": "Games" });
  const count = h("p", { class: "count", role: "status" });
  const state = { text: "", kind: "", known: "" };
  const cards = [];
  const ending = new AbortController();
  const studies = queue(cards, ending.signal, () => filter());
  const fits = card => state.text.toLowerCase().split(/\s+/).every(word => card.words.includes(word))
    && (!state.kind || card.kind === state.kind || card.kind === undefined)
    && (!state.known || card.facts.some(fact => fact.includes(state.known)));
  const filter = () => {
    let shown = 0;
    for (const card of cards) {
      card.element.hidden = !fits(card);
      shown += !card.element.hidden;
    }
    const left = state.known && state.known !== "same game" ? cards.filter(card => !card.studied).length : 0;
    count.textContent = (shown === cards.length ? `${shown} games` : `${shown} of ${cards.length} games`) + (left ? `; ${left} are still being looked into` : "");
    if (left) studies.all();
  };
  const chips = (key, label, choices) => h("div", { class: "chips", role: "group", "aria-label": label }, choices.map(([value, text]) => h("button", {
    type: "button", class: "chip", "aria-pressed": String(state[key] === value), "data-filter": value,
    onclick: event => {
      state[key] = value;
      for (const other of event.target.parentElement.children) other.setAttribute("aria-pressed", String(other === event.target));
      filter();
    },
  }, text)));
  const search = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", oninput: e => { state.text = e.target.value; filter(); } });
  host.append(
    h("section", { class: "intro" },
      h("h1", {}, "Any game, from its rules alone"),
      h("p", {}, "Boards, symmetries, proofs and opponents below were found by reading the rules. Nobody drew or programmed them.")),
    h("div", { class: "filters" }, search, chips("kind", "Kind of game", KINDS), chips("known", "What is known", KNOWN), count),
    grid);
  const seen = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) { seen.unobserve(target); fill(target.card); }
  }, { rootMargin: "300px" });
  const fill = async card => {
    try {
      const found = await ask("card", { game: card.entry.id }, { signal: ending.signal });
      card.show(found);
      filter();
      studies.next(card);
    } catch (error) {
      if (error.name !== "AbortError") card.fail(error);
    }
  };
  ask("games", {}, { signal: ending.signal }).then(({ games }) => {
    for (const entry of games) {
      const card = makeCard(entry);
      card.element.card = card;
      cards.push(card);
      grid.append(card.element);
      seen.observe(card.element);
    }
    filter();
    twins(cards, ending.signal, filter);
  }).catch(error => error.name === "AbortError" || host.append(troubles(error)));
  return () => { ending.abort(); seen.disconnect(); };
}

function makeCard(entry) {
  const board = h("div", { class: "thumb waiting", "aria-hidden": "true" });
  const meta = h("p", { class: "meta" });
  const known = h("p", { class: "known" });
  const link = `#/play/${encodeURIComponent(entry.id)}`;
  const element = h("li", { class: "card", "data-game": entry.id },
    h("a", { href: link, class: "face" }, board, h("h2", {}, entry.title)),
    h("p", { class: "about" }, entry.about), meta, known,
    h("p", { class: "ways" }, h("a", { href: link }, "Play"), h("a", { href: `#/look/${encodeURIComponent(entry.id)}` }, "Look into it"),
      h("a", { href: `#/write/${encodeURIComponent(entry.id)}` }, "Rules")));
  return {
    entry, element, words: `${entry.title} ${entry.about} ${entry.from}`.toLowerCase(), facts: [], studied: false,
    show(found) {
      board.classList.remove("waiting");
      const svg = drawing(found.svg);
      board.replaceChildren(svg ?? h("span", { class: "noboard" }, found.facts.length ? found.facts.map(fact => h("code", {}, words(fact))) : "nothing is true yet"));
      const people = found.roles.filter(r => !r.chance);
      const names = people.map(r => r.name);
      const roles = names.length > 3 ? `${names.length} roles` : names.join(", ");
      meta.replaceChildren(h("span", { class: "tag" }, found.kind), ` ${roles}${people.length < found.roles.length ? ", chance" : ""} · ${counted(found.rules, "rule")}, ${counted(Math.max(...found.moves), "move")} at first`);
      this.kind = found.kind;
      this.words += ` ${found.kind} ${names.join(" ")}`.toLowerCase();
    },
    tell(facts) {
      this.facts.push(...facts);
      this.words += ` ${facts.join(" ")}`.toLowerCase();
      known.append(...facts.map(f => h("span", { class: "fact" }, f)));
    },
    same(others) {
      this.facts.push("same game");
      known.prepend(h("span", { class: "fact same" }, "the same game as ", others.map((o, i) => [i ? ", " : "", h("a", { href: `#/play/${encodeURIComponent(o.entry.id)}` }, o.entry.title)])));
    },
    fail(error) { this.studied = true; board.classList.remove("waiting"); board.replaceChildren(h("span", { class: "noboard" }, "not drawn")); meta.textContent = error.message; },
  };
}

/** Which games are the same in another guise: their rules have the same canonical form. */
async function twins(cards, signal, changed) {
  const known = new Map();
  for (const card of cards) {
    if (signal.aborted) return;
    const { guise } = await ask("guise", { game: card.entry.id }, { signal }).catch(() => ({}));
    if (guise) known.set(guise, [...(known.get(guise) ?? []), card]);
  }
  const groups = [...known.values()].filter(group => group.length > 1);
  for (const group of groups) for (const card of group) card.same(group.filter(other => other !== card));
  if (groups.length) changed();
}

/** What is known of the games, one after the other, so that nobody else waits for it: those that were seen first. */
function queue(cards, signal, changed) {
  const waiting = [];
  let busy = false;
  const go = async () => {
    busy = true;
    while (waiting.length && !signal.aborted) {
      const card = waiting.shift();
      if (card.studied) continue;
      card.studied = true;
      try {
        const { answer } = await ask("ask", { game: card.entry.id, question: "known" }, { signal });
        card.tell(answer.facts);
      } catch { /* then nothing is said */ }
      changed();
    }
    busy = false;
  };
  const add = more => { waiting.push(...more); if (!busy) go(); };
  return { next: card => add([card]), all: () => add(cards.filter(card => !card.studied && !waiting.includes(card))) };
}
