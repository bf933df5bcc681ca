import { indexPatch } from "#lib/entry/patch-index.ts";

/**
 * Paths changed by a git diff, including binary and empty files; for a renamed file the old and the new one. The diff's bytes
 * need not be UTF-8.
 */
export function pathsOfDiff(diff: Uint8Array): Set<string> {
  const files = indexPatch(Buffer.from(diff).toString());
  return new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]).filter((path) => path !== null));
}
