import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { isDrawn, isLabel } from "#lib/entry/field-names.ts";
import { foldCase } from "#lib/entry/fold-case.ts";
import { toolViewOf } from "#lib/entry/read-tool-view.ts";
import { plainTerminalText } from "#lib/entry/terminal-text.ts";

/** Search texts: of one character, of many, in several scripts, with separators, in any case. */
export const needles = [
  "a",
  "E",
  " ",
  "\n",
  "§",
  "界",
  "世界",
  "🙂",
  "𐐀",
  "i\u0307",
  "İ",
  "ς",
  "\uFFFD",
  '"',
  "\\",
  "\\n",
  "%",
  "_",
  "1",
  "12.5",
  "-3",
  "1e+21",
  "true",
  "alpha beta",
  "BETA\ngamma",
  "alphaalpha",
  "tool_output",
  "shell",
  "ell1",
  "ЖУК",
  "straße",
  "STRASSE",
  "nowhere at all",
  "\u001b[32m",
];

const words = [
  "alpha",
  "Beta",
  "GAMMA",
  "世界",
  "🙂",
  "𐐀𐐁",
  "İstanbul",
  "ΟΔΟΣ",
  "\uFFFD",
  "\ud800",
  'quo"te',
  "back\\slash",
  "100%",
  "snake_case",
  "§",
  "жук",
  "Straße",
  "STRASSE",
  "\u001b[32m",
  "\\n",
];

/** Entries of every shape with words of every kind, the same for the same seed. */
export function mixedEntries(count: number, seed: number): NewEntry[] {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const text = () => Array.from({ length: random(6) }, () => words[random(words.length)]).join(random(2) ? " " : "\n");
  const value = (depth: number): unknown => {
    const kind = random(depth > 3 ? 6 : 9);
    if (kind < 3) return text();
    if (kind < 6) return [random(100), -3, 12.5, 1e21, true, null][kind === 5 ? random(6) : kind - 3];
    if (kind === 6) return Array.from({ length: random(4) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: random(4) }, (_, index) => [`key${index}`, value(depth + 1)]));
  };
  return Array.from({ length: count }, () => ({
    created_at: "2026-01-31T23:59:59.000Z",
    message_type: "ACTION",
    thought: random(2) === 0 ? null : text(),
    tool_name: ["shell", "Edit", "read"][random(3)] ?? "shell",
    tool_input: { input: value(0) },
    tool_output: { output: value(0), more: value(1) },
    observation: random(3) === 0 ? null : random(2) === 0 ? text() : { note: value(0) },
  }));
}

/** Entries that contain a text, found in the simplest way. */
export function looked(entries: NewEntry[], q: string): { seq: number; matches: number }[] {
  const needle = foldCase(q);
  return entries.flatMap((entry, index) => {
    const { thought, tool_name, tool_input, tool_output, observation } = entry;
    const matches = [thought, tool_name, tool_input, tool_output, observation]
      .flatMap((field, at) => {
        const { kind } = toolViewOf({ tool_name, tool_input, tool_output: null });
        const isTerminal = at === 3 && kind !== "read" && kind !== "edit";
        return leaves(field ?? []).map((leaf) => (isTerminal ? plainTerminalText(leaf) : leaf));
      })
      .reduce((sum, leaf) => sum + foldCase(leaf).split(needle).length - 1, 0);
    return matches === 0 ? [] : [{ seq: index + 1, matches }];
  });
}

function leaves(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, inner]) => {
    return [...(isLabel(name) ? [] : [name]), ...(isDrawn(name, inner) ? [] : leaves(inner))];
  });
}
