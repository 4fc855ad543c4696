// A turn of a model as the editor sees it, and what becomes of whatever a model does. The classes are plain stand-ins.

import assert from "node:assert/strict";
import { test } from "node:test";
import type * as vscode from "vscode";

import { answer, chosen, type Code, messagesOf, nameOf, Refusal, refusalOf, type Turn } from "../src/modelTurns";

class Text {
  constructor(readonly value: string) {}
}
class Call {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}
class Result {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}
class Token {
  isCancellationRequested = false;
  private readonly listeners: (() => void)[] = [];
  readonly onCancellationRequested = (listener: () => void) => {
    this.listeners.push(listener);
    return { dispose: () => undefined };
  };
  cancel(): void {
    this.isCancellationRequested = true;
    for (const listener of this.listeners) {
      listener();
    }
  }
}
class Source {
  readonly token = new Token();
  cancel(): void {
    this.token.cancel();
  }
  dispose(): void {}
}
const message = (role: string) => (parts: unknown) => ({ role, parts });
const CLASSES = {
  LanguageModelChatMessage: { User: message("user"), Assistant: message("assistant") },
  LanguageModelTextPart: Text,
  LanguageModelToolCallPart: Call,
  LanguageModelToolResultPart: Result,
  CancellationTokenSource: Source,
} as unknown as Parameters<typeof answer>[0];

const TURN: Turn = {
  model: null,
  asked: true,
  timeout_s: 30,
  messages: [
    { role: "system", content: "SYSTEM", tool_calls: [], tool_call_id: null },
    { role: "user", content: "INPUT", tool_calls: [], tool_call_id: null },
    {
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "c1", name: "look", arguments: { at: 1 } },
        { id: "c2", name: "look", arguments: { at: 2 } },
      ],
      tool_call_id: null,
    },
    { role: "tool", content: "one", tool_calls: [], tool_call_id: "c1" },
    { role: "tool", content: "two", tool_calls: [], tool_call_id: "c2" },
    { role: "user", content: "Go on.", tool_calls: [], tool_call_id: null },
  ],
  tools: [{ name: "look", description: "Look.", parameters: { type: "object" } }],
};

interface Script {
  parts?: unknown[];
  tokens?: number | Error;
  most?: number;
  send?: (token: Token) => Promise<unknown>;
}

function model({ parts = [], tokens = 7, most = 1000, send }: Script) {
  const sent: { messages: unknown; options: vscode.LanguageModelChatRequestOptions }[] = [];
  const scripted = {
    vendor: "scripted",
    family: "small",
    id: "one",
    name: "Small",
    maxInputTokens: most,
    countTokens: () => (tokens instanceof Error ? Promise.reject(tokens) : Promise.resolve(tokens)),
    sendRequest: async (messages: unknown, options: vscode.LanguageModelChatRequestOptions, token: Token) => {
      sent.push({ messages, options });
      await send?.(token);
      return {
        stream: (async function* () {
          for (const part of parts) {
            await Promise.resolve();
            if (part instanceof Error) {
              throw part;
            }
            yield part;
          }
        })(),
      };
    },
  };
  return { sent, model: scripted as unknown as Parameters<typeof answer>[1] };
}

function put(script: Script, turn = TURN, token = new Token(), allowed = true) {
  const made = model(script);
  return { ...made, done: answer(CLASSES, made.model, turn, allowed, token as unknown as vscode.CancellationToken) };
}

async function code(done: Promise<unknown>): Promise<Code | undefined> {
  return done.then(
    () => undefined,
    (error: unknown) => (error as Refusal).code,
  );
}

test("there is no system role, tools are answered by the user, and the sides take turns", () => {
  const messages = messagesOf(CLASSES, TURN) as unknown as { role: string; parts: unknown[] }[];
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
  assert.deepEqual(messages[0]?.parts, [new Text("SYSTEM"), new Text("INPUT")]);
  assert.deepEqual(messages[1]?.parts, [new Call("c1", "look", { at: 1 }), new Call("c2", "look", { at: 2 })]);
  assert.deepEqual(messages[2]?.parts, [
    new Result("c1", [new Text("one")]),
    new Result("c2", [new Text("two")]),
    new Text("Go on."),
  ]);
});

test("no part is empty, which some models refuse", () => {
  const silent = { role: "assistant", content: "", tool_calls: [], tool_call_id: null } as const;
  const [only] = messagesOf(CLASSES, { ...TURN, messages: [silent] }) as unknown as { parts: Text[] }[];
  assert.notEqual(only?.parts[0]?.value, "");
});

test("text and calls are gathered, other parts passed over, tokens counted by the model", async () => {
  const { done, sent } = put({ parts: [new Text("so"), { image: 1 }, new Text(" it is"), new Call("c", "look", {})] });
  assert.deepEqual(await done, {
    text: "so it is",
    tool_calls: [{ id: "c", name: "look", arguments: {} }],
    usage: { input_tokens: 7, output_tokens: 7 },
  });
  assert.deepEqual(sent[0]?.options.tools, [
    { name: "look", description: "Look.", inputSchema: { type: "object" } },
  ]);
  assert.match(sent[0].options.justification ?? "", /Omoide/);
});

