import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const lookMsDefault = 30_000;
/** A process that ran for less than this share of the time is idle. */
const idleShare = 0.05;
/** Less garbage than this is not worth the time of a collection, in bytes. */
const grownBytesMin = 24 * 1024 * 1024;

/**
 * Gives memory back when this process has become idle. V8 collects garbage while a program allocates, so a process would keep what its
 * last large piece of work left until the next one. Returns a function that ends it.
 */
export function collectWhenIdle({
  lookMs = lookMsDefault,
  collect = collector(),
}: {
  lookMs?: number;
  collect?: () => void;
} = {}): () => void {
  let last = performance.eventLoopUtilization();
  let keptBytes = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    keptBytes = Math.min(keptBytes, usedBytes());
    if (utilization > idleShare || usedBytes() < keptBytes + grownBytesMin) return;
    collect();
    keptBytes = usedBytes();
    last = performance.eventLoopUtilization();
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** V8's most thorough collection, which also gives freed pages back to the system. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: (options: { type: "major"; flavor: "last-resort" }) => void = runInNewContext("gc");
  return () => collect({ type: "major", flavor: "last-resort" });
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
