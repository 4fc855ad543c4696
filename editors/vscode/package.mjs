// Packs the extension as it is published: `node package.mjs [FILE]` (omoide.vsix). The same sources make the same bytes,
// whenever and in whatever time zone. Builds nothing: `npm run package` does that before.

import { chmod } from "node:fs/promises";
import path from "node:path";
import { createVSIX, listFiles, PackageManager } from "@vscode/vsce";

const cwd = import.meta.dirname;
/** The first instant that a zip file can hold; vsce dates and sorts all entries when it is told one. */
const FIRST_DATE = "315532800";

process.env.SOURCE_DATE_EPOCH ||= FIRST_DATE;
process.env.TZ = "UTC"; // Zip files hold local times.
for (const file of await listFiles({ cwd, packageManager: PackageManager.None })) {
  await chmod(path.join(cwd, file), 0o644); // In a checkout they are what somebody's umask made them.
}
await createVSIX({
  cwd,
  packagePath: path.resolve(process.argv[2] ?? path.join(cwd, "omoide.vsix")),
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
