import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownFor, titleFor } from "#lib/host/outgoing.ts";
import { checkedWords } from "./checked-words.ts";
import * as words from "./pull-words.ts";

const titleOf = (run: { summary: string | null; prompt: string }) => titleFor(words.titleOf(run, (text) => text));
const bodyOf = (
  run: Parameters<typeof words.bodyOf>[0],
  facts: Omit<Parameters<typeof words.bodyOf>[1], "asker">,
  mask: (text: string) => string,
) => markdownFor("github", words.bodyOf(run, { ...facts, asker: "ada" }, mask), true);

test("a title is one line, whatever the run's summary is", () => {
  assert.equal(titleOf({ summary: "## Two\n\nlines\tand a \u001b bell", prompt: "x" }), "Two lines and a bell");
  assert.equal(titleOf({ summary: null, prompt: "First\nsecond" }), "First");
  assert.equal(titleOf({ summary: " \u0000 ", prompt: "" }), "Changes by an agent");
  assert.equal(titleOf({ summary: "T \u202Egnp.exe\u2066\u200B x\u2028y", prompt: "x" }), "T gnp.exe x y");
  assert.equal(titleOf({ summary: "t".repeat(300), prompt: "x" }).length, 250);
});

const at = { startedAt: "2026-11-25T09:00:00.000Z", completedAt: "2026-11-25T09:00:01.000Z", excerpt: "" };
const passed = (name: string) => ({ name, conclusion: "success", ...at }) as const;

test("a pull request says in one safe line what was checked here, and only of the commit that it shows", () => {
  const tested = { commit: "a", problem: null, checks: [passed("npm test"), passed("echo `date` | cat\n# @ada <!--")] };
  assert.equal(
    checkedWords(tested, "a"),
    "Checked here: `npm test` passed, `` echo `date` | cat # @ada <!-- `` passed.",
  );
  assert.equal(checkedWords(tested, "b"), null);
  assert.equal(checkedWords(undefined, "a"), null);
  assert.equal(checkedWords({ ...tested, problem: "No wall." }, "a"), null);
  const ignored = { ...passed("lint"), conclusion: "failure" } as const;
  assert.equal(checkedWords({ ...tested, checks: [ignored] }, "a"), "Checked here: `lint` failed (ignored).");
  const many =
    checkedWords({ ...tested, checks: Array.from({ length: 20 }, () => passed("x".repeat(900))) }, "a") ?? "";
  assert.ok(many.length < 1000 && many.endsWith(", and 12 more."));
  const facts = { body: null, requestedBy: null, runUrl: "https://errand.test/runs/1", isOwnAccount: false };
  const run = { id: 1, prompt: "p", result: "r".repeat(70_000), agent: "steps" };
  const text = bodyOf(run, { ...facts, checked: "Checked here: `sk-1` passed." }, (given) =>
    given.replace("sk-1", "***"),
  );
  assert.ok(text.length <= 65_536);
  assert.ok(text.includes("r\n\n… The rest is in the run.\n\n<details>"));
  assert.ok(
    text.endsWith("</details>\n\nChecked here: `***` passed.\n\n---\n[Run 1](https://errand.test/runs/1), agent steps"),
  );
});

test("a body has no characters that reorder or hide others", () => {
  const facts = { body: "a\u202Eb", requestedBy: null, runUrl: "u", isOwnAccount: false, checked: null };
  const text = bodyOf({ id: 1, prompt: "p\u2066q", result: "r\u200Bs 👩‍👧", agent: "steps" }, facts, (given) => given);
  assert.match(text, /^ab\n\nrs 👩‍👧\n\n<details>.*\n\n```text\npq\n```/);
});

test("the body says that nobody approves their own pull request, only if it is opened with their own token", () => {
  const facts = { body: null, requestedBy: "Ada", runUrl: "https://errand.test/runs/1", checked: null };
  const run = { id: 1, prompt: "p", result: null, agent: "steps" };
  const textOf = (isOwnAccount: boolean) => bodyOf(run, { ...facts, isOwnAccount }, (given) => given);
  const words =
    "This was opened with a person's own token. That person cannot approve it, because code hosts do not let people approve their own pull requests.";
  assert.ok(textOf(true).includes(words));
  assert.ok(!textOf(false).includes("approve"));
});

