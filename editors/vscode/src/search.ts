// A quick pick over the records, asked of the server while a person types: to open one, or to name it in a text.

import * as vscode from "vscode";

import { messageOf, type Logs } from "./log";
import type { Memory } from "./memory";
import { reference } from "./nodes";
import { openAt } from "./opening";
import type { Hits, RecordRow } from "./overview";
import type { Server } from "./server";
import { tellInformation } from "./told";
import { counted } from "./words";

const QUIET_MS = 120;
const INSERT: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("insert"), tooltip: "Insert reference" };

interface Found extends vscode.QuickPickItem {
  readonly row: RecordRow;
}

export class Search {
  constructor(
    private readonly memory: Memory,
    private readonly server: Server,
    private readonly logs: Logs,
  ) {}

  /** Let a person look for a record, and open it where the words stand. */
  async open(query = ""): Promise<void> {
    const row = await this.pick("Search memory", query);
    if (row !== undefined) {
      await openAt(vscode.Uri.parse(row.uri), row.line);
    }
  }

  /** Put a reference to a record where the cursor is. */
  async insert(): Promise<void> {
    const row = await this.pick("Insert a reference", "", ["knowledge", "workflow"]);
    if (row !== undefined) {
      await insertText(reference(row.kind, row.slug));
    }
  }

  private async pick(title: string, query: string, kinds?: readonly string[]): Promise<RecordRow | undefined> {
    const folder = await this.memory.folder();
    if (folder === undefined || !(await this.server.start(true))) {
      return undefined;
    }
    const pick = vscode.window.createQuickPick<Found>();
    pick.title = title;
    pick.placeholder = "Words of a record, in any language";
    pick.value = query;
    let asked = 0;
    let timer: NodeJS.Timeout | undefined;
    const look = async () => {
      const number = ++asked;
      const words = pick.value.trim();
      if (words === "") {
        pick.items = [];
        pick.busy = false;
        return;
      }
      pick.busy = true;
      try {
        const { hits, stored } = await this.memory.peek<Hits>("omoide.search", { query: words }, folder);
        if (number === asked) {
          const shown = hits.filter((row) => kinds === undefined || kinds.includes(row.kind));
          pick.items = shown.map((row) => itemOf(row, kinds === undefined));
          pick.title = shown.length > 0 ? title : `${title}: nothing in ${counted(stored, "record")}`;
        }
      } catch (error) {
        this.logs.client.warn(`Search: ${messageOf(error)}`);
        pick.title = `${title}: ${messageOf(error)}`;
      } finally {
        pick.busy = number !== asked;
      }
    };
    pick.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), QUIET_MS);
    });
    const picked = await new Promise<RecordRow | undefined>((resolve) => {
      pick.onDidAccept(() => resolve(pick.selectedItems[0]?.row));
      pick.onDidTriggerItemButton(({ item }) => {
        void insertText(reference(item.row.kind, item.row.slug));
        resolve(undefined);
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
      void look();
    });
    clearTimeout(timer);
    pick.dispose();
    return picked;
  }
}

/** The server has decided what matches, so nothing is filtered here: `alwaysShow`. */
function itemOf(row: RecordRow, withButton: boolean): Found {
  const detail = row.excerpt?.replace(/\s+/g, " ").trim() ?? "";
  return {
    label: reference(row.kind, row.slug),
    description: `${row.kind}${row.description === "" ? "" : ` · ${row.description}`}`,
    detail,
    alwaysShow: true,
    ...(withButton ? { buttons: [INSERT] } : {}),
    row,
  };
}

export async function insertText(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    await vscode.env.clipboard.writeText(text);
    void tellInformation(`Omoide: no editor is open; ${text} is on the clipboard.`);
    return;
  }
  await editor.edit((edit) => editor.selections.forEach((selection) => edit.replace(selection, text)));
}
