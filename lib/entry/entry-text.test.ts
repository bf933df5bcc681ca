import assert from "node:assert/strict";
import { test } from "node:test";
import { countMatches, firstMatch, snippetOf, type TextHolder, visitTexts, visitValues } from "./entry-text.ts";
import { foldCase } from "./fold-case.ts";

function textsOf(entry: TextHolder): [string, string][] {
  const found: [string, string][] = [];
  visitTexts(entry, (text, pathOf) => found.push([pathOf(), text]) > 0);
  return found;
}

test("values, names and literals of an entry are visited once, in order, with their path", () => {
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
    ["tool_input.lines.2.deep", "deep"],
    ["tool_input.lines.2.deep", "x"],
    ["tool_input.quiet", "quiet"],
    ["tool_input.quiet", "true"],
    ["tool_input.none", "none"],
    ["tool_input.none", "null"],
    ["tool_output.diffs.0.oldText", ""],
    ["tool_output.diffs.0.newText", "b"],
    ["observation", "seen"],
  ]);
  const values: string[] = [];
  visitValues(entry, (value) => values.push(value) > 0);
  assert.deepEqual(values, ["why", "edit", "a.ts", "1", "2.5", "x", "completed", "", "b", "seen"]);
});

test("output is what a terminal shows at the end, media are their type and size, and a failed call has its exit code", () => {
  const wordsOf = (entry: TextHolder) => textsOf(entry).map(([, text]) => text);
  const output = "\u001B[31merr\u001B[0mor one\nsecretprogress\rfinished done  \n";
  assert.deepEqual(wordsOf({ tool_name: "Bash", tool_output: { exit_code: 137, output, interrupted: false } }), [
    ...["Bash", "137", "error one\nfinished done  \n", "exit 137"],
  ]);
  // A file that is read is shown as it is.
  assert.deepEqual(wordsOf({ tool_name: "Read", tool_input: { file_path: "a" }, tool_output: "a\rb" }), [
    "Read",
    "a",
    "a\rb",
  ]);
  const failed = { message_type: "ERROR", observation: { message: "\u001B[31mTrace\u001B[0mback" } };
  assert.deepEqual(wordsOf(failed), ["Traceback"]);
  // Words of a person, with the line ends of an old system.
  assert.deepEqual(wordsOf({ observation: "one\rtwo" }), ["one\rtwo"]);
  const data = "iVBORw0KGgo".repeat(40);
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  assert.deepEqual(wordsOf({ tool_output: [image, `x ![](data:image/png;base64,${data}) y`, { note: data }] }), [
    ...["", "", "image/png, 330 B", "x ![]([image/png, 330 B]) y", "note", data],
  ]);
});

test("all forms of a letter are one", () => {
  assert.equal(countMatches({ thought: "İSTANBUL ıstanbul ΟΔΟΣ οδος ſtraße µ" }, foldCase("istanbul")), 2);
  assert.equal(countMatches({ thought: "ΟΔΟΣ οδος" }, foldCase("οδοΣ")), 2);
  for (let code = 0; code < 0x3000; code += 1) {
    const letter = String.fromCharCode(code);
    assert.equal(foldCase(letter).length, 1, letter);
    assert.equal(foldCase(letter), foldCase(letter.toUpperCase().length === 1 ? letter.toUpperCase() : letter), letter);
  }
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

test("the first match is located in the units of the text", () => {
  const cases: [string, string, string][] = [
    ["Hello World", "world", "World"],
    ["İİİ Needle", "needle", "Needle"],
    ["xİy", "i", "İ"],
    ["𐐀𐐁 İ 𐐂z", "𐐪", "𐐂"],
    ["ΟΔΟΣ", "σ", "Σ"],
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
