// Many values, computed a few at a time so that no frame waits: first far apart, then those between.

const BUDGET = 3; // milliseconds of a frame

/** 0 … n − 1 in an order in which the first few lie far apart: the ends, the middle, the quarters, … */
export function coarseToFine(n) {
  const order = [];
  const seen = new Set();
  for (let parts = 1; order.length < n; parts *= 2) {
    for (let i = 0; i <= parts; i += 1) {
      const place = Math.round((i * (n - 1)) / parts);
      if (!seen.has(place)) { seen.add(place); order.push(place); }
    }
  }
  return order;
}

/** Gives what is known so far and computes more; `redraw` is called while something is missing. */
export function makeSweep(redraw) {
  let name = null;
  let results = [];
  let order = [];

  /** The values compute(0) … compute(n − 1); undefined where there has been no time yet. Another `key` starts anew. */
  return function sweep(key, n, compute, places = null) {
    if (key !== name) {
      name = key;
      results = new Array(n);
      order = places ?? coarseToFine(n);
    }
    const began = performance.now();
    let left = order.findIndex((place) => results[place] === undefined);
    while (left >= 0 && left < order.length && performance.now() - began < BUDGET) {
      results[order[left]] = compute(order[left]);
      left += 1;
    }
    if (left >= 0 && left < order.length) redraw();
    return results;
  };
}
