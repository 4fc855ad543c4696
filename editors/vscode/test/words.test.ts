// What is told to people: words of others stay words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { unlinked } from "../src/words";

// As VS Code looks for links in the text of a message (its linkedText.ts).
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

test("a message with words of others holds no link that runs a command", () => {
  const text = "Omoide: there is no `[Repair](command:workbench.action.terminal.sendSequence?%7B%7D)` and [b](file:///x).";
  assert.match(text, LINK);
  assert.doesNotMatch(unlinked(text), LINK);
  assert.equal(unlinked(text).replaceAll("\u2060", ""), text);
});
