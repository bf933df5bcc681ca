import { randomUUID } from "node:crypto";
import { lstat, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkoutPlace } from "./checkout-place.ts";
import { mirrorPath } from "./mirror.ts";
import { removeTree } from "./remove-checkout.ts";

/** Folders that a run has besides its checkout, below the data folder, by its id. */
const folders = ["layers", "homes"] as const;

/** Bytes on the disk that the removal of a run's checkout, layers and home would free. */
export async function measureRunFiles({ dataDir, runId }: { dataDir: string; runId: number }): Promise<number> {
  let bytes = await bytesOf(checkoutPlace(dataDir, runId, null).path);
  for (const folder of folders) bytes += await bytesOf(join(dataDir, folder, String(runId)));
  return bytes;
}

/** Bytes on the disk of a repository's mirror, or of the one of a run without a repository. */
export async function measureMirror({
  dataDir,
  repoId,
}: {
  dataDir: string;
  repoId: number | string;
}): Promise<number> {
  return bytesOf(mirrorPath(dataDir, repoId), 0);
}

/**
 * Removes a run's checkout, layers and home; its branch stays, and a later turn begins from it. All of them are moved away before
 * `isWanted` is asked, so that no turn sees a partial removal. If the run is wanted, they are put back, unless a turn has already
 * made a new checkout, and the result is false.
 */
export async function removeRunFiles(options: {
  dataDir: string;
  runId: number;
  isWanted: () => Promise<boolean>;
}): Promise<boolean> {
  const { dataDir, runId, isWanted } = options;
  const { path: checkout } = checkoutPlace(dataDir, runId, null);
  const put: { path: string; aside: string }[] = [];
  for (const path of [checkout, ...folders.map((folder) => join(dataDir, folder, String(runId)))]) {
    const aside = join(dirname(path), `.old-${runId}-${randomUUID()}`);
    if (await renamed(path, aside)) put.push({ path, aside });
  }
  const isKept = await isWanted();
  let isBack = isKept;
  for (const { path, aside } of put) {
    // A turn that found no checkout has made a new one, and the old layers do not belong to that.
    isBack = isBack && (await renamed(aside, path));
    if (!isBack) await removeTree(aside);
  }
  return !isKept;
}

/**
 * Names of temporary entries beside a checkout, layers or a home, which are moved, made or examined there for as long as the work
 * takes.
 */
const atWork = /^\.(?:old|making)-\d+-|^\.(?:finishing|looking|ignored)-\d+$/;

/** Removes what a killed service left half done in the folders of runs. No engine may be at work in the data folder. */
export async function sweepRunFiles(dataDir: string): Promise<void> {
  for (const parent of [checkoutPlace(dataDir, 0, null).parent, ...folders.map((folder) => join(dataDir, folder))]) {
    for (const name of await readdir(parent).catch(() => [])) {
      if (atWork.test(name)) await removeTree(join(parent, name));
    }
  }
}

/** False if there is nothing to rename, or something in its place. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}

/** Blocks below a path; files with other names elsewhere (hard links into a mirror) are not counted, because they stay. */
async function bytesOf(path: string | Buffer, linksMax = 1): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return linksMax > 0 && found.nlink > linksMax ? 0 : found.blocks * 512;
  let bytes = found.blocks * 512;
  const names = await readdir(path, { encoding: "buffer" }).catch(() => []);
  for (let at = 0; at < names.length; at += 64) {
    const inside = names
      .slice(at, at + 64)
      .map((name) => bytesOf(Buffer.concat([Buffer.from(path), Buffer.from("/"), name]), linksMax));
    for (const each of await Promise.all(inside)) bytes += each;
  }
  return bytes;
}
