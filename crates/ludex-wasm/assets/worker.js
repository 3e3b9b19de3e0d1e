// The library in a thread of its own: first the compiled module, then a question at a time.

let library = null;
let asking = 0;

const text = (at, length) => new TextDecoder().decode(new Uint8Array(library.memory.buffer, at, length));

const imports = { ludex: {
  now: () => performance.now() / 1000,
  tell: (at, length) => postMessage({ id: asking, ...JSON.parse(text(at, length)) }),
} };

// The solver of linear programs asks for the time by itself, through names that wasm-bindgen would fill in. A clock
// is all that it wants: handles of objects are any numbers but 0, and are not looked into.
const clock = { now: () => performance.now(), is_undefined: () => 0, throw: () => { throw new Error("thrown in the library"); } };
const bound = new Proxy({}, { get: (_, name) => clock[Object.keys(clock).find(part => name.includes(part))] ?? (() => 1) });

function answer(question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const at = library.room(bytes.length);
  new Uint8Array(library.memory.buffer, at, bytes.length).set(bytes);
  const told = library.ask();
  return JSON.parse(text(told, library.length()));
}

onmessage = ({ data: { module, id, ask, with: question } }) => {
  if (module) {
    library = new WebAssembly.Instance(module, { ...imports, __wbindgen_placeholder__: bound, __wbindgen_externref_xform__: bound }).exports;
    return;
  }
  asking = id;
  try {
    postMessage({ id, ...answer({ ask, with: question }) });
  } catch (error) {
    const faults = [{ code: "broken", message: `the library gave up: ${error.message}` }];
    postMessage({ id, event: "error", data: faults, broken: true });
  }
};
