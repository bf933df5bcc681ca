/** Number, from 1, of the line that contains the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** Line of the first match, 1 if there is none. */
export function lineOf(text: string, pattern: RegExp): number {
  const found = pattern.exec(text);
  return found === null ? 1 : lineAt(text, found.index);
}

/** Line of a key in JSON text: `keys` is its path from the outermost. 1 if it is not found. */
export function lineOfKey(text: string, keys: string[]): number {
  let at = -1;
  for (const key of keys) {
    const quoted = JSON.stringify(key);
    do at = text.indexOf(quoted, at + 1);
    while (at !== -1 && !/^\s*:/.test(text.slice(at + quoted.length, at + quoted.length + 20)));
    if (at === -1) return 1;
  }
  return lineAt(text, at);
}

/** Parsed JSON with comments and trailing commas (JSONC); null if it cannot be read. */
export function parseJsonc(text: string): unknown {
  // An unterminated string extends to the end: searching for its end again from each later quote would take long.
  const plain = text
    .replace(/"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
      part.startsWith("/") ? " " : part,
    )
    .replace(/"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|,(?=\s*[}\]])/g, (part) => (part === "," ? "" : part));
  try {
    return JSON.parse(plain);
  } catch {
    return null;
  }
}

/** A value as an object, an empty one if it is not. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The strings of a string or an array of strings; others are left out. */
export function textsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === "string").filter((item) => item.trim() !== "");
}
