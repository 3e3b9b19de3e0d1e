// Questions to the library in workers, where the page has no server: the same words as the socket of the server.

/** An answer that did not come: `faults` says why. */
export class Trouble extends Error {
  constructor(faults) {
    super(faults?.[0]?.message ?? "no answer");
    this.faults = faults ?? [];
    this.code = faults?.[0]?.code;
  }
}

const ended = () => new DOMException("ended", "AbortError");

/** The library, compiled once for all workers. */
const compiled = fetch(new URL("ludex.wasm", import.meta.url)).then(answer => answer.arrayBuffer()).then(bytes => WebAssembly.compile(bytes));

/** A worker and the questions for it, in their order. It gets one at a time, so that those can go that wait. */
class Bench {
  numbers = 0;
  asked = new Map();
  worker = null;
  /** The number of the question that it works on. */
  at = 0;

  /** Asks. A question that is not wanted any more ends with its worker where it can take long. */
  send(name, question, { on, signal, brief } = {}) {
    return new Promise((done, fail) => {
      if (signal?.aborted) return fail(ended());
      const id = ++this.numbers;
      this.asked.set(id, { message: { id, ask: name, with: question }, done, fail, on });
      signal?.addEventListener("abort", () => {
        if (!this.asked.delete(id)) return;
        if (this.at === id && !brief) this.restart();
        fail(ended());
      });
      this.next();
    });
  }

  async next() {
    if (this.at || !this.asked.size) return;
    const [id, { message }] = this.asked.entries().next().value;
    this.at = id;
    try {
      const module = await compiled;
      if (this.at !== id) return;
      if (!this.worker) this.begin(module);
      this.worker.postMessage(message);
    } catch (error) {
      this.fail(`the library does not load: ${error.message}`);
    }
  }

  begin(module) {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = () => this.fail("the library does not load");
    this.worker.postMessage({ module });
  }

  fail(message) {
    this.worker = null;
    this.at = 0;
    for (const entry of this.asked.values()) entry.fail(new Trouble([{ code: "broken", message }]));
    this.asked.clear();
  }

  /** The questions that are left go to a new worker. */
  restart() {
    this.worker?.terminate();
    this.worker = null;
    this.at = 0;
    this.next();
  }

  hear({ id, event, data, broken }) {
    const entry = this.asked.get(id);
    if (event !== "answer" && event !== "error") return entry?.on?.(event, data);
    this.asked.delete(id);
    this.at = 0;
    if (broken) this.restart(); else this.next();
    if (event === "answer") entry?.done(data); else entry?.fail(new Trouble(data));
  }
}

/** Boards and texts; the engine; analyses. None waits for the others. */
const quick = new Bench();
const engine = new Bench();
const study = new Bench();
const benches = { think: engine, ask: study, simulate: study, guise: study };
/** Whoever leaves does not wait for these. */
const long = new Set(["card"]);

/** Asks the library. `on` hears what is told on the way; `signal` ends the question. */
export function ask(name, question = {}, told = {}) {
  const bench = benches[name] ?? quick;
  const send = () => name === "think" ? think(question, told) : bench.send(name, question, { ...told, brief: bench === quick && !long.has(name) });
  return send().catch(async error => {
    // A worker that was started anew does not know the games that were written here.
    const text = error.code === "unknown-game" && kept(question.game);
    if (!text) throw error;
    await bench.send("rules", text, { brief: true });
    return send();
  });
}

/** Thinks slice by slice, so that it can be ended and asked at any time. */
async function think({ seconds = 1, ...question }, { on, signal } = {}) {
  const end = question.iterations > 0 ? Infinity : performance.now() + 1000 * seconds;
  for (;;) {
    const thought = await engine.send("think", question, { signal, brief: true });
    if (!thought.going || performance.now() >= end) return thought;
    on?.("thought", thought);
  }
}

const KEPT = "ludex-text:";
const here = new Map();

/** Gives the library a text and keeps it, so that other workers can be given it. */
export async function own(name, text) {
  const { id } = await ask("rules", { name, text });
  here.set(id, { name, text });
  try { localStorage.setItem(KEPT + id, JSON.stringify({ name, text })); } catch { /* no room: then not */ }
  return id;
}

export function kept(id) {
  if (here.has(id)) return here.get(id);
  try { return JSON.parse(localStorage.getItem(KEPT + id)); } catch { return null; }
}
