const quote = 0x22;
const backslash = 0x5c;

/** True where JSON text (UTF-8) nests arrays and objects deeper than `depthMax`. Looks at the bytes, so that nothing deep is ever built. */
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

/** Where the string that begins at `start` has its closing quote; the length of the text where it has none. */
function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(quote, start); end !== -1; end = json.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (end - 1 - backslashes >= start && json[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
