/** Items first..last, both included; last < first means none. */
export type FeedRange = { first: number; last: number };

/** Whether the item is in the range. */
export function isIn({ first, last }: FeedRange, index: number): boolean {
  return index >= first && index <= last;
}

/** Whether both ranges have the same items. */
export function isSame(one: FeedRange, other: FeedRange): boolean {
  return one.first === other.first && one.last === other.last;
}
