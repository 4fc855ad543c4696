// The usage report in a panel. The page is the server's, which is whole in itself: no script, nothing loaded.

import * as vscode from "vscode";

import type { Memory } from "./memory";
import { themed } from "./page";

let panel: vscode.WebviewPanel | undefined;

export async function showReport(memory: Memory): Promise<string | undefined> {
  const found = await memory.ask<{ html: string }>("omoide.usageReport", { html: true });
  if (found === undefined) {
    return undefined;
  }
  if (panel === undefined) {
    const options = { enableScripts: false, enableFindWidget: true, localResourceRoots: [] };
    panel = vscode.window.createWebviewPanel(
      "omoide.usage",
      "Omoide: Use of Records",
      vscode.ViewColumn.Active,
      options,
    );
    panel.onDidDispose(() => (panel = undefined));
  }
  panel.webview.html = themed(found.html);
  panel.reveal();
  return panel.webview.html;
}
