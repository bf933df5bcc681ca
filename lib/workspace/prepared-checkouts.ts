import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { formatBytes } from "#lib/format-bytes.ts";
import type { Checkout } from "./checkout.ts";
import type { Environment } from "./environment.ts";
import { holdsText } from "./holds-text.ts";
import { listIgnoredPaths } from "./ignored-paths.ts";
import { choosePrepared, type FolderSize } from "./prepared-folders.ts";
import { removeTree } from "./remove-checkout.ts";
import { withLock } from "./repository-lock.ts";
import { bytesLeft } from "./use-watch.ts";
import { WorkspaceError } from "./workspace-error.ts";

const Folder = z.object({ place: z.enum(["checkout", "home"]), path: z.string().min(1) });
const Manifest = z.object({
  /** Another one for each that replaces it under the same key; empty in what earlier versions wrote. */
  id: z.string().default(""),
  key: z.string(),
  /** The git tree in whose checkout the commands ran. */
  tree: z.string(),
  /** Content in `layers/<n>`, n from 0. */
  layers: z.array(Folder),
  /** Content in `copies`, under the same path. */
  copies: z.array(z.string().min(1)),
  bytes: z.number(),
  files: z.number(),
});
/** Content of a prepared checkout: the files made by a repository's setup commands that git ignores. */
export type PreparedManifest = z.infer<typeof Manifest>;

/** A prepared checkout of a data folder. The key is a SHA-256 in hexadecimal. */
export interface PreparedPlace {
  dataDir: string;
  repositoryId: number;
  key: string;
}

/** Its path relative to the data folder. */
export function preparedPath({ repositoryId, key }: Pick<PreparedPlace, "repositoryId" | "key">): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new RangeError(`"${key}" is not the key of a prepared checkout.`);
  return `prepared/${repositoryId}/${key}`;
}

/** The manifest of a prepared checkout; null if there is none, or a loss of power damaged it. It is written atomically. */
export async function readPrepared(place: PreparedPlace): Promise<PreparedManifest | null> {
  return readNote(manifestOf(place), Manifest);
}

function manifestOf(place: PreparedPlace): string {
  return join(place.dataDir, preparedPath(place), "manifest.json");
}

/** What a JSON file says, or null if it cannot be read as this. */
export async function readNote<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}

/** What was kept, or why not; `why` completes "not kept: …". */
export type Keeping = { kept: FolderSize } | { why: string };

/**
 * Copies what the setup commands made in a checkout and in its agent's home; the run continues with its own files. The copy is made
 * under a lock in a temporary folder and renamed when complete; {@link sweepPrepared} removes what a crash leaves. Nothing that
 * contains one of the `secrets` (in any of these forms) is kept. If one is there already, it stays if it was made after `begunAt`,
 * the time at which this setup began; an older one is replaced. Throws the signal's reason, GitError, WorkspaceError `copy_failed`.
 */
