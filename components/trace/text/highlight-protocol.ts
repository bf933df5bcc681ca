import type { Language } from "./languages.ts";

/** Asks the worker for the colours of a text. */
export type HighlightRequest = { id: number; text: string; language: Language };

/** Text of one colour: its length in UTF-16 units, its colour on light and on dark, whether it is italic or bold. */
export type HighlightToken = { length: number; light: string; dark: string; italic: boolean; bold: boolean };

/** Tokens of each line, in order; null if the text could not be highlighted. */
export type HighlightAnswer = { id: number; lines: HighlightToken[][] | null };
