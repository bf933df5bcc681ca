import type { TailSource } from "#lib/client/live/tail-state.ts";
import {
  browserTransport,
  type CallInput,
  type CallParams,
  type CallQuery,
  type CallResult,
  call,
  operationPath,
  type Transport,
} from "#lib/client/request.ts";
import { linkOperations, shiftStream, shiftsOf, type TraceOperation } from "#lib/client/shifted-seqs.ts";
import type { OperationId } from "#lib/contract/addresses.ts";
import { queryKeys } from "./query-keys.ts";

/**
 * Where the viewer reads a run from: as a signed-in person, or through a shared link. It stays the same while a page shows that
 * run.
 */
export type TraceSource =
  | { kind: "run"; orgId: number; runId: number }
  /**
   * `shareToken` is the link's secret, which is all the API needs. The viewer counts entries from 1: entry 1 of this source is
   * the entry `firstSeq` of the run.
   */
  | { kind: "share"; shareToken: string; firstSeq: number };

/** Input of an operation on a run, besides the run itself. */
export type TraceInput<Id extends TraceOperation> = {
  params?: Omit<CallParams<Id>, "org_id" | "agent_run_id">;
  query?: CallQuery<Id>;
  signal?: AbortSignal | undefined;
};

/** The operation for a source, with everything that its address needs, in the run's own entry numbers. */
function locate<Id extends TraceOperation>(
  source: TraceSource,
  id: Id,
  { params, query }: TraceInput<Id>,
): { id: OperationId; params: object; query: object | undefined } {
  if (source.kind === "run") {
    return { id, params: { ...params, org_id: source.orgId, agent_run_id: source.runId }, query };
  }
  const [shifts, by] = [shiftsOf(id), offsetOf(source)];
  return {
    id: linkOperations[id],
    // The cast rests on TraceInput: the parameters are those that the path names.
    params: { ...(shifts.params?.(params as CallParams<Id>, by) ?? params), share_token: source.shareToken },
    query: query === undefined ? undefined : (shifts.query?.(query, by) ?? query),
  };
}

/** Difference between a source's entry numbers in the run and in the viewer. */
export function offsetOf(source: TraceSource): number {
  return source.kind === "share" ? source.firstSeq - 1 : 0;
}

/** Calls one of a run's GET operations on the source. Throws like {@link call}. */
export async function callTrace<Id extends TraceOperation>(
  source: TraceSource,
  id: Id,
  input: TraceInput<Id> = {},
  transport: Transport = browserTransport,
): Promise<CallResult<Id>> {
  const { id: located, params, query } = locate(source, id, input);
  // A link is all its reader needs: do not reveal who they are.
  const plain: Transport = (path, init) => transport(path, { ...init, credentials: "omit" });
  // The casts rest on linkOperations and locate: both operations return the same, and every parameter of the path is present.
  const result = await call(
    located as Id,
    { params, query, signal: input.signal } as unknown as CallInput<Id>,
    source.kind === "share" ? plain : transport,
  );
  return source.kind === "share" ? (shiftsOf(id).result?.(result, -offsetOf(source)) ?? result) : result;
}

/** Address of {@link callTrace}: path and query, without the host. */
export function tracePath<Id extends TraceOperation>(
  source: TraceSource,
  id: Id,
  input: Pick<TraceInput<Id>, "params" | "query"> = {},
): string {
  const { id: located, params, query = {} } = locate(source, id, input);
  return operationPath(located, { params, query });
}

/** Opens the live stream of a source's entries after one of them. */
export function openTrace(source: TraceSource, query: { after: number; clip: number | undefined }): TailSource {
  return shiftStream(new EventSource(tracePath(source, "streamLogs", { query })), -offsetOf(source));
}

/** Parent key of everything read of a run from this source. */
export function traceKey(source: TraceSource): readonly unknown[] {
  return source.kind === "run" ? queryKeys.run(source.orgId, source.runId) : ["shares", source.shareToken];
}

/** Key of the messages that start a run's turns. */
export function turnsKey(source: TraceSource): readonly unknown[] {
  return [...traceKey(source), "turns"];
}
