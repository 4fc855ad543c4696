// Which errors say that the server is gone, and which that it is none.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";

import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

import { isOfPipe } from "../src/pipe";

type Told = [error: Error, message: object | undefined, count: number | undefined];

test("a server that is gone is told by the stream too, without a message and a count", async () => {
  const deaf = "require('node:fs').closeSync(0); console.error('now'); setInterval(() => {}, 1000)";
  const server = spawn(process.execPath, ["-e", deaf]);
  const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  try {
    await once(server.stderr, "data");
    const told: Told[] = [];
    const both = new Promise<void>((done) => {
      connection.onError((error) => {
        told.push(error);
        if (told.length === 2) {
          done();
        }
      });
    });
    connection.listen();
    await connection.sendNotification("anything").catch(() => undefined);
    await both;
    assert.deepEqual(told.map(([, , count]) => count).sort(), [1, undefined]);
    assert.deepEqual(told.map(([error]) => isOfPipe(error)), [true, true]);
  } finally {
    connection.dispose();
    server.kill("SIGKILL");
  }
});

test("what is no message of the protocol is no error of the pipe", async () => {
  const input = new PassThrough();
  const connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(new PassThrough()));
  const first = new Promise<Error>((done) => connection.onError(([error]) => { done(error); }));
  connection.listen();
  input.write("Usage: server [options]\r\n\r\n");
  assert.equal(isOfPipe(await first), false);
  connection.dispose();
});
