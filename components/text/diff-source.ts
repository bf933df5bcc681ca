import type { PatchHunk } from "#lib/entry/patch.ts";
import { type Diff, diffOfHunks, diffOfTexts } from "./diff-rows.ts";

/**
 * Two versions of a file or a part of it (`oldText` null: the file is new; `firstLine` null: its position is unknown), or the
 * hunks of a patch, with the lines of the whole new file if they are known.
 */
export type DiffSource =
  | { oldText: string | null; newText: string; firstLine: number | null }
  | { hunks: readonly PatchHunk[]; whole?: readonly string[] | null };

/** Cached, because a card needs the counts of a comparison and its body needs the lines. */
const compared = new WeakMap<DiffSource, Diff>();

/** Comparison of a source. Bounded in time, and cached per object; show its counts with DiffCounts. */
export function diffOf(source: DiffSource): Diff {
  const known = compared.get(source);
  if (known !== undefined) return known;
  const diff =
    "hunks" in source
      ? diffOfHunks(source.hunks, source.whole)
      : diffOfTexts(source.oldText, source.newText, source.firstLine);
  compared.set(source, diff);
  return diff;
}
