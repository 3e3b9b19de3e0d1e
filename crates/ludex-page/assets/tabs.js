// Tabs of this browser: each shows the others the match that is played in it.

const channel = new BroadcastChannel("ludex");
const ASK = "who plays?";

/** Answers other tabs with what `tell` gives, if anything. */
export function share(tell, signal) {
  channel.addEventListener("message", ({ data }) => {
    const match = data === ASK ? tell() : null;
    if (match) channel.postMessage(match);
  }, { signal });
}

/** The matches of other tabs that were told since the last time; they are asked anew. */
export function glance(signal) {
  const told = new Map();
  channel.addEventListener("message", ({ data }) => data.moves && told.set(data.number, data), { signal });
  return () => {
    const matches = [...told.values()];
    told.clear();
    channel.postMessage(ASK);
    return matches;
  };
}
