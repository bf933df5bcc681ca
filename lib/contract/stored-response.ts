// Responses as they are stored under idempotency keys: ids of the runs they name, joined by commas, a colon, and the encrypted text.

/** What is stored of a response, from its encrypted text. `params`: those of the request's path. */
export function storedResponse(params: object, text: string, sealed: string): string {
  const named = [...text.matchAll(/"agent_run_id":(\d+)|\{"id":(\d+),"organization_id":/g)];
  const inPath = "agent_run_id" in params ? [String(params.agent_run_id)] : [];
  const ids = new Set([...inPath, ...named.map(([, one, other]) => one ?? other ?? "")]);
  return `${[...ids].join(",")}:${sealed}`;
}

/** The encrypted text of a stored response; null: an earlier version stored it as it is. */
export function sealedIn(stored: string): string | null {
  return stored.startsWith("{") ? null : stored.slice(stored.lastIndexOf(":") + 1);
}

/** Ids of the runs that a stored response names, from its beginning up to the colon. */
export function runsIn(beginning: string): number[] {
  return beginning.split(",").filter(Boolean).map(Number);
}
