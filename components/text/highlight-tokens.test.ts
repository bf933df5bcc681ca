import assert from "node:assert/strict";
import { test } from "node:test";
import { tokensOf } from "./highlight-tokens.ts";
import { languages } from "./languages.ts";

test("in every language the tokens of a line add up to the line, and colors are plain hex values", async () => {
  const text = `// a "comment"\n# another\nlet x = f(1) + 'two';\n\n<a href="b">{"c": [1, true]}</a>\n${"long ".repeat(500)}`;
  const lengths = text.split("\n").map((line) => line.length);
  for (const language of languages) {
    const lines = await tokensOf({ text, language });
    assert.deepEqual(
      lines.map((line) => line.reduce((sum, token) => sum + token.length, 0)),
      lengths,
      language,
    );
    for (const token of lines.flat()) {
      assert.match(token.light, /^(?:#[0-9a-f]{6}|)$/i, language);
      assert.match(token.dark, /^(?:#[0-9a-f]{6}|)$/i, language);
    }
  }
});

test("code has more than one color", async () => {
  const [line] = await tokensOf({ text: "const a = 1; // why", language: "typescript" });
  assert.ok(new Set(line?.map((token) => token.light)).size >= 3);
});
