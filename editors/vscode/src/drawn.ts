// References drawn by what they lead to: a record, one that was replaced, or none. The server tells it, as semantic tokens.

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

import { drawnPlaces, type Place } from "./tokens";

const QUIET_MS = 100;

/** Middleware that looks at the tokens on their way, and the decorations that follow from them. */
export class Drawn implements vscode.Disposable {
  private readonly replaced = vscode.window.createTextEditorDecorationType({
    textDecoration: "line-through",
    color: new vscode.ThemeColor("omoide.replacedReference"),
  });
  private readonly unknown = vscode.window.createTextEditorDecorationType({
    textDecoration: "underline dotted",
    color: new vscode.ThemeColor("omoide.unknownReference"),
  });
  private readonly resolved = vscode.window.createTextEditorDecorationType({
    color: new vscode.ThemeColor("omoide.resolvedReference"),
  });
  private readonly places = new Map<string, readonly Place[]>();
  private readonly subscriptions = [
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.draw(editor))),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.places.delete(uri.toString())),
  ];

  readonly middleware: Middleware = {
    provideDocumentSemanticTokens: async (document, token, next) => {
      const { version } = document;
      const tokens = await next(document, token);
      // The text may have changed while the server thought; then it is asked again anyway.
      if (document.version === version && !token.isCancellationRequested) {
        this.take(document.uri, tokens?.data);
      }
      return tokens;
    },
  };

  dispose(): void {
    vscode.Disposable.from(this.replaced, this.unknown, this.resolved, ...this.subscriptions).dispose();
  }

  /** Nothing is drawn when the server is gone: it would grow old. */
  clear(): void {
    for (const uri of this.places.keys()) {
      this.places.set(uri, []);
    }
    vscode.window.visibleTextEditors.forEach((editor) => this.draw(editor));
    this.places.clear();
  }

  private take(uri: vscode.Uri, data: Uint32Array | undefined): void {
    this.places.set(uri.toString(), drawnPlaces(data ?? new Uint32Array()));
    setTimeout(() => {
      vscode.window.visibleTextEditors
        .filter((editor) => editor.document.uri.toString() === uri.toString())
        .forEach((editor) => this.draw(editor));
    }, QUIET_MS);
  }

  private draw(editor: vscode.TextEditor): void {
    const places = this.places.get(editor.document.uri.toString());
    if (places === undefined) {
      return;
    }
    const of = (state: Place["state"]) =>
      places
        .filter((it) => it.state === state)
        .map(({ line, start, length }) => new vscode.Range(line, start, line, start + length));
    editor.setDecorations(this.resolved, of("resolved"));
    editor.setDecorations(this.replaced, of("replaced"));
    editor.setDecorations(this.unknown, of("unknown"));
  }
}
