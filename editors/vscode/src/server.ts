// The language server's life: found, started, restarted, stopped; and the requests that commands send to it.

import * as vscode from "vscode";
import {
  CloseAction,
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
import { OwnCommands } from "./references";
import { findServer, hasMemoryRoot, PATH, plainSettings, SECTION, type ServerCommand } from "./settings";

const INSTALL = "Install it (pipx install omoide, or uv tool install omoide), or name it in the settings.";

/** At most one client at a time. Starting, restarting and stopping wait for each other. */
export class Server implements vscode.Disposable {
  command: ServerCommand | undefined;
  private client: LanguageClient | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private readonly progress = new CancellableProgress(() => this.client);
  private readonly status = vscode.languages.createLanguageStatusItem("omoide.server", { scheme: "file" });

  constructor(private readonly logs: Logs) {
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
  restart(): Promise<boolean> {
    return this.inTurn(async () => {
      await this.stopClient();
      return this.startClient(true);
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

  dispose(): void {
    this.status.dispose();
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
        this.explain(found.setting === undefined ? `${found.problem} ${INSTALL}` : found.problem, found.setting);
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
      this.explain(`The Omoide server did not start (${found.command}, named by ${found.origin}).`, setting, this.logs.server);
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
    client.registerFeature(new OwnCommands());
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) {
        this.progress.clear();
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
    const shown = { [State.Running]: "running", [State.Starting]: "starting", [State.Stopped]: "stopped" }[state];
    this.logs.client.info(`The server is ${shown}${version === undefined ? "" : ` (version ${version})`}.`);
    this.show("Omoide", version === undefined ? shown : `${shown}, version ${version}`);
  }

  private show(text: string, detail: string, severity = vscode.LanguageStatusSeverity.Information): void {
    this.status.text = text;
    this.status.detail = detail;
    this.status.severity = severity;
    this.status.busy = detail === "starting";
    this.status.command = { title: "Show Log", command: "omoide.showLog" };
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
      error: (error, message, count) => this.usual.error(error, message, count),
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
