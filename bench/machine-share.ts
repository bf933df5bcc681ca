import { readFile } from "node:fs/promises";

/** What the machine's processors have done since it started, in ticks: all of it, while they stood idle, and kept back by a host. */
export type MachineTicks = { all: number; idle: number; stolen: number };

/** Linux only; null elsewhere. */
export async function machineTicks(): Promise<MachineTicks | null> {
  const stat = await readFile("/proc/stat", "utf8").catch(() => null);
  if (stat === null) return null;
  // user, nice, system, idle, iowait, irq, softirq, steal: the last two that follow are parts of the first two.
  const ticks = stat.slice(0, stat.indexOf("\n")).trim().split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle = 0, waiting = 0, , , stolen = 0] = ticks;
  return { all: ticks.reduce((sum, tick) => sum + tick, 0), idle: idle + waiting, stolen };
}

/**
 * What share of the time that somebody wanted was kept back by a host that runs other machines too, 0..1. Figures in
 * milliseconds from a time with more than some hundredths say little of the product.
 */
export function stolenShare(before: MachineTicks | null, after: MachineTicks | null): number {
  if (before === null || after === null) return 0;
  const busy = after.all - before.all - (after.idle - before.idle);
  return busy <= 0 ? 0 : (after.stolen - before.stolen) / busy;
}
