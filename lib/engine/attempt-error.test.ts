import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { entryOfError } from "./attempt-error.ts";

test("an error of the operating system is told by its code, without the path that it names", async () => {
  const error = await readFile("/nowhere/data/checkouts/7/file").catch((error: unknown) => error);
  assert.match(String(error), /nowhere/);
  const { observation } = entryOfError(error);
  assert.deepEqual(observation, { code: "ENOENT", message: "The operating system answered ENOENT." });
});
