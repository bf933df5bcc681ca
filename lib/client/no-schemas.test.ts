import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "./no-schemas.ts";

const contract = join(import.meta.dirname, "..", "contract");

test("the contract of the service can be read without zod", async () => {
  // Each module as it is, with the stand-in where zod would be: in the browser the bundler does the same.
  for (const name of await readdir(contract)) {
    if (/\.test\.ts$|^openapi(-schemas)?\.ts$/.test(name)) continue;
    const source = await readFile(join(contract, name), "utf8");
    assert.doesNotMatch(source, /from "zod\/|instanceof z\.|z\.toJSONSchema/, name);
  }
  assert.equal(typeof z, "object");
});

test("a list of words is whole, and knows its words", () => {
  // The casts give the stand-in the type that the contract's modules see.
  const words = (z as typeof import("zod").z).enum(["one", "two"]);
  assert.deepEqual(words.options, ["one", "two"]);
  assert.equal(words.safeParse("two").success, true);
  assert.equal(words.safeParse("three").success, false);
});

test("any other schema is made, and refuses to check", () => {
  const { z: stand } = { z: z as typeof import("zod").z };
  const schema = stand
    .object({ at: stand.iso.datetime().nullable(), words: stand.enum(["a"]).default("a") })
    .extend({});
  assert.throws(() => schema.safeParse({}), /let the service check/);
  assert.throws(() => schema.shape.words.parse("a"), /let the service check/);
});
