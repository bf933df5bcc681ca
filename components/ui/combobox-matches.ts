import type { ReactNode } from "react";

/** One choice of a combobox. */
export type ComboboxOption = {
  /** Unique in the list; the empty string is a valid choice. */
  value: string;
  label: string;
  description?: string;
  icon?: ReactNode;
  /** Its group's heading; options of a group are consecutive. */
  group?: string;
  /** Reason it cannot be chosen now, or undefined if it can. */
  disabledReason?: string;
  /** Additional search words. */
  keywords?: string[];
  /**
   * The option for none of the others ("Any agent"). It comes after every real match. Only text that goes beyond its first word
   * ("any ag") puts it before options that match just by description, such as a path.
   */
  isNone?: boolean;
};

/**
 * Options that contain every typed word in their label, description or keywords, best first: the whole label (or its last part
 * after a slash), then labels that begin with the text, then labels with a word that does, then labels that contain all the
 * words, then the rest. Equal matches keep their order. Without text, all options in their order.
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
