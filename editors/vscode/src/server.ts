// The language server's life: found, started, restarted, stopped; and the requests that commands send to it.

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  type Executable,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";

import { type Logs, messageOf } from "./log";
import { CancellableProgress } from "./progress";
import { installers, runInstaller } from "./install";
import { statusLine } from "./nodes";
import type { Status } from "./overview";
import { OwnCapabilities } from "./references";
import { findServer, hasMemoryRoot, PATH, plainSettings, SECTION, type ServerCommand } from "./settings";
import { isOlder } from "./version";

const INSTALL = "Install it (pipx install omoide, or uv tool install omoide), or name it in the settings.";
const STATUS = "omoide/status";

/** At most one client at a time. Starting, restarting and stopping wait for each other. */
export class Server implements vscode.Disposable {
  command: ServerCommand | undefined;
  private readonly statusOf = new Map<string, Status>();
  private readonly statusChanges = new vscode.EventEmitter<readonly Status[]>();
  /** How the memories are, whenever one of them is otherwise than before; empty when the server is gone. */
  readonly onDidChangeStatus = this.statusChanges.event;
  private client: LanguageClient | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private readonly progress = new CancellableProgress(() => this.client);
  private readonly status = vscode.languages.createLanguageStatusItem("omoide.server", { scheme: "file" });

  constructor(
    private readonly logs: Logs,
    private readonly version: string,
  ) {
    this.status.name = "Omoide";
    this.show("Omoide", "not started");
  }

  /** Start the server unless it runs. `asked`: a person waits for it, so a failure is always told in a message. */
  start(asked: boolean): Promise<boolean> {
    return this.inTurn(async () => {
      if (this.client?.state === State.Starting) {
        await this.client.start().catch(() => undefined); // After a crash the client starts again by itself.
      }
      if (this.client?.state === State.Running) {
        return true;
      }
      await this.stopClient();
      return this.startClient(asked);
    });
  }

  /** Stop the server, wait until it is gone, and start a new client: an old one stops trying after a few crashes. */
  restart(asked = true): Promise<boolean> {
    return this.inTurn(async () => {
      await this.stopClient();
      return this.startClient(asked);
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.stopClient());
  }

  /** Run a command of the server. Throws what the server answers with when it cannot. */
  async execute<Answer>(command: string, argument: object): Promise<Answer> {
    if (this.client === undefined) {
      throw new Error("The Omoide server is not running.");
    }
    return (await this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] })) as Answer;
  }

  get statuses(): readonly Status[] {
    return [...this.statusOf.values()];
  }

  /** For a report of a problem. */
  facts(): object {
    const { command, args, origin } = this.command ?? {};
    const version = this.client?.initializeResult?.serverInfo?.version;
    return { command, args, origin, version, state: this.client && State[this.client.state] };
  }

  dispose(): void {
    this.status.dispose();
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
      // Somebody who only opened a Markdown file of a project without memory is left alone.
      if (asked || (await anyMemoryRoot())) {
        await this.explainMissing(found.problem, found.setting);
      }
      return false;
    }
    this.command = found;
    this.logs.client.info(`Starting ${[found.command, ...found.args].join(" ")} (found by ${found.origin}).`);
    const client = this.newClient(found);
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

  private newClient(found: ServerCommand): LanguageClient {
    const options: LanguageClientOptions = {
      // References are recognized in any text file; which files matter is the server's decision.
      documentSelector: [{ scheme: "file", pattern: "**/*" }],
      initializationOptions: plainSettings(),
      synchronize: { configurationSection: SECTION },
      outputChannel: this.logs.server,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false, // Told by `startClient`, once.
      middleware: { handleWorkDoneProgress: this.progress.handle },
    };
    const run = { command: found.command, args: [...found.args] };
    const client = new StartupClient(SECTION, "Omoide", run, options);
    client.registerFeature(new OwnCapabilities());
    client.onNotification(STATUS, (status: Status) => this.take(client, status));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) {
        this.progress.clear();
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
      if (client.state === State.Starting) {
        await client.start().catch(() => undefined); // A client that is starting cannot be stopped.
      }
      await client.dispose().catch((error: unknown) => this.logs.client.warn(`While stopping: ${messageOf(error)}`));
      this.logs.client.info("The server was stopped.");
      this.show("Omoide", "stopped");
    }
  }

  private showState(client: LanguageClient, state: State): void {
    const version = client.initializeResult?.serverInfo?.version;
    if (state === State.Running && isOlder(version, this.version)) {
      const text = `The Omoide server is version ${version}, older than this extension (${this.version}): update it.`;
      this.logs.client.warn(text);
      void vscode.window.showWarningMessage(text);
    }
    const shown = { [State.Running]: "running", [State.Starting]: "starting", [State.Stopped]: "stopped" }[state];
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
    this.status.text = text;
    this.status.detail = detail;
    this.status.severity = severity;
    this.status.busy = detail === "starting";
    this.status.command = { title: "Show Log", command: "omoide.showLog" };
  }

  /** Say that there is no server, with a button for each way to get one that this machine has. */
  private async explainMissing(problem: string, setting: string | undefined): Promise<void> {
    if (setting !== undefined) {
      this.explain(problem, setting);
      return;
    }
    const ways = await installers();
    const settings = "Open Settings";
    // Not awaited: what waits for the server is over.
    void vscode.window
      .showErrorMessage(`${problem} ${INSTALL}`, ...ways.map((way) => way.title), settings)
      .then((choice) => {
        const way = ways.find((it) => it.title === choice);
        if (way !== undefined) {
          runInstaller(way, () => this.restart());
        } else if (choice === settings) {
          void vscode.commands.executeCommand("workbench.action.openSettings", SECTION);
        }
      });
  }

  private explain(message: string, setting = SECTION, log: vscode.OutputChannel = this.logs.client): void {
    void vscode.window.showErrorMessage(message, "Open Settings", "Show Log").then((choice) => {
      if (choice === "Open Settings") {
        void vscode.commands.executeCommand("workbench.action.openSettings", setting);
      } else if (choice === "Show Log") {
        log.show();
      }
    });
  }
}

/** Until it has run for the first time, a client neither tries again nor shows messages of its own. */
class StartupClient extends LanguageClient {
  private readonly usual: ErrorHandler;
  private hasRun = false;

  constructor(id: string, name: string, run: Executable, options: LanguageClientOptions) {
    const handler: ErrorHandler = {
      // A message that could not be written (those are counted) is mostly one to a server that has just died. Whether to
      // start it again is decided when its end is noticed; the usual answer, after a few of them, is to stop for good.
      error: (error, message, count) =>
        this.hasRun && count !== undefined
          ? { action: ErrorAction.Continue, handled: true }
          : this.usual.error(error, message, count),
      closed: () => (this.hasRun ? this.usual.closed() : { action: CloseAction.DoNotRestart, handled: true }),
    };
    super(id, name, run, { ...options, errorHandler: handler });
    this.usual = this.createDefaultErrorHandler();
    this.onDidChangeState(({ newState }) => {
      this.hasRun ||= newState === State.Running;
    });
  }

  override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
    super.error(message, data, this.hasRun && showNotification);
  }
}

async function anyMemoryRoot(): Promise<boolean> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (await hasMemoryRoot(folder.uri.fsPath)) {
      return true;
    }
  }
  return false;
}
