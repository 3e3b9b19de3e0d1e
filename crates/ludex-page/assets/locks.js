// Latches: facts that keep their value, as locks on the board, and what the last move made final.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { drawing, h, number } from "./dom.js";
import { list } from "./parts.js";

/** The facts that are latches at all. */
export function latchTable({ answer }) {
  const goals = answer.goals.map(g => `goal ${g.role} ${g.value} ${g.stays ? "stays once reached" : "stays lost once lost"}`);
  return [h("p", { class: "figure" }, `${answer.positive.length} facts stay true once they are true, ${answer.negative.length} stay false once they are false, of ${answer.facts}`),
    h("div", { class: "pair" }, h("div", {}, h("h4", {}, "once true, true"), list(answer.positive, 80)), h("div", {}, h("h4", {}, "once false, false"), list(answer.negative, 80))),
    answer.undecided.length ? h("p", { class: "faint" }, `${answer.undecided.length} are undecided.`) : "", goals.length ? list(goals) : ""];
}

/** What is final in the position of the match. */
export function finalFacts({ game, path, signal }, { answer }) {
  const board = new Board({ pick: () => {}, drop: null });
  board.host.classList.add("small");
  const just = h("div", { class: "just" });
  locks(board, { game, path, signal }, answer).catch(() => {});
  if (path.length) {
    ask("ask", { game, question: "final", moves: path.slice(0, -1) }, { signal })
      .then(({ answer: before }) => just.replaceChildren(...became(before, answer))).catch(() => {});
  }
  const goals = answer.goals.map(g => `${g.role} ${g.value}: ${g.decided ? "certain" : "lost for good"}`);
  return [h("h3", {}, path.length ? `After ${path.length === 1 ? "the first move" : `${path.length} moves`} of your match` : "At the beginning"),
    h("p", { class: "figure" }, `${answer.positive.length + answer.negative.length} of ${answer.facts} facts are final; ${number(answer.gates.before)} gates become ${number(answer.gates.after)}`),
    board.host, h("p", { class: "faint" }, "A shut lock: what is there stays. An open one: something can never come there again."),
    just, goals.length ? list(goals) : "",
    h("div", { class: "pair" }, h("div", {}, h("h4", {}, "true for good"), list(answer.positive, 80)), h("div", {}, h("h4", {}, "false for good"), list(answer.negative, 80)))];
}

/** The facts that were not final before the last move. */
function became(before, after) {
  const fresh = which => after[which].filter(fact => !before[which].includes(fact));
  const [yes, no] = [fresh("positive"), fresh("negative")];
  if (!yes.length && !no.length) return [h("p", { class: "faint" }, "The last move made nothing final.")];
  return [h("h4", {}, "The last move made final"), list([...yes, ...no.map(fact => `not ${fact}`)], 40)];
}

/** Draws the position with a lock on each place that has final facts. */
async function locks(board, { game, path, signal }, { positive, negative }) {
  const sight = await ask("view", { game, moves: path }, { signal });
  board.show(sight);
  const where = async facts => {
    const { svg } = await ask("draw", { game, facts }, { signal });
    const places = new Map();
    for (const element of drawing(svg)?.querySelectorAll("[data-board] [data-place][data-fact]") ?? []) {
      const key = `${element.closest("[data-board]").dataset.board}:${element.dataset.place}`;
      places.set(key, [...(places.get(key) ?? []), element.dataset.fact]);
    }
    return places;
  };
  const [shut, open] = [await where(positive), await where(negative)];
  const label = (facts, word) => `${word}: ${facts.join(", ")}`;
  board.lock([...[...shut].map(([key, facts]) => ({ key, shut: true, label: label(facts, "stays") })),
    ...[...open].filter(([key]) => !shut.has(key)).map(([key, facts]) => ({ key, shut: false, label: label(facts, "never again") }))]);
}
