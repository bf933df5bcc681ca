/**
 * Prose cut at its fences, as a page shows it. Only for looks: what is no fence for a reader of Markdown may be one here. The
 * lines of the fences themselves are left out where both are there.
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
