// What a model hands to the tools, checked: its schema is a request to the model, not a promise. Knows no editor.

export interface SearchInput {
  readonly query: string;
  readonly limit?: number;
}

export interface ReadInput {
  readonly names: readonly string[];
}

const MOST_QUERY = 2000;
const MOST_NAMES = 20;
const MOST_NAME = 100;

/** The input of a search, or what is wrong with it, as a sentence that the model can act on. */
export function searchInput(input: unknown): SearchInput | string {
  const { query, limit } = fieldsOf(input);
  if (typeof query !== "string" || query.trim() === "" || query.length > MOST_QUERY) {
    return `Nothing was searched: query must be a text of 1 to ${MOST_QUERY} characters.`;
  }
  if (limit === undefined || limit === null) {
    return { query };
  }
  return typeof limit === "number" && Number.isInteger(limit) && limit > 0
    ? { query, limit }
    : "Nothing was searched: limit must be a whole number from 1.";
}

/** The input of a read in the same way. One name alone is taken as a list of one; which are names, the server says. */
export function readInput(input: unknown): ReadInput | string {
  const given = fieldsOf(input).names;
  const names = typeof given === "string" ? [given] : given;
  const fine =
    Array.isArray(names) &&
    names.length > 0 &&
    names.length <= MOST_NAMES &&
    names.every((name) => typeof name === "string" && name.trim() !== "" && name.length <= MOST_NAME);
  return fine
    ? { names: names as string[] }
    : `Nothing was read: names must be a list of 1 to ${MOST_NAMES} names of records, such as ["#deploy-steps"].`;
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
}
