import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./faults.mjs";

const root = join(import.meta.dirname, "..");
const files = Object.values(faults).flat();
const tests = globSync(["lib/**/*.test.ts", "e2e/*.e2e.ts"], { cwd: root });

test("the table of faults names existing files, each once", () => {
  assert.deepEqual(
    files.filter((file) => !existsSync(join(root, file))),
    [],
  );
  assert.equal(new Set(files).size, files.length);
});

test("whoever tests a fault in whole counts is in the table", () => {
  const isOfFault = (text: string) =>
    /countOf\(/.test(text) && /SIGKILL|damaged|disk_full|hostile repositor/.test(text);
  const found = tests.filter((file) => isOfFault(readFileSync(join(root, file), "utf8")));
  assert.ok(found.length > 5);
  assert.deepEqual(
    found.filter((file) => !files.includes(file)),
    [],
  );
});

test("a test whose name speaks of something killed or damaged is in the table", () => {
  const found = tests.filter((file) =>
    /\btest\(\s*["`][^"`\n]*\b(?:killed|damaged)\b/.test(readFileSync(join(root, file), "utf8")),
  );
  assert.ok(found.length > 15);
  assert.deepEqual(
    found.filter((file) => !files.includes(file)),
    [],
  );
});