test("an answer asks nothing of the host: no commands, names, numbers, and nothing open before Errand's own lines", () => {
  const facts = {
    body: "closes #7\n/merge @bob",
    requestedBy: "A <b> @all",
    runUrl: "u",
    isOwnAccount: false,
    checked: null,
  };
  const result = "Fixed, @ada and @bob, closes #2.\n/approve\n```js\nlet a = 1";
  const text = bodyOf({ id: 1, prompt: "Fix #1 @bob", result, agent: "steps" }, facts, (given) => given);
  assert.equal(
    text.replaceAll("\u2060", "·"),
    "closes #7\n\\/merge @·bob\n\nFixed, @ada and @·bob, closes· #·2.\n\\/approve\n```js\nlet a = 1\n```\n\n<details><summary>What was asked for</summary>\n\n```text\nFix #1 @bob\n```\n\n</details>\n\n---\n[Run 1](u), agent steps\nRequested by: A \\<b\\> @·all",
  );
  assert.equal(titleOf({ summary: "Closes #2 for @bob", prompt: "x" }), "Closes\u2060 #\u20602 for @\u2060bob");
  assert.equal(
    titleOf({ summary: "Mend ENG-12, eng-3 and 2026-11", prompt: "" }),
    "Mend ENG-\u206012, eng-\u20603 and 2026-11",
  );
  assert.equal(titleOf({ summary: null, prompt: "```\nFix #2\n```" }), "Fix #2");
  assert.equal(titleOf({ summary: null, prompt: "Fix ENG-12" }), "Fix ENG-12");
  assert.equal(titleOf({ summary: `${"e".repeat(248)}😀😀`, prompt: "" }), `${"e".repeat(248)}…`);
});

test("a link's target names nobody, a team is not its first letters, and a title fits with what is added to it", () => {
  const targets = ["[a](@bob)", "[a](%40bob)", "[a](\\@bob)", "[a](<&#64;bob>)", '<a href="@bob">a</a>', "[a](#12)"];
  for (const text of targets) assert.match(markdownFor("gitlab", text), /(?:@|40|64;|#)\u2060(?:bob|12)/, text);
  for (const text of ["[a](https://e.test/@bob)", "[a](https://e.test/?by=@bob)", "http://localhost/%40bob"])
    assert.equal(markdownFor("gitlab", text), text);
  for (const text of ["https://linear.app/a-b/profiles/bob", "<https://linear.app/a/profiles/bob>"])
    assert.equal(markdownFor("linear", text), text.replace("/bob", "\u2060/bob"));
  assert.equal(markdownFor("linear", "`https://linear.app/a/profiles/b`"), "`https://linear.app/a/profiles/b`");
  assert.equal(markdownFor("linear", "a\n\n+++ b\n\n```\n+++ c\n```"), "a\n\n\\+++ b\n\n```\n+++ c\n```");
  assert.equal(markdownFor("gitlab", "+++\nx"), "\\+++\nx");
  const asked = (text: string, asker: string) => markdownFor("github", [{ by: "agent", text, asker }]);
  assert.equal(asked("@core/all @co.re/all @co", "co"), "@\u2060core/all @\u2060co.re/all @co");
  assert.equal(titleFor("@a ".repeat(83)).length, 255);
});

test("an address exempts nothing behind it, and the target of a reference is a target", () => {
  for (const text of [
    "[x](https://x.y/a)@bob",
    "[x](https://x.y/a),#12",
    "| a | b |\n| - | - |\n|https://x.y/a|@bob|",
    "https://x.y/![](a)@bob",
    "[a]: @bob\n\n[hi][a]",
    "[a]: <#12>\n\n[a]",
    "[x](%2312)",
    "<a href=' #12'>x</a>",
  ]) {
    for (const host of ["github", "gitlab", "forgejo"] as const) {
      assert.match(markdownFor(host, text), /(?:@|%23|#)\u2060(?:bob|12)/, text);
    }
  }
  for (const text of ["https://x.y/a@bob#12", "[x](https://x.y/a_(b)#12)"])
    assert.equal(markdownFor("gitlab", text), text);
});

test("HTML is kept if it ends, and is words if it does not; in code, tags and links nothing is split", () => {
  const said = (text: string) => markdownFor("gitlab", text, true).replaceAll("\u2060", "·");
  const kept =
    '<details>\n<summary><a href="docs/a.md#12">a</a></summary>\n\n`@bob` [b](c.md#12) <https://e.test/@bob>\n</details>';
  assert.equal(said(kept), kept);
  assert.equal(said("<details>\n#12\n/close\n</details>"), "<details>\n#·12\n&#47;close\n</details>");
  assert.equal(said("a <!-- closes #1 @bob --> b"), "a <!-- closes· #·1 @·bob --> b");
  assert.equal(said("<b>a\n\n`<b>` <https://e.test/@bob>"), "&lt;b>a\n\n`<b>` <https://e.test/@bob>");
  assert.equal(said("<b>a</b> <!-- b"), "&lt;b>a&lt;/b> &lt;!-- b");
  assert.equal(said("`a\n/close` b\n\n| @bob `@bob` |\n|---|"), "`a\n /close` b\n\n| @·bob `@bob` |\n|---|");
  assert.equal(said("> ```\n> @bob\n\n@bob\n\n~~~~ js\n@bob"), "> ```\n> @bob\n\n@·bob\n\n~~~~ js\n@bob\n~~~~");
});

test("a prompt of 262,144 characters is quoted, however many pieces of code it has", () => {
  const facts = {
    body: null,
    requestedBy: null,
    runUrl: "https://errand.test/runs/1",
    isOwnAccount: false,
    checked: null,
  };
  const run = { id: 1, prompt: "` ".repeat(131_072), result: null, agent: "steps" };
  assert.match(
    bodyOf(run, facts, (given) => given),
    /```text\n(?:` ){10000}\n```/,
  );
});
