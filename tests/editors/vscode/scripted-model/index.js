// Language models that play what a test tells them. The test reaches them through this extension's exports: both run in
// the same extension host. Registering a model is a proposed API, which run.mjs turns on.

const vscode = require("vscode");

/** `answer`: plays a turn; may report parts, wait, or throw. `seen`: the turns so far, cleared by nobody. */
const state = { answer: async () => {}, seen: [] };

/** Offer a model. `auth`: its use by another extension needs the person's consent. */
state.offer = (id, { auth, most = 100_000, vendor = "scripted" } = {}) =>
  vscode.lm.registerChatModelProvider(
    id,
    {
      async provideLanguageModelResponse(messages, options, from, progress, token) {
        const turn = { id, messages, options, from, token, cancelled: false };
        token.onCancellationRequested(() => (turn.cancelled = true));
        state.seen.push(turn);
        const report = (part) => progress.report({ index: 0, part });
        await state.answer(turn, {
          text: (value) => report(new vscode.LanguageModelTextPart(value)),
          call: (callId, name, input) => report(new vscode.LanguageModelToolCallPart(callId, name, input)),
        });
      },
      provideTokenCount: async (text) => Math.ceil((typeof text === "string" ? text : JSON.stringify(text)).length / 4),
    },
    {
      vendor,
      name: `Scripted ${id}`,
      family: id,
      version: "1",
      maxInputTokens: most,
      maxOutputTokens: 4_000,
      capabilities: { toolCalling: true },
      ...(auth ? { auth: { label: "Scripted models" } } : {}),
    },
  );

/** An answer: hands in one decision, resting on a message that the prompt names. */
state.stages = async (turn, say) => {
  const said = turn.messages.flatMap((message) => message.content.map((part) => part.value ?? "")).join("\n");
  const evidence = [...said.matchAll(/\bM\d{4}\b/g)].map(([id]) => id).at(-2);
  const decision = {
    options: ["Postgres", "Redis"],
    chosen: "Keep the cart in Postgres",
    rationale: "Nobody wants to run another one.",
    evidence: [evidence],
  };
  say.text("I hand in ");
  say.text("what I found.");
  say.call("call-1", "write_extracted", { decisions: [decision] });
};

/** Where nobody is there to tell it otherwise, two models that need consent are offered, and they stage. */
exports.activate = (context) => {
  if (process.env.SCRIPTED_MODELS) {
    state.answer = state.stages;
    context.subscriptions.push(...["small", "large"].map((id) => state.offer(id, { auth: true })));
  }
  return state;
};
