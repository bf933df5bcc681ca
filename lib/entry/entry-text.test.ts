import assert from "node:assert/strict";
import { test } from "node:test";
import { countMatches, firstMatch, snippetOf, type TextHolder, visitTexts } from "./entry-text.ts";

function textsOf(entry: TextHolder): [string, string][] {
  const found: [string, string][] = [];
  visitTexts(entry, (text, pathOf) => found.push([pathOf(), text]) > 0);
  return found;
}

test("every string and number of an entry is visited once, in order, with its path", () => {
  const entry = {
    seq: 7,
    message_type: "ACTION",
    thought: "why",
    tool_name: "edit",
    tool_input: { path: "a.ts", lines: [1, 2.5, { deep: "x" }], quiet: true, none: null },
    tool_output: { status: "completed", diffs: [{ oldText: "", newText: "b" }] },
    observation: "seen",
  };
  assert.deepEqual(textsOf(entry), [
    ["thought", "why"],
    ["tool_name", "edit"],
    ["tool_input.path", "a.ts"],
    ["tool_input.lines.0", "1"],
    ["tool_input.lines.1", "2.5"],
    ["tool_input.lines.2.deep", "x"],
    ["tool_output.status", "completed"],
    ["tool_output.diffs.0.oldText", ""],
    ["tool_output.diffs.0.newText", "b"],
    ["observation", "seen"],
  ]);
});

test("nesting of any depth is visited", () => {
  const depth = 200_000;
  const deep = JSON.parse(`${"[".repeat(depth)}"core"${"]".repeat(depth)}`);
  assert.equal(countMatches({ tool_output: deep }, "core"), 1);
});

test("a match never runs from one value into the next, and occurrences do not overlap", () => {
  assert.equal(countMatches({ thought: "ab", tool_name: "cd", tool_input: ["a", "b"] }, "abcd"), 0);
  assert.equal(countMatches({ tool_input: ["a", "b"] }, "ab"), 0);
  assert.equal(countMatches({ thought: "aaaa", observation: ["aaa"] }, "aa"), 3);
});

test("the first match is located in the units of the stored text, whatever lower case does to its length", () => {
  const cases: [string, string, string][] = [
    ["Hello World", "world", "World"],
    ["İİİ Needle", "needle", "Needle"],
    ["xİy", "i\u0307", "İ"],
    ["𐐀𐐁 İ 𐐂z", "𐐪", "𐐂"],
    ["ΟΔΟΣ", "σ", ""],
    ["ΟΔΟΣ", "ς", "Σ"],
    ["\ud800Abc", "abc", "Abc"],
  ];
  for (const [text, needle, expected] of cases) {
    const match = firstMatch({ observation: { note: text } }, needle);
    assert.equal(match?.path ?? "", expected === "" ? "" : "observation.note");
    assert.equal(match?.text.slice(match.start, match.start + match.length) ?? "", expected, text);
  }
});

test("a snippet has at most 200 units, shows the match and cuts no character in half", () => {
  for (const before of [0, 1, 59, 60, 61, 500]) {
    for (const after of [0, 1, 139, 140, 700]) {
      const text = `${"🙂".repeat(before)}Needle${"🙂".repeat(after)}`;
      const match = firstMatch({ thought: text }, "needle");
      assert.ok(match !== null);
      const { snippet, start, length } = snippetOf(match);
      assert.ok(snippet.length <= 200 && snippet.isWellFormed());
      assert.equal(snippet.slice(start, start + length), "Needle");
      assert.ok(snippet.length >= Math.min(text.length, 198), `${snippet.length}`);
    }
  }
  const long = "y".repeat(200);
  assert.equal(snippetOf({ path: "thought", text: `x${long}x`, start: 1, length: 200 }).snippet, long);
});

test("a snippet begins and ends with whole words", () => {
  const words = Array.from({ length: 100 }, (_, n) => `word${n}`).join(" ");
  const text = `${words} Needle ${words}`;
  const { snippet, start, length } = snippetOf({ path: "thought", text, start: words.length + 1, length: 6 });
  assert.equal(snippet.slice(start, start + length), "Needle");
  assert.match(snippet, /^word\d+ .* word\d+$/);
  assert.ok(words.includes(` ${snippet.slice(0, start)}`.trimEnd()), snippet);
  assert.ok(` ${words} `.includes(`${snippet.slice(start + length)} `), snippet);
  assert.ok(snippet.length > 160 && snippet.length <= 200, `${snippet.length}`);
});
