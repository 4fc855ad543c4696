// A VS Code to drive: code-server on a free port of 127.0.0.1 and a headless chromium that looks at it.
// RESTRICTED, where it is set, means that the workspace is not trusted.
// Needs CODE_SERVER (its executable), CHROMIUM, WORKSPACE (a folder) and STATE (a folder for everything VS Code writes).

import { spawn } from "node:child_process";
import { mkdir, open, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";

const SETTINGS = {
  "workbench.startupEditor": "none",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "update.mode": "none",
};
/** A workspace that nobody trusts, without the question. */
const RESTRICTED = { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" };
const CHROMIUM_FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

export function required(name) {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set`);
  }
  return value;
}

/** Open VS Code, hand `{ page, port }` to `use`, and take everything down again whatever happens. */
export async function withVSCode(use, { settings = {}, viewport } = {}) {
  const port = await freePort();
  const server = await startCodeServer(port, { ...SETTINGS, ...(process.env.RESTRICTED ? RESTRICTED : {}), ...settings });
  let browser;
  try {
    browser = await chromium.launch({ executablePath: required("CHROMIUM"), headless: true, args: CHROMIUM_FLAGS });
    const context = await browser.newContext(viewport ? { viewport } : {});
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    return await use({ page: await context.newPage(), port });
  } finally {
    await browser?.close();
    await endGroup(server);
  }
}

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

async function startCodeServer(port, settings) {
  const state = required("STATE");
  const user = path.join(state, "user");
  await mkdir(path.join(user, "User"), { recursive: true });
  await writeFile(path.join(user, "User/settings.json"), JSON.stringify(settings));
  const log = await open(path.join(state, "code-server.log"), "w");
  const server = spawn(
    required("CODE_SERVER"),
    [
      "--config", path.join(state, "config.yaml"), "--auth", "none", "--bind-addr", `127.0.0.1:${port}`,
      "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override",
      ...(process.env.RESTRICTED ? [] : ["--disable-workspace-trust"]),
      "--user-data-dir", user, "--extensions-dir", path.join(state, "extensions"), required("WORKSPACE"),
    ],
    {
      detached: true, // A group of its own: extension hosts outlive their page.
      stdio: ["ignore", log.fd, log.fd],
      env: { ...process.env, VSCODE_CLI: "1" }, // Keep this environment: no login shell is asked for another PATH.
    },
  );
  await log.close();
  for (let tries = 0; tries < 300; tries += 1) {
    const up = await fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false);
    if (up) {
      return server;
    }
    if (server.exitCode !== null) {
      break;
    }
    await sleep(100);
  }
  await endGroup(server);
  throw new Error(`code-server did not come up; see ${path.join(state, "code-server.log")}`);
}

async function endGroup(server) {
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    try {
      process.kill(-server.pid, signal);
    } catch {
      return; // The group is gone.
    }
    await sleep(500);
  }
}
