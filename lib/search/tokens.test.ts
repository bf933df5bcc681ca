import assert from "node:assert/strict";
import { test } from "node:test";
import { blockOf } from "./block.ts";
import { isWordByte, Tokenizer } from "./tokens.ts";

test("words are letters and digits of any language; spaces, signs and breaks are between them", () => {
  for (const byte of Buffer.from("az90größe世界")) assert.equal(isWordByte[byte], 1, String(byte));
  for (const byte of Buffer.from(' _-.\n"{/@`')) assert.equal(isWordByte[byte], 0, String(byte));
});

test("the tokens of a text are its words and the runs between them, except single spaces between two words", () => {
  const block = blockOf(["a run, a run", " two  words ", ""].map((text) => Buffer.from(text)));
  const tokens = new Tokenizer().read(block);
  assert.ok(tokens !== null);
  const { stream, starts, lengths, counts, ends, found } = tokens;
  const textOf = (token: number) =>
    block.text.toString("utf8", starts[token], (starts[token] ?? 0) + (lengths[token] ?? 0));
  const all = Array.from(stream.subarray(0, ends.at(-1)), textOf);
  assert.deepEqual(all, ["a", "run", ", ", "a", "run", "\0", " ", "two", "  ", "words", " \0", "\0"]);
  assert.deepEqual([...ends], [6, 11, 12]);
  assert.deepEqual(
    Array.from({ length: found }, (_, token) => [textOf(token), counts[token]]),
    [
      ...[
        ["a", 2],
        ["run", 2],
        [", ", 1],
        ["\0", 2],
        [" ", 1],
        ["two", 1],
      ],
      ...[
        ["  ", 1],
        ["words", 1],
        [" \0", 1],
      ],
    ],
  );
});
