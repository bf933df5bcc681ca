import type { PatchHunk } from "#lib/entry/patch.ts";
import { type Diff, diffOfHunks, diffOfTexts } from "./diff-rows.ts";

/**
 * Two versions of a file or of a part of it (`oldText` null: it is new; `firstLine` null: nobody knows where it begins), or
 * the hunks of a patch.
 */
export type DiffSource =
  | { oldText: string | null; newText: string; firstLine: number | null }
  | { hunks: readonly PatchHunk[] };

/** A card asks for the counts of a comparison, and what is below it for its lines. */
const compared = new WeakMap<DiffSource, Diff>();

/** The comparison of a source. Bounded in time, and made once for an object; show its counts with DiffCounts. */
export function diffOf(source: DiffSource): Diff {
  const known = compared.get(source);
  if (known !== undefined) return known;
  const diff =
    "hunks" in source ? diffOfHunks(source.hunks) : diffOfTexts(source.oldText, source.newText, source.firstLine);
  compared.set(source, diff);
  return diff;
}
