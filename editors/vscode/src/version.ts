// Versions of server and extension, which are published together.

/** Whether a server's version is older than the one wanted, by its first two numbers. An unreadable one is let pass. */
export function isOlder(version: string | undefined, wanted: string): boolean {
  const [is, want] = [numbers(version ?? ""), numbers(wanted)];
  if (is === undefined || want === undefined) {
    return false;
  }
  return is[0] < want[0] || (is[0] === want[0] && is[1] < want[1]);
}

function numbers(version: string): readonly [number, number] | undefined {
  const match = /^(\d+)\.(\d+)/.exec(version);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}
