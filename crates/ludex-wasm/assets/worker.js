// The library in a thread of its own: a question at a time, answered by `ludex.wasm`.

const ready = load();

async function load() {
  const imports = { ludex: { now: () => performance.now() / 1000 } };
  const bytes = await (await fetch(new URL("ludex.wasm", import.meta.url))).arrayBuffer();
  return (await WebAssembly.instantiate(bytes, imports)).instance.exports;
}

function answer(library, question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const at = library.room(bytes.length);
  new Uint8Array(library.memory.buffer, at, bytes.length).set(bytes);
  const told = library.ask();
  const text = new TextDecoder().decode(new Uint8Array(library.memory.buffer, told, library.length()));
  return JSON.parse(text);
}

onmessage = async ({ data: { id, ask, with: question } }) => {
  try {
    postMessage({ id, ...answer(await ready, { ask, with: question }) });
  } catch (error) {
    const faults = [{ code: "broken", message: `the library gave up: ${error.message}` }];
    postMessage({ id, event: "error", data: faults, broken: true });
  }
};
