import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { collectWhenIdle } from "#lib/collect-when-idle.ts";

const lookMs = 100;
const megabyte = 1024 * 1024;
const usedBytes = () => process.memoryUsage().heapUsed;

/** Fills memory with objects that outlive the young generation, and drops them. Returns the bytes that were used. */
function leaveGarbage(): number {
  const kept = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
  const bytes = usedBytes();
  kept.length = 0;
  return bytes;
}

test("garbage is collected once the process is idle, and not while it works", async () => {
  let collected = 0;
  const end = collectWhenIdle({ lookMs, collect: () => (collected += 1) });
  try {
    // V8 may collect garbage by itself at any time, so it is kept here.
    const kept = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
    for (const until = performance.now() + 5 * lookMs; performance.now() < until; ) {
      const slice = performance.now() + 40;
      while (performance.now() < slice);
      await delay(1);
    }
    assert.equal(collected, 0, "it was collected while it worked");
    for (let looks = 0; collected === 0; looks += 1) {
      assert.ok(looks < 200, `${kept.length} objects are kept, and nothing was collected`);
      await delay(lookMs);
    }
  } finally {
    end();
  }
});

test("what is collected is free", async () => {
  const end = collectWhenIdle({ lookMs });
  try {
    const full = leaveGarbage();
    for (let looks = 0; usedBytes() > full - 24 * megabyte; looks += 1) {
      assert.ok(looks < 200, `${full} bytes were used, and ${usedBytes()} are`);
      await delay(lookMs);
    }
  } finally {
    end();
  }
});
