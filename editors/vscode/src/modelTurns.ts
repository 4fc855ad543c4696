// One turn of a language model as the server asks for it, put to a model of the editor and back. Takes the editor's classes
// from its caller, so that tests need no editor; chooses no model that nobody named.

import type * as vscode from "vscode";

export interface TurnMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly arguments: object }[];
  readonly tool_call_id: string | null;
}

/** `asked`: a person started what this is a part of, so the editor may ask them for their consent. */
export interface Question {
  readonly model: string | null;
  readonly asked: boolean;
}

export interface Turn extends Question {
  readonly timeout_s: number;
  readonly messages: readonly TurnMessage[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: object }[];
}

export interface Answer {
  readonly text: string;
  readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly arguments: object }[];
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  readonly model: string;
}

export type Code =
  | "noModel"
  | "untrusted"
  | "noConsent"
  | "denied"
  | "quota"
  | "offline"
  | "timeout"
  | "tooLarge"
  | "cancelled"
  | "failed";

/** Why there is no answer, in a word that the server acts on, and in words for people. */
export class Refusal extends Error {
  constructor(
    readonly code: Code,
    message = "",
  ) {
    super(message);
  }

  plain(): { error: { code: Code; message: string } } {
    return { error: { code: this.code, message: this.message } };
  }
}

type Classes = Pick<
  typeof vscode,
  | "LanguageModelChatMessage"
  | "LanguageModelTextPart"
  | "LanguageModelToolCallPart"
  | "LanguageModelToolResultPart"
  | "CancellationTokenSource"
>;
type Model = Pick<
  vscode.LanguageModelChat,
  "vendor" | "family" | "id" | "name" | "maxInputTokens" | "sendRequest" | "countTokens"
>;
export type ModelFacts = Pick<Model, "vendor" | "family" | "id">;

const JUSTIFICATION = "Omoide extracts and consolidates project memory with it, when you start these steps.";
/** Characters; the longest answer of a model is a tenth of it. */
const MOST_TEXT = 4 * 1024 * 1024;

/** What people and settings call a model: `vendor/family`, and its id where that is not enough. */
export function nameOf(model: ModelFacts, all: readonly ModelFacts[]): string {
  const short = `${model.vendor}/${model.family}`;
  const alone = all.filter(({ vendor, family }) => `${vendor}/${family}` === short).length < 2;
  return alone ? short : `${short}/${model.id}`;
}

/** The model that the first given name stands for; a name nobody has is never passed over for the next one. Undefined
 * where there is a choice that nobody made. */
export function chosen<M extends ModelFacts>(models: readonly M[], set: string, ofProject: string | null): M | undefined {
  if (models.length === 0) {
    throw new Refusal("noModel", "no extension offers one, or none is signed in");
  }
  const [name, by] = set === "" ? [ofProject ?? "", "the project's settings"] : [set, "omoide.model"];
  if (name === "") {
    return models.length === 1 ? models[0] : undefined;
  }
  const found = models.find((model) =>
    [`${model.vendor}/${model.family}/${model.id}`, `${model.vendor}/${model.family}`, model.id, model.family].includes(
      name,
    ),
  );
  if (found === undefined) {
    const there = models.slice(0, 8).map((model) => nameOf(model, models));
    throw new Refusal("noModel", `${by} name ${name.slice(0, 80)}, there are ${there.join(", ")}`);
  }
  return found;
}

/** The conversation as the editor's models take it: no system role, answers of tools from the user, and never two messages
 * of one side in a row, which some models refuse. */
export function messagesOf(classes: Classes, turn: Turn): vscode.LanguageModelChatMessage[] {
  const { LanguageModelChatMessage: Message, LanguageModelTextPart: Text } = classes;
  const sides: { assistant: boolean; parts: Part[] }[] = [];
  for (const message of turn.messages) {
    const assistant = message.role === "assistant";
    const last = sides.at(-1);
    const side = last?.assistant === assistant ? last : { assistant, parts: [] };
    if (side !== last) {
      sides.push(side);
    }
    if (message.role === "tool") {
      const content = [new Text(message.content)];
      side.parts.push(new classes.LanguageModelToolResultPart(message.tool_call_id ?? "", content));
      continue;
    }
    if (message.content !== "" || message.tool_calls.length === 0) {
      side.parts.push(new Text(message.content || "(nothing)"));
    }
    side.parts.push(
      ...message.tool_calls.map((call) => new classes.LanguageModelToolCallPart(call.id, call.name, call.arguments)),
    );
  }
  return sides.map(({ assistant, parts }) =>
    assistant
      ? Message.Assistant(parts as (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[])
      : Message.User(parts as (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart)[]),
  );
}

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart;

/** Put a turn to a model. `allowed`: whether the person's consent is there, else a dialog comes first, whose time is not
 * the model's. Throws a Refusal, at the latest when the time is over or `token` is cancelled, whatever the model does. */
export async function answer(
  classes: Classes,
  model: Model,
  turn: Turn,
  allowed: boolean,
  token: vscode.CancellationToken,
): Promise<Omit<Answer, "model">> {
  const source = new classes.CancellationTokenSource();
  let stop: (refusal: Refusal) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = (refusal) => {
      reject(refusal);
      source.cancel();
    };
  });
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    timer ??= setTimeout(() => {
      stop(new Refusal("timeout", `${turn.timeout_s} s`));
    }, turn.timeout_s * 1000);
  };
  const given = token.onCancellationRequested(() => {
    stop(new Refusal("cancelled"));
  });
  if (allowed) {
    start();
  }
  if (token.isCancellationRequested) {
    stop(new Refusal("cancelled"));
  }
  try {
    return await Promise.race([stopped, put(classes, model, turn, source.token, start)]);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    clearTimeout(timer);
    given.dispose();
    source.dispose();
  }
}

