import assert from "node:assert/strict";
import { test } from "node:test";
import { secretLines } from "./known-secrets.ts";
import { maskOf } from "./mask-values.ts";
import { secretMask } from "./secret-mask.ts";

const values = ["Tr0ub4dor&3x9", "Corr3ct-H0rse!Battery$taple", "k9!Fq2$Zr7@Lm4#Xs", "Grüße aus Köln, 7 Tüten!"];
const columnsOf = (bytes: Buffer) => Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) => 16 * at);
const shown = (bytes: Buffer) => bytes.toString("latin1").replace(/[^ -~]/g, ".");
const inGroups = (bytes: Buffer, size: number) =>
  bytes.toString("hex").match(new RegExp(`.{1,${2 * size}}`, "g")) ?? [];
const swapped = (group: string) => group.match(/../g)?.reverse().join("") ?? "";

/** Each line of 16 bytes as a tool writes it. */
const dumpOf = (bytes: Buffer, write: (offset: number, row: Buffer) => string) =>
  columnsOf(bytes)
    .map((offset) => `${write(offset, bytes.subarray(offset, offset + 16))}\n`)
    .join("");
const hex = (offset: number, digits: number) => offset.toString(16).padStart(digits, "0");

const xxd =
  (size: number, order = (group: string) => group) =>
  (bytes: Buffer) =>
    dumpOf(bytes, (offset, row) => {
      const groups = inGroups(row, size).map((group) => order(group).padStart(order === swapped ? 2 * size : 0));
      return `${hex(offset, 8)}: ${groups.join(" ").padEnd(32 + Math.ceil(16 / size) - 1)}  ${shown(row)}`;
    });

/** Of a number alone on a line nobody can say whether it counts lines. */
const unnumbered = new Set(["xxd -p", "xxd, a blank line after each"]);

const tools: Record<string, (bytes: Buffer) => string> = {
  xxd: xxd(2),
  "xxd -g1": xxd(1),
  "xxd -g4": xxd(4),
  "xxd -g8": xxd(8),
  "xxd -g0": xxd(16),
  "xxd -u": (bytes) => xxd(2)(bytes).replace(/(?<=: )[\da-f ]+/g, (groups) => groups.toUpperCase()),
  "xxd -e": xxd(4, swapped),
  "xxd -e -g8": xxd(8, swapped),
  "xxd, a blank line after each": (bytes) => xxd(2)(bytes).replaceAll("\n", "\n\n"),
  "hexdump -x": (bytes) =>
    dumpOf(bytes, (offset, row) => {
      const groups = inGroups(row, 2).map((one) => swapped(one.padEnd(4, "0")));
      return `${hex(offset, 7)}${groups.map((one) => `    ${one}`).join("")}`;
    }),
  "openssl -text": (bytes) =>
    `    ${inGroups(bytes, 1)
      .join(":")
      .replace(/(?:..:){15}/g, "$&\n    ")}\n`,
  "Format-Hex": (bytes) =>
    dumpOf(bytes, (offset, row) => `${hex(offset, 8)}   ${inGroups(row, 1).join(" ").padEnd(47)}  ${shown(row)}`),
  "xxd -p": (bytes) => bytes.toString("hex").replace(/.{60}/g, "$&\n"),
  "xxd -i": (bytes) => `char a[] = {\n${dumpOf(bytes, (_, row) => `  0x${inGroups(row, 1).join(", 0x")},`)}};\n`,
  "xxd -R always": (bytes) =>
    xxd(1)(bytes).replace(/(?<=: )[\da-f ]+/g, (groups) => groups.replace(/\w\w/g, "\u001b[1;32m$&\u001b[0m")),
  "hexdump -C": (bytes) =>
    dumpOf(bytes, (offset, row) => {
      const halves = [row.subarray(0, 8), row.subarray(8)].map((half) => inGroups(half, 1).join(" ").padEnd(23));
      return `${hex(offset, 8)}  ${halves.join("  ")}  |${shown(row)}|`;
    }),
  hexdump: (bytes) =>
    dumpOf(
      bytes,
      (offset, row) =>
        `${hex(offset, 7)} ${inGroups(row, 2)
          .map((one) => swapped(one.padEnd(4, "0")))
          .join(" ")}`,
    ),
  "od -tx1z": (bytes) =>
    dumpOf(
      bytes,
      (offset, row) =>
        `${offset.toString(8).padStart(7, "0")} ${inGroups(row, 1).join(" ").padEnd(47)}  >${shown(row)}<`,
    ),
  "od -An -tx1": (bytes) => dumpOf(bytes, (_, row) => ` ${inGroups(row, 1).join(" ")}`),
  "openssl, colons": (bytes) => `${inGroups(bytes, 1).join(":")}\n`,
  "printf, \\x": (bytes) => `\\x${inGroups(bytes, 1).join("\\x")}\n`,
};

