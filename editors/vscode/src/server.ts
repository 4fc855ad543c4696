// The language server's life: found, started, restarted, stopped; and the requests that commands send to it.

import * as vscode from "vscode";
import type { LanguageClient, LanguageClientOptions, Middleware } from "vscode-languageclient/node";

import { Drawn } from "./drawn";
import { type Logs, messageOf } from "./log";
import { CancellableProgress } from "./progress";
import { installers, runInstaller } from "./install";
import type { EditorModels } from "./model";
import { statusLine } from "./nodes";
import type { Status } from "./overview";
import { OwnCapabilities } from "./references";
import { findServer, PATH, plainSettings, SECTION, type ServerCommand } from "./settings";
import { tick } from "./ticks";
import { tellError, tellInformation, tellWarning } from "./told";
import { isOlder } from "./version";
import { unlinked } from "./words";

const INSTALL = "Install it (pipx install omoide, or uv tool install omoide), or name it in the settings.";
const BY_HAND = "Install Omoide into a Python environment and select it, or name it in `omoide.interpreter`.";
const STATUS = "omoide/status";
/** As the client library numbers its states. It is loaded when a server is started: most of what an activation costs. */
const STATES = ["", "stopped", "running", "starting"];

function stateOf(client: LanguageClient | undefined): string | undefined {
  return client && STATES[client.state];
}

/** At most one client at a time. Starting, restarting and stopping wait for each other. */
export class Server implements vscode.Disposable {
  command: ServerCommand | undefined;
  private readonly statusOf = new Map<string, Status>();
  private readonly statusChanges = new vscode.EventEmitter<readonly Status[]>();
  /** How the memories are, whenever one of them is otherwise than before; empty when the server is gone. */
  readonly onDidChangeStatus = this.statusChanges.event;
  private client: LanguageClient | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  /** Whether a memory or a person wanted it: a setting that changes starts no server that nobody asked for. */
  private wanted = false;
  private explained = false;
  private readonly progress = new CancellableProgress(() => this.client);
  private readonly drawn = new Drawn();
  private readonly status = vscode.languages.createLanguageStatusItem("omoide.server", { scheme: "file" });

  constructor(
    private readonly logs: Logs,
    private readonly version: string,
    private readonly models: EditorModels,
  ) {
    this.status.name = "Omoide";
    this.show("Omoide", "not started: no memory here");
  }

  /** Start the server unless it runs. `asked`: a person waits for it, so a failure is always told in a message. */
  start(asked: boolean): Promise<boolean> {
    this.wanted = true;
    return this.inTurn(async () => {
      if (stateOf(this.client) === "starting") {
        await this.client?.start().catch(() => undefined); // After a crash the client starts again by itself.
      }
      if (stateOf(this.client) === "running") {
        return true;
      }
      await this.stopClient();
      return this.startClient(asked);
    });
  }

  /** Stop the server, wait until it is gone, and start a new client: an old one stops trying after a few crashes. */
  restart(asked = true): Promise<boolean> {
    this.wanted = true;
    return this.inTurn(async () => {
      await this.stopClient();
      return this.startClient(asked);
    });
  }

  /** The same, unless nobody wanted a server so far. */
  async restartIfWanted(asked = true): Promise<void> {
    if (this.wanted) {
      await this.restart(asked);
    }
  }

  /** The same where another program is found now than the one that was started. */
  async restartIfOther(): Promise<void> {
    const found = await findServer();
    const same = "command" in found && found.command === this.command?.command && found.origin === this.command.origin;
    if (!same) {
      await this.restartIfWanted(false);
    }
  }

  /** The `omoide` command line that belongs to the server; undefined after the person was told why there is none. */
  async commandLine(): Promise<readonly string[] | undefined> {
    const found = await findServer();
    if ("problem" in found) {
      await this.explainMissing(found.problem, found.setting);
      return undefined;
    }
    if (found.cli === undefined) {
      const text = "`omoide.server.command` names a server only: run `omoide` in a terminal yourself.";
      void tellWarning(text);
    }
    return found.cli;
  }

