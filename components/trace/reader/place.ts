/** Where a reader is, or a list opens: at one of its ends, or at an entry (its seq). */
export type ReadingPlace = "start" | "end" | number;

/** The entries of which at least a part is in view, by seq; last < first while none was known yet. */
export type SeqRange = { first: number; last: number };
