import { createTwoFilesPatch } from "diff";
import type { PatchHunk, PatchLine } from "#lib/entry/patch.ts";
import { visibleLine } from "./visible-text.ts";

/** Limits of the comparison: beyond them one version is shown as replaced by the other. */
const comparedCharactersMax = 1_000_000;
const editsMax = 2_000;
const comparedWithinMs = 100;

/**
 * Two versions of a file as a unified diff; `oldText` null means the file is new. The texts may be parts of the file.
 */
export function diffText(path: string, oldText: string | null, newText: string): string {
  const name = visibleLine(path, 1000);
  const before = oldText ?? "";
  if (oldText !== null && before.length + newText.length <= comparedCharactersMax) {
    const options = { context: 3, maxEditLength: editsMax, timeout: comparedWithinMs };
    const patch = createTwoFilesPatch(name, name, before, newText, undefined, undefined, options);
    // For part of a file it is not known how the file ends.
    if (patch !== undefined) return patch.replace(/^Index: .*\n=+\n/, "").replace(/^\\ No newline.*\n/gm, "");
  }
  return `--- ${oldText === null ? "/dev/null" : name}\n+++ ${name}\n${lines("-", before)}${lines("+", newText)}`;
}

/** Hunks of one file as a unified diff; a hunk with unknown lines has no line numbers in its header. */
export function hunksText(oldPath: string, newPath: string, hunks: readonly PatchHunk[]): string {
  const texts = hunks.map(({ oldStart, newStart, heading, lines: changed }) => {
    const count = (kind: PatchLine["kind"]) =>
      changed.filter((line) => line.kind === "same" || line.kind === kind).length;
    const place =
      oldStart === null || newStart === null
        ? "@@"
        : `@@ -${oldStart},${count("removed")} +${newStart},${count("added")} @@`;
    const shown = changed.map(({ kind, text }) => `${signs[kind]}${text}\n`).join("");
    return `${place}${heading === "" ? "" : ` ${heading}`}\n${shown}`;
  });
  return `--- ${visibleLine(oldPath, 1000)}\n+++ ${visibleLine(newPath, 1000)}\n${texts.join("")}`;
}

const signs: Record<PatchLine["kind"], string> = { same: " ", added: "+", removed: "-" };

function lines(mark: string, text: string): string {
  if (text === "") return "";
  const whole = text.endsWith("\n") ? text.slice(0, -1) : text;
  return `${mark}${whole.replaceAll("\n", `\n${mark}`)}\n`;
}
