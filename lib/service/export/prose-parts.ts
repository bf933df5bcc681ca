/**
 * Prose split at its fences, as a page shows it. For display only: it may take something for a fence that a Markdown
 * reader does not. The fence lines are left out if both are present.
 */
export function proseParts(text: string): { kind: "prose" | "code"; text: string }[] {
  const parts: { kind: "prose" | "code"; text: string }[] = [];
  let lines: string[] = [];
  let fence: { sign: string; line: string } | null = null;
  const close = (kind: "prose" | "code", marginless: boolean) => {
    const joined = lines.join("\n");
    const shown = marginless ? joined.replace(/^\n+|\n+$/g, "") : joined;
    if (kind === "code" || shown !== "") parts.push({ kind, text: shown });
    lines = [];
  };
  for (const line of text.split("\n")) {
    const sign: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && sign !== undefined && !line.slice(line.indexOf(sign) + sign.length).includes("`")) {
      close("prose", true);
      fence = { sign, line };
    } else if (fence !== null && sign?.startsWith(fence.sign) && line.trim() === sign) {
      close("code", false);
      fence = null;
    } else lines.push(line);
  }
  if (fence !== null) lines.unshift(fence.line);
  close("prose", true);
  return parts;
}
