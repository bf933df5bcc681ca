// How responses begin as they are stored under idempotency keys: those about a deleted run are found by it.

/** Begins a stored response that is encrypted because it shows a secret; the run's id and a colon follow. */
export const sealedMark = "sealed:";

/** The id that a response begins with, as JSON or encrypted; null if there is none. */
export function idNamedIn(body: string): number | null {
  const [, sealed, plain] = /^(?:sealed:(\d+):|\{"(?:agent_run_)?id":(\d+)[,}])/.exec(body) ?? [];
  const id = sealed ?? plain;
  return id === undefined ? null : Number(id);
}
