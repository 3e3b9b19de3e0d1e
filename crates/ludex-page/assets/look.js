// Look into it: what was found out about a game, each with a sentence and the paper that it is from.

import { ask } from "./api.js";
import { h, troubles } from "./dom.js";
import { gameHead } from "./play.js";
import { Match } from "./match.js";
import * as views from "./views.js";

const PAPERS = {
  projections: "Mohapatra, Decoster, Agarwal and Genesereth, Invariant Projections in Games (2016)",
  book: "Genesereth and Thielscher, General Game Playing, chapter 14",
  symmetry: "Schiffel, Symmetry Detection in General Game Playing (2010)",
  factoring: "Cox, Schkufza, Madsen and Genesereth, Factoring General Games using Propositional Automata (2009)",
  frame: "Romero, Saffidine and Thielscher, Solving the Inferential Frame Problem in the General Game Description Language (2014)",
};

/** id, title, sentence, paper, questions, view. */
const TABS = [
  ["boards", "Boards", "A board is a set of arguments that give the same places in every state: nobody told the program where the squares are. Other sets give other views of the same facts.", PAPERS.projections, ["boards"], views.boards],
  ["pieces", "Pieces", "What stands on the boards and how it moves, captures and changes, as all moves in states of random matches showed it.", PAPERS.projections, ["pieces"], views.pieces],
  ["symmetries", "Symmetries", "A symmetry maps facts and moves to others so that the game stays the same. What holds in one position holds in all its images.", PAPERS.symmetry, ["symmetries"], views.symmetries],
  ["factors", "Factors", "A game that falls apart can be searched part by part: the sizes of the trees are added, not multiplied.", PAPERS.factoring, ["factors"], views.factors],
  ["latches", "Latches", "A latch is a fact that keeps its value once it has it: what is decided need not be searched again.", PAPERS.factoring, ["final", "latches"], views.latches],
  ["proofs", "Proofs", "What holds in every state that can be reached, by induction over the rules, with the lemmas that each proof uses.", PAPERS.projections, ["proofs"], views.proofs],
  ["domains", "Domains", "Which values can stand at which argument: from the rules alone, then reduced, then what play can reach.", PAPERS.book, ["domains", "domain-graph"], views.domains],
  ["net", "Net", "The game as a circuit: facts and moves go in, the next facts come out. Both engines run it.", PAPERS.factoring, ["net", "pace", "net-graph", "rule-graph"], views.net],
  ["frame", "Frame rules", "Rules that say what stays true, rewritten into rules for what becomes false, which are far fewer to compute.", PAPERS.frame, ["frame"], views.frame],
  ["solve", "Value", "What each role gets if all play as well as possible, exactly, and a line of such play.", PAPERS.symmetry, ["solve"], views.solved],
  ["tree", "Search tree", "What the search looks at, while it does. Open a move to see what it expects below it.", "upper confidence bounds on trees (Kocsis and Szepesvári, 2006)", [], views.tree],
];

export function look(host, game, options) {
  const life = new AbortController();
  let turn = new AbortController();
  const match = new Match(game);
  match.recall();
  const path = match.now.path;
  const panel = h("div", { class: "finding", role: "tabpanel", tabindex: 0 });
  const buttons = TABS.map(([id, title]) => h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-selected": "false", onclick: () => show(id) }, title));
  const list = h("div", { class: "tablist", role: "tablist", "aria-label": "What was found", onkeydown: e => {
    const at = buttons.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 }[e.key];
    if (next === undefined) return;
    e.preventDefault();
    buttons[(next + buttons.length) % buttons.length].focus();
  } }, buttons);
  host.append(gameHead(game, "look"), list, panel);
  const show = id => {
    turn.abort();
    turn = new AbortController();
    const signal = AbortSignal.any([life.signal, turn.signal]);
    const [, title, sentence, paper, questions, view] = TABS.find(t => t[0] === id);
    for (const b of buttons) {
      b.setAttribute("aria-selected", String(b.id === `tab-${id}`));
      b.tabIndex = b.id === `tab-${id}` ? 0 : -1;
    }
    history.replaceState(null, "", `#/look/${encodeURIComponent(game)}?tab=${id}`);
    const body = h("div", { class: "findings" });
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    panel.replaceChildren(h("h2", {}, title), h("p", { class: "sentence" }, sentence), h("p", { class: "paper" }, paper), body);
    const context = { game, path, signal };
    if (!questions.length) return body.append(view(context));
    const answers = {};
    for (const question of questions) {
      const place = h("section", { class: "answer", "data-question": question }, working());
      body.append(place);
      const tell = (known, done) => {
        answers[question] = known;
        place.replaceChildren(...[view(context, question, known)].flat(9), ...(done ? [] : [working()]), printed(known));
        if (done) place.dataset.done = "yes";
      };
      const moves = question === "final" || question === "solve" ? path : [];
      ask("ask", { game, question, moves }, { signal, on: (event, data) => {
        if (event === "draft") tell(data, false);
        else place.querySelector(".working")?.replaceWith(working(event, data));
      } }).then(known => tell(known, true)).catch(error => {
        if (error.name === "AbortError") return;
        place.querySelector(".working")?.remove();
        place.append(troubles(error));
        place.dataset.done = "yes";
      });
    }
  };
  show(TABS.some(t => t[0] === options.get("tab")) ? options.get("tab") : "boards");
  return () => { life.abort(); turn.abort(); };
}

/** What is being done. */
function working(event, data) {
  let text = "working …";
  if (event === "wait") text = data.ahead ? `waiting: ${data.ahead} questions are before this one` : "waiting for a free place …";
  if (event === "progress" && data[0]) text = `${data[0]}${data[1] ? ` ${data[1].toLocaleString("en")}` : ""}${data[2] ? ` of ${data[2].toLocaleString("en")}` : ""} …`;
  return h("p", { class: "working", role: "status" }, text);
}

/** The answer as the program prints it. */
function printed({ text, answer }) {
  const stopped = answer?.stopped?.length ? h("p", { class: "stopped" }, `stopped, so not complete: ${answer.stopped.join(", ").replaceAll("_", " ")}`) : "";
  return h("div", {}, stopped, h("details", { class: "printed" }, h("summary", {}, "As the program prints it"), h("pre", {}, text.length > 60000 ? text.slice(0, 60000) + "\n…" : text)));
}
