import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePrompt } from "#lib/entry/prompt-steps.ts";
import type { MarkdownNode } from "./markdown-nodes.ts";
import {
  deceptiveHost,
  linkableHref,
  markdownLengthMax,
  markdownNodesMax,
  parseMarkdown,
  plainWordsOf,
  textOf,
} from "./markdown-nodes.ts";

/** A tree in short notation: `p(text strong(text))`. */
function shapeOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      const name = node.kind === "element" ? node.tag : node.kind;
      return "children" in node ? `${name}(${shapeOf(node.children)})` : name;
    })
    .join(" ");
}

function countOf(nodes: readonly MarkdownNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + ("children" in node ? countOf(node.children) : 0), 0);
}

function parsed(text: string): MarkdownNode[] {
  const nodes = parseMarkdown(text);
  assert.ok(nodes !== null, "was not read as markdown");
  return nodes;
}

test("the plain words of a text have no marks; each paragraph, item and row has its line, and code stands apart", () => {
  const text =
    "# Title\n\nUse **bold _both_** and `code`.\nNext [link](https://a.test).\n\n- one\n  - two\n\n> said\n\n";
  const more = "```sh\na **b**\n  c\n```\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n![sketch](https://a.test/x.png)";
  const lines = ["Title", "Use bold both and code.", "Next link.", "one", "two", "said"];
  assert.equal(plainWordsOf(text + more), [...lines, "", "a **b**", "  c", "", "A B", "1 2", "sketch"].join("\n"));
  assert.equal(plainWordsOf("```sh\na\n```\n```sh\nb\n```"), "a\n\nb");
  assert.equal(plainWordsOf("|".repeat(5_000)), "|".repeat(5_000));
});

test("plain text reads back as it was stored", () => {
  for (const text of [
    "Hello, world.",
    "one\ntwo\nthree",
    "5 < 6 & 7 > 3 \"quoted\" 'so'",
    "<b>not bold</b> <script>alert(1)</script>",
  ]) {
    const broken = (nodes: readonly MarkdownNode[]): string =>
      nodes
        .map((node) => (node.kind === "break" ? "\n" : "children" in node ? broken(node.children) : textOf([node])))
        .join("");
    assert.equal(broken(parsed(text)), text);
  }
});

test("the elements of a common answer are present", () => {
  const text =
    "# Title\n\nA *b* **c** ~~d~~ `e`\n\n- one\n  1. two\n\n> quote\n\n---\n\n|a|b|\n|:-|-:|\n|1|2|\n\n```ts title\nlet a;\n```";
  assert.equal(
    shapeOf(parsed(text)),
    "h1(text) p(text em(text) text strong(text) text s(text) text code) ul(li(text ol(li(text)))) blockquote(p(text)) rule " +
      "table(thead(tr(th(text) th(text))) tbody(tr(td(text) td(text)))) fence",
  );
  const fence = parsed(text).at(-1);
  assert.deepEqual(fence?.kind === "fence" && [fence.language, fence.text], ["ts", "let a;"]);
});

test("task lists show what is done", () => {
  const [list] = parsed("- [ ] open\n- [x] done\n- plain [x] text\n\n");
  const items = list?.kind === "element" ? list.children : [];
  assert.deepEqual(
    items.map((item) => item.kind === "element" && [item.isDone, textOf(item.children)]),
    [
      [false, "open"],
      [true, "done"],
      [null, "plain [x] text"],
    ],
  );
  const [loose] = parsed("- [x] done\n\n  [x] second paragraph\n");
  assert.ok(loose?.kind === "element" && textOf([loose]).includes("[x] second"));
});

test("only http, https and mailto become links; other targets keep their label", () => {
  assert.equal(linkableHref("https://example.org/a"), "https://example.org/a");
  assert.equal(linkableHref("mailto:a@b.co"), "mailto:a@b.co");
  for (const target of [
    "javascript:alert(1)",
    " javascript:x",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "//evil.example",
    "src/a.ts",
    "#x",
    "https://",
    "http://[",
  ]) {
    assert.equal(linkableHref(target), null, target);
  }
  const [paragraph] = parsed(
    "[x](javascript:alert%281%29) [a.ts](src/a.ts) ![logo](http://tracker.example/p.png) https://example.org",
  );
  assert.ok(paragraph?.kind === "element");
  const found = paragraph.children.filter((node) => node.kind === "link" || node.kind === "image");
  assert.deepEqual(
    found.map((node) => node.href),
    [null, null, "http://tracker.example/p.png", "https://example.org"],
  );
});

test("an address is shown and followed as it is written", () => {
  for (const address of ["https://xn--pple-43d.example/%D0%B0", "https://\u0430pple.example/\u0430%20b?q=%26"]) {
    const [paragraph] = parsed(`see ${address} and <${address}>`);
    assert.ok(paragraph?.kind === "element");
    const links = paragraph.children.filter((node) => node.kind === "link");
    assert.deepEqual(
      links.map((link) => [link.target, link.href, textOf(link.children)]),
      [
        [address, address, address],
        [address, address, address],
      ],
    );
  }
});

test("a link whose text names another host is recognized", () => {
  assert.equal(deceptiveHost("https://good.example/a", "https://evil.example/a"), "evil.example");
  assert.equal(deceptiveHost("good.example", "https://good.example/a"), null);
  assert.equal(deceptiveHost("example.org/docs", "https://www.example.org/docs"), null);
  assert.equal(deceptiveHost("read more", "https://evil.example"), null);
});

