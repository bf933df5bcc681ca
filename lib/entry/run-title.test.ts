import assert from "node:assert/strict";
import test from "node:test";
import { runTitle } from "./run-title.ts";

test("a run is named after the first line with content", () => {
  assert.equal(runTitle("\n  \n# Fix the tests\nmore"), "Fix the tests");
  assert.equal(runTitle("- one\n- two"), "one");
  assert.equal(runTitle("```sh\nnpm test\n```"), "npm test");
  assert.equal(runTitle("Rename `a` to `b`"), "Rename a to b");
  assert.equal(runTitle("#hashtag stays"), "#hashtag stays");
  assert.equal(runTitle("   "), "Untitled run");
  assert.equal(runTitle("<!-- from\na template -->\r\n\r\n## Fix\tit\r\nnow"), "Fix it");
  assert.equal(runTitle("<!-- only this -->"), "<!-- only this -->");
});

test("a title has no marks of Markdown", () => {
  const cases: [string, string][] = [
    ["Compare the currency of the **web shop** and the *till*", "Compare the currency of the web shop and the till"],
    ["**Bug:** the total is ***wrong***", "Bug: the total is wrong"],
    ['See [the issue](https://example.com/a_b "An issue") and ![a picture](x.png)', "See the issue and a picture"],
    ["Do _not_ touch __the old one__, ~~never~~", "Do not touch the old one, never"],
    ["## Fix it ##", "Fix it"],
    ["- [ ] Fix **`a*b*`** in `**`", "Fix a*b* in **"],
    ["修复**这个**问题", "修复这个问题"],
    ["[**Bold** link](#there)", "Bold link"],
  ];
  for (const [prompt, title] of cases) assert.equal(runTitle(prompt), title);
});

test("characters of a title that mark nothing stay", () => {
  const titles = [
    "Why is 2 * 3 * 4 not 2**3 and 4**5?",
    "Lint src/**/*.ts and lib/**/*.js",
    "Lint **/*.ts and **/*.js",
    "Fix __init__.py, snake_case_names and _private._names",
    "Move *.ts to *.js",
    "Mask *** and ****",
    "Is a[0] or [x] (y) right?",
  ];
  for (const title of titles) assert.equal(runTitle(title), title);
});

test("a title is one line of bounded length and never cuts a character in half", () => {
  const title = runTitle("😀".repeat(5000));
  assert.ok(title.length <= 200);
  assert.ok(title.isWellFormed());
  assert.equal(runTitle(`${"a".repeat(199)}😀`).isWellFormed(), true);
});
