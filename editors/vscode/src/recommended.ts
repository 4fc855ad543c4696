// Settings of other parts of VS Code that go well with records. Nothing of it is set without being asked for.

import { copyFile, mkdir, stat } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";

import { tellInformation } from "./told";

const LANGUAGE = "markdown";
/** Completion while one types prose, no words of the same file in the list, and references in color in every theme. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  "editor.quickSuggestions": { other: "on", comments: "off", strings: "off" },
  "editor.wordBasedSuggestions": "off",
  "editor.semanticHighlighting.enabled": true,
};
const SCHEMA = "config.schema.json";
const EVEN_BETTER_TOML = "tamasfe.even-better-toml";
const ASSOCIATIONS = "schema.associations";
const SETTINGS_FILES = "^(.*/\\.(omoide|yoi)/config\\.toml|.*/omoide/config\\.toml)$";

/** Write the defaults for Markdown into the settings of the folder, or into a person's own. */
export async function useLanguageDefaults(target?: "workspace" | "user"): Promise<unknown> {
  const picks = [
    { label: "This workspace", description: "in .vscode/settings.json", target: "workspace" as const },
    { label: "All of my workspaces", description: "in your own settings", target: "user" as const },
  ];
  const title = "Where are the recommended Markdown settings to count?";
  const where = target ?? (await vscode.window.showQuickPick(picks, { title }))?.target;
  if (where === undefined) {
    return undefined;
  }
  const level = vscode.ConfigurationTarget[where === "workspace" ? "Workspace" : "Global"];
  const scope = { languageId: LANGUAGE };
  for (const [name, value] of Object.entries(DEFAULTS)) {
    await vscode.workspace.getConfiguration(undefined, scope).update(name, value, level, true);
  }
  void tellInformation(`Omoide: set for Markdown: ${Object.keys(DEFAULTS).join(", ")}.`);
  return DEFAULTS;
}

/** Let Even Better TOML check and complete `config.toml` by our schema: one line in a person's own settings. */
export async function useSettingsSchema(context: vscode.ExtensionContext): Promise<vscode.Uri | undefined> {
  const copy = path.join(context.globalStorageUri.fsPath, SCHEMA);
  await mkdir(context.globalStorageUri.fsPath, { recursive: true });
  await copyFile(path.join(context.extensionPath, "schemas", SCHEMA), copy);
  const uri = vscode.Uri.file(copy);
  const toml = vscode.workspace.getConfiguration("evenBetterToml");
  const known = toml.inspect<Record<string, string>>(ASSOCIATIONS);
  if (vscode.extensions.getExtension(EVEN_BETTER_TOML) === undefined) {
    // The extension is not there. The path is what other TOML editors want: `#:schema <path>` as the first line.
    await vscode.env.clipboard.writeText(`#:schema ${uri.toString()}`);
    const text = "Even Better TOML is not installed. The line that names the schema in a file is on the clipboard.";
    void tellInformation(`Omoide: ${text}`);
    return uri;
  }
  const all = { ...known?.globalValue, [SETTINGS_FILES]: uri.toString() };
  await toml.update(ASSOCIATIONS, all, vscode.ConfigurationTarget.Global);
  void tellInformation("Omoide: Even Better TOML now knows the settings in config.toml.");
  return uri;
}

/** The copy that was made by the last version, made anew: an extension's own folder changes its name with each. */
export async function refreshSchema(context: vscode.ExtensionContext): Promise<void> {
  const copy = path.join(context.globalStorageUri.fsPath, SCHEMA);
  const [ours, theirs] = await Promise.all(
    [path.join(context.extensionPath, "schemas", SCHEMA), copy].map((file) => stat(file).catch(() => undefined)),
  );
  if (ours !== undefined && theirs !== undefined && ours.size !== theirs.size) {
    await copyFile(path.join(context.extensionPath, "schemas", SCHEMA), copy);
  }
}