const repeat = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const bombParts = [
  ">",
  "> > > > a\n",
  "- ",
  "* * ",
  "1. a\n",
  "*a ",
  "*a* ",
  "**a*b_c__ ",
  "_a__b",
  "*",
  "*_",
  "[",
  "![[",
  "[a](",
  "[a](b) ",
  "[a](<b",
  "]",
  "`a``b",
  "a",
  "abc ",
  "http://a.b ",
  "http://a",
  "a@b.co ",
  "www.",
  "@",
  "a.",
  "//",
  "&amp;",
  "[a]: b\n",
  "|a|b|\n|-|-|\n",
  "|a",
  "a|b\n",
  "```\n",
  "<a ",
  "<!--",
  "<http:",
  "\\",
  "---\n",
  "# a\n",
  "a\n=",
  "\n",
  "~~a",
  "~~a~~ ",
  "*[a](b `c` **d",
  "[a](((",
  '[a](b "',
  "*a **b ",
  "\u202Eא",
  "    a\n",
  ">a\nb\n",
  "> - ",
  "[[a]",
  "__a ",
  "\u0000",
  "\r",
  "\t",
];

test("hostile text of any kind and size makes a bounded number of nodes", () => {
  for (const part of bombParts) {
    for (const length of [500, 3_000, markdownLengthMax, 131_072]) {
      const nodes = parseMarkdown(repeat(part, length));
      assert.ok(nodes === null || countOf(nodes) <= markdownNodesMax + 1, JSON.stringify(part));
      if (length > markdownLengthMax) assert.equal(nodes, null);
    }
  }
});

test("nesting that the parser would drop is shown as plain text instead", () => {
  assert.equal(parseMarkdown(`${">".repeat(300)} deep`), null);
  assert.equal(parseMarkdown(Array.from({ length: 60 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")), null);
  assert.equal(parseMarkdown(`${"*a **b ".repeat(60)}${"b** a* ".repeat(60)}`), null);
  assert.notEqual(parseMarkdown(`${"> ".repeat(6)} fine`), null);
});

test("a table that would be padded with too many empty cells is shown as plain text", () => {
  assert.equal(parseMarkdown(`|${"a|".repeat(500)}\n|${"-|".repeat(500)}\n${"|\n".repeat(500)}`), null);
});

test("a block that names its file keeps the name beside its language", () => {
  const infoOf = (info: string) => {
    const fence = parseMarkdown(`\`\`\`${info}\na\n\`\`\``)?.at(0);
    return fence?.kind === "fence" ? [fence.language, fence.path ?? null] : null;
  };
  assert.deepEqual(infoOf("ts path=src/a.ts"), ["ts", "src/a.ts"]);
  assert.deepEqual(infoOf('path="a file.md" md'), ["md", "a file.md"]);
  assert.deepEqual(infoOf("path='b c'"), ["", "b c"]);
  assert.deepEqual(infoOf("sh"), ["sh", null]);
  assert.deepEqual(infoOf("path="), ["", null]);
});

test("headings skip no level of the outline, whatever the text skips", () => {
  const levels = (text: string) =>
    parseMarkdown(text)?.map((node) => (node.kind === "element" ? [node.tag, node.level] : null));
  const outline = [
    ["h2", 1],
    ["h4", 2],
    ["h4", 2],
    ["h2", 1],
    ["h1", 1],
    ["h3", 2],
  ];
  assert.deepEqual(levels("## a\n#### b\n#### c\n## d\n# e\n### f"), outline);
  assert.deepEqual(levels("# a\n\nb"), [
    ["h1", 1],
    ["p", null],
  ]);
});

test("a prompt shows as code blocks what the built-in agent runs, and nothing else, whatever surrounds it", () => {
  const run = "```sh\nRUN\n```";
  const around = [
    (block: string) => `<div>\n${block}\n</div>`,
    (block: string) => `<!--\n${block}\n-->`,
    (block: string) => `<details>\n<summary>x</summary>\n\n${block}\n\n</details>`,
    (block: string) => `<unknown>\n${block}\n</unknown>`,
    (block: string) => `\uFEFF${block}`,
    (block: string) => `\n\n${block}\n`,
    (block: string) => block.replaceAll(/^/gm, "    "),
    (block: string) => block.replaceAll(/^/gm, "\t"),
    (block: string) => block.replaceAll(/^/gm, "  "),
    (block: string) => `1. x\n\n${block.replaceAll(/^/gm, "   ")}`,
    (block: string) => `| a |\n| - |\n| b |\n${block}`,
    (block: string) => `~~~\n${block}\n~~~`,
    (block: string) => `text\n${block.replaceAll("\n", "\r\n")}`,
    (block: string) => `[a]: x\n${block}`,
    (block: string) => block.replace("```sh", "``` \t sh {x}"),
    (block: string) => `<p>x</p>\n${block}`,
  ];
  const shellBlocks = (nodes: readonly MarkdownNode[]): string[] =>
    nodes.flatMap((node) =>
      node.kind === "fence" && node.language === "sh"
        ? [node.text]
        : "children" in node
          ? shellBlocks(node.children)
          : [],
    );
  for (const first of around)
    for (const second of around) {
      const prompt = `${first(run)}\n\n${second(run.replace("RUN", "AGAIN"))}`;
      const steps = parsePrompt(prompt).map((step) => step.kind === "shell" && step.command.replace(/\n$/, ""));
      assert.deepEqual(steps, shellBlocks(parseMarkdown(prompt, true) ?? []), JSON.stringify(prompt));
    }
  assert.equal(textOf(parseMarkdown("<div>\n**x** <b>\n</div>\n\ny", true) ?? []), "<div>\n**x** <b>\n</div>y");
});
