import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";

const gigabyte = 1024 ** 3;

/** What the processes of one run may use at most: generous for a build, far from what takes a machine down. */
export const wallLimits = {
  /** Processes and threads at a time. The kernel does not count those of root. */
  processes: 4096,
  /** Open files of one process. */
  openFiles: 65_536,
  /** Bytes of one file. */
  fileBytes: 20 * gigabyte,
  /** Bytes in /tmp and in /dev/shm, which are memory. */
  temporaryBytes: 2 * gigabyte,
  sharedBytes: gigabyte,
  /** Memory of all processes of a run: what leaves the service and others something. */
  memoryBytes: Math.floor(totalmem() * 0.75),
  /** Where less than this is left on the disk of the checkouts, a run that uses more than that of it is ended. */
  diskLeftBytes: 2 * gigabyte,
  diskMostBytes: gigabyte,
};

/**
 * The command (util-linux) that goes before another and limits what it and its children use, within what this process itself
 * may. No core files are written.
 */
export async function limitsBefore(): Promise<string[]> {
  const own = await readFile("/proc/self/limits", "latin1").catch(() => "");
  const within = (name: string, wanted: number) => {
    const hard = new RegExp(`^${name} +\\S+ +(\\d+)`, "m").exec(own)?.[1];
    return hard === undefined ? wanted : Math.min(wanted, Number(hard));
  };
  return [
    "prlimit",
    `--nproc=${within("Max processes", wallLimits.processes)}`,
    `--nofile=${within("Max open files", wallLimits.openFiles)}`,
    `--fsize=${within("Max file size", wallLimits.fileBytes)}`,
    "--core=0",
    "--",
  ];
}
