import { readFile } from "node:fs/promises";

/** Processor time since the machine started, in ticks: all, idle, and stolen by the host of a virtual machine. */
export type MachineTicks = { all: number; idle: number; stolen: number };

/** Linux only; null elsewhere. */
export async function machineTicks(): Promise<MachineTicks | null> {
  const stat = await readFile("/proc/stat", "utf8").catch(() => null);
  if (stat === null) return null;
  // user, nice, system, idle, iowait, irq, softirq, steal. The two fields after these are included in the first two.
  const ticks = stat.slice(0, stat.indexOf("\n")).trim().split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle = 0, waiting = 0, , , stolen = 0] = ticks;
  return { all: ticks.reduce((sum, tick) => sum + tick, 0), idle: idle + waiting, stolen };
}

/**
 * Share of the wanted processor time that the host gave to other machines, 0..1. With more than a few hundredths, figures in
 * milliseconds say little about the product.
 */
export function stolenShare(before: MachineTicks | null, after: MachineTicks | null): number {
  if (before === null || after === null) return 0;
  const busy = after.all - before.all - (after.idle - before.idle);
  return busy <= 0 ? 0 : (after.stolen - before.stolen) / busy;
}
