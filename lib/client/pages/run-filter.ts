import { type RunStatus, runStatuses } from "#lib/contract/runs/run-status.ts";
import { cutText } from "#lib/cut-text.ts";

/** Filter of a list of runs. Kept in the page's address, so that every view is a link. */
export type RunFilter = {
  /** In the order of a run's life; empty for all. */
  statuses: RunStatus[];
  repoId: number | null;
  agent: string | null;
  /** Text in the prompt; empty for all. */
  text: string;
};

export const noFilter: RunFilter = { statuses: [], repoId: null, agent: null, text: "" };

const TEXT_CHARACTERS_MAX = 200;

/** Parses a filter from a page's query; anything not understood is left out, never an error: links live long. */
export function parseRunFilter(search: { get: (name: string) => string | null }): RunFilter {
  const wanted = new Set((search.get("status") ?? "").split(",").map((word) => word.trim().toLowerCase()));
  const repoId = Number(search.get("repo_id") ?? Number.NaN);
  return {
    statuses: runStatuses.filter((status) => wanted.has(status)),
    repoId: Number.isSafeInteger(repoId) && repoId > 0 ? repoId : null,
    agent: search.get("agent")?.slice(0, 64) || null,
    text: cutText((search.get("q") ?? "").replaceAll("\u0000", ""), TEXT_CHARACTERS_MAX),
  };
}

/** Page query for a filter, without `?`; empty for no filter. Equal filters give equal text. */
export function runFilterSearch(filter: RunFilter): string {
  const search = new URLSearchParams();
  if (filter.statuses.length > 0) search.set("status", filter.statuses.join(","));
  if (filter.repoId !== null) search.set("repo_id", String(filter.repoId));
  if (filter.agent !== null) search.set("agent", filter.agent);
  if (filter.text !== "") search.set("q", filter.text);
  return search.toString().replaceAll("%2C", ",");
}

/** The same filter in the API's terms. */
export function runFilterQuery(filter: RunFilter) {
  return {
    status: filter.statuses.length > 0 ? filter.statuses.join(",") : undefined,
    repo_id: filter.repoId ?? undefined,
    agent: filter.agent ?? undefined,
    q: filter.text.trim() === "" ? undefined : filter.text,
  };
}

/** True if every run is shown. */
export function isUnfiltered(filter: RunFilter): boolean {
  return runFilterSearch(filter) === "";
}
