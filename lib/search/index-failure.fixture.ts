/** For tests: the search must not do without the index, which no comparison of results would show. */
export function failWithoutIndex(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}
