import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isWithin } from "#lib/is-within.ts";
import type { FileDiff } from "./tool-call.ts";

/** Larger files are not read: the line of a change is a help, and reading stops everything else. */
const bytesMax = 1024 * 1024;

/**
 * Finds the line on which an applied change begins, from 1, in the file as it is now in `folder`; null where its text is not there
 * exactly once, or the file is large, no file or outside of the folder.
 */
export function lineFinder(folder: string): (diff: FileDiff) => number | null {
  return ({ path, newText }) => {
    if (newText === "") return null;
    try {
      const file = realpathSync(resolve(folder, path));
      if (!isWithin(file, realpathSync(folder))) return null;
      const found = statSync(file);
      if (!found.isFile() || found.size > bytesMax) return null;
      const text = readFileSync(file, "utf8");
      const at = text.indexOf(newText);
      if (at < 0 || text.indexOf(newText, at + 1) >= 0) return null;
      return text.slice(0, at).split("\n").length;
    } catch {
      return null;
    }
  };
}
