import { diffArrays } from "diff";
import type { PatchHunk, PatchLine } from "#lib/entry/patch.ts";

/** Limit of the comparison: longer changes stay as they are. */
const editsMax = 2_000;
const comparedWithinMs = 40;

/**
 * Hunks in which lines that differ only in white space count as unchanged and have their new text. Hunks without other changes
 * are left out.
 */
export function ignoreWhiteSpace(hunks: readonly PatchHunk[]): PatchHunk[] {
  return hunks
    .map((hunk) => ({ ...hunk, lines: linesOf(hunk.lines) }))
    .filter(({ lines }) => lines.some(({ kind }) => kind !== "same"));
}

function linesOf(lines: readonly PatchLine[]): PatchLine[] {
  const result: PatchLine[] = [];
  for (let start = 0; start < lines.length; ) {
    const line = lines[start];
    if (line === undefined) break;
    if (line.kind === "same") {
      result.push(line);
      start += 1;
      continue;
    }
    let end = start;
    while (end < lines.length && lines[end]?.kind !== "same") end += 1;
    result.push(...compared(lines.slice(start, end)));
    start = end;
  }
  return result;
}

function compared(lines: readonly PatchLine[]): readonly PatchLine[] {
  const removed = lines.filter(({ kind }) => kind === "removed");
  const added = lines.filter(({ kind }) => kind === "added");
  const parts = diffArrays(removed, added, {
    comparator: (one, other) => bare(one.text) === bare(other.text),
    maxEditLength: editsMax,
    timeout: comparedWithinMs,
  });
  if (parts === undefined) return lines;
  let place = 0;
  return parts.flatMap((part) => {
    if (part.removed) return part.value;
    const taken = added.slice(place, place + part.value.length);
    place += part.value.length;
    return part.added ? taken : taken.map(({ text }) => ({ kind: "same" as const, text }));
  });
}

function bare(text: string): string {
  return text.replace(/\s+/g, "");
}
