import { randomUUID } from "node:crypto";
import { lstat, lutimes, mkdir, readdir, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { awakeLimit } from "#lib/awake-timer.ts";
import { unlessAborted } from "#lib/unless-aborted.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A lock and how long to wait for it. */
export interface LockOptions {
  /** Where it is while somebody holds it: a symbolic link, whose text is its holder. */
  path: string;
  /** What it guards, in messages. Default: "The repository's mirror". */
  what?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Default 15 minutes: the first fetch of a large repository may hold it. */
  timeoutMs?: number | undefined;
}

const heartbeatMs = 10_000;
const staleMs = 60_000;
const pollMs = 50;

const queues = new Map<string, Promise<void>>();

/**
 * Runs `work` while nobody else, in this process or in another engine, holds the lock. Callers of this process take
 * turns in order. A lock whose holder died is taken over: at once on the same machine, after a minute without a
 * heartbeat otherwise. Throws WorkspaceError `lock_timeout`, or the signal's reason.
 */
export async function withLock<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
  const { what = "The repository's mirror", timeoutMs = 900_000 } = options;
  using limit = awakeLimit(timeoutMs, options.signal);
  const { signal } = limit;
  const before = queues.get(options.path) ?? Promise.resolve();
  const turn = Promise.withResolvers<void>();
  const last = before.then(() => turn.promise);
  queues.set(options.path, last);
  try {
    const owner = await waitForLock(options.path, before, signal).catch((error) => {
      if (!signal.aborted || options.signal?.aborted === true) throw error;
      throw new WorkspaceError("lock_timeout", `${what} has been in use by other tasks for ${timeoutMs / 1000} s.`);
    });
    const heartbeat = setInterval(() => {
      const now = new Date();
      lutimes(options.path, now, now).catch(() => undefined);
    }, heartbeatMs);
    heartbeat.unref();
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
      if ((await readOwner(options.path)) === owner) await rm(options.path, { force: true });
    }
  } finally {
    turn.resolve();
    if (queues.get(options.path) === last) queues.delete(options.path);
  }
}

/** Removes the locks in a folder whose holders died. Those of others, like another process that pushes, stay. */
export async function sweepLocks(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!lockName.test(name)) continue;
    const path = join(folder, name);
    const seen = await readOwner(path);
    if (seen !== null && (await isStale(path, seen, 0))) await remove(path, seen);
  }
}

/** A lock, or one that {@link remove} moved aside. */
const lockName = /\.lock(?:\.[0-9a-f-]{36})?$/;

async function waitForLock(path: string, before: Promise<void>, signal: AbortSignal): Promise<string> {
  await unlessAborted(before, signal);
  signal.throwIfAborted();
  await mkdir(dirname(path), { recursive: true });
  const owner = JSON.stringify({ id: randomUUID(), pid: process.pid, host: hostname() });
  let last = "";
  let looks = 0;
  while (!(await tryCreate(path, owner))) {
    const seen = await readOwner(path);
    const beat = `${seen} ${(await lstat(path).catch(() => null))?.mtimeMs}`;
    looks = beat === last ? looks + 1 : 0;
    last = beat;
    if (seen !== null && (await isStale(path, seen, looks))) await remove(path, seen);
    await delay(pollMs, undefined, { signal });
  }
  return owner;
}

// A symbolic link is created with its text. A file would stay empty if its holder were killed before writing its name, and such a
// lock could be taken over only after a minute.
async function tryCreate(path: string, owner: string): Promise<boolean> {
  try {
    await symlink(owner, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function remove(path: string, seen: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  // Another waiter may have taken over the lock in between: then the lock moved aside is alive and is put back.
  if ((await readOwner(aside)) === seen) await rm(aside, { force: true });
  else await rename(aside, path);
}

/**
 * A process of this machine that lives has its lock until no heartbeat came for as many looks as fit into a minute: the clock may have
 * been set forward, and this process may have been paused.
 */
async function isStale(path: string, owner: string, looks: number): Promise<boolean> {
  const holder = parseOwner(owner);
  if (holder?.host === hostname()) return !isAlive(holder.pid) || looks * pollMs > staleMs;
  const found = await lstat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > staleMs;
}

function parseOwner(text: string): { pid: number; host: string } | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("pid" in value) || !("host" in value)) return null;
    return typeof value.pid === "number" && typeof value.host === "string"
      ? { pid: value.pid, host: value.host }
      : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function readOwner(path: string): Promise<string | null> {
  // A file is the lock of an earlier release.
  return readlink(path)
    .catch(() => readFile(path, "utf8"))
    .catch(() => null);
}
