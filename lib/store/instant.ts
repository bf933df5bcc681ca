/** The store's clock: milliseconds since 1970. */
export type Now = () => number;

/** Milliseconds since 1970 as an instant of the API: ISO 8601 in UTC with milliseconds. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** {@link instantOf}; null stays null. */
export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instantOf(ms);
}

/** Milliseconds since 1970 of an ISO 8601 instant. Throws a RangeError if the text is not one. */
export function millisecondsOf(instant: string): number {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) throw new RangeError(`"${instant}" is not an instant`);
  return ms;
}
