import { structuredPatch } from "diff";
import { comparableLines, endSigns, withEnd } from "#lib/entry/line-ends.ts";
import type { PatchHunk, PatchLine } from "#lib/entry/patch.ts";
import { visibleLine } from "./visible-text.ts";

/** Limits of the comparison: beyond them one version is shown as replaced by the other. */
const comparedCharactersMax = 1_000_000;
const editsMax = 2_000;
const comparedWithinMs = 100;

/**
 * Two versions of a file as a unified diff; `oldText` null means that there was none. The texts may be parts of the file: of a new
 * one, unless `isWhole`.
 */
export function diffText(path: string, oldText: string | null, newText: string, isWhole = false): string {
  const [before, after] = comparableLines(oldText, newText, isWhole);
  const hunks = comparedHunks(oldText === null ? null : before.join(""), after.join("")) ?? [
    {
      oldStart: Math.min(before.length, 1),
      newStart: Math.min(after.length, 1),
      heading: "",
      lines: [...before.map((line) => patchLine("removed", line)), ...after.map((line) => patchLine("added", line))],
    },
  ];
  return hunksText(oldText === null ? "/dev/null" : path, path, hunks);
}

/** Null if they are not to be compared. */
function comparedHunks(before: string | null, after: string): PatchHunk[] | null {
  if (before === null || before.length + after.length > comparedCharactersMax) return null;
  const options = { context: 3, maxEditLength: editsMax, timeout: comparedWithinMs };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  return (
    patch?.hunks.map(({ oldStart, newStart, lines }) => {
      const read: PatchLine[] = [];
      for (const line of lines) {
        const last = read.at(-1);
        if (!line.startsWith("\\")) read.push({ kind: kinds[line[0] ?? ""] ?? "same", text: line.slice(1) });
        else if (last !== undefined) last.isUnended = true;
      }
      return { oldStart, newStart, heading: "", lines: read };
    }) ?? null
  );
}

const kinds: Record<string, PatchLine["kind"]> = { "+": "added", "-": "removed" };

function patchLine(kind: PatchLine["kind"], line: string): PatchLine {
  return line.endsWith("\n") ? { kind, text: line.slice(0, -1) } : { kind, text: line, isUnended: true };
}

/**
 * Hunks of one file as a unified diff; a hunk with unknown lines has no line numbers in its header. A carriage return that makes a
 * difference is shown.
 */
export function hunksText(oldPath: string, newPath: string, hunks: readonly PatchHunk[]): string {
  const ended = hunks.map((hunk) => hunk.lines.map((line) => ({ ...line, ...withEnd(line.text, line.isUnended) })));
  const signOf = endSigns(ended.flat().map(({ end }) => end));
  const texts = hunks.map(({ oldStart, newStart, heading }, index) => {
    const lines = ended[index] ?? [];
    const count = (kind: PatchLine["kind"]) =>
      lines.filter((line) => line.kind === "same" || line.kind === kind).length;
    const place =
      oldStart === null || newStart === null
        ? "@@"
        : `@@ -${oldStart},${count("removed")} +${newStart},${count("added")} @@`;
    const shown = lines.map(({ kind, text, end }) => {
      const sign = end === "crlf" ? (signOf(kind, end) ?? "") : "";
      return `${signs[kind]}${text}${sign}\n${end === "none" ? "\\ No newline at end of file\n" : ""}`;
    });
    return `${place}${heading === "" ? "" : ` ${heading}`}\n${shown.join("")}`;
  });
  return `--- ${visibleLine(oldPath, 1000)}\n+++ ${visibleLine(newPath, 1000)}\n${texts.join("")}`;
}

const signs: Record<PatchLine["kind"], string> = { same: " ", added: "+", removed: "-" };
