// The client library, apart: loading it takes longer than all the rest, so it waits until a server is started.

import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  type Executable,
  LanguageClient,
  type LanguageClientOptions,
  State,
} from "vscode-languageclient/node";

import { isOfPipe } from "./pipe";

export { RevealOutputChannelOn } from "vscode-languageclient/node";

/** Until it has run for the first time, a client neither tries again nor shows messages of its own. */
export class StartupClient extends LanguageClient {
  private readonly usual: ErrorHandler;
  private hasRun = false;

  constructor(id: string, name: string, run: Executable, options: LanguageClientOptions) {
    const handler: ErrorHandler = {
      // What could not be written (a message, which is counted, or the pipe itself) is mostly for a server that has just
      // died. Whether to start it again is decided when its end is noticed; the usual answer, to the pipe at once and to
      // messages after a few of them, is to stop for good.
      error: (error, message, count) =>
        this.hasRun && (count !== undefined || isOfPipe(error))
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
