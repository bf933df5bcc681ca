import assert from "node:assert/strict";
import { test } from "node:test";
import { mentions } from "./mentions.ts";

const cases: [boolean, string][] = [
  [false, "see @errand.dev for it"],
  [true, "_@errand please_"],
  [true, "__@errand__ fix"],
  [false, "a_@errand"],
  [false, "@errand_bot"],
  [true, "请@errand修复"],
  [true, "@errandさん"],
  [true, "@errand에게"],
  [false, "привет@errand"],
  [true, "I ask @errand."],
  [true, "I ask @errand... now"],
  [false, "cc @errand/core please"],
  [true, "@errand/"],
  [false, "text\n\n    @errand fix"],
  [false, "\t@errand fix"],
  [false, "<code>@errand fix</code>"],
  [false, "<pre>\n@errand fix\n</pre>"],
  [false, "- > @errand fix"],
  [false, "1. a\n   > @errand fix"],
  [false, "@errandé"],
  [false, "é@errand"],
  [false, "@errand\u0301"],
  [false, "[a](https://e.test/@errand)"],
  [true, "<!-- don't use ` here -->\n@errand run `code`"],
  [true, "- a\n- @errand fix"],
  [true, "> said\n@errand fix"],
  [true, "| a | b |\n|---|---|\n| `x` | @errand fix |"],
  [true, "<details>\n@errand fix\n</details>"],
  [true, "**@errand** fix\r\nit"],
  [false, "| a |\n|---|\n| `@errand` |"],
  [true, "@errand fix it"],
  [true, "Please, @Errand: fix it"],
  [true, "one ` two @errand three"],
  [true, "`code` @errand `code`"],
  [true, "```\ncode\n```\n@errand"],
  [true, "~~~\n```\n~~~\n@errand"],
  [true, "> ```\n> cut off\n\n@errand"],
  [true, "<!-- a template's words --> @errand"],
  [true, "one ` backtick\n\n@errand, and ` another"],
  [false, "me@errand.test"],
  [false, "@errand-bot"],
  [false, "> @errand"],
  [false, "`@errand`"],
  [false, "as in ``@errand fix it``"],
  [false, "``a ` b @errand``"],
  [false, "`begun\n@errand ended`"],
  [false, "```\n@errand\n```"],
  [false, "```\r\n@errand\r\n```\r\n"],
  [false, "```\n@errand, never closed"],
  [false, "````md\n```\n@errand\n```\n````"],
  [false, "```\nas\n~~~\n@errand\n```"],
  [false, "- a step\n   ```\n   @errand\n   ```\n"],
  [false, "1. ```sh\n   @errand\n   ```\n"],
  [false, "<!-- mention @errand to have it fixed -->\nIt is broken."],
  [false, "It is broken.\n<!--\n@errand\n-->"],
  [false, "<!-- @errand"],
];

for (const [is, text] of cases) {
  test(`${is ? "asks" : "does not ask"}: ${JSON.stringify(text)}`, () => assert.equal(mentions(text, ["errand"]), is));
}

test("a text that consists only of markup is read in linear time", () => {
  const usedBy = (length: number) => {
    const text = `${"`".repeat(length)} <!-- ${"` `` ".repeat(length)}\n${"```\n".repeat(length)}${"<!--".repeat(length)}`;
    const before = process.cpuUsage();
    mentions(text, ["errand"]);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  usedBy(1000);
  assert.ok(usedBy(20_000) < 2_000_000);
});