export async function keepPrepared(options: {
  place: PreparedPlace;
  tree: string;
  checkout: Checkout;
  home: string;
  secrets: readonly string[];
  bytesMax: number;
  /** Bytes of the disk that must be free afterwards. */
  leftBytes: number;
  /** Milliseconds since 1970. */
  begunAt: number;
  env: Environment;
  signal: AbortSignal;
}): Promise<Keeping> {
  const { place, tree, checkout, home, secrets, bytesMax, leftBytes, begunAt, env, signal } = options;
  const target = join(place.dataDir, preparedPath(place));
  return withLock({ path: lockPath(target), what: "The setup cache", signal }, async () => {
    const there = await readPrepared(place);
    if (there !== null && (await stat(manifestOf(place))).mtimeMs >= begunAt) return { kept: there };
    // A damaged one may be there, too.
    if (!(await removePrepared(place))) return { why: "another run still uses the old one" };
    const parts = await choosePrepared(checkout.path, home, await listIgnoredPaths({ checkout, env, signal }));
    if ("why" in parts) return parts;
    const { layers, copies, size } = parts;
    if (size.bytes > bytesMax) {
      return { why: `it is ${formatBytes(size.bytes)}, and the setup cache can be at most ${formatBytes(bytesMax)}` };
    }
    if ((await bytesLeft(place.dataDir)) - size.bytes < leftBytes) {
      return { why: `it is ${formatBytes(size.bytes)}, and too little of the disk would be free` };
    }
    const made = join(dirname(target), `.making-${place.key}-${randomUUID()}`);
    try {
      for (const [at, { place: where, path }] of layers.entries()) {
        await copy(join(where === "checkout" ? checkout.path : home, path), join(made, "layers", String(at)), signal);
      }
      for (const path of copies) await copy(join(checkout.path, path), join(made, "copies", path), signal);
      if (await holdsText(made, secrets, { env, signal })) return { why: "it contains a secret of the setup" };
      const manifest: PreparedManifest = { id: randomUUID(), key: place.key, tree, layers, copies, ...size };
      await writeFile(join(made, "manifest.json"), `${JSON.stringify(manifest)}\n`, { mode: 0o444, flush: true });
      await rename(made, target);
      await chmod(target, 0o555);
      return { kept: size };
    } finally {
      await removeTree(made);
    }
  });
}

/**
 * Removes a prepared checkout unless a run has mounted it; false if it stays. One being mounted meanwhile stays too: see
 * attachPrepared.
 */
export async function removePrepared(place: PreparedPlace): Promise<boolean> {
  const target = join(place.dataDir, preparedPath(place));
  const aside = join(dirname(target), `.gone-${place.key}-${randomUUID()}`);
  try {
    await rename(target, aside);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
  if (await isMounted(preparedPath(place))) {
    await rename(aside, target);
    return false;
  }
  await removeTree(aside);
  return true;
}

/** All prepared checkouts of a data folder. */
export async function listPrepared(dataDir: string): Promise<{ repositoryId: number; key: string }[]> {
  const found: { repositoryId: number; key: string }[] = [];
  for (const repository of await namesIn(join(dataDir, "prepared"))) {
    for (const key of await namesIn(join(dataDir, "prepared", repository))) {
      if (/^[0-9a-f]{64}$/.test(key)) found.push({ repositoryId: Number(repository), key });
    }
  }
  return found;
}

/** Removes prepared checkouts that a killed service left incomplete. One that another engine is making stays. */
export async function sweepPrepared(dataDir: string): Promise<void> {
  for (const repository of await namesIn(join(dataDir, "prepared"))) {
    const parent = join(dataDir, "prepared", repository);
    for (const name of await namesIn(parent)) {
      const [, kind, key] = /^\.(making|gone)-([0-9a-f]{64})-/.exec(name) ?? [];
      if (kind === undefined || key === undefined) continue;
      const remove = () => removeTree(join(parent, name));
      await withLock({ path: lockPath(join(parent, key)), timeoutMs: 1000 }, remove).catch((error: unknown) => {
        if (!(error instanceof WorkspaceError && error.code === "lock_timeout")) throw error;
      });
    }
  }
}

/**
 * Copies a file or folder with owners, times and links; shares blocks if the file system can. Throws the signal's reason,
 * WorkspaceError `copy_failed` with the reason of the first file, without its path.
 */
export async function copy(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const args = ["--archive", "--reflink=auto", "--no-target-directory", "--", from, to];
  await promisify(execFile)("cp", args, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    const reason = /: ([^:/'\n]+)$/m.exec(said)?.[1] ?? "cp did not say why";
    throw new WorkspaceError("copy_failed", `The files could not be copied: ${reason}.`);
  });
}

function lockPath(target: string): string {
  return `${target}.lock`;
}

/** Whether any process has it mounted: the kernel's list of mounts has the paths of layers as they were given. */
async function isMounted(path: string): Promise<boolean> {
  for (const pid of await namesIn("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const mounts = await readFile(`/proc/${pid}/mountinfo`, "latin1").catch(() => "");
    if (mounts.includes(`lowerdir=${path}/`)) return true;
  }
  return false;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
