import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnsiStyle } from "./terminal-style.ts";
import { hasAnsi, parseAnsiLines, plainTerminalText, terminalText } from "./terminal-text.ts";

const ESC = "\u001B";
const textOf = (text: string) =>
  parseAnsiLines(text)
    .map((line) => line.map((run) => run.text).join(""))
    .join("\n");
const styleOf = (sgr: string): AnsiStyle | undefined => parseAnsiLines(`${ESC}[${sgr}mx`)[0]?.[0]?.style;

test("text without sequences is its lines", () => {
  assert.equal(textOf("a\nb\r\n\nc"), "a\nb\n\nc");
  assert.deepEqual(parseAnsiLines(""), [[]]);
  assert.equal(hasAnsi("a\r\nb\tc"), false);
  assert.equal(hasAnsi("a\rb"), true);
});

test("styles and the colors of 16, 256 and 16 million are read", () => {
  assert.deepEqual(styleOf("1;31")?.color, { palette: 1 });
  assert.equal(styleOf("1;31")?.bold, true);
  assert.deepEqual(styleOf("97;104")?.background, { palette: 12 });
  assert.deepEqual(styleOf("38;5;9")?.color, { palette: 9 });
  assert.deepEqual(styleOf("38;5;208")?.color, { rgb: "255 135 0" });
  assert.deepEqual(styleOf("48;5;244")?.background, { rgb: "128 128 128" });
  for (const form of ["38;2;10;20;30", "38:2::10:20:30", "38:2:10:20:30"]) {
    assert.deepEqual(styleOf(form)?.color, { rgb: "10 20 30" }, form);
  }
  assert.equal(styleOf("38;2;10;20;30;4")?.underline, true);
  assert.equal(styleOf("2;3;9;7")?.dim, true);
  assert.deepEqual(styleOf("31;42;1;0"), styleOf(""));
  assert.equal(styleOf("1;2;22")?.bold, false);
  assert.equal(styleOf("999;38;5"), styleOf(""));
});

test("a style lasts over lines until it is reset, and equal neighbors are one run", () => {
  const lines = parseAnsiLines(`${ESC}[32mone\ntwo${ESC}[0m three ${ESC}[0mfour`);
  assert.deepEqual(
    lines.map((line) => line.map((run) => [run.at, run.text, run.style.color])),
    [
      [[0, "one", { palette: 2 }]],
      [
        [0, "two", { palette: 2 }],
        [3, " three four", null],
      ],
    ],
  );
});

test("carriage returns, backspaces and erasing leave what a terminal shows", () => {
  assert.equal(textOf("10%\r50%\r100%\ndone"), "100%\ndone");
  assert.equal(textOf("longer\rab"), "abnger");
  assert.equal(textOf(`longer\rab${ESC}[K`), "ab");
  assert.equal(textOf(`old line${ESC}[2K\rnew`), "new");
  assert.equal(textOf(`old${ESC}[2Knew`), "   new");
  assert.equal(textOf(`progress 50%${ESC}[1K\rdone\n`), "done\n");
  assert.equal(textOf("one\ttwo\rABCDEFGHIJ"), "ABCDEFGHIJo");
  assert.equal(textOf("a\tb\rX"), "X\tb");
  assert.equal(textOf("a\tb\rXY"), "XY      b");
  assert.equal(textOf("a\tb\rXY\tZ"), "XY      Z");
  assert.equal(textOf(`abcdef\r${ESC}[2P${ESC}[2Cx${ESC}[X`), "cdx");
  assert.equal(textOf("abc\b\bX"), "aXc");
  assert.equal(textOf("\b\ba"), "a");
  assert.equal(textOf("👍👍\rab"), "ab");
  const [line] = parseAnsiLines(`${ESC}[31mred red\r${ESC}[32mgre`);
  assert.deepEqual(
    line?.map((run) => [run.text, run.style.color]),
    [
      ["gre", { palette: 2 }],
      [" red", { palette: 1 }],
    ],
  );
});

