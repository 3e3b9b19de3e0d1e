// Clicks on places -> moves. A move has steps, in order; each step is a list of places, any of which names it.

/** The steps that are left of a move after some places were picked in order; null where they do not fit. */
function inOrder(steps, picked) {
  return picked.every((place, i) => steps[i]?.includes(place)) ? steps.slice(picked.length) : null;
}

/** The same in any order. */
function inAnyOrder(steps, picked) {
  const left = [...steps];
  for (const place of picked) {
    const at = left.findIndex(step => step.includes(place));
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/**
 * What is left after some places were picked: the moves that fit, those that need no more places, and the places
 * that can be picked next.
 */
export function narrow(moves, picked) {
  for (const fit of [inOrder, inAnyOrder]) {
    const fitting = [];
    for (const move of moves) {
      if (!move.steps.length) continue;
      const left = fit(move.steps, picked);
      if (left) fitting.push({ move, left });
    }
    if (!fitting.length) continue;
    const ready = fitting.filter(f => !f.left.length).map(f => f.move);
    const targets = new Set(fitting.flatMap(f => f.left[0] ?? []));
    return { fitting: fitting.map(f => f.move), ready, targets };
  }
  return { fitting: [], ready: [], targets: new Set() };
}

/** `(move pawn a 2)` -> `move pawn a 2`. */
export function words(text) {
  return text.startsWith("(") ? text.slice(1, -1) : text;
}
