import { endsOfText, outcomeEnds } from "#lib/entry/text-ends.ts";

/**
 * What {@link endsOfText} returns for the string between the quotes at `start` and `end` in valid JSON, without
 * decoding the middle of a long one.
 */
export function endsOfJsonText(json: Buffer, start: number, end: number): string {
  for (const [headBytes, tailBytes] of guesses) {
    if (end - start <= headBytes + tailBytes + bytesAUnit) break;
    const head = decodedHead(json, start, start + headBytes);
    const tail = decodedTail(json, end - tailBytes, end);
    if (head.length >= outcomeEnds.head && tail.length >= outcomeEnds.tail) {
      return `${head.slice(0, outcomeEnds.head)}${outcomeEnds.gap}${tail.slice(-outcomeEnds.tail)}`;
    }
  }
  return endsOfText(decoded(json, start, end));
}

/** Most bytes JSON needs for a UTF-16 unit (`\\u001b`). */
const bytesAUnit = 6;

/** Bytes examined for the two ends: first enough for plain text, then enough for any text with spaces. */
const guesses: readonly (readonly [head: number, tail: number])[] = [
  [outcomeEnds.head + 400, outcomeEnds.tail + 300],
  [outcomeEnds.head * bytesAUnit + 200, outcomeEnds.tail * bytesAUnit + 200],
];

const space = 0x20;

/** Text up to the last space before `end`: no character or escape is cut in two there. */
function decodedHead(json: Buffer, start: number, end: number): string {
  const cut = json.lastIndexOf(space, end);
  return cut < start ? "" : decoded(json, start, cut);
}

/** Text after the first space from `start`. */
function decodedTail(json: Buffer, start: number, end: number): string {
  const cut = json.indexOf(space, start);
  return cut === -1 || cut >= end ? "" : decoded(json, cut + 1, end);
}

function decoded(json: Buffer, start: number, end: number): string {
  return JSON.parse(`"${json.toString("utf8", start, end)}"`);
}
