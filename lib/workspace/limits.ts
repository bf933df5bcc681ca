import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";

const gigabyte = 1024 ** 3;

/** Maximum resources of the processes of one run: generous for a build, far below what takes a machine down. */
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
  /** Memory of all processes of a run, which leaves some to the service and other runs. */
  memoryBytes: Math.floor(totalmem() * 0.75),
  /**
   * If less than `diskLeftBytes` is free on the disk of the checkouts, a run that uses more than `diskMostBytes` of it is ended.
   */
  diskLeftBytes: 2 * gigabyte,
  diskMostBytes: gigabyte,
};

/**
 * A command prefix (util-linux) that limits the resources of a command and its children, within this process's own limits. No core
 * files are written.
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
