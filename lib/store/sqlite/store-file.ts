import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreError } from "#lib/store/store-error.ts";

/** Creates a file if it is missing: folder 0700, file 0600. Throws StoreError, which names it as `noun`, if it cannot be written. */
export async function makeStoreFile(file: string, noun = "store"): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite gives its side files the mode of this one.
    await (await open(file, "a", 0o600)).close();
  } catch (error) {
    throw new StoreError(`The ${noun} ${file} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

const reasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a part of its path is a file",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}
