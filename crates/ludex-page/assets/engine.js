// Who makes a move: the engine of the server, a program elsewhere, or chance.

import { ask } from "./api.js";

/** Strengths: iterations of the search, 0 for as many as there is time for. */
export const STRENGTHS = [["best", "strongest", 0], ["good", "good", 2000], ["fair", "fair", 200], ["weak", "weak", 20], ["random", "any move", -1]];

/** The move of a role that is not played here. */
export async function choose(seat, match, node, role, signal) {
  const legal = node.sight.legal[role];
  if (seat.who === "random" || legal.length === 1) return legal[Math.floor(Math.random() * legal.length)].text;
  if (seat.who === "program") {
    return ask("remote", { id: match.id, game: match.game, role, address: seat.address, play_clock: seat.seconds, moves: node.path }, { signal });
  }
  const iterations = STRENGTHS.find(s => s[0] === seat.who)?.[2] ?? 0;
  const question = { game: match.game, moves: node.path, role, seconds: seat.seconds, iterations, seed: Math.floor(Math.random() * 1e6) };
  return (await ask("think", question, { signal, on: seat.on })).move;
}

/** What the engine thinks of a position, told as it finds it. */
export async function ponder(match, node, role, seconds, told, signal) {
  const hear = (event, data) => event === "thought" && told(data, false);
  try {
    const last = await ask("think", { game: match.game, moves: node.path, role, seconds }, { on: hear, signal });
    told(last, true);
  } catch (error) {
    if (error.name !== "AbortError") told(null, true);
  }
}

/** `solved: red gets 100`, or what is expected. */
export function verdict(thought, role) {
  if (!thought) return "";
  const value = Math.round(thought.value * 10) / 10;
  if (!thought.proven) return `${role} expects ${value}`;
  const ends = thought.value >= 100 ? `${role} wins` : thought.value <= 0 ? `${role} loses` : `${role} gets ${value}`;
  return `solved: ${ends}${thought.line.length && thought.line.length < 16 ? ` in ${thought.line.length}` : ""}`;
}
