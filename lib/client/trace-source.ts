import { O } from "#lib/contract/define-operation.ts";
import type { AnyOperation, ParamsOf, QueryInputOf, ResultOf } from "#lib/contract/operation.ts";
import { streamLogs } from "#lib/contract/run-operations.ts";
import { queryKeys } from "./query-keys.ts";
import { browserTransport, type CallInput, call, operationPath, type Transport } from "./request.ts";
import { type Shifts, shiftStream, shiftsOf } from "./shifted-seqs.ts";
import type { TailSource } from "./tail-state.ts";

/** Where the viewer reads a run from: as somebody who is signed in, or through a shared link. It stays the same while a page shows that run. */
export type TraceSource =
  | { kind: "run"; orgId: number; runId: number }
  /**
   * `shareToken` is the secret of the link: all that the API needs. The viewer counts entries from 1, so the entry 1 of this
   * source is the entry `firstSeq` of the run.
   */
  | { kind: "share"; shareToken: string; firstSeq: number };

/** What an operation on a run takes beside the run itself. */
export type TraceInput<O extends AnyOperation> = {
  params?: Omit<ParamsOf<O>, "org_id" | "agent_run_id">;
  query?: QueryInputOf<O>;
  signal?: AbortSignal | undefined;
};

const ofRun = `${O}/agent/run/{agent_run_id}`;
const ofShare = "/v1/shares/{share_token}";

/** An operation where a source has it, and how what it takes and answers is numbered there. */
type Located<O extends AnyOperation> = {
  operation: O;
  params: object;
  /** Moves from the viewer's numbers to the source's. */
  query: (query: QueryInputOf<O>) => QueryInputOf<O>;
  /** Moves back. */
  result: (result: ResultOf<O>) => ResultOf<O>;
};

/** The same operation where a source has it: every GET of a run that the viewer needs has its mirror below a share. */
function locate<O extends AnyOperation>(source: TraceSource, operation: O, params: object = {}): Located<O> {
  if (source.kind === "run") {
    const ofOwn = { ...params, org_id: source.orgId, agent_run_id: source.runId };
    return { operation, params: ofOwn, query: (query) => query, result: (result) => result };
  }
  const below = operation.path.replace(ofRun, "");
  // The cast rests on shiftsOf: it gives what is of the operation at this path.
  const shifts = shiftsOf(below) as unknown as Shifts<O>;
  const by = offsetOf(source);
  return {
    operation: { ...operation, path: `${ofShare}${below}` },
    // The cast rests on TraceInput: the parameters are those that the path names.
    params: { ...(shifts.params?.(params as ParamsOf<O>, by) ?? params), share_token: source.shareToken },
    query: (query) => shifts.query?.(query, by) ?? query,
    result: (result) => shifts.result?.(result, -by) ?? result,
  };
}

/** By how much the numbers of a source's entries are greater in the run than in the viewer. */
export function offsetOf(source: TraceSource): number {
  return source.kind === "share" ? source.firstSeq - 1 : 0;
}

/** Calls one of a run's GET operations where the source has it. Throws what {@link call} throws. */
export async function callTrace<O extends AnyOperation>(
  source: TraceSource,
  operation: O,
  { params, query, signal }: TraceInput<O> = {},
  transport: Transport = browserTransport,
): Promise<ResultOf<O>> {
  const located = locate(source, operation, params);
  // The cast rests on TraceInput and locate: together they give every parameter that the path names.
  const asked = query === undefined ? undefined : located.query(query);
  const input = { params: located.params, query: asked, signal } as unknown as CallInput<O>;
  // A link is all that its reader needs: nobody is told who else they are.
  const plain: Transport = (path, init) => transport(path, { ...init, credentials: "omit" });
  const result = await call(located.operation, input, source.kind === "share" ? plain : transport);
  return located.result(result);
}

/** The address of {@link callTrace}: path and query, without the host. */
export function tracePath<O extends AnyOperation>(
  source: TraceSource,
  operation: O,
  { params, query }: Pick<TraceInput<O>, "params" | "query"> = {},
): string {
  const located = locate(source, operation, params);
  return operationPath(located.operation, {
    params: located.params,
    query: query === undefined ? {} : { ...located.query(query) },
  });
}

/** Opens the live stream of a source's entries after one of them. */
export function openTrace(source: TraceSource, query: { after: number; clip: number | undefined }): TailSource {
  return shiftStream(new EventSource(tracePath(source, streamLogs, { query })), -offsetOf(source));
}

/** The key above everything that is read of a run from this source. */
export function traceKey(source: TraceSource): readonly unknown[] {
  return source.kind === "run" ? queryKeys.run(source.orgId, source.runId) : ["shares", source.shareToken];
}