async function put(
  classes: Classes,
  model: Model,
  turn: Turn,
  token: vscode.CancellationToken,
  start: () => void,
): Promise<Omit<Answer, "model">> {
  const input = await counted(model, spoken(turn), token);
  if (input !== undefined && model.maxInputTokens > 0 && input > model.maxInputTokens) {
    throw new Refusal("tooLarge", `${input} tokens, ${model.name} takes ${model.maxInputTokens}`);
  }
  const tools = turn.tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters }));
  const options = { justification: JUSTIFICATION, ...(tools.length > 0 ? { tools } : {}) };
  const response = await model.sendRequest(messagesOf(classes, turn), options, token);
  start();
  let text = "";
  const calls: { id: string; name: string; arguments: object }[] = [];
  for await (const part of response.stream) {
    if (part instanceof classes.LanguageModelTextPart) {
      text += part.value;
    } else if (part instanceof classes.LanguageModelToolCallPart) {
      calls.push({ id: part.callId, name: part.name, arguments: part.input });
    } // Else a part of a later version, such as an image.
    if (token.isCancellationRequested) {
      throw new Refusal("cancelled"); // Not every model stops by itself.
    }
    if (text.length > MOST_TEXT) {
      throw new Refusal("failed", "the answer has no end");
    }
  }
  const made = await counted(model, text + calls.map((it) => it.name + JSON.stringify(it.arguments)).join(""), token);
  const usage = input !== undefined && made !== undefined ? { input_tokens: input, output_tokens: made } : undefined;
  return { text, tool_calls: calls, ...(usage === undefined ? {} : { usage }) };
}

function spoken(turn: Turn): string {
  const said = turn.messages.map((it) => it.content + it.tool_calls.map((call) => JSON.stringify(call)).join(""));
  return [...said, ...turn.tools.map((tool) => JSON.stringify(tool))].join("\n");
}

/** By the model's own tokenizer; undefined where it cannot say, and then the server counts. */
async function counted(model: Model, text: string, token: vscode.CancellationToken): Promise<number | undefined> {
  try {
    const count = await model.countTokens(text, token);
    return Number.isSafeInteger(count) && count > 0 ? count : undefined;
  } catch {
    return undefined;
  }
}

const BY_WORDS: readonly (readonly [Code, RegExp])[] = [
  ["tooLarge", /context.?(length|window|size)|too (long|large|many tokens)|maximum.{0,20}tokens|token limit|\b413\b/i],
  ["quota", /quota|rate.?limit|too many requests|\b429\b|exceeded|premium request/i],
  ["offline", /offline|network|fetch failed|ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|socket|timed? ?out|\b50[234]\b/i],
  ["denied", /not (allowed|permitted|authorized)|unauthorized|forbidden|permission|consent|\b40[13]\b/i],
];

/** What an error of the editor means. The codes are those of LanguageModelError; what a model's own extension throws is
 * known by its words alone. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) {
    return error;
  }
  const { name, code, message, cause } = plainOf(error);
  const said = [message, cause].filter((it) => it !== "").join(": ");
  if (name === "Canceled" || name === "CancellationError" || message === "Canceled") {
    return new Refusal("cancelled");
  }
  const byCode: Readonly<Record<string, Code>> = { NoPermissions: "denied", Blocked: "quota", NotFound: "noModel" };
  const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
  return new Refusal(known ?? BY_WORDS.find(([, words]) => words.test(`${code} ${said}`))?.[0] ?? "failed", said);
}

function plainOf(error: unknown): { name: string; code: string; message: string; cause: string } {
  if (!(error instanceof Error)) {
    return { name: "", code: "", message: String(error), cause: "" };
  }
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    name: error.name,
    code: typeof code === "string" || typeof code === "number" ? String(code) : "",
    message: error.message,
    cause: cause instanceof Error && cause.message !== error.message ? cause.message : "",
  };
}
