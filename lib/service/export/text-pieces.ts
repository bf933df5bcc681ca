const pieceLength = 64 * 1024;

/**
 * Splits a text into pieces of at most 64 k UTF-16 units, after a line end if there is one, never inside a character.
 */
export function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > pieceLength) {
    let end = text.lastIndexOf("\n", start + pieceLength - 1) + 1;
    if (end <= start) {
      end = start + pieceLength;
      const last = text.charCodeAt(end - 1);
      if (last >= 0xd800 && last <= 0xdbff) end -= 1;
    }
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Joins texts into pieces of about 64 k, so that small ones need no write each. */
export async function* inLargePieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting: string[] = [];
  let length = 0;
  for await (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length < pieceLength) continue;
    yield waiting.join("");
    waiting = [];
    length = 0;
  }
  if (length > 0) yield waiting.join("");
}
