// What a model may hand to the tools of agent mode, and what it is told where it may not.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readInput, searchInput } from "../src/toolInput";

function said(parsed: object | string): string {
  return typeof parsed === "string" ? parsed : `accepted: ${JSON.stringify(parsed)}`;
}

test("a search takes words and a limit, nothing else", () => {
  assert.deepEqual(searchInput({ query: "redis 保存" }), { query: "redis 保存" });
  assert.deepEqual(searchInput({ query: "redis", limit: 3, more: 1 }), { query: "redis", limit: 3 });
  for (const input of [undefined, null, 7, "redis", {}, { query: "" }, { query: " " }, { query: 7 }, { query: ["a"] }]) {
    assert.match(said(searchInput(input)), /^Nothing was searched: query/);
  }
  assert.match(said(searchInput({ query: "x".repeat(2001) })), /2000 characters/);
  for (const limit of [0, -1, 1.5, "3", Number.NaN]) {
    assert.match(said(searchInput({ query: "a", limit })), /limit must be/);
  }
});

test("a read takes names, few and short", () => {
  assert.deepEqual(readInput({ names: ["#deploy-steps"] }), { names: ["#deploy-steps"] });
  assert.deepEqual(readInput({ names: "#deploy-steps" }), { names: ["#deploy-steps"] });
  const wrong = [undefined, {}, { names: [] }, { names: [7] }, { names: [""] }, { names: ["x".repeat(101)] }];
  for (const input of [...wrong, { names: Array.from({ length: 21 }, () => "a") }, { names: { 0: "a" } }]) {
    assert.match(said(readInput(input)), /^Nothing was read: names must be/);
  }
});
