// Numbers and times as people say them.

export const DAY_MS = 86_400_000;

export function counted(number: number, noun: string): string {
  const plural = noun.endsWith("ry") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number.toLocaleString("en-US")} ${number === 1 ? noun : plural}`;
}

export function age(instant: string | null | undefined, now: number): string {
  const at = Date.parse(instant ?? "");
  if (Number.isNaN(at)) {
    return "";
  }
  const days = Math.floor((now - at) / DAY_MS);
  const minutes = Math.floor((now - at) / 60_000);
  if (days >= 1) {
    return days < 60 ? `${counted(days, "day")} ago` : `${counted(Math.floor(days / 30), "month")} ago`;
  }
  return minutes < 1
    ? "now"
    : minutes < 60
      ? `${counted(minutes, "minute")} ago`
      : `${counted(Math.floor(minutes / 60), "hour")} ago`;
}

/** A text in which VS Code finds no link: an invisible word joiner stands between its two parts. */
export function unlinked(text: string): string {
  return text.replaceAll("](", "]\u2060(");
}

/** A text as the name of a file that is only shown: short, and without what separates folders. */
export function fileName(text: string): string {
  const plain = text.replace(/[\\/:*?"<>|#\p{Cc}]+/gu, " ").replace(/\s+/g, " ").trim();
  const letters = [...plain];
  return letters.length > 50 ? `${letters.slice(0, 49).join("").trimEnd()}…` : plain || "candidate";
}

/** An RFC 3339 instant without its seconds, by the clock of the person who reads it. */
export function shortTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) {
    return instant;
  }
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
