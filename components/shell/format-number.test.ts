import assert from "node:assert/strict";
import { test } from "node:test";
import { formatBytes } from "#lib/format-bytes.ts";
import { formatCost, formatCount, formatCountOf, formatTokens } from "./format-number.ts";

test("counts have thousands separators", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(formatCount), ["0", "999", "1,000", "1,234,567"]);
});

test("a noun agrees with its count", () => {
  assert.equal(formatCountOf(1, "step"), "1 step");
  assert.equal(formatCountOf(0, "step"), "0 steps");
  assert.equal(formatCountOf(1204, "repository", "repositories"), "1,204 repositories");
});

test("tokens are shortened to three digits and never to a thousand of a unit", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [1150, "1.15k"],
    [12345, "12.3k"],
    [123456, "123k"],
    [999999, "999k"],
    [1040000, "1.04M"],
    [2000000000, "2B"],
  ];
  for (const [tokens, text] of cases) assert.equal(formatTokens(tokens), text);
});

test("bytes use steps of 1,024", () => {
  assert.deepEqual([512, 1536, 20 * 1024 * 1024].map(formatBytes), ["512 B", "1.5 KB", "20 MB"]);
});

test("cost shows cents from one cent up, and up to four decimal places below", () => {
  const cases: [number, string][] = [
    [0, "$0.00"],
    [0.00001, "<$0.0001"],
    [0.0012, "$0.0012"],
    [0.06026999999999999, "$0.06"],
    [0.5, "$0.50"],
    [0.1107, "$0.11"],
    [1, "$1.00"],
    [1234.567, "$1,234.57"],
  ];
  for (const [usd, text] of cases) assert.equal(formatCost(usd), text);
});
