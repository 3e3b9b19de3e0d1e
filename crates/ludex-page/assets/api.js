// Questions to the server over one socket: they wait for a server that is away, and are asked again when it is back.

let socket = null;
let numbers = 0;
const asked = new Map();
const away = () => document.getElementById("away");
let tries = 0;

/** An answer that did not come: `faults` says why. */
export class Trouble extends Error {
  constructor(faults) {
    super(faults?.[0]?.message ?? "no answer");
    this.faults = faults ?? [];
    this.code = faults?.[0]?.code;
  }
}

/** Asks the server. `on` hears what is told on the way; `signal` ends the question. */
export function ask(name, question = {}, { on, signal } = {}) {
  return send(name, question, { on, signal }).catch(async error => {
    // A server that was started anew does not know the games that were written here.
    const text = error.code === "unknown-game" && kept(question.game);
    if (!text) throw error;
    await send("rules", text, {});
    return send(name, question, { on, signal });
  });
}

function send(name, question, { on, signal }) {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(new DOMException("ended", "AbortError"));
    const id = ++numbers;
    const entry = { message: JSON.stringify({ id, ask: name, with: question }), done, fail, on };
    asked.set(id, entry);
    signal?.addEventListener("abort", () => {
      if (!asked.delete(id)) return;
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id }));
      fail(new DOMException("ended", "AbortError"));
    });
    if (socket?.readyState === WebSocket.OPEN) socket.send(entry.message);
    else connect();
  });
}

function connect() {
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  socket = new WebSocket(`ws://${location.host}/api/socket`);
  socket.onopen = () => {
    tries = 0;
    away().hidden = true;
    for (const entry of asked.values()) socket.send(entry.message);
  };
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = () => {
    socket = null;
    tries += 1;
    if (tries > 1) away().hidden = false;
    setTimeout(connect, Math.min(250 * tries, 3000));
  };
}

function hear({ id, event, data }) {
  const entry = asked.get(id);
  if (!entry) return;
  if (event === "answer") { asked.delete(id); entry.done(data); }
  else if (event === "error") { asked.delete(id); entry.fail(new Trouble(data)); }
  else entry.on?.(event, data);
}

const KEPT = "ludex-text:";

/** Gives the server a text and keeps it, so that a server that comes back can be given it again. */
export async function own(name, text) {
  const { id } = await ask("rules", { name, text });
  try { localStorage.setItem(KEPT + id, JSON.stringify({ name, text })); } catch { /* no room: then not */ }
  return id;
}

export function kept(id) {
  try { return JSON.parse(localStorage.getItem(KEPT + id)); } catch { return null; }
}
