import { readFile } from "node:fs/promises";
import { Product } from "../e2e/product.ts";
import { median, print } from "./report.ts";

const rounds = 5;
const idleMs = 5000;

/** Time from the command to the printed link on a built product, and memory when idle. */
export async function benchFootprint(): Promise<void> {
  const startMs: number[] = [];
  const stopMs: number[] = [];
  const memory: { name: string; megabytes: number }[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const product = await Product.start();
    startMs.push(performance.now() - startedAt);
    // Long enough for start-up garbage to be collected; what is measured is a service that waits.
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    memory.push(await Promise.all((await product.processes()).map(proportionalMemory)));
    stopMs.push(await product.stop());
  }
  const of = (name: string) =>
    median(memory.map((processes) => processes.find((one) => one.name === name)?.megabytes ?? 0));
  print(`Start and rest (median of ${rounds})`, [
    ["ready after", `${(median(startMs) / 1000).toFixed(2)} s`],
    ["stopped after", `${(median(stopMs) / 1000).toFixed(2)} s`],
    ["web + engine, idle", `${(of("web") + of("engine")).toFixed(0)} MB`],
    ["web", `${of("web").toFixed(0)} MB`],
    ["engine", `${of("engine").toFixed(0)} MB`],
    ["supervisor", `${of("supervisor").toFixed(0)} MB`],
  ]);
}

/** Proportional set size: memory shared with other processes (Node's own code) counts in parts. Linux only. */
async function proportionalMemory({ name, pid }: { name: string; pid: number }) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  return { name, megabytes: Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1000 };
}
