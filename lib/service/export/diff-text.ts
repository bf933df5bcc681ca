import { createTwoFilesPatch } from "diff";
import { visibleLine } from "./visible-text.ts";

/** Bounds of the comparison: beyond them one version is shown as replaced by the other. */
const comparedCharactersMax = 1_000_000;
const editsMax = 2_000;
const comparedWithinMs = 100;

/** Two versions of a file as a unified diff; `oldText` null means that the file is new. The texts may be parts of the file. */
export function diffText(path: string, oldText: string | null, newText: string): string {
  const name = visibleLine(path, 1000);
  const before = oldText ?? "";
  if (oldText !== null && before.length + newText.length <= comparedCharactersMax) {
    const options = { context: 3, maxEditLength: editsMax, timeout: comparedWithinMs };
    const patch = createTwoFilesPatch(name, name, before, newText, undefined, undefined, options);
    // Of a part of a file nobody knows how the file ends.
    if (patch !== undefined) return patch.replace(/^Index: .*\n=+\n/, "").replace(/^\\ No newline.*\n/gm, "");
  }
  return `--- ${oldText === null ? "/dev/null" : name}\n+++ ${name}\n${lines("-", before)}${lines("+", newText)}`;
}

function lines(mark: string, text: string): string {
  if (text === "") return "";
  const whole = text.endsWith("\n") ? text.slice(0, -1) : text;
  return `${mark}${whole.replaceAll("\n", `\n${mark}`)}\n`;
}
