import type { ReactNode } from "react";

/** One choice of a combobox. */
export type ComboboxOption = {
  /** Unique in the list; the empty string is a choice like any other. */
  value: string;
  label: string;
  description?: string;
  icon?: ReactNode;
  /** Heading it stands under; options of one group follow each other. */
  group?: string;
  /** Why it cannot be chosen now, or undefined where it can. */
  disabledReason?: string;
  /** More words it is found by. */
  keywords?: string[];
  /**
   * Stands for choosing none of the others ("Any agent"). While something is typed it comes after every real match; only who types
   * its name past the first word ("any ag") gets it before what has those words in its description alone, a path for example.
   */
  isNone?: boolean;
};

/**
 * The options that hold every typed word in their label, description or keywords, best first: the whole label (or its last part
 * after a slash), then what begins with the text, then what has a word that does, then what holds the words in its label, then the rest;
 * equals keep their order.
 * All options as they stand where nothing is typed.
 */
export function matchOptions(options: readonly ComboboxOption[], typed: string): ComboboxOption[] {
  const text = typed.trim().toLowerCase();
  if (text === "") return [...options];
  const words = text.split(/\s+/);
  return options
    .filter((option) => {
      const searched = textOf(option);
      return words.every((word) => searched.includes(word));
    })
    .map((option) => ({ option, rank: rankOf(option, text) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ option }) => option);
}

function textOf({ label, description = "", keywords = [], isNone }: ComboboxOption): string {
  const searched = isNone ? [label] : [label, description, ...keywords];
  return searched.join("\n").toLowerCase();
}

function rankOf({ label, isNone }: ComboboxOption, text: string): number {
  const name = label.toLowerCase();
  if (isNone) return /\s/.test(text) && name.startsWith(text) ? 5 : 7;
  const lastPart = name.slice(name.lastIndexOf("/") + 1);
  if (name === text || lastPart === text) return 0;
  if (name.startsWith(text)) return 1;
  if (lastPart.startsWith(text)) return 2;
  if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(text))) return 3;
  return text.split(/\s+/).every((word) => name.includes(word)) ? 4 : 6;
}
