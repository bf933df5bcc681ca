/** Items first..last, both included; last < first means none. */
export type FeedRange = { first: number; last: number };

/**
 * The items first..last, and those the reader has jumped away from, which stay on the page, hidden, until the new ones are
 * painted.
 */
export type FeedItems = FeedRange & { left: FeedRange | null };

/** Whether the item is in the range. */
export function isIn({ first, last }: FeedRange, index: number): boolean {
  return index >= first && index <= last;
}

/** Whether both ranges have the same items. */
export function isSame(one: FeedRange, other: FeedRange): boolean {
  return one.first === other.first && one.last === other.last;
}

/** The items to render, in order: those shown, those left, and `held` ones. */
export function indexesOf(shown: FeedItems, held: readonly number[], count: number): number[] {
  const indexes = new Set(held);
  for (const range of [shown, shown.left]) {
    for (let index = range?.first ?? 0; index <= (range?.last ?? -1); index += 1) indexes.add(index);
  }
  return [...indexes].filter((index) => index < count).sort((one, other) => one - other);
}
