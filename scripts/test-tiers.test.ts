import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

test("a tier written in a test is one that the scripts know", () => {
  const files = globSync("{app,components,e2e,lib}/**/*.{test,e2e}.ts", { cwd: root });
  const marks = files.flatMap((file) =>
    [...readFileSync(`${root}/${file}`, "utf8").matchAll(/^\/\/ *tier:.*$|\btag: "[^"]*"/gim)].map(([mark]) => mark),
  );
  assert.deepEqual(new Set(marks), new Set(["// Tier: rest", 'tag: "@short"']));
});
