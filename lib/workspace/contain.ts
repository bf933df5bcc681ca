import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { newAgentRecord, removeAgentRecord, writeAgentRecord } from "./agent-record.ts";
import { findBubblewrapFlags, readNamespace } from "./bubblewrap.ts";
import { endProcesses, type FindProcesses } from "./end-processes.ts";
import { type Environment, toProcessEnv } from "./environment.ts";
import { findCommand } from "./find-command.ts";
import { findPidNamespace, identifyProcess } from "./process-table.ts";
import { listTree, markerVariable } from "./process-tree.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** How a process tree is held together. */
export type ContainMechanism = "bubblewrap" | "process-group";

/** What is started. */
export interface ContainOptions {
  dataDir: string;
  /** A name looked up on env.PATH, or a path. */
  command: string;
  args: readonly string[];
  /** Must exist. */
  cwd: string;
  /** The whole environment of the command, plus a marker of ours. */
  env: Environment;
  /** On abort the tree is killed. */
  signal?: AbortSignal | undefined;
  /** Between SIGTERM and SIGKILL, default 2,000. */
  graceMs?: number | undefined;
  /** Unset: bubblewrap where it works, else the process group. */
  mechanism?: ContainMechanism | undefined;
}

/** How the command itself ended. Its descendants may live on under `process-group` until kill(). */
export interface ContainedExit {
  /** null when a signal ended it or it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** It could not be started. */
  error: Error | null;
}

/** A running process tree. */
export interface Contained {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  mechanism: ContainMechanism;
  /** Settles when the command has ended, its output may still be in the pipes; never rejects. */
  exited: Promise<ContainedExit>;
  /**
   * Ends the command with all its descendants, those in sessions of their own too: SIGTERM, grace, SIGKILL. Resolves
   * when none is left; the same promise on every call. Call it always, also after the command ended by itself.
   * Throws WorkspaceError `processes_left`.
   */
  kill(): Promise<void>;
}

/**
 * Starts a command whose whole process tree can be ended. Under bubblewrap the tree also ends, at once, with the
 * command and with this process (with the thread that calls: call it from the main thread). Under process-group a
 * descendant that clears its environment, opens a session and loses its parent can escape, and a tree outlives a killed
 * engine until sweepOrphans of the next one.
 * Throws WorkspaceError `command_not_found` and, for a missing cwd, `checkout_missing`.
 */
export async function startContained(options: ContainOptions): Promise<Contained> {
  options.signal?.throwIfAborted();
  const { cwd, env } = options;
  if (!(await stat(cwd).catch(() => null))?.isDirectory()) {
    throw new WorkspaceError("checkout_missing", `The folder "${cwd}" is gone.`);
  }
  const command = await findCommand(options.command, cwd, env);
  const flags = options.mechanism === "process-group" ? null : await findBubblewrapFlags(env);
  if (flags === null && options.mechanism === "bubblewrap") {
    throw new WorkspaceError("command_not_found", "bubblewrap (bwrap) is missing here or not permitted.");
  }
  const contained = flags === null ? await startInGroup(command, options) : startInNamespace(command, flags, options);
  options.signal?.addEventListener("abort", () => contained.kill().catch(() => undefined), { once: true });
  if (options.signal?.aborted) await contained.kill();
  return contained;
}

function startInNamespace(command: string, flags: string[], options: ContainOptions): Contained {
  const { args, cwd, env } = options;
  const child = spawn("bwrap", [...flags, "--info-fd", "3", "--chdir", cwd, "--", command, ...args], {
    cwd,
    env: toProcessEnv({ ...env, [markerVariable]: randomUUID() }),
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
  const info = child.stdio[3];
  const namespace = info instanceof Readable ? readNamespace(info) : Promise.resolve(null);
  const find: FindProcesses = async (processes) => {
    const id = await namespace;
    if (id === null) return [];
    const ids = await Promise.all(processes.map(({ pid }) => findPidNamespace(pid)));
    return processes.filter((_, at) => ids[at] === id).map(({ pid }) => pid);
  };
  return contain(child, "bubblewrap", find, options);
}

async function startInGroup(command: string, options: ContainOptions): Promise<Contained> {
  const { dataDir, args, cwd, env } = options;
  const marker = randomUUID();
  const record = await newAgentRecord(marker);
  await writeAgentRecord(dataDir, record);
  const child = spawn(command, args, {
    cwd,
    env: toProcessEnv({ ...env, [markerVariable]: marker }),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = child;
  const find: FindProcesses = (processes) => listTree(processes, marker, pid ?? null);
  const contained = contain(child, "process-group", find, options, () => removeAgentRecord(dataDir, marker));
  const identity = pid === undefined ? null : await identifyProcess(pid);
  if (identity !== null) await writeAgentRecord(dataDir, { ...record, pid: pid ?? null, identity });
  return contained;
}

function contain(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  mechanism: ContainMechanism,
  find: FindProcesses,
  options: ContainOptions,
  forget: () => Promise<void> = async () => undefined,
): Contained {
  // Writing to a command that has ended fails; that it ended is what `exited` tells.
  child.stdin.on("error", () => undefined);
  const exited = new Promise<ContainedExit>((settle) => {
    child.once("error", (error) => settle({ code: null, signal: null, error }));
    child.once("exit", (code, signal) => settle({ code, signal, error: null }));
  });
  const end = async () => {
    await endProcesses(find, options.graceMs ?? 2000);
    // Under bubblewrap this is the process that watches the namespace: it has nothing left to watch.
    child.kill("SIGKILL");
    await exited;
    await forget();
  };
  let killing: Promise<void> | null = null;
  const kill = () => {
    killing ??= end();
    return killing;
  };
  return { child, mechanism, exited, kill };
}
