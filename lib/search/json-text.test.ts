import assert from "node:assert/strict";
import { test } from "node:test";
import { entryJson, JsonJoiner } from "#lib/store/entry-json.ts";
import { mixedEntries } from "./find-entries.fixture.ts";
import { JsonTextReader } from "./json-text.ts";
import { searchTextOf } from "./search-text.ts";

// Shared by all entries: no state of an entry may be left in it when it reads the next.
const reader = new JsonTextReader();

/** A body as the store has it, whose tool_output is this JSON. */
const bodyWith = (json: string) =>
  Buffer.from(
    `{"agent_run_id":1,"seq":2,"created_at":"x","message_type":"ACTION","tool_call_id":"Y","thought":"T\\n","tool_name":null,"tool_input":{},"tool_output":${json},"observation":null}`,
  );

function assertSame(body: Uint8Array): void {
  const text = Buffer.from(body).toString();
  const plain = searchTextOf(JSON.parse(text));
  assert.deepEqual(reader.read(body)?.toString(), plain, text);
}

test("the bytes extracted from stored JSON are those of its entry", () => {
  const joiner = new JsonJoiner();
  for (const entry of mixedEntries(1500, 17)) {
    const pieces = entryJson(entry);
    assertSame(Buffer.from(joiner.join(['{"agent_run_id":12,"seq":34,', ...pieces])));
  }
});

test("the spelling of JSON does not matter", () => {
  for (const json of [
    '{ "a" : [ 1 , -0, 1.50, 1E3, 1e400, 12345678901234567890, 0.0000001 ], "b":{"a":"Ab"} }',
    '{"text":"\\u0041\\u00c9\\u0000\\/\\b\\f\\n\\r\\t\\"\\\\ \\ud83d\\ude00 \\ud83d"}',
    '{"É":"É ÉCOLE","ok":"✓ done","k":"\u212a","i":"İ","s":"ΟΔΟΣ","wide":"ＡＢＣ","rom":"Ⅷ Ⓐ"}',
    '[[],{},[[]],{"":{}},true,false,null,"",""]',
    '"Only Text"',
    "7",
    "true",
    `"${"Ä".repeat(100_000)}"`,
    `["Ж",{"wide":"${"世".repeat(1_000_000)}"}]`,
    `"${"x".repeat(300_000)}Z"`,
    `[${Array(30_000).fill("1e20").join(",")}]`,
  ]) {
    assertSame(bodyWith(json));
  }
});

test("what cannot be read quickly is left to the regular parser", () => {
  for (const json of [
    '{"a":"one","a":"two"}',
    '{"b":[{"x":1,"y":{"a":1},"x":2}]}',
    '{"\\u0061":1}',
    `${"[".repeat(101)}${"]".repeat(101)}`,
    `{${Array.from({ length: 501 }, (_, key) => `"${key}":1`).join(",")}}`,
  ]) {
    assert.equal(reader.read(bodyWith(json)), null);
  }
  assertSame(bodyWith('[{"a":"one"},{"a":"two","b":{"a":3}}]'));
});

test("every character is written in lower case", () => {
  for (let from = 0; from < 0x11_0000; from += 16) {
    const characters = Array.from({ length: 16 }, (_, index) => from + index)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const body = bodyWith(JSON.stringify(characters));
    assert.deepEqual(reader.read(body)?.toString(), searchTextOf(JSON.parse(body.toString())), from.toString(16));
  }
});
