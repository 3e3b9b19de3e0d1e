// Questions to the library in a worker, where the page has no server: the same words as the socket of the server.

let worker = null;
let numbers = 0;
const asked = new Map();

/** An answer that did not come: `faults` says why. */
export class Trouble extends Error {
  constructor(faults) {
    super(faults?.[0]?.message ?? "no answer");
    this.faults = faults ?? [];
    this.code = faults?.[0]?.code;
  }
}

/** Asks the library. `signal` ends the question: work that has begun is left behind with its worker. */
export function ask(name, question = {}, { signal } = {}) {
  return send(name, question, signal).catch(async error => {
    const text = error.code === "unknown-game" && kept(question.game);
    if (!text) throw error;
    await send("rules", text);
    return send(name, question, signal);
  });
}

function send(name, question, signal) {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(new DOMException("ended", "AbortError"));
    const id = ++numbers;
    const message = { id, ask: name, with: question };
    asked.set(id, { message, done, fail });
    signal?.addEventListener("abort", () => {
      const first = asked.keys().next().value === id;
      if (!asked.delete(id)) return;
      if (first) restart();
      fail(new DOMException("ended", "AbortError"));
    });
    work().postMessage(message);
  });
}

function work() {
  if (worker) return worker;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = () => { for (const entry of asked.values()) entry.fail(new Trouble([{ code: "broken", message: "the library does not load" }])); asked.clear(); worker = null; };
  return worker;
}

/** The question at work is not wanted any more: the others go to a new worker. */
function restart() {
  worker?.terminate();
  worker = null;
  for (const entry of asked.values()) work().postMessage(entry.message);
}

function hear({ id, event, data, broken }) {
  const entry = asked.get(id);
  asked.delete(id);
  if (broken) restart();
  if (event === "answer") entry?.done(data);
  else entry?.fail(new Trouble(data));
}

const KEPT = "ludex-text:";

/** Gives the library a text and keeps it, so that a new worker can be given it again. */
export async function own(name, text) {
  const { id } = await ask("rules", { name, text });
  try { localStorage.setItem(KEPT + id, JSON.stringify({ name, text })); } catch { /* no room: then not */ }
  return id;
}

export function kept(id) {
  try { return JSON.parse(localStorage.getItem(KEPT + id)); } catch { return null; }
}
