import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { collectWhenIdle } from "#lib/collect-when-idle.ts";

const usedBytes = () => process.memoryUsage().heapUsed;
const megabyte = 1024 * 1024;

/** Fills memory with objects that outlive the young generation, and drops them. */
function leaveGarbage(): number {
  const kept = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
  const bytes = usedBytes();
  kept.length = 0;
  return bytes;
}

test("what work has left is collected once the process is idle, and not while it works", async () => {
  const end = collectWhenIdle({ lookMs: 100 });
  try {
    const full = leaveGarbage();
    for (const until = performance.now() + 500; performance.now() < until; ) {
      const slice = performance.now() + 40;
      while (performance.now() < slice);
      await delay(1);
    }
    assert.ok(usedBytes() > full - 8 * megabyte, "it was collected while it worked");
    for (let looks = 0; usedBytes() > full - 24 * megabyte; looks += 1) {
      assert.ok(looks < 200, `${full} bytes were used, and ${usedBytes()} are`);
      await delay(100);
    }
  } finally {
    end();
  }
});
