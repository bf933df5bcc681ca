import { readFile } from "node:fs/promises";

/** Linux counts processor time in ticks of 10 ms. */
const tickMs = 10;

/**
 * Processor time that a process has used so far, all threads, in ms; `withChildren`: and that of its children that have ended. Linux
 * only.
 */
export async function processorMs(pid: number | undefined, { withChildren = false } = {}): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name in parentheses: state is the third field, user and system time the 14th and 15th, those of children next.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, withChildren ? 15 : 13);
  return ticks.reduce((sum, text) => sum + Number(text), 0) * tickMs;
}
