import type { Language } from "./languages.ts";

/** Request to the worker for the colors of a text. The worker handles one at a time, in order. */
export type HighlightRequest = { id: number; text: string; language: Language };

/** Text of one color: its length in UTF-16 units, its color on light and on dark, whether it is italic or bold. */
export type HighlightToken = { length: number; light: string; dark: string; italic: boolean; bold: boolean };

/**
 * First `begun`, when everything needed for the text is loaded. Then the tokens of each line, in order, or null if the text could
 * not be highlighted.
 */
export type HighlightAnswer = { id: number; begun: true } | { id: number; lines: HighlightToken[][] | null };
