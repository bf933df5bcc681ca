import assert from "node:assert/strict";
import { test } from "node:test";
import { maskOf } from "#lib/entry/mask-values.ts";
import { maskedLogger } from "./masked-logger.ts";

test("errors in the service's log are without the run's secrets", () => {
  const secret = "7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
  const written: object[] = [];
  const write = (fields: object) => void written.push(fields);
  const logger = maskedLogger({ info: write, warn: write, error: write }, () => maskOf([secret]));
  logger.warn({ run: 1, err: new Error(`fatal: unexpected line ${secret}`) }, "not saved");
  logger.info({ run: 1, reason: `x ${secret}` }, "failed");
  const text = JSON.stringify(written);
  assert.ok(!text.includes(secret));
  assert.match(text, /fatal: unexpected line \[secret masked\].*masked-logger\.test.*"reason":"x \[secret masked\]"/);
});
