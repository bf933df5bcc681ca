import assert from "node:assert/strict";
import { test } from "node:test";
import { endsOfText } from "#lib/entry/text-ends.ts";
import { endsOfJsonText } from "./json-text-ends.ts";

const letters = ["a", "Z", " ", "\n", '"', "\\", "é", "漢", "😀", "\u001b", "\ud83d", "\t"];

test("the decoded ends of a JSON text are those of the text, wherever it is cut", () => {
  for (let round = 0; round < 600; round += 1) {
    let state = round + 1;
    const number = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const alphabet = letters.filter(() => number(3) > 0);
    const length = [10, 2_990 + number(20), 3_000 + number(1_000), 5_000 + number(30_000)][round % 4] ?? 0;
    const text = Array.from({ length }, () => alphabet[number(alphabet.length)] ?? "x").join("");
    for (const escaped of [JSON.stringify(text), JSON.stringify(text).replaceAll("é", "\\u00e9")]) {
      const json = Buffer.from(`{"output":${escaped}}`);
      const found = endsOfJsonText(json, 11, json.length - 2);
      assert.equal(endsOfText(found), endsOfText(JSON.parse(escaped)), `round ${round}`);
    }
  }
});