test("a turn without tools offers none", async () => {
  const { done, sent } = put({ parts: [new Text("a")] }, { ...TURN, tools: [] });
  await done;
  assert.equal("tools" in (sent[0]?.options ?? {}), false);
});

test("who cannot count leaves it to the server", async () => {
  for (const tokens of [new Error("no tokenizer"), 0, Number.NaN]) {
    assert.equal("usage" in (await put({ parts: [new Text("a")], tokens }).done), false);
  }
});

test("what does not fit is refused before anything is sent", async () => {
  const { done, sent } = put({ tokens: 2000, most: 1000 });
  assert.equal(await code(done), "tooLarge");
  assert.equal(sent.length, 0);
});

test("an answer without end is ended", async () => {
  const big = "x".repeat(1024 * 1024);
  assert.equal(await code(put({ parts: Array.from({ length: 9 }, () => new Text(big)) }).done), "failed");
});

test("a failure in the middle of an answer is no answer", async () => {
  assert.equal(await code(put({ parts: [new Text("a"), new Error("fetch failed")] }).done), "offline");
});

test("giving up reaches the model at once, and one that does not listen is not waited for", async () => {
  const token = new Token();
  let heard = false;
  const send = (given: Token) => {
    given.onCancellationRequested(() => (heard = true));
    return new Promise<void>(() => undefined);
  };
  const { done } = put({ send }, TURN, token);
  setImmediate(() => {
    token.cancel();
  });
  assert.equal(await code(done), "cancelled");
  assert.equal(heard, true);
  const early = new Token();
  early.cancel();
  assert.equal(await code(put({ send }, TURN, early).done), "cancelled");
});

test("a model that takes too long is given up", async () => {
  const send = () => new Promise<void>(() => undefined);
  assert.equal(await code(put({ send }, { ...TURN, timeout_s: 0.01 }).done), "timeout");
});

test("the time for a person's consent is not the model's", async () => {
  const send = () => new Promise<void>((resolve) => setTimeout(resolve, 40));
  const turn = { ...TURN, timeout_s: 0.02 };
  assert.equal(await code(put({ send, parts: [new Text("a")] }, turn, new Token(), false).done), undefined);
  assert.equal(await code(put({ send, parts: [new Text("a")] }, turn).done), "timeout");
});

test("every error of the editor is a refusal that says what to do about", () => {
  const named = (name: string, text: string, more: object = {}) => Object.assign(new Error(text), { name, ...more });
  const cases: [unknown, Code][] = [
    [named("LanguageModelError", "no", { code: "NoPermissions" }), "denied"],
    [named("LanguageModelError", "no", { code: "Blocked" }), "quota"],
    [named("LanguageModelError", "no", { code: "NotFound" }), "noModel"],
    [named("LanguageModelError", "", { code: "Unknown", cause: new Error("rate limit exceeded") }), "quota"],
    [named("Error", "Request Failed: 429 Too Many Requests"), "quota"],
    [named("Error", "prompt is too long: 200000 tokens > maximum of 128000 tokens"), "tooLarge"],
    [named("Error", "model_max_prompt_tokens_exceeded: context length"), "tooLarge"],
    [named("Error", "getaddrinfo ENOTFOUND api.example"), "offline"],
    [named("Error", "403 Forbidden"), "denied"],
    [named("Canceled", "Canceled"), "cancelled"],
    [named("Error", "something else", { code: "toString" }), "failed"],
    ["a text", "failed"],
    [undefined, "failed"],
    [new Refusal("noConsent"), "noConsent"],
  ];
  for (const [error, expected] of cases) {
    assert.equal(refusalOf(error).code, expected, String(error));
  }
  assert.deepEqual(refusalOf(new Error("why")).plain(), { error: { code: "failed", message: "why" } });
});

const MODELS = [
  { vendor: "copilot", family: "gpt", id: "gpt-1" },
  { vendor: "copilot", family: "gpt", id: "gpt-2" },
  { vendor: "other", family: "small", id: "s" },
];

test("a model is called by vendor and family, and by its id where that is not enough", () => {
  assert.deepEqual(
    MODELS.map((it) => nameOf(it, MODELS)),
    ["copilot/gpt/gpt-1", "copilot/gpt/gpt-2", "other/small"],
  );
});

test("the person's choice comes before the project's; a name nobody has is never passed over", () => {
  assert.equal(chosen(MODELS, "other/small", "gpt-1")?.id, "s");
  assert.equal(chosen(MODELS, "", "gpt-2")?.id, "gpt-2");
  assert.equal(chosen(MODELS, "", "copilot/gpt")?.id, "gpt-1");
  assert.equal(chosen(MODELS, "copilot/gpt/gpt-2", null)?.id, "gpt-2");
  assert.throws(() => chosen(MODELS, "none/such", "gpt-1"), /omoide\.model name none\/such, there are copilot/);
  assert.throws(() => chosen(MODELS, "", "gpt-9"), /project's settings/);
});

test("the only model is used, of several none without a choice, and no model is a refusal", () => {
  assert.equal(chosen(MODELS.slice(2), "", null)?.id, "s");
  assert.equal(chosen(MODELS, "", null), undefined);
  assert.throws(
    () => chosen([], "", null),
    (error: unknown) => error instanceof Refusal && error.code === "noModel",
  );
});
