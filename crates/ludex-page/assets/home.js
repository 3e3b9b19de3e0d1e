// Home: all games as cards with their boards, found by name and kind.

import { ask } from "./api.js";
import { drawing, h, number, troubles } from "./dom.js";

const KINDS = [["", "all"], ["in turn", "in turn"], ["at once", "at once"], ["puzzle", "puzzles"]];

export function home(host) {
  const grid = h("ul", { class: "cards", "aria-label": "Games" });
  const count = h("p", { class: "count", role: "status" });
  const state = { text: "", kind: "", from: "" };
  const cards = [];
  const filter = () => {
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const card of cards) {
      const fits = words.every(w => card.words.includes(w))
        && (!state.kind || card.kind === state.kind || card.kind === undefined)
        && (!state.from || card.entry.from === state.from);
      card.element.hidden = !fits;
      shown += fits;
    }
    count.textContent = shown === cards.length ? `${shown} games` : `${shown} of ${cards.length} games`;
  };
  const chip = (key, value, label) => h("button", {
    type: "button", class: "chip", "aria-pressed": String(state[key] === value),
    onclick: event => {
      state[key] = value;
      for (const other of event.target.parentElement.children) other.setAttribute("aria-pressed", String(other === event.target));
      filter();
    },
  }, label);
  const search = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", oninput: e => { state.text = e.target.value; filter(); } });
  const ending = new AbortController();
  host.append(
    h("section", { class: "intro" },
      h("h1", {}, "Any game, from its rules alone"),
      h("p", {}, "Boards, symmetries, proofs and opponents below were found by reading the rules. Nobody drew or programmed them.")),
    h("div", { class: "filters" }, search,
      h("div", { class: "chips", role: "group", "aria-label": "Kind of game" }, KINDS.map(([v, l]) => chip("kind", v, l))), count),
    grid);
  const known = queue(ending.signal);
  const seen = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) { seen.unobserve(target); fill(target.card); }
  }, { rootMargin: "300px" });
  const fill = async card => {
    try {
      const found = await ask("card", { game: card.entry.id }, { signal: ending.signal });
      card.show(found);
      card.kind = found.kind;
      filter();
      known(card);
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
    entry, element, words: `${entry.title} ${entry.about} ${entry.from}`.toLowerCase(),
    show(found) {
      board.classList.remove("waiting");
      const svg = drawing(found.svg);
      board.replaceChildren(svg ?? h("span", { class: "noboard" }, "no board"));
      const people = found.roles.filter(r => !r.chance);
      const names = people.map(r => r.name);
      const roles = names.length > 3 ? `${names.length} roles` : names.join(", ");
      meta.replaceChildren(h("span", { class: "tag" }, found.kind), ` ${roles}${people.length < found.roles.length ? ", chance" : ""} · ${number(found.rules)} rules`);
      this.words += ` ${found.kind} ${names.join(" ")}`.toLowerCase();
    },
    tell(facts) { known.replaceChildren(...facts.map(f => h("span", { class: "fact" }, f))); },
    fail(error) { board.classList.remove("waiting"); board.replaceChildren(h("span", { class: "noboard" }, "not drawn")); meta.textContent = error.message; },
  };
}

/** What is known of the games, one after the other, so that nobody else waits for it. */
function queue(signal) {
  const waiting = [];
  let busy = false;
  const go = async () => {
    busy = true;
    while (waiting.length && !signal.aborted) {
      const card = waiting.shift();
      try {
        const { answer } = await ask("ask", { game: card.entry.id, question: "known" }, { signal });
        card.tell(answer.facts);
      } catch { /* then nothing is said */ }
    }
    busy = false;
  };
  return card => { waiting.push(card); if (!busy) go(); };
}
