import { O } from "#lib/contract/define-operation.ts";
import type { AnyOperation, ParamsOf, QueryInputOf, ResultOf } from "#lib/contract/operation.ts";
import { queryKeys } from "./query-keys.ts";
import { browserTransport, type CallInput, call, operationPath, type Transport } from "./request.ts";

/** Where the viewer reads a run from: as somebody who is signed in, or through a shared link. It stays the same while a page shows that run. */
export type TraceSource =
  | { kind: "run"; orgId: number; runId: number }
  /** `shareToken` is the secret of the link: all that the API needs. */
  | { kind: "share"; shareToken: string };

/** What an operation on a run takes beside the run itself. */
export type TraceInput<O extends AnyOperation> = {
  params?: Omit<ParamsOf<O>, "org_id" | "agent_run_id">;
  query?: QueryInputOf<O>;
  signal?: AbortSignal | undefined;
};

const ofRun = `${O}/agent/run/{agent_run_id}`;
const ofShare = "/v1/shares/{share_token}";

/** The same operation where a source has it: every GET of a run that the viewer needs has its mirror below a share. */
function locate<O extends AnyOperation>(
  source: TraceSource,
  operation: O,
  params: object = {},
): { operation: O; params: object } {
  if (source.kind === "run") {
    return { operation, params: { ...params, org_id: source.orgId, agent_run_id: source.runId } };
  }
  const path = operation.path.replace(ofRun, ofShare);
  return { operation: { ...operation, path }, params: { ...params, share_token: source.shareToken } };
}

/** Calls one of a run's GET operations where the source has it. Throws what {@link call} throws. */
export function callTrace<O extends AnyOperation>(
  source: TraceSource,
  operation: O,
  { params, query, signal }: TraceInput<O> = {},
  transport: Transport = browserTransport,
): Promise<ResultOf<O>> {
  const located = locate(source, operation, params);
  // The cast rests on TraceInput and locate: together they give every parameter that the path names.
  const input = { params: located.params, query, signal } as unknown as CallInput<O>;
  return call(located.operation, input, transport);
}

/** The address of {@link callTrace}: path and query, without the host. */
export function tracePath<O extends AnyOperation>(
  source: TraceSource,
  operation: O,
  { params, query }: Pick<TraceInput<O>, "params" | "query"> = {},
): string {
  const located = locate(source, operation, params);
  return operationPath(located.operation, { params: located.params, query: { ...query } });
}

/** The key above everything that is read of a run from this source. */
export function traceKey(source: TraceSource): readonly unknown[] {
  return source.kind === "run" ? queryKeys.run(source.orgId, source.runId) : ["shares", source.shareToken];
}
