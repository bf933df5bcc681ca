const quote = 0x22;
const backslash = 0x5c;

/**
 * Position of the closing quote, in JSON text (UTF-8), of the string whose first character is at `start`; the text's length if
 * it has none.
 */
export function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(quote, start); end !== -1; end = json.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (end - 1 - backslashes >= start && json[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