/** Longest piece of the value, in bytes and more than four, that the text still shows in a column of digits or of characters. */
function longestShown(text: string, value: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
  const seen = text.replaceAll(secretMask, "#").replace(/\u001b\[[0-9;]*m/g, "");
  const digits = seen.toLowerCase().replace(/0x|[^0-9a-f#\n]/g, "");
  const bytes = Buffer.from(value);
  for (let length = bytes.length; length > 4; length -= 1) {
    for (let at = 0; at + length <= bytes.length; at += 1) {
      const piece = bytes.subarray(at, at + length);
      if (digits.includes(piece.toString("hex")) || seen.includes(piece.toString("latin1"))) return length;
    }
  }
  return 0;
}

for (const [tool, write] of Object.entries(tools)) {
  test(`${tool} shows no part of a secret, in neither column, wherever it is in the file`, () => {
    for (const value of values) {
      for (const before of ["", "a", "PASSWORD=", "de ad be ef 12 34"]) {
        for (const after of ["", "\n", " and more of the file\n"]) {
          const dump = write(Buffer.from(`${before}${value}${after}`));
          const context = { value, before, after };
          const masked = maskOf([value]).text(`$ dump\n${dump}done 12\n`);
          assert.ok(longestShown(masked, value) === 0, JSON.stringify({ ...context, masked }, null, 1));
          assert.ok(masked.startsWith("$ dump\n") && masked.endsWith("done 12\n"), masked);
          const numbered = unnumbered.has(tool) ? [] : [dump.replace(/^/gm, "    10→")];
          for (const deep of [JSON.stringify({ dump }), ...numbered]) {
            const inner = maskOf([value]).text(deep);
            assert.ok(longestShown(inner, value) === 0, JSON.stringify({ ...context, inner }, null, 1));
          }
        }
      }
    }
  });
}

test("of a dump, only the secret's digits and characters are masked, on each of its lines", () => {
  const mask = maskOf(["k9!Fq2$Zr7@Lm4#Xs"]);
  const bytes = Buffer.from("key=k9!Fq2$Zr7@Lm4#Xs\n");
  assert.equal(
    mask.text(tools["xxd -g1"]?.(bytes) ?? ""),
    `00000000: 6b 65 79 3d ${secretMask}  key=${secretMask}\n00000010: ${secretMask} 0a${" ".repeat(32)}${secretMask}.\n`,
  );
  assert.equal(
    mask.text(tools["hexdump -C"]?.(bytes) ?? ""),
    `00000000  6b 65 79 3d ${secretMask}  |key=${secretMask}|\n00000010  ${secretMask} 0a${" ".repeat(33)}|${secretMask}.|\n`,
  );
  const other = Buffer.from("Nothing in this file is a secret, though it has several lines.\n");
  for (const [tool, write] of Object.entries(tools)) assert.equal(mask.text(write(other)), write(other), tool);
});

test("bytes that a value encodes are masked in a dump, and 12 digits of what is random", () => {
  const bytes = Buffer.from("fbef17a0c4d2e9b85a6f3c9fffee11a2", "hex");
  for (const tool of ["xxd", "hexdump", "hexdump -C", "od -An -tx1"]) {
    const dump = tools[tool]?.(Buffer.concat([Buffer.from("0123456789"), bytes])) ?? "";
    const masked = maskOf([bytes.toString("base64")]).text(dump);
    assert.doesNotMatch(masked.replace(/[ :\n]/g, ""), /fbef17|a0c4d2|3c9fff|17fb/, masked);
  }
});

test("of a dump that grows, the beginning of a secret at its end is left out", () => {
  const mask = maskOf(["k9!Fq2$Zr7@Lm4#Xs"]);
  for (const tool of ["xxd", "hexdump -C"]) {
    const [first = ""] = tools[tool]?.(Buffer.from("k9!Fq2$Zr7@Lm4#Xs")).split("\n") ?? [];
    const left = mask.growing(`$ dump\n${first}\n`);
    assert.ok(!/6b ?39|k9!/.test(left), left);
  }
});

test("a file that has a dump of a secret has the line where the dump begins", () => {
  const lines = (tools["hexdump -C"]?.(Buffer.from("k9!Fq2$Zr7@Lm4#Xs")) ?? "").split("\n");
  assert.ok(secretLines(["k9!Fq2$Zr7@Lm4#Xs"])(["fine", ...lines, "fine"]).has(1));
});

test("a text in which parts of a secret are everywhere takes little time and memory", () => {
  const mask = maskOf(["aaaaaaaaaaaa1!", "Tr0ub4dor&3x9"]);
  for (const line of ["61\n", "547230\n", "10,61,61,61,22,1\n", "61 61 61 61\r"]) {
    const text = line.repeat(Math.ceil(4_000_000 / line.length));
    const before = process.cpuUsage();
    mask.text(text);
    assert.ok(process.cpuUsage(before).user < 2_500_000, line);
  }
});

test("a secret many times on one long line of digits takes time in proportion to its length", () => {
  const value = "k9!Fq2$Zr7@Lm4#Xs";
  const line = `${inGroups(Buffer.from(value.repeat(20_000)), 1).join(" ")}\n`;
  const before = process.cpuUsage();
  assert.equal(maskOf([value]).text(`a\n${line}b`).replaceAll(secretMask, "").replaceAll(" ", ""), "a\n\nb");
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});
