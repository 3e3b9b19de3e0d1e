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

/** The same, where one step has several of them: places that a move changes at the same time. */
function together(steps, picked) {
  const named = picked.every((place, i) => picked.indexOf(place) === i && steps.some(step => step.includes(place)));
  return named ? steps.filter(step => !picked.some(place => step.includes(place))) : null;
}

/** Places that some of these moves name and others do not. */
function telling(moves, picked) {
  const named = moves.map(move => new Set(move.steps.flat()));
  return [...new Set(named.flatMap(places => [...places]))].filter(place => !picked.includes(place) && !named.every(places => places.has(place)));
}

/**
 * What is left after some places were picked: the moves that fit, those that need no more places, and the places
 * that can be picked next.
 */
export function narrow(moves, picked) {
  for (const fit of [inOrder, inAnyOrder, together]) {
    const fitting = [];
    for (const move of moves) {
      if (!move.steps.length) continue;
      const left = fit(move.steps, picked);
      if (left) fitting.push({ move, left });
    }
    if (!fitting.length) continue;
    const ready = fitting.filter(f => !f.left.length).map(f => f.move);
    const targets = new Set([...fitting.flatMap(f => f.left[0] ?? []), ...telling(ready, picked)]);
    return { fitting: fitting.map(f => f.move), ready, targets };
  }
  return { fitting: [], ready: [], targets: new Set() };
}

/** `(move pawn a 2)` -> `move pawn a 2`. */
export function words(text) {
  return text.startsWith("(") ? text.slice(1, -1) : text;
}
