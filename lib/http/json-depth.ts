const quote = 0x22;
const backslash = 0x5c;

/**
 * True if JSON text (UTF-8) nests arrays and objects deeper than `depthMax`. Scans the bytes, so that nothing deep is ever
 * built.
 */
export function exceedsDepth(json: Uint8Array, depthMax: number): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === quote) index = endOfString(json, index + 1);
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
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
