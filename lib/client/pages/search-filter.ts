import { parseRunFilter, type RunFilter, runFilterSearch } from "./run-filter.ts";

/** Maximum age of a run to search; null for any. */
export const searchAges = ["day", "week", "month", "year"] as const;
export type SearchAge = (typeof searchAges)[number];

/** A search across runs, kept in the page's address; `text` is the words. */
export type SearchFilter = RunFilter & { age: SearchAge | null };

const daysOf: Record<SearchAge, number> = { day: 1, week: 7, month: 31, year: 366 };
const HOUR_MS = 3_600_000;

/** Parses a search from a page's query; anything not understood is left out. */
export function parseSearchFilter(search: { get: (name: string) => string | null }): SearchFilter {
  return { ...parseRunFilter(search), age: searchAges.find((age) => age === search.get("age")) ?? null };
}

/** Page query for a search, without `?`. Equal searches give equal text. */
export function searchFilterSearch({ age, ...filter }: SearchFilter): string {
  return [runFilterSearch(filter), age === null ? "" : `age=${age}`].filter((part) => part !== "").join("&");
}

/** The same search in the API's terms. The age counts from the full hour, so that pages of one search fit together. */
export function searchFilterQuery({ statuses, repoId, agent, text, age }: SearchFilter, nowMs: number) {
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  return {
    q: text,
    status: statuses.length > 0 ? statuses.join(",") : undefined,
    repo_id: repoId ?? undefined,
    agent: agent ?? undefined,
    created_after: age === null ? undefined : new Date(hour - daysOf[age] * 24 * HOUR_MS).toISOString(),
  };
}
