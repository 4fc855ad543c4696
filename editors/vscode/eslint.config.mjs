// typescript-eslint's strict rules with types, over sources and tests. Each exception says why.

import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["out/", "node_modules/"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // A number in a text for people is what it looks like.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `() => void thenable` is how this code says that nobody waits.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreVoidOperator: true, ignoreArrowShorthand: true }],
      "@typescript-eslint/no-meaningless-void-operator": "off",
      // An empty function is a disposable, a default or a hook that has nothing to do.
      "@typescript-eslint/no-empty-function": "off",
      // Asked for one value of many, an index says more than `for (const it of ...)` with a counter beside it.
      "@typescript-eslint/prefer-for-of": "off",
      // A leading underscore says that a name only takes something out of the rest.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // Code points are what a limit of characters counts.
      "@typescript-eslint/no-misused-spread": "off",
      eqeqeq: "error",
      "no-console": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["src/**"],
    ignores: ["src/told.ts"],
    // Words of others in a message could be links that run commands.
    rules: { "no-restricted-properties": ["error", ...["Information", "Warning", "Error"].map((kind) => ({ property: `show${kind}Message`, message: "Use told.ts, which shows words of others as text." }))] },
  },
  {
    files: ["test/**"],
    // `test()` of node:test answers a promise that nobody has to wait for.
    rules: { "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", name: ["test", "describe", "it"], package: "node:test" }] }] },
  },
);
