import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { importRules } from "./import-map.mjs";

test("the linter enforces the current table of imports", () => {
  const written = JSON.parse(readFileSync(new URL("../biome.imports.json", import.meta.url), "utf8"));
  assert.deepEqual(written, importRules(), "run: node scripts/import-map.mjs");
});
