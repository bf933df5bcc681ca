import { endOfString } from "#lib/contract/json-text.ts";

const quote = 0x22;

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
