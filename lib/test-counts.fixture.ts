/**
 * The count that a test works with: `short` in `npm test`, `long` in `npm run test:long`, which runs before an issue is closed.
 * The short form proves the same rule on fewer cases.
 */
export function countOf({ short, long }: { short: number; long: number }): number {
  return process.env.ERRAND_TEST_LONG === "1" ? long : short;
}
