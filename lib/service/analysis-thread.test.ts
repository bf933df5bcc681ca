import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

const lib = resolve(import.meta.dirname, "..");

/** Modules that a module loads at run time, directly or indirectly; type-only imports load nothing. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!file.endsWith(".ts")) return found;
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";$/gm);
  for (const [, name = ""] of imports) {
    if (name.startsWith("#lib/")) loadedBy(join(lib, name.slice("#lib/".length)), found);
    else if (name.startsWith(".")) loadedBy(resolve(file, "..", name), found);
    else found.add(name);
  }
  return found;
}

test("the thread that analyzes loads no schemas: they would be most of its memory and of its start", () => {
  const loaded = loadedBy(join(lib, "service/analysis-thread.ts"));
  assert.ok(loaded.has(join(lib, "analysis/rules/run-limit.ts")), "the rules are found");
  assert.deepEqual(
    [...loaded].filter((name) => !name.endsWith(".ts") && !name.startsWith("node:")),
    [],
  );
});