  /** Let a person choose a way to install the server. */
  async install(): Promise<void> {
    const ways = await installers();
    const picks = ways.map((way) => ({ label: way.title, description: [way.program, ...way.args].join(" "), way }));
    if (picks.length === 0) {
      void tellInformation(`Neither uv nor pipx was found. ${BY_HAND}`);
      return;
    }
    const picked = await vscode.window.showQuickPick(picks, { title: "Install the Omoide server" });
    if (picked !== undefined) {
      await runInstaller(picked.way, () => void this.restart());
    }
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.stopClient());
  }

  /** Run a command of the server. Throws what the server answers with when it cannot. */
  async execute<Answer>(command: string, argument: object): Promise<Answer> {
    if (this.client === undefined) {
      throw new Error("The Omoide server is not running.");
    }
    return this.client.sendRequest<Answer>("workspace/executeCommand", { command, arguments: [argument] });
  }

  get statuses(): readonly Status[] {
    return [...this.statusOf.values()];
  }

  /** For a report of a problem. */
  facts(): object {
    const { command, args, origin } = this.command ?? {};
    const version = this.client?.initializeResult?.serverInfo?.version;
    return { command, args, origin, version, state: stateOf(this.client) };
  }

  dispose(): void {
    this.status.dispose();
    this.drawn.dispose();
    this.statusChanges.dispose();
  }

  private inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.turn.then(step);
    this.turn = result.catch(() => undefined);
    return result;
  }

  private async startClient(asked: boolean): Promise<boolean> {
    const found = await findServer();
    if ("problem" in found) {
      this.show("Omoide: no server", found.problem, vscode.LanguageStatusSeverity.Warning);
      this.logs.client.warn(`${found.problem} ${found.setting === undefined ? INSTALL : ""}`);
      await this.explainMissing(found.problem, found.setting, asked);
      return false;
    }
    this.command = found;
    this.logs.client.info(`Starting ${[found.command, ...found.args].join(" ")} (found by ${found.origin}).`);
    const client = await this.newClient(found);
    this.client = client;
    try {
      await client.start();
      if (!client.isRunning()) {
        throw new Error("its process ended at once"); // The client resolves also when it closed before it was ready.
      }
      return true;
    } catch (error) {
      this.client = undefined;
      await client.dispose().catch(() => undefined); // It never ran; what it says of that adds nothing.
      this.logs.client.error(`The server did not start: ${messageOf(error)}`);
      this.show("Omoide: failed", "did not start", vscode.LanguageStatusSeverity.Error);
      const setting = found.origin === PATH ? undefined : found.origin;
      this.explain(
        `The Omoide server did not start (${found.command}, named by ${found.origin}).`,
        setting,
        this.logs.server,
      );
      return false;
    }
  }

  private async newClient(found: ServerCommand): Promise<LanguageClient> {
    const { RevealOutputChannelOn, StartupClient } = await import("./client.js");
    const options: LanguageClientOptions = {
      // References are recognized in any text file; which files matter is the server's decision.
      documentSelector: [{ scheme: "file", pattern: "**/*" }],
      initializationOptions: plainSettings(),
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- pulled settings alone would not tell the server of a change
      synchronize: { configurationSection: SECTION },
      outputChannel: this.logs.server,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false, // Told by `startClient`, once.
      middleware: { handleWorkDoneProgress: this.progress.handle, ...this.drawn.middleware, ...noticed },
    };
    const run = { command: found.command, args: [...found.args] };
    const client = new StartupClient(SECTION, "Omoide", run, options);
    client.registerFeature(new OwnCapabilities());
    this.models.serve(client);
    client.onNotification(STATUS, (status: Status) => this.take(client, status));
    client.onDidChangeState(({ newState }) => {
      if (STATES[newState] === "stopped") {
        this.progress.clear();
        this.drawn.clear();
        this.statusOf.clear();
        this.statusChanges.fire([]);
      }
      this.showState(client, newState);
    });
    return client;
  }

  private async stopClient(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      if (stateOf(client) === "starting") {
        await client.start().catch(() => undefined); // A client that is starting cannot be stopped.
      }
      await client.dispose().catch((error: unknown) => this.logs.client.warn(`While stopping: ${messageOf(error)}`));
      this.logs.client.info("The server was stopped.");
      this.show("Omoide", "stopped");
    }
  }

  private showState(client: LanguageClient, state: number): void {
    const version = client.initializeResult?.serverInfo?.version;
    const shown = STATES[state] ?? "";
    if (shown === "running" && isOlder(version, this.version)) {
      const text = `The Omoide server is version ${version}, older than this extension (${this.version}): update it.`;
      this.logs.client.warn(text);
      void tellWarning(text);
    }
    this.logs.client.info(`The server is ${shown}${version === undefined ? "" : ` (version ${version})`}.`);
    this.show("Omoide", version === undefined ? shown : `${shown}, version ${version}`);
  }

  private take(client: LanguageClient, status: Status): void {
    this.statusOf.set(status.workspace, status);
    const { statuses } = this;
    const problem = statuses.map((it) => it.problem).find((it) => it !== null);
    const severity = problem ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    const version = client.initializeResult?.serverInfo?.version ?? "";
    this.show(
      problem ? "Omoide: problem" : "Omoide",
      problem ?? `${statusLine(statuses)} (version ${version})`,
      severity,
    );
    this.status.busy = statuses.some((it) => it.loading || it.jobs.length > 0);
    this.statusChanges.fire(statuses);
  }

  private show(text: string, detail: string, severity = vscode.LanguageStatusSeverity.Information): void {
    this.status.text = unlinked(text);
    this.status.detail = unlinked(detail);
    this.status.severity = severity;
    this.status.busy = detail === "starting";
    this.status.command = { title: "Show Log", command: "omoide.showLog" };
  }

  /** Say that there is no server, with a button for each way to get one that this machine has. Unasked only once. */
  private async explainMissing(problem: string, setting: string | undefined, asked = true): Promise<void> {
    if (!asked && this.explained) {
      return;
    }
    this.explained = true;
    if (setting !== undefined) {
      this.explain(problem, setting);
      return;
    }
    const ways = await installers();
    const settings = "Open Settings";
    // Not awaited: what waits for the server is over.
    void tellError(`${problem} ${INSTALL}`, ...ways.map((way) => way.title), settings)
      .then((choice) => {
        const way = ways.find((it) => it.title === choice);
        if (way !== undefined) {
          void runInstaller(way, () => void this.restart());
        } else if (choice === settings) {
          void vscode.commands.executeCommand("workbench.action.openSettings", SECTION);
        }
      });
  }

  private explain(message: string, setting = SECTION, log: vscode.OutputChannel = this.logs.client): void {
    void tellError(message, "Open Settings", "Show Log").then((choice) => {
      if (choice === "Open Settings") {
        void vscode.commands.executeCommand("workbench.action.openSettings", setting);
      } else if (choice === "Show Log") {
        log.show();
      }
    });
  }
}

/** That a person used a record, for the last tick of the walkthrough: hovered over a reference, or went to its record. */
const noticed: Middleware = {
  provideHover: async (document, position, token, next) => seen(await next(document, position, token)),
  provideDefinition: async (document, position, token, next) => seen(await next(document, position, token)),
};

function seen<Answer>(answer: Answer): Answer {
  if (answer !== null && answer !== undefined) {
    tick("use");
  }
  return answer;
}
