import assert from "node:assert/strict";
import { test } from "node:test";
import MarkdownIt from "markdown-it";
import { markdownFor, titleFor } from "./outgoing.ts";
import { actsIn, withoutJoiners } from "./quiet-words.ts";

const issue = "https://github.com/o/r/issues/1";
const markdown = new MarkdownIt({ html: true });

/** What people and hosts see of a Markdown text: no comments, no tags, no entities. */
function shown(text: string): string {
  const html = markdown.render(text).replace(/<!--.*?-->|<[^>]*>/gs, "");
  return html.replace(/&#?\w+;/g, (entity) => markdown.utils.unescapeAll(entity));
}

const hosts = ["github", "gitlab", "forgejo", "linear"] as const;

test("an agent's closing words close nothing, however they are written: hosts read what is shown", () => {
  for (const text of [
    `clos&#101;s ${issue}`,
    `&#x63;loses ${issue}`,
    "&#102;&#105;&#120; https://x.y/o/r/issues/1",
    `closes&nbsp;${issue}`,
    `closes\u00a0${issue}`,
    `closes${" ".repeat(30)}${issue}`,
    `closes <b>${issue}</b>`,
    `closes <!-- x --> ${issue}`,
    `clo<!-- closes -->ses ${issue}`,
    `<p>clos&#101;s <i>${issue}</i></p>`,
    `clo**s**es ${issue}`,
    `**closes** [](x)${issue}`,
    `closes [][r]${issue}\n\n[r]: x`,
    `> clos&#101;s\n> ${issue}`,
    `| a |\n| - |\n| clos&#101;s ${issue} |`,
    `<b>clos&#101;s ${issue}`,
    `https://x.y/<b></b>clos&#101;s ${issue}`,
    `https://x.y/_closes_ ${issue}`,
    `https://x.y/&#32;closes ${issue}`,
    `clos&#101;s o/r#1`,
    `closes <b>#1</b>`,
    `clo&#115;**&#101;s** ${issue}`,
    `closes:&#32;${issue}`,
    `clos&#101;s ENG-1`,
    `closes&nbsp;E-1`,
    "closes `ENG-1`",
  ]) {
    for (const host of hosts) {
      const quiet = markdownFor(host, text);
      assert.doesNotMatch(shown(quiet), /(?:closes|fix)\s*(?:https|(?:o\/r)?#1|\w+-1)/, `${host}: ${quiet}`);
      assert.equal(withoutJoiners(quiet).replaceAll("&lt;", "<"), text);
    }
  }
});

test("an agent's text links no issue of Linear, and its commit messages are not said to close what they link", () => {
  for (const text of [
    "part of ENG-1",
    "ref ENG-2",
    "References: eng-2",
    "contributes to ENG-3",
    "towards [ENG-4](https://linear.app/t/issue/ENG-4)",
    "part\nof `E-1`",
    "rel&#97;ted to <b>ENG-5</b>",
    "part of https://linear.app/t/issue/ENG-1",
  ]) {
    for (const host of hosts) {
      const quiet = markdownFor(host, text);
      assert.match(shown(quiet), /^<?\w+(?:\s(?:of|to))?\u2060/, quiet);
      assert.equal(withoutJoiners(quiet), text);
    }
    assert.deepEqual(actsIn(text), [], text);
    assert.equal(markdownFor("github", [{ by: "person", text }]), text);
  }
  assert.deepEqual(actsIn("completes E-1"), ["close or reopen an issue"]);
  assert.equal(titleFor("Mend E-1"), "Mend E-\u20601");
  const plain = "Part of the work, in UTF-8: see ref 12, related to that.";
  assert.equal(markdownFor("github", plain), plain);
});

test("a link whose target an agent says to close closes nothing, and no name is longer than the asker's", () => {
  assert.equal(markdownFor("github", `closes [it](${issue})`), `closes\u2060 [it](${issue})`);
  assert.equal(markdownFor("github", `closes <a href="${issue}">it</a>`), `closes\u2060 <a href="${issue}">it</a>`);
  for (const text of ["https://x.y/_@bob_", "https://x.y/&#32;@bob", "@ada&#98;", "@ada<!-- -->b"]) {
    assert.equal(markdownFor("github", [{ by: "agent", text, asker: "ada" }]), text.replace("@", "@\u2060"));
  }
  assert.equal(markdownFor("github", "#<!-- -->1 G&#72;-1"), "#\u2060<!-- -->1 G&#72;\u2060-1");
});

test("an agent's references in brackets link and close nothing on GitLab, however they are written", () => {
  const reference = /\[(?:issue|work_item|epic|vulnerability|feature_flag|cadence|contact|wiki_page):/i;
  for (const text of [
    "closes [issue:12]",
    "closes issues [issue:group/proj/12] and [epic:3]",
    "Fixes: [work_item:g/p/12]",
    "see [epic:3]",
    "[vulnerability:g/p/1] [feature_flag:2]",
    '[cadence:"plan a"] [contact:a@x.y] [wiki_page:Home]',
    "&#91;issue:12]",
    "[iss&#117;e:12]",
    "[issue&colon;12]",
    "\\[issue:12]",
    "[Issue:12]",
    "<b>[issue:12]</b>",
  ]) {
    const quiet = markdownFor("gitlab", [{ by: "agent", text }], true);
    assert.doesNotMatch(shown(quiet), reference, quiet);
    assert.doesNotMatch(quiet, /^(?:closes|fixes:?) /i);
    assert.equal(withoutJoiners(quiet), text);
    assert.doesNotMatch(titleFor(text), reference);
    assert.equal(markdownFor("gitlab", [{ by: "person", text }]), text);
  }
  for (const target of ["[issue:12]", "%5Bissue:12%5D", "[iss%75e:12]", "%5bwork%5fitem%3a12]", "&#91;issue:12]"]) {
    assert.match(markdownFor("gitlab", `[it](${target})`), /\u2060/);
    assert.match(markdownFor("gitlab", `<a href="${target}">it</a>`), /\u2060/);
  }
  const code = "`closes [issue:12]`";
  assert.equal(markdownFor("gitlab", [{ by: "agent", text: code }], true), code.replace("closes", "closes\u2060"));
  for (const text of ["closes [issue:12]", "Fix [work_item:g/p/3]"])
    assert.deepEqual(actsIn(text), ["close or reopen an issue"]);
  for (const text of ["Fix issue: it fails", "closes epic:3", "see ([docs](x)) and [issue: x], [issues:1]"]) {
    assert.deepEqual(actsIn(text), []);
    assert.equal(markdownFor("gitlab", text), text);
  }
});

test("what would do nothing stays as it is, and labels of links that are split keep their targets", () => {
  for (const text of [
    "It clos&#101;s **the** [file][f] &amp; more.\n\n[f]: a.md",
    "`clos&#101;s` https://x.y/1",
    "fix &lt;b>",
  ])
    assert.equal(markdownFor("gitlab", text), text);
  const quiet = markdownFor("github", `see [a closes #1][a b]\n\n[a b]: x.md`);
  assert.match(markdown.render(quiet), /<a href="x.md">/);
});

test("a long text with entities, tags and brackets is read in a short time", () => {
  for (const piece of ["clos&#101;s ", "a ", "[a](b) ", "**a", "&amp;<b>x</b>", "closes   ", "((((", "[[[["]) {
    const before = process.cpuUsage();
    markdownFor("github", piece.repeat(Math.floor(65_000 / piece.length)));
    assert.ok(process.cpuUsage(before).user < 5_000_000, piece);
  }
});
