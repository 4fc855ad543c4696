// The server's semantic tokens, read back into places. Knows no editor, so that tests need none.

/** As the server's legend has them, in its order; a test of the whole compares. */
const TYPES = ["variable", "function", "comment"];
const REPLACED = 1 << 0;

export interface Place {
  readonly line: number;
  readonly start: number;
  readonly length: number;
  readonly state: "resolved" | "replaced" | "unknown";
}

/** Where references stand, of tokens packed in fives with places counted from the one before. */
export function drawnPlaces(data: Uint32Array): Place[] {
  const found: Place[] = [];
  let line = 0;
  let start = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines = 0, columns = 0, length = 0, type = 0, modifiers = 0] = data.subarray(at, at + 5);
    start = lines === 0 ? start + columns : columns;
    line += lines;
    const state = TYPES[type] === "comment" ? "unknown" : (modifiers & REPLACED) !== 0 ? "replaced" : "resolved";
    found.push({ line, start, length, state });
  }
  return found;
}
