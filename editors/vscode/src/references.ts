// The list of places that name a record, opened from the line above it. What names it is the server's business.

import * as vscode from "vscode";
import type { ClientCapabilities, FeatureState, Position, StaticFeature } from "vscode-languageclient/node";

const SHOW_REFERENCES = "omoide.showReferences";

/** Tells the server what this client has and wants of ours: the command, so that it is named in code lenses, to be told
 * how a memory is, that the editor's language models can be asked, and whether the window is in Restricted Mode. */
export class OwnCapabilities implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const others = (capabilities.experimental ?? {}) as { omoide?: object };
    // A window that is trusted later gets a new client.
    const restricted = !vscode.workspace.isTrusted;
    const omoide = { ...others.omoide, commands: [SHOW_REFERENCES], status: true, models: true, restricted };
    capabilities.experimental = { ...others, omoide };
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
