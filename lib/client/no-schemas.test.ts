import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

// Only the service has schemas, because it does the checking. zod alone would be a fifth of what a page may load.
const root = join(import.meta.dirname, "..", "..");

/** The imports that remain at run time in a browser: type-only ones are gone by then. */
const imports =
  /^(?:import|export)\s+(?!type\b)(?:[^;"]*?\bfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"|\bnew URL\(\s*"(\.[^"]+\.ts)"/gm;

/** The files of the project that a file imports, and whether it imports zod. */
function importsOf(file: string): { files: string[]; hasZod: boolean } {
  const names = [...readFileSync(join(root, file), "utf8").matchAll(imports)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  const files = names.flatMap((name) => {
    if (name.startsWith("#")) return [name.slice(1)];
    return /^\..*\.tsx?$/.test(name) ? [relative(root, join(root, dirname(file), name))] : [];
  });
  return { files, hasZod: names.some((name) => /^zod(?:$|\/)/.test(name)) };
}

/** Every file reachable from `starts`, with the file that led to it. */
function reachedFrom(starts: readonly string[]): Map<string, string | null> {
  const reached = new Map<string, string | null>(starts.map((file) => [file, null]));
  for (const file of reached.keys()) {
    for (const next of importsOf(file).files) if (!reached.has(next)) reached.set(next, file);
  }
  return reached;
}

/** The ways from `starts` to zod, one for each file that imports it. */
function waysToZod(starts: readonly string[]): string[] {
  const reached = reachedFrom(starts);
  const wayTo = (file: string): string => {
    const before = reached.get(file);
    return before == null ? file : `${wayTo(before)} -> ${file}`;
  };
  return [...reached.keys()].filter((file) => importsOf(file).hasZod).map(wayTo);
}

/** Everything that a browser may load. The API reference is rendered only on the server, except for files that say otherwise. */
const ofBrowsers = globSync(["lib/client/**/*.ts", "{app,components}/**/*.{ts,tsx}"], { cwd: root }).filter((file) => {
  if (/\.(?:test|fixture)\.tsx?$/.test(file)) return false;
  if (/^app\/|^components\/docs\//.test(file)) return readFileSync(join(root, file), "utf8").startsWith('"use client"');
  return true;
});

test("nothing that a browser loads imports zod", () => {
  assert.deepEqual(waysToZod(ofBrowsers), []);
});

test("the check above covers all pages, and would find zod", () => {
  const reached = [...reachedFrom(ofBrowsers).keys()];
  assert.deepEqual(
    reached.filter((file) => !existsSync(join(root, file))),
    [],
  );
  for (const file of [
    "app/global-error.tsx",
    "components/docs/try-form.tsx",
    "components/text/highlight-worker.ts",
    "lib/client/errand-client.ts",
    "lib/contract/addresses.ts",
    "lib/entry/outcome.ts",
  ]) {
    assert.ok(reached.includes(file), file);
  }
  assert.deepEqual(waysToZod(["lib/contract/integrations/slack-connect.ts"]), [
    "lib/contract/integrations/slack-connect.ts",
    "lib/contract/integrations/slack-connect.ts -> lib/contract/define-operation.ts",
    "lib/contract/integrations/slack-connect.ts -> lib/contract/define-operation.ts -> lib/contract/whole-number.ts",
  ]);
});
