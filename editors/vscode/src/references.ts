// The list of places that name a record, opened from the line above it. What names it is the server's business.

import * as vscode from "vscode";
import type { ClientCapabilities, FeatureState, Position, StaticFeature } from "vscode-languageclient/node";

const SHOW_REFERENCES = "omoide.showReferences";

/** Tells the server what this client has and wants of ours: the command, so that it is named in code lenses, to be told
 * how a memory is, and that the editor's language models can be asked. */
export class OwnCapabilities implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const others = (capabilities.experimental ?? {}) as { omoide?: object };
    capabilities.experimental = { ...others, omoide: { ...others.omoide, commands: [SHOW_REFERENCES], status: true, models: true } };
  }

  initialize(): void {}

  getState(): FeatureState {
    return { kind: "static" };
  }

  clear(): void {}
}

export function registerReferences(): vscode.Disposable {
  return vscode.commands.registerCommand(SHOW_REFERENCES, showReferences);
}

async function showReferences(uri: string, position: Position): Promise<void> {
  const target = vscode.Uri.parse(uri);
  const place = new vscode.Position(position.line, position.character);
  const found = await vscode.commands.executeCommand<vscode.Location[]>(
    "vscode.executeReferenceProvider",
    target,
    place,
  );
  await vscode.commands.executeCommand("editor.action.showReferences", target, place, found);
}
