import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";

const gigabyte = 1024 ** 3;

/** Maximum resources of the processes of one run: generous for a build, far below what takes a machine down. */
export const wallLimits = {
  /** Processes and threads of a user at a time. The kernel does not count those of root. */
  threads: 4096,
  /** Processes of a run; a run with more is ended. Builds have a few dozen per processor. */
  processes: 1024,
  /** Open files of one process. */
  openFiles: 65_536,
  /** Bytes of one file. */
  fileBytes: 20 * gigabyte,
  /** Bytes in /tmp and in /dev/shm, which are memory. */
  temporaryBytes: 2 * gigabyte,
  sharedBytes: gigabyte,
  /** Memory of all processes of a run, which leaves some of the machine's, or of the service's cgroup's, to the service and other runs. */
  memoryBytes: Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) * 0.75),
  /**
   * If less than `diskLeftBytes` is free on the disk of the checkouts, a run that uses more than `diskMostBytes` of it is ended.
   */
  diskLeftBytes: 2 * gigabyte,
  diskMostBytes: gigabyte,
};

/**
 * Added to the service's own nice value: each process of a run has a third of the weight of one of the service. With the lowest
 * priority, other work on a busy machine would keep agents from starting within their time limit.
 */
const niceness = "5";
/** Of 1000: added to the share of memory by which the kernel chooses what to kill when memory runs out. */
const oomScore = 500;

/**
 * Command prefix (coreutils, util-linux) that makes a command and its children yield to the service: they get less processor
 * time, and the kernel kills them first when memory runs out. A process can undo the latter if the service is not root, but never
 * the former.
 */
export async function lowPriorityPrefix(): Promise<string[]> {
  // Without privileges it can only be raised.
  const own = Number(await readFile("/proc/self/oom_score_adj", "latin1").catch(() => 0));
  return ["nice", "-n", niceness, "choom", "-n", String(Math.max(own, oomScore)), "--"];
}

/**
 * A command prefix (util-linux) that limits the resources of a command and its children, within this process's own limits. No core
 * files are written.
 */
export async function limitsPrefix(): Promise<string[]> {
  const own = await readFile("/proc/self/limits", "latin1").catch(() => "");
  const within = (name: string, wanted: number) => {
    const hard = new RegExp(`^${name} +\\S+ +(\\d+)`, "m").exec(own)?.[1];
    return hard === undefined ? wanted : Math.min(wanted, Number(hard));
  };
  return [
    "prlimit",
    `--nproc=${within("Max processes", wallLimits.threads)}`,
    `--nofile=${within("Max open files", wallLimits.openFiles)}`,
    `--fsize=${within("Max file size", wallLimits.fileBytes)}`,
    "--core=0",
    "--",
  ];
}
