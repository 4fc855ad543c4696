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

export { RevealOutputChannelOn } from "vscode-languageclient/node";

/** Until it has run for the first time, a client neither tries again nor shows messages of its own. */
export class StartupClient extends LanguageClient {
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
