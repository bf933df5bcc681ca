/**
 * One line of the shortcuts. `keys` maps each key (as in `KeyboardEvent.key`) to its action. `shown` is how the keys are written
 * if that differs; `does` describes the action. `withCommand`: works with ⌘ or Ctrl, also while typing.
 */
export type Shortcut<Act extends string = string> = {
  readonly keys: Readonly<Record<string, Act>>;
  readonly shown?: readonly string[];
  readonly does: string;
  readonly withCommand?: true;
};

/** Shortcuts of one part of a page: bound from this table (use-keys.ts) and listed from it (keys-dialog.tsx). */
export type KeyTable<Act extends string = string> = readonly Shortcut<Act>[];

/** Names of a table's actions. */
export type ActOf<Table extends KeyTable> = Table[number]["keys"][string];

/** A table whose actions are known by name. */
export const table = <const Act extends string>(rows: KeyTable<Act>): KeyTable<Act> => rows;

/** On every page. */
export const helpKeys = table([{ keys: { "?": "help" }, does: "Show keyboard shortcuts" }]);

/** On pages with the palette. */
export const paletteKeys = table([{ keys: { k: "palette" }, withCommand: true, does: "Open the command palette" }]);

/** The steps of a run. */
export const traceKeys = table([
  { keys: { j: "next", k: "previous" }, does: "Next and previous step" },
  { keys: { J: "next-error", K: "previous-error" }, does: "Next and previous error" },
  { keys: { g: "first", G: "last" }, does: "First and last step" },
  { keys: { ":": "ask-step" }, does: "Go to a step by its number" },
  { keys: { e: "toggle" }, does: "Expand or collapse the step" },
  { keys: { x: "toggle-groups" }, does: "Collapse or expand all groups" },
  { keys: { f: "filter" }, does: "Filter steps" },
  { keys: { c: "copy-link" }, does: "Copy the link to the step" },
]);

/** Finding text in a run. */
export const findKeys = table([
  { keys: { "/": "find" }, does: "Find text in the run; Enter goes to the next hit" },
  // Bound in use-find-keys.ts: they are left to the browser in more cases than the keys of a table.
  { keys: {}, shown: ["F", "G"], withCommand: true, does: "Find, also while typing; go to the next hit" },
]);

/**
 * A pressed key as the tables name it. On a layout without Latin letters it is the letter that an English keyboard has there:
 * `j` for the Russian `о`. The Shift key alone decides whether it is a capital: Caps Lock must not turn one action into another.
 */
export function keyOf({ key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  // On-screen keyboards report no physical key, so the letter is used as it is.
  if (letter === undefined || !/^\p{L}$/u.test(key)) return key;
  const named = /^\p{Script=Latin}$/u.test(key) ? key : letter;
  return shiftKey ? named.toUpperCase() : named.toLowerCase();
}

/** Action of a key in a table; null if it has none. `isCommand`: ⌘ or Ctrl is held. */
export function actOf<Act extends string>(rows: KeyTable<Act>, key: string, isCommand: boolean): Act | null {
  const wanted = isCommand ? key.toLowerCase() : key;
  for (const { keys, withCommand = false } of rows) {
    if (withCommand === isCommand && Object.hasOwn(keys, wanted)) return keys[wanted] ?? null;
  }
  return null;
}

/** The keys of a line as text; `command` is the name of the command key: `⌘` or `Ctrl `. */
export function writtenKeys({ keys, shown, withCommand }: Shortcut, command: string): readonly string[] {
  const names = shown ?? Object.keys(keys);
  return withCommand ? names.map((name) => `${command}${name.toUpperCase()}`) : names;
}
