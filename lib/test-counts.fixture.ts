/**
 * Count for a test: `short` in `npm test`, `long` in `npm run test:long`, which runs before an issue is closed. The short form
 * proves the same rule with fewer cases.
 */
export function countOf({ short, long }: { short: number; long: number }): number {
  return process.env.ERRAND_TEST_LONG === "1" ? long : short;
}
