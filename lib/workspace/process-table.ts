import { readFileSync, readlinkSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { uptime } from "node:os";
import { setImmediate as otherWork } from "node:timers/promises";
import { runProgram } from "./run-program.ts";

/** One live process; zombies are left out. */
export interface ProcessEntry {
  pid: number;
  parentPid: number;
  groupId: number;
  /** The id of its PID namespace; null when the process is gone or belongs to another user. Reused after a namespace has ended. */
  pidNamespace: string | null;
}

const hasProc = process.platform === "linux";

/** Number of processes read at a time: a machine may have more processes than this process may open files. */
const readMax = 16;

let looking: Promise<unknown> = Promise.resolve();
let nextLook: Promise<ProcessEntry[]> | null = null;

/**
 * All live processes of the machine that this user may see. The scan begins after the call, not before; all callers during a scan
 * share the next one, because hundreds of runs may end at once.
 */
export function listProcesses(): Promise<ProcessEntry[]> {
  nextLook ??= looking.then(() => {
    const look = hasProc ? listByProc() : listByPs();
    nextLook = null;
    looking = look.catch(() => undefined);
    return look;
  });
  return nextLook;
}

async function listByProc(): Promise<ProcessEntry[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: (ProcessEntry | null)[] = [];
  for (let at = 0; at < pids.length; at += readMax) {
    found.push(...pids.slice(at, at + readMax).map(readProcess));
    await otherWork();
  }
  return found.filter((entry) => entry !== null);
}

/** The process with everything below it by parentage, as far as parents are still alive; never this process. */
export function listDescendants(processes: readonly ProcessEntry[], rootPid: number): number[] {
  const found = new Set([rootPid]);
  for (const pid of found) {
    for (const entry of processes) if (entry.parentPid === pid && entry.pid !== process.pid) found.add(entry.pid);
  }
  return [...found].filter((pid) => processes.some((entry) => entry.pid === pid));
}

/** The processes started with NAME=value in their environment. Always empty without /proc. */
export async function listMarked(processes: readonly ProcessEntry[], variable: string): Promise<number[]> {
  if (!hasProc) return [];
  const marked: number[] = [];
  for (let at = 0; at < processes.length; at += readMax) {
    const environments = processes.slice(at, at + readMax).map(async ({ pid }) => {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(unlessFilesRanOut);
      return pid !== process.pid && environment?.split("\0").includes(variable) ? [pid] : [];
    });
    marked.push(...(await Promise.all(environments)).flat());
  }
  return marked;
}

/**
 * Distinguishes this process from a later one with the same id; null when there is none, or when it has ended and only its parent has
 * not noticed. Includes the boot on Linux.
 */
export async function identifyProcess(pid: number): Promise<string | null> {
  if (hasProc) {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    const start = fields?.[19];
    if (start === undefined || hasEnded(fields?.[0])) return null;
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "latin1").catch(() => "");
    return `${boot.trim()}/${start}`;
  }
  const started = await ps(["-o", "lstart=", "-p", String(pid)]).catch(() => "");
  return started.trim() || null;
}

/** When the machine started, in ms since 1970, give or take a second. */
export function bootedAt(): number {
  return Date.now() - uptime() * 1000;
}

/** Sends the signal to each that still exists and may be signalled. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Already gone, or a set-user-id program of another user.
    }
  }
}

/** Read synchronously, which takes a third of the time: unlike an environment, these files never block on the process. */
function readProcess(pid: number): ProcessEntry | null {
  const stat = unlessGone(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === null) return null;
  // The name in parentheses may itself contain spaces and parentheses.
  const [state, parentPid, groupId] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (hasEnded(state)) return null;
  const pidNamespace = unlessGone(() => readlinkSync(`/proc/${pid}/ns/pid`));
  return { pid, parentPid: Number(parentPid), groupId: Number(groupId), pidNamespace };
}

/** Whether a state in /proc/PID/stat is that of a process that has ended: a zombie, or dead. */
const hasEnded = (state: string | undefined) => state === "Z" || state === "X";

function unlessGone(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    return unlessFilesRanOut(error as NodeJS.ErrnoException);
  }
}

/**
 * If this process has run out of file descriptors, a process that cannot be read is not gone and must not be missed: throws.
 */
function unlessFilesRanOut(error: NodeJS.ErrnoException): null {
  if (error.code === "EMFILE" || error.code === "ENFILE") throw error;
  return null;
}

async function listByPs(): Promise<ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  for (const line of (await ps(["-axo", "pid=,ppid=,pgid=,stat="])).split("\n")) {
    const [pid, parentPid, groupId, state = "Z"] = line.trim().split(/\s+/);
    if (!state.startsWith("Z"))
      entries.push({ pid: Number(pid), parentPid: Number(parentPid), groupId: Number(groupId), pidNamespace: null });
  }
  return entries;
}

async function ps(args: string[]): Promise<string> {
  const { isDone, printed } = await runProgram("ps", args, { limitMs: 10_000 });
  if (!isDone) throw new Error("ps failed");
  return printed;
}
