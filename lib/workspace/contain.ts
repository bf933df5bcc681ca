import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { PassThrough, pipeline, Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { endInputOf } from "#lib/end-input.ts";
import { newAgentRecord, removeAgentRecord, writeAgentRecord } from "./agent-record.ts";
import { findBubblewrapFlags, holdNamespace } from "./bubblewrap.ts";
import { endProcesses, type FindProcesses } from "./end-processes.ts";
import { type Environment, toProcessEnv } from "./environment.ts";
import { findCommand } from "./find-command.ts";
import { identifyProcess, listProcesses } from "./process-table.ts";
import { listTree, markerVariable } from "./process-tree.ts";
import { buildWall, type WallOptions } from "./wall.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** How the processes of a tree are contained. */
export type ContainMechanism = "bubblewrap" | "process-group";

/** A command to start. */
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
  /** The result of findBubblewrapFlags for `env`; unset: it is called. */
  bubblewrapFlags?: string[] | null | undefined;
  /** Starts it behind the wall; `cwd` and `env` are then as seen inside (wallPlaces), and `mechanism` is bubblewrap. */
  wall?: WallOptions | undefined;
}

/** How the command itself ended. Its descendants may live on under `process-group` until kill(). */
export interface ContainedExit {
  /** null when a signal ended it or it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  error: Error | null;
}

/** A running process tree. */
export interface Contained {
  child: ChildProcess;
  stdin: Writable;
  /** What it writes waits here for a reader, also after it has ended. */
  stdout: PassThrough;
  stderr: PassThrough;
  mechanism: ContainMechanism;
  /** Resolves when the command has ended, though its output may still be in the pipes; never rejects. */
  exited: Promise<ContainedExit>;
  /** Ids of its processes that are alive. */
  list(): Promise<number[]>;
  /**
   * Ends the command with all its descendants, even in other sessions: SIGTERM, grace, SIGKILL. Resolves when none is left; the
   * same promise on every call, with the grace of the first. Always call it, even after the command ended by itself. Throws
   * WorkspaceError `processes_left`.
   */
  kill(graceMs?: number): Promise<void>;
}

/**
 * Starts a command whose whole process tree can be ended. Under bubblewrap the tree also ends, at once, with the command and with
 * this process (more precisely with the calling thread, so call it from the main thread). Under process-group a descendant that
 * clears its environment, opens a session and loses its parent can escape, and a tree outlives a killed engine until sweepOrphans
 * of the next one.
 * Throws WorkspaceError `command_not_found` and, for a missing cwd, `checkout_missing`.
 */
export async function startContained(options: ContainOptions): Promise<Contained> {
  options.signal?.throwIfAborted();
  const { env, wall } = options;
  const cwd = wall?.checkout ?? options.cwd;
  if (!(await stat(cwd).catch(() => null))?.isDirectory()) {
    throw new WorkspaceError("checkout_missing", "The working folder is gone.");
  }
  const command = await findCommand(options.command, cwd, env);
  const contained =
    wall === undefined ? await startOnLeash(command, options) : await startInWall(command, options, wall);
  options.signal?.addEventListener("abort", () => contained.kill().catch(() => undefined), { once: true });
  if (options.signal?.aborted) await contained.kill();
  return contained;
}

async function startOnLeash(command: string, options: ContainOptions): Promise<Contained> {
  const flags = options.mechanism === "process-group" ? null : await bubblewrapFlagsOf(options);
  if (flags === null && options.mechanism === "bubblewrap") {
    throw new WorkspaceError("command_not_found", "bubblewrap (bwrap) is missing here or not permitted.");
  }
  if (flags === null) return startInGroup(command, options);
  return startInNamespace(
    { enter: [], args: [...flags, "--chdir", options.cwd], files: [] },
    [command, ...options.args],
    options,
  );
}

async function bubblewrapFlagsOf({ bubblewrapFlags, env }: ContainOptions): Promise<string[] | null> {
  return bubblewrapFlags === undefined ? findBubblewrapFlags(env) : bubblewrapFlags;
}

async function startInWall(command: string, options: ContainOptions, around: WallOptions): Promise<Contained> {
  const wall = await buildWall(command, options.env, firstFile, around);
  return startInNamespace(wall, [...wall.before, command, ...options.args], options);
}

/** How long to wait for bubblewrap to report its namespace, before looking for its processes in other ways. */
const namespaceMs = 10_000;

/** Descriptors 0 to 2 are the command's; bubblewrap reports its namespace on 3. */
const firstFile = 4;

/** The record on disk covers an engine that dies while bubblewrap starts; later the namespace ends with the engine. */
async function startInNamespace(
  { enter, args, files }: { enter: string[]; args: string[]; files: Buffer[] },
  command: string[],
  options: ContainOptions,
): Promise<Contained> {
  const { dataDir, env, wall } = options;
  const marker = randomUUID();
  await writeAgentRecord(dataDir, await newAgentRecord(marker));
  const [program = "", ...others] = [...enter, "bwrap", ...args, "--info-fd", "3", "--", ...command];
  const child = spawn(program, others, {
    cwd: wall?.checkout ?? options.cwd,
    env: toProcessEnv({ ...env, [markerVariable]: marker }),
    stdio: ["pipe", "pipe", "pipe", "pipe", ...files.map(() => "pipe" as const)],
    detached: true,
  });
  for (const [at, file] of files.entries()) give(child.stdio[firstFile + at], file);
  const info = child.stdio[3];
  const reported = info instanceof Readable ? holdNamespace(info) : Promise.resolve(null);
  const namespace = Promise.race([reported, delay(namespaceMs, null, { ref: false })]);
  let isForgotten = false;
  const find: FindProcesses = async (processes) => {
    const held = await namespace;
    // Another tree's namespace may have its id by now.
    if (isForgotten) return [];
    // Killed before it could report: its child waits for it, and carries the marker.
    if (held === null) return listTree(processes, marker, null);
    return processes.filter(({ pidNamespace }) => pidNamespace === held.id).map(({ pid }) => pid);
  };
  const forget = async () => {
    isForgotten = true;
    await removeAgentRecord(dataDir, marker);
    void reported.then((held) => held?.release());
  };
  return contain(child, { mechanism: "bubblewrap", find, ready: namespace, graceMs: options.graceMs, forget });
}

/** A bubblewrap that failed to start reads nothing; `exited` reports its end. */
function give(stream: unknown, file: Buffer): void {
  if (stream instanceof Writable) stream.on("error", () => undefined).end(file);
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
  const forget = () => removeAgentRecord(dataDir, marker);
  const tree = {
    mechanism: "process-group",
    find,
    ready: Promise.resolve(),
    graceMs: options.graceMs,
    forget,
  } as const;
  const contained = contain(child, tree);
  const identity = pid === undefined ? null : await identifyProcess(pid);
  if (identity !== null) await writeAgentRecord(dataDir, { ...record, pid: pid ?? null, identity });
  return contained;
}

function contain(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  tree: {
    mechanism: ContainMechanism;
    find: FindProcesses;
    /** Resolves when `find` finds the started process. */
    ready: Promise<unknown>;
    graceMs: number | undefined;
    forget: () => Promise<void>;
  },
): Contained {
  // Writing to an ended command fails; `exited` reports its end.
  child.stdin.on("error", () => undefined);
  const exited = new Promise<ContainedExit>((settle) => {
    child.once("error", (error) => settle({ code: null, signal: null, error }));
    child.once("exit", (code, signal) => settle({ code, signal, error: null }));
  });
  const end = async (graceMs: number) => {
    await tree.ready;
    await endProcesses(tree.find, graceMs);
    // Under bubblewrap this process only monitors the namespace, which is gone.
    child.kill("SIGKILL");
    await exited;
    // Processes it was starting when it was killed.
    await endProcesses(tree.find, 0);
    await tree.forget();
  };
  let killing: Promise<void> | null = null;
  const kill = (graceMs = tree.graceMs ?? 2000) => {
    killing ??= end(graceMs);
    return killing;
  };
  const list = async () => tree.find(await listProcesses());
  const [stdout, stderr] = [kept(child.stdout), kept(child.stderr)];
  return { child, stdin: child.stdin, stdout, stderr, mechanism: tree.mechanism, exited, list, kill };
}

/** The output in a stream of its own: when a child ends, Node drains streams of it that nobody reads yet. */
function kept(output: Readable): PassThrough {
  endInputOf(output);
  return pipeline(output, new PassThrough(), () => undefined);
}
