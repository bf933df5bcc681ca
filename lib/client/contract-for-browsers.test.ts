import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import contractForBrowsers from "./contract-for-browsers.ts";

const contract = join(import.meta.dirname, "..", "contract");

/** What a module of the contract is for a browser, by the names of its exports. */
async function forBrowsers(name: string, source = ""): Promise<Record<string, string>> {
  const text = await contractForBrowsers.call({ resourcePath: join(contract, name) }, source);
  return Object.fromEntries(
    [...text.matchAll(/^export const (\w+) = (.+);$/gm)].map(([, key = "", value = ""]) => [key, value]),
  );
}

test("a page is told where every operation is and what it answers, and nothing of its schemas", async () => {
  for (const name of ["run-operations.ts", "outline.ts", "share.ts", "session.ts"]) {
    const written = await forBrowsers(name);
    for (const [key, value] of Object.entries(await import(join(contract, name)))) {
      const { id, method, path, resultType } = fieldsOf(value);
      if (id === undefined) continue;
      assert.deepEqual(JSON.parse(written[key] ?? "null"), { method, path, resultType }, `${name} ${key}`);
    }
  }
});

test("bounds are whole, lists of words are lists, schemas are nothing", async () => {
  const run = await forBrowsers("run.ts");
  assert.equal(run.promptCharactersMax, String((await import("#lib/contract/run.ts")).promptCharactersMax));
  assert.equal(run.PermissionMode, '/* @__PURE__ */ wordList(["auto","read-only","ask"])');
  assert.equal(run.Run, "inert");
});

test("a module that exports a function is left as it is", async () => {
  const source = "export const here = true;";
  assert.deepEqual(await forBrowsers("run-status.ts", source), { here: "true" });
});
