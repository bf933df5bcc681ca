import { idOf } from "#lib/contract/json-fields.ts";
import { isDrawn, isLabel } from "#lib/entry/field-names.ts";
import { hasAnsi, plainTerminalText } from "#lib/entry/terminal-text.ts";
import { holds } from "./find-text.ts";

/** Whether a JSON value contains the needle in its texts: those of lib/entry/entry-text.ts, as far as they may be folded away. */
export function valueHolds(value: unknown, needle: string): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (isText(next) ? textHolds(String(next), needle) : next === null && holds("null", needle)) return true;
    if (typeof next !== "object" || next === null) continue;
    for (const [name, child] of Object.entries(next)) {
      if (!Array.isArray(next) && !isLabel(name) && holds(name, needle)) return true;
      if (Array.isArray(next) || !isDrawn(name, child)) rest.push(child);
    }
  }
  return false;
}

function isText(value: unknown): boolean {
  return typeof value === "boolean" || idOf(value) !== null;
}

function textHolds(text: string, needle: string): boolean {
  return holds(text, needle) || (hasAnsi(text) && holds(plainTerminalText(text), needle));
}
