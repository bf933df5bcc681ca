import { lstat, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "./remove-checkout.ts";

const name = "errand-prepared";

/**
 * The version of the repository's setup that prepared a checkout, or null. The mark is in the checkout's `.git`, so it is deleted
 * with the checkout. An agent may change it, but then only its own run repeats or skips a setup.
 */
export async function readPreparedMark(checkoutPath: string): Promise<number | null> {
  const file = join(checkoutPath, ".git", name);
  const there = await lstat(file).catch(() => null);
  if (!there?.isFile() || there.size > 20) return null;
  const text = await readFile(file, "utf8").catch(() => "");
  return /^\d{1,15}\n$/.test(text) ? Number(text) : null;
}

/** Writes the mark, or removes it (null); does nothing if `.git` is not a folder. Never writes through a link. */
export async function writePreparedMark(checkoutPath: string, version: number | null): Promise<void> {
  const git = join(checkoutPath, ".git");
  if (!(await lstat(git).catch(() => null))?.isDirectory()) return;
  await removeTree(join(git, name));
  if (version !== null) await writeFile(join(git, name), `${version}\n`, { flag: "wx" });
}
