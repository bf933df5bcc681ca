/** Rows to skip and return; `limit` is 1..100. */
export type Window = { skip: number; limit: number };
export type Listed<T> = { items: T[]; total: number };
