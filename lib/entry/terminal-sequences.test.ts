import assert from "node:assert/strict";
import { test } from "node:test";
import { terminalSequences, withoutSequences } from "./terminal-sequences.ts";
import { parseAnsiLines } from "./terminal-text.ts";
import { replaceInvisible } from "./visible-text.ts";

const cases: [written: string, shown: string][] = [
  ["\u001b[1;31mred\u001b[0m", "red"],
  ["\u009b31mred\u009bm", "red"],
  ["\u001b[38:2::1:2:3mrgb\u001b[39m", "rgb"],
  ["\u001b]0;a title\u0007after", "after"],
  ["\u001b]8;;https://a.example\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["\u001bP1$r0m\u001b\\after", "after"],
  ["\u001b(B\u001b=plain", "plain"],
  ["\u001b[2K\u001b[1Gagain", "again"],
  ["\u001b]0;never closed\nnext", "0;never closed\nnext"],
  ["\u001b[31", ""],
  ["cut \u001b", "cut "],
  ["no sequence [31m", "no sequence [31m"],
];

test("every sequence of a terminal is left out, and an unterminated one hides nothing after it", () => {
  for (const [written, shown] of cases.filter(([one]) => one !== "\u001b[31")) {
    assert.equal(withoutSequences(written), shown, JSON.stringify(written));
    const drawn = parseAnsiLines(written)
      .map((line) => line.map(({ text }) => text).join(""))
      .join("\n");
    assert.equal(drawn, shown, `drawn: ${JSON.stringify(written)}`);
  }
});

test("spelled-out escapes are found on request, and only before a bracket", () => {
  const found = (text: string, written: boolean) =>
    [...terminalSequences(text, { written })].map(({ from, to }) => text.slice(from, to));
  const text = "\\u001b[31mA\\x1b[0mB\\033[1mC\\e[mD \\else \\033 \u001b[1mE";
  assert.deepEqual(found(text, true), ["\\u001b[31m", "\\x1b[0m", "\\033[1m", "\\e[m", "\u001b[1m"]);
  assert.deepEqual(found(text, false), ["\u001b[1m"]);
});

test("hostile texts take time in proportion to their length", () => {
  for (const part of ["\u001b]", "\u001b[", "\u001bP\u0090", "\\e[", "\u009b1;", "\u001b\u001b("]) {
    const text = part.repeat(300_000);
    let end = 0;
    for (const { from, to } of terminalSequences(text, { written: true })) {
      assert.ok(from >= end && to > from);
      end = to;
    }
  }
  // A quotation mark in UTF-8, read as Latin-1, ends in the introducer of a command string.
  for (const part of ["\u00e2\u0080\u009d", "\u0090", "\u001b]0\u009d", "\u009d\u009c\u009d"]) {
    const text = part.repeat(300_000);
    const shown = parseAnsiLines(text).flatMap((line) => line.map((run) => run.text));
    assert.equal(withoutSequences(text), shown.join(""));
  }
});

test("invisible characters are named, and joiners and marks stay where scripts need them", () => {
  const named = (text: string) => replaceInvisible(text, (label) => `⟨${label}⟩`);
  assert.equal(named("a\u202eb\u200b\u200bc"), "a⟨U+202E⟩b⟨U+200B ×2⟩c");
  assert.equal(named("pass\u200dword"), "pass⟨U+200D⟩word");
  assert.equal(named("a\u{E0101}"), "a⟨U+E0101⟩");
  assert.equal(named("👩‍🚀 नमस्ते क्‍ष"), "👩‍🚀 नमस्ते क्‍ष");
});
