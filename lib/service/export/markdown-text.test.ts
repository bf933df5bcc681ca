import assert from "node:assert/strict";
import { test } from "node:test";
import MarkdownIt from "markdown-it";
import { codeSpan, fenced, plainWords, quoted } from "./markdown-text.ts";
import { visibleText } from "./visible-text.ts";

const reader = new MarkdownIt({ html: true });

/** The same random numbers each time (a linear congruential generator). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const parts =
  "` `` ``` ```` ~~~ ~~~~ <b> </b> <script> <!-- --> <? <![CDATA[ <a` href=` > \\ \\` | [x](y) [x]: <y> ![ ![p](q) * - 1. # > : $$ &lt; a b"
    .split(" ")
    .concat([
      "\n",
      "\n",
      "\n",
      "\n",
      "\n```\n",
      "\n\n",
      " ",
      "  ",
      "   ",
      "    ",
      "\t",
      "\r",
      "\u001B[0m",
      "|-|-|",
      "---",
    ]);

/** Made of few parts, so that they meet in every order. */
function randomText(random: (below: number) => number): string {
  const chosen = Array.from({ length: 2 + random(6) }, () => parts[random(parts.length)]);
  return Array.from({ length: 1 + random(20) }, () => chosen[random(chosen.length)] ?? "\n").join("");
}

test("no text in a quotation becomes HTML or an image, or reaches what follows it", () => {
  const random = randomFrom(7);
  for (let round = 0; round < 30_000; round += 1) {
    const text = randomText(random);
    const tokens = reader.parse(`${quoted(text)}\n### after\n`, {});
    for (const token of tokens.flatMap((outer) => [outer, ...(outer.children ?? [])])) {
      const isBad = ["html_block", "html_inline", "image"].includes(token.type);
      assert.ok(!isBad, `${JSON.stringify(text)} makes ${token.type} ${JSON.stringify(token.content)}`);
    }
    const shape = tokens.filter((token) => token.level === 0).map((token) => token.type);
    assert.deepEqual(shape, ["blockquote_open", "blockquote_close", "heading_open", "heading_close"], text);
  }
});

test("a fence holds its text letter by letter and ends where it ends", () => {
  const random = randomFrom(11);
  for (let round = 0; round < 10_000; round += 1) {
    const text = randomText(random);
    const tokens = reader.parse(`${[...fenced(text, "text")].join("")}\n### after\n`, {});
    const shown = visibleText(text);
    assert.deepEqual(
      tokens.map((token) => token.type),
      ["fence", "heading_open", "inline", "heading_close"],
      JSON.stringify(text),
    );
    assert.equal(tokens[0]?.content, shown.endsWith("\n") ? shown : `${shown}\n`);
  }
});

test("a line as a code span or as plain words is that line", () => {
  const random = randomFrom(13);
  for (let round = 0; round < 10_000; round += 1) {
    const line = visibleText(randomText(random)).replace(/\s+/g, " ").trim();
    if (line === "") continue;
    const [span] =
      reader.parseInline(`x ${codeSpan(line)} y`, {})[0]?.children?.filter(({ type }) => type !== "text") ?? [];
    assert.deepEqual([span?.type, span?.content], ["code_inline", line]);
    const words = reader.parseInline(`x ${plainWords(line)}`, {})[0]?.children ?? [];
    assert.equal(words.map(({ content }) => content).join(""), `x ${line}`);
  }
});

test("megabytes of adversarial text are not slow", () => {
  for (const unit of [
    "`a``b```c",
    "<b",
    "![",
    "> ",
    "- ",
    "\u001B[",
    "\u001B]a",
    "|`",
    "\\`",
    "\t",
    "\u200B\u200C",
    "~~~\n",
  ]) {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    // Processor time, because the text is not responsible for other work of the machine.
    const before = process.cpuUsage();
    assert.ok(quoted(text).length >= 0);
    assert.ok([...fenced(text, "text")].length > 0);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 2_000_000, JSON.stringify(unit));
  }
});
