import { isAbsolute, relative } from "node:path";

/** Whether the absolute path `path` is `folder` or is inside it. Symbolic links are not resolved. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}
