// The server's report page made at home in VS Code: its colors, its font, and a policy that lets it load nothing.

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const COLORS = `
body { --ink: var(--vscode-editor-foreground); --dim: var(--vscode-descriptionForeground);
  --paper: var(--vscode-editor-background); --line: var(--vscode-widget-border, var(--vscode-editorWidget-border));
  --c0: var(--vscode-charts-blue); --c1: var(--vscode-charts-orange); --c2: var(--vscode-charts-green);
  --c3: var(--vscode-charts-purple); --c4: var(--vscode-charts-yellow); --c5: var(--vscode-charts-red);
  font: var(--vscode-font-size, 13px)/1.5 var(--vscode-font-family, sans-serif); color: var(--ink);
  background: var(--paper); }
svg text { font-family: var(--vscode-font-family, sans-serif); }
`;

/** A page with the policy first in its head, so that it holds for all that follows, and our style last, so that it wins. */
export function themed(html: string): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  const head = html.indexOf("<head>");
  const end = html.indexOf("</head>");
  if (head < 0 || end < head) {
    throw new Error("The server's report is no page.");
  }
  const start = head + "<head>".length;
  return `${html.slice(0, start)}${meta}${html.slice(start, end)}<style>${COLORS}</style>${html.slice(end)}`;
}
