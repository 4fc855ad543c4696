// The report in a panel may load nothing, and a server of another version is told from one of ours.

import assert from "node:assert/strict";
import { test } from "node:test";

import { themed } from "../src/page";
import { isOlder } from "../src/version";

test("the policy stands before anything it is to hold for, and the theme's colors come last", () => {
  const page = themed("<html><head><title>t</title><style>a</style></head><body>b</body></html>");
  assert.match(
    page,
    /<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>/,
  );
  assert.match(page, /<style>a<\/style><style>[^<]*--vscode-editor-foreground[^<]*<\/style><\/head>/);
  assert.throws(() => themed("no page"));
});

test("a server is older by its first two numbers", () => {
  assert.deepEqual(
    [
      ["0.1.0", "0.1.3"],
      ["0.1.9", "0.2.0"],
      ["1.0", "0.9.1"],
      [undefined, "0.1.0"],
      ["dev", "0.1.0"],
    ].map(([is, want]) => isOlder(is, want ?? "")),
    [false, true, false, false, false],
  );
});
