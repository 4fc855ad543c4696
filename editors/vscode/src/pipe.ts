// What goes wrong between the client and its server: the pipe, or what was said in it.

/**
 * Whether an error is the system's, about a pipe whose other end is gone: the writing stream tells it beside the message
 * that could not be written. What is no message of the protocol has no such code.
 */
export function isOfPipe(error: Error): boolean {
  return "code" in error && typeof error.code === "string";
}
