import assert from "node:assert/strict";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { collectWhenIdle } from "#lib/collect-when-idle.ts";

const usedBytes = () => process.memoryUsage().heapUsed;
const megabyte = 1024 * 1024;

/** Fills memory with objects that outlive the young generation, and drops them. Returns the bytes that were used. */
function leaveGarbage(): number {
  const kept = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
  const bytes = usedBytes();
  kept.length = 0;
  return bytes;
}

test("what work has left is collected once the process is idle, and not while it works", async () => {
  // V8 may collect by itself at any time: only collections that a program asked for count.
  let asked = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { flags: number } }[])
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) asked += 1;
  });
  observer.observe({ entryTypes: ["gc"] });
  const end = collectWhenIdle({ lookMs: 100 });
  try {
    const full = leaveGarbage();
    for (const until = performance.now() + 500; performance.now() < until; ) {
      const slice = performance.now() + 40;
      while (performance.now() < slice);
      await delay(1);
    }
    assert.equal(asked, 0, "it was collected while it worked");
    for (let looks = 0; asked === 0 || usedBytes() > full - 24 * megabyte; looks += 1) {
      assert.ok(looks < 200, `${full} bytes were used, and ${usedBytes()} are, after ${asked} collections`);
      await delay(100);
    }
  } finally {
    end();
    observer.disconnect();
  }
});
