// Runs vscode-markdown-languageserver for a client that knows nothing of it: serves the seven requests that this server
// has for its editor (a parser, files, watchers) and passes on all else.
//
//   node vscode_markdown.cjs FOLDER-WITH-node_modules WORKSPACE
"use strict";
const fs = require("fs");
const path = require("path");
const { spawn } = require("child_process");
const { fileURLToPath, pathToFileURL } = require("url");

const modules = path.join(path.resolve(process.argv[2]), "node_modules");
const workspace = path.resolve(process.argv[3]);
const parser = require(path.join(modules, "markdown-it"))({ html: true });
const main = path.join(modules, "vscode-markdown-languageserver", "dist", "node", "workerMain.js");
const server = spawn(process.execPath, [main, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
server.on("exit", () => process.exit(0));

function frames(source, onMessage) {
  let waiting = Buffer.alloc(0);
  source.on("data", (data) => {
    waiting = Buffer.concat([waiting, data]);
    for (;;) {
      const head = waiting.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(waiting.toString("ascii", 0, head))[1]);
      if (waiting.length < head + 4 + length) return;
      onMessage(waiting.subarray(head + 4, head + 4 + length));
      waiting = waiting.subarray(head + 4 + length);
    }
  });
}

function send(target, body) {
  target.write(`Content-Length: ${body.length}\r\n\r\n`);
  target.write(body);
}

function found(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inner = path.join(folder, entry.name);
    if (entry.name.startsWith(".")) return [];
    return entry.isDirectory() ? found(inner) : entry.name.endsWith(".md") ? [pathToFileURL(inner).href] : [];
  });
}

const opened = new Map(); // whole texts by URI: the client sends no parts

function watch(body) {
  const { method, params } = body.includes("textDocument/did") ? JSON.parse(body.toString("utf8")) : {};
  if (method === "textDocument/didOpen") opened.set(params.textDocument.uri, params.textDocument.text);
  if (method === "textDocument/didChange") opened.set(params.textDocument.uri, params.contentChanges.at(-1).text);
}

const SERVED = {
  "markdown/parse": ({ uri, text }) =>
    parser.parse(text ?? opened.get(uri) ?? fs.readFileSync(fileURLToPath(uri), "utf8"), {}),
  "markdown/fs/readFile": ({ uri }) => [...fs.readFileSync(fileURLToPath(uri))],
  "markdown/fs/readDirectory": ({ uri }) =>
    fs.readdirSync(fileURLToPath(uri), { withFileTypes: true }).map((e) => [e.name, { isDirectory: e.isDirectory() }]),
  "markdown/fs/stat": ({ uri }) => {
    const stat = fs.statSync(fileURLToPath(uri), { throwIfNoEntry: false });
    return stat ? { isDirectory: stat.isDirectory() } : null;
  },
  "markdown/fs/watcher/create": () => null,
  "markdown/fs/watcher/delete": () => null,
  "markdown/findMarkdownFilesInWorkspace": () => found(workspace),
};

frames(process.stdin, (body) => {
  watch(body);
  send(server.stdin, body);
});
process.stdin.on("end", () => server.kill());
frames(server.stdout, (body) => {
  // Only what may be one of the seven is parsed: an answer of megabytes is not our business.
  const message = body.subarray(0, 200).includes('"markdown/') ? JSON.parse(body.toString("utf8")) : {};
  if (!(message.method in SERVED)) return send(process.stdout, body);
  let answer;
  try {
    answer = { result: SERVED[message.method](message.params) ?? null };
  } catch (error) {
    answer = { error: { code: -32603, message: String(error) } };
  }
  send(server.stdin, Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer })));
});
