import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isWithin } from "#lib/is-within.ts";
import type { FileDiff } from "./tool-call.ts";

/** Larger files are not read: a change's line is optional, and reading blocks everything else. */
const bytesMax = 1024 * 1024;
const isLinux = process.platform === "linux";
/** Linux's O_PATH: the file is referenced but not opened, so no pipe blocks and no device wakes. */
const holdOnly = 0x200000;

/**
 * Finds the line on which an applied change begins, from 1, in the file as it is now in `folder`; null if its text is not there
 * exactly once, or if the file is large, not regular or outside the folder.
 */
export function lineFinder(folder: string): (diff: FileDiff) => number | null {
  return ({ path, newText }) => {
    if (newText === "") return null;
    try {
      const text = readWithin(folder, resolve(folder, path));
      if (text === null) return null;
      const at = text.indexOf(newText);
      if (at < 0 || text.indexOf(newText, at + 1) >= 0) return null;
      return text.slice(0, at).split("\n").length;
    } catch {
      return null;
    }
  };
}

/**
 * The text of a file; null if it is large, not regular or outside the folder. The working agent may replace the file at any time.
 */
function readWithin(folder: string, path: string): string | null {
  const held = openSync(path, isLinux ? holdOnly : constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const itself = isLinux ? `/proc/self/fd/${held}` : path;
    const real = isLinux ? readlinkSync(itself) : realpathSync(path);
    const found = fstatSync(held);
    if (!isWithin(real, realpathSync(folder)) || !found.isFile() || found.size > bytesMax) return null;
    return readFileSync(isLinux ? itself : held, "utf8");
  } finally {
    closeSync(held);
  }
}
