import { readFile } from "node:fs/promises";

/** Linux counts processor time in ticks of 10 ms. */
const tickMs = 10;

/** Processor time that a process has used so far, all threads. Linux only. */
export async function processorMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name in parentheses: state is the third field, user and system time the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
