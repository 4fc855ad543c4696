// The editor's own language models for the server: which one, and one turn at a time. People choose it once; nothing is
// sent in Restricted Mode, nor for the first time without their consent.

import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient/node";

import { type Logs, messageOf } from "./log";
import { answer, type Answer, chosen, nameOf, type Question, Refusal, refusalOf, type Turn } from "./modelTurns";
import { SECTION } from "./settings";
import { tellInformation, tellWarning } from "./told";

const MODEL = "omoide/model";
const TURN = "omoide/modelTurn";
const NAME = "editor";

type Refused = ReturnType<Refusal["plain"]>;

export class EditorModels {
  constructor(
    private readonly logs: Logs,
    private readonly access: vscode.LanguageModelAccessInformation,
  ) {}

  /** Answer a client's server when it asks. */
  serve(client: BaseLanguageClient): void {
    client.onRequest(MODEL, (question: Question) =>
      this.told(async () => {
        const [model, name] = await this.model(question);
        return { model: name, name: model.name, max_input_tokens: model.maxInputTokens };
      }),
    );
    client.onRequest(TURN, (turn: Turn, token: vscode.CancellationToken) => this.told(() => this.turn(turn, token)));
  }

  /** Let a person choose. The name of the model, undefined where they chose none. */
  async choose(): Promise<string | undefined> {
    const models = await vscode.lm.selectChatModels({});
    if (models.length === 0) {
      const text = "Omoide: this editor offers no language model. Sign in to an extension that does, such as GitHub Copilot.";
      void tellWarning(text);
      return undefined;
    }
    const name = await this.pick(models);
    const settings = vscode.workspace.getConfiguration(SECTION);
    if (name !== undefined && settings.get<string>("provider", "") !== NAME) {
      // Not awaited: the choice is made, whatever becomes of the message.
      const text = `Omoide will use ${name} wherever the provider is \`${NAME}\`.`;
      void tellInformation(text, "Use It from Now On").then((button) => {
        if (button !== undefined) {
          void settings.update("provider", NAME, vscode.ConfigurationTarget.Global);
        }
      });
    }
    return name;
  }

  private async pick(models: readonly vscode.LanguageModelChat[]): Promise<string | undefined> {
    const picks = models.map((model) => ({
      label: model.name || model.family,
      description: nameOf(model, models),
      detail: `Takes up to ${model.maxInputTokens.toLocaleString("en-US")} tokens.`,
    }));
    const title = "Which model should Omoide use?";
    const placeHolder = "Asked when you extract or consolidate; it counts toward your plan there.";
    const picked = await vscode.window.showQuickPick(picks, { title, placeHolder, matchOnDescription: true });
    if (picked !== undefined) {
      const settings = vscode.workspace.getConfiguration(SECTION);
      await settings.update("model", picked.description, vscode.ConfigurationTarget.Global);
    }
    return picked?.description;
  }

  /** The model that would answer, with its name. Of several that nobody chose from, only a person may choose. */
  private async model(question: Question): Promise<[vscode.LanguageModelChat, string]> {
    if (!vscode.workspace.isTrusted) {
      throw new Refusal("untrusted");
    }
    const models = await vscode.lm.selectChatModels({});
    const set = vscode.workspace.getConfiguration(SECTION).get<string>("model", "").trim();
    const found = chosen(models, set, question.model) ?? (await this.asked(models, question.asked));
    return [found, nameOf(found, models)];
  }

  private async asked(
    models: readonly vscode.LanguageModelChat[],
    mayAsk: boolean,
  ): Promise<vscode.LanguageModelChat> {
    if (!mayAsk) {
      throw new Refusal("noModel", `there are ${models.length}, and none is chosen`);
    }
    const name = await this.pick(models);
    const found = models.find((model) => nameOf(model, models) === name);
    if (found === undefined) {
      throw new Refusal("cancelled");
    }
    return found;
  }

  private async turn(turn: Turn, token: vscode.CancellationToken): Promise<Answer> {
    const [model, name] = await this.model(turn);
    const allowed = this.access.canSendRequest(model) === true;
    if (!allowed && !turn.asked) {
      throw new Refusal("noConsent");
    }
    const begun = Date.now();
    const found = await answer(vscode, model, turn, allowed, token);
    this.logs.client.debug(`${name} answered after ${Date.now() - begun} ms with ${found.tool_calls.length} calls.`);
    return { ...found, model: name };
  }

  /** The answer, or why there is none: whatever goes wrong here, the server is told in its terms. */
  private async told<Found>(work: () => Promise<Found>): Promise<Found | Refused> {
    try {
      return await work();
    } catch (error) {
      const refusal = refusalOf(error);
      this.logs.client.warn(`No answer of the editor's model (${refusal.code}): ${messageOf(error)}`);
      return refusal.plain();
    }
  }
}