test("titles, hyperlinks, cursor movements and device strings are dropped, their labels stay", () => {
  assert.equal(textOf(`a${ESC}]0;title\u0007b`), "ab");
  assert.equal(textOf(`${ESC}]8;;https://evil.example${ESC}\\label${ESC}]8;;${ESC}\\`), "label");
  assert.equal(textOf(`a${ESC}[?25l${ESC}[>4;2mb`), "ab");
  assert.equal(textOf(`a${ESC}P1$r0m${ESC}\\b${ESC}(B${ESC}=c\u009B31md`), "abcd");
});

test("lines that a program moves back to are overwritten; what depends on the height of a screen loses nothing", () => {
  const pulls = `Pulling a ...\nPulling b ...\n${ESC}[2A${ESC}[2K\rPulling a ... done\r${ESC}[2B${ESC}[1A${ESC}[2K\rPulling b ... done\r${ESC}[1B`;
  assert.equal(textOf(pulls), "Pulling a ... done\nPulling b ... done\n");
  assert.equal(textOf(`1\n2\n3${ESC}[2F${ESC}[Jx`), "x");
  assert.equal(textOf(`${ESC}7a\nb${ESC}8c`), "c\nb");
  assert.equal(textOf(`a\nb${ESC}[Ac`), "ac\nb");
  assert.equal(textOf(`a${ESC}[2J${ESC}[10;5Hb`), "a\nb");
  assert.equal(textOf(`a\nb${ESC}[999Ac`), "a\nb\nc");
  assert.equal(textOf(`${ESC}[H${ESC}[2Ja`), "a");
  const long = Array.from({ length: 500 }, (_, line) => `line ${line}`).join("\n");
  assert.equal(textOf(`${long}${ESC}[3A\rX`), long.replace("line 496", "Xine 496"));
});

test("the text that remains can be read line by line, and has its colors", () => {
  const { length } = terminalText(`${Array.from({ length: 20_000 }, (_, at) => `${ESC}[2K\r${at}%`).join("")}\nend\n`);
  assert.equal(length, "19999%\nend\n".length);
  for (const text of [
    `${ESC}[31mred red\r${ESC}[32mgre\nx${ESC}[0my${ESC}[1;4;38;2;1;2;3;48;5;9mz\b\b`,
    `one\ttwo\rA\n${ESC}[2;3;7;9mx\ry`,
    "a\rb\u0007c\n",
  ]) {
    assert.deepEqual(parseAnsiLines(terminalText(text)), parseAnsiLines(text));
    assert.equal(plainTerminalText(text), textOf(text));
  }
  const colored = `${ESC}[31mred${ESC}[0m\r\n`;
  assert.equal(terminalText(colored), colored);
  assert.equal(plainTerminalText(colored), "red\r\n");
});

test("an unterminated sequence hides nothing", () => {
  assert.equal(textOf(`a${ESC}]0;no end\nnext`), "a0;no end\nnext");
  assert.equal(textOf(`a${ESC}]52;c;payload`), "a52;c;payload");
  assert.equal(textOf(`a${ESC}[31`), "a31");
  assert.equal(textOf(`a${ESC}`), "a");
  assert.equal(textOf(`a${ESC}[${"1;".repeat(5_000)}`).startsWith("a1;1;"), true);
});

test("hostile output makes no more runs than it has characters, and the shown text never grows", () => {
  const bombs = [
    ESC,
    `${ESC}[`,
    `${ESC}]`,
    `${ESC}]a`,
    `${ESC}[31m`,
    `${ESC}[31mx`,
    "x\r",
    "x\b",
    `xyz\r${ESC}[K`,
    `x${ESC}[2K`,
    "\r",
    "\u009B",
    `${ESC}P`,
    `${ESC}[1;2;3;`,
    `${ESC}[999Cx`,
    `x${ESC}[A`,
    `x\n${ESC}[50A`,
    `x${ESC}[1K`,
    `xy\r${ESC}[P`,
    `${ESC}[9X`,
    `${ESC}[s\nx${ESC}[u`,
    `x${ESC}[2J`,
    "\tx\r",
  ];
  for (const bomb of bombs) {
    const text = bomb.repeat(100_000);
    const lines = parseAnsiLines(text);
    const runs = lines.flat();
    assert.ok(runs.length <= text.length, JSON.stringify(bomb));
    const shown = runs.reduce((sum, run) => sum + run.text.length, 0);
    assert.ok(shown <= (bomb.includes("999C") ? 2 : 1) * text.length, JSON.stringify(bomb));
  }
});
