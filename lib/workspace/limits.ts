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

/** Command prefix (coreutils) that makes a command and its children yield to the service. A process cannot undo it. */
export const lowPriorityPrefix = ["nice", "-n", niceness];

/**
 * Steps of a shell script that limit the resources of the shell and its children, within this process's own limits. They also make
 * the kernel kill these first when memory runs out, which a process can undo if the service is not root. No core files are written.
 */
export async function limitSteps(): Promise<string[]> {
  const [limits, score] = await Promise.all(
    ["limits", "oom_score_adj"].map((name) => readFile(`/proc/self/${name}`, "latin1").catch(() => "")),
  );
  const within = (name: string, wanted: number) => {
    const hard = new RegExp(`^${name} +\\S+ +(\\d+)`, "m").exec(limits ?? "")?.[1];
    return hard === undefined ? wanted : Math.min(wanted, Number(hard));
  };
  const threads = within("Max processes", wallLimits.threads);
  return [
    // Without privileges it can only be raised.
    `echo ${Math.max(Number(score), oomScore)} > /proc/self/oom_score_adj`,
    "ulimit -c 0",
    `ulimit -n ${within("Max open files", wallLimits.openFiles)}`,
    // In blocks of 512 bytes (POSIX).
    `ulimit -f ${Math.floor(within("Max file size", wallLimits.fileBytes) / 512)}`,
    // dash has another letter than bash.
    `ulimit -u ${threads} 2> /dev/null || ulimit -p ${threads}`,
  ];
}
