/** A position in a list: one of its ends, or an entry (its seq). */
export type ReadingPlace = "start" | "end" | number;

/** Entries at least partly in view, by seq; last < first while none is known. */
export type SeqRange = { first: number; last: number };
