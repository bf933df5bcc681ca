import type { Language } from "./languages.ts";

/** Asks the worker for the colours of a text. */
export type HighlightRequest = { id: number; text: string; language: Language };

/** A stretch of one colour: how many UTF-16 units, its colour on light and on dark, whether it is italic or bold. */
export type HighlightToken = { length: number; light: string; dark: string; italic: boolean; bold: boolean };

/** The tokens of each line, in order; null when the text could not be highlighted. */
export type HighlightAnswer = { id: number; lines: HighlightToken[][] | null };
