const quote = 0x22;
const backslash = 0x5c;

/**
 * How many fields all objects of JSON text (UTF-8) have together; null if it nests arrays and objects deeper than `depthMax`. Scans
 * the bytes, so that nothing deep is ever built.
 */
export function countFields(json: Uint8Array, depthMax: number): number | null {
  let depth = 0;
  let fields = 0;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === quote) index = endOfString(json, index + 1);
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > depthMax) return null;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    else if (byte === 0x3a) fields += 1;
  }
  return fields;
}

/** How many fields all objects of a parsed value have together: fewer than its text, if an object had a name twice. */
export function countFieldsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countFieldsOf(item), 0);
  const values = Object.values(value);
  return values.reduce((sum: number, item) => sum + countFieldsOf(item), values.length);
}

const token = /"((?:[^"\\]|\\.)*)"\s*(:?)|[[\]{},]/gs;

/** Path of the first field that an object of valid JSON has twice, or null. */
export function repeatedField(json: string): (string | number)[] | null {
  const open: { names: Set<string> | null; at: string | number }[] = [];
  for (const [text, string = "", colon = ""] of json.matchAll(token)) {
    const last = open.at(-1);
    if (text === "{") open.push({ names: new Set(), at: "" });
    else if (text === "[") open.push({ names: null, at: 0 });
    else if (text === "}" || text === "]") open.pop();
    else if (text === "," && typeof last?.at === "number") last.at += 1;
    else if (colon !== "" && last !== undefined) {
      const name = String(JSON.parse(`"${string}"`));
      last.at = name;
      if (last.names?.has(name)) return open.map(({ at }) => at);
      last.names?.add(name);
    }
  }
  return null;
}

/** Position of the closing quote of the string whose first character is at `start`; the text's length if it has none. */
function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(quote, start); end !== -1; end = json.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (end - 1 - backslashes >= start && json[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
