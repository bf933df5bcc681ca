import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePrompt, readPrompt } from "./prompt-steps.ts";

test("steps are found in order with the words before each", () => {
  const prompt = [
    "Fix the typo.",
    "```diff",
    "--- a/x",
    "+++ b/x",
    "```",
    "Then test",
    "it twice.",
    "```bash",
    "npm test",
    "```",
    "```ts path=src/a.ts",
    "export {};",
    "```",
    "Done.",
  ].join("\n");
  assert.deepEqual(parsePrompt(prompt), [
    { kind: "patch", patch: "--- a/x\n+++ b/x\n", words: "Fix the typo." },
    { kind: "shell", command: "npm test\n", words: "Then test\nit twice." },
    { kind: "write", path: "src/a.ts", text: "export {};\n", words: "" },
  ]);
});

test("fences of tildes, longer fences and indented fences follow CommonMark", () => {
  assert.deepEqual(parsePrompt("~~~sh\necho '```'\n~~~"), [{ kind: "shell", command: "echo '```'\n", words: "" }]);
  assert.deepEqual(parsePrompt("````sh\n```\n````"), [{ kind: "shell", command: "```\n", words: "" }]);
  assert.deepEqual(parsePrompt("   ```SH title=x\n   a\n     b\n   ```"), [
    { kind: "shell", command: "a\n  b\n", words: "" },
  ]);
  assert.deepEqual(parsePrompt("    ```sh\n    no\n    ```"), []);
  assert.deepEqual(parsePrompt("```sh\r\necho 1\r\n```\r\n"), [{ kind: "shell", command: "echo 1\n", words: "" }]);
});

test("an unclosed fence runs to the end of the prompt", () => {
  assert.deepEqual(parsePrompt("```sh\necho 1\necho 2"), [{ kind: "shell", command: "echo 1\necho 2\n", words: "" }]);
});

test("blocks inside list items are steps, with the indentation of the item removed", () => {
  assert.deepEqual(
    parsePrompt("1. First\n   ```sh\n   if true; then\n     echo 1\n   fi\n   ```\n- ```sh\n  echo 2\n  ```"),
    [
      { kind: "shell", command: "if true; then\n  echo 1\nfi\n", words: "First" },
      { kind: "shell", command: "echo 2\n", words: "" },
    ],
  );
});

test("quoted blocks, commented blocks, blank blocks and other languages are not steps", () => {
  assert.deepEqual(parsePrompt("> ```sh\n> rm -rf x\n> ```"), []);
  assert.deepEqual(parsePrompt("<!--\n```sh\nrm -rf x\n```\n-->"), []);
  assert.deepEqual(parsePrompt("```sh\n\n  \n```\n```diff\n```"), []);
  assert.deepEqual(parsePrompt("```ts\nx\n```\n```\necho\n```\n```console\n$ x\n```"), []);
});

test("blocks that are not run are told, and what no reader sees of a prompt changes nothing", () => {
  const { steps, otherLanguages } = readPrompt(
    "```console\n$ x\n```\n```sh\necho\n```\n```\nx\n```\n~~~{.sh}\nx\n~~~\n```sh\n```",
  );
  assert.deepEqual([steps.length, otherLanguages], [1, ["console", "", "{.sh}"]]);
  const step = [{ kind: "shell", command: "echo\n", words: "" }];
  assert.deepEqual(parsePrompt("\uFEFF```sh\necho\n```"), step);
  assert.deepEqual(parsePrompt("\n  \n```sh\necho\n```"), step);
  assert.deepEqual(parsePrompt("<div>\n```sh\nno\n```\n</div>\n\n```sh\necho\n```"), step);
});

test("path= names a file whatever the language, bare or in quotes", () => {
  const pathOf = (info: string) => parsePrompt(`~~~${info}\nx\n~~~`).map((step) => step.kind === "write" && step.path);
  assert.deepEqual(pathOf("ts path=src/[id]/a.ts"), ["src/[id]/a.ts"]);
  assert.deepEqual(pathOf('text path="with space.txt" mode=1'), ["with space.txt"]);
  assert.deepEqual(pathOf("text path='it is.txt'"), ["it is.txt"]);
  assert.deepEqual(pathOf('text path="a\\"b"'), ['a"b']);
  assert.deepEqual(pathOf("path=a"), ["a"]);
  assert.deepEqual(pathOf("txt path=a b.txt"), ["a b.txt"]);
  assert.deepEqual(pathOf("txt path=a b.txt mode=1"), ["a"]);
  assert.deepEqual(pathOf("sh path=run.sh"), ["run.sh"]);
  assert.deepEqual(pathOf("text path="), [""]);
  assert.deepEqual(pathOf("text xpath=a"), []);
  assert.deepEqual(parsePrompt("```text path=empty\n```"), [{ kind: "write", path: "empty", text: "", words: "" }]);
});
