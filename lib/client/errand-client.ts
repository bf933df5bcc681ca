import { EventStreamSource } from "#lib/client/live/event-stream-source.ts";
import { followRun, type RunEvent } from "#lib/client/live/follow-run.ts";
import { addresses, type OperationId } from "#lib/contract/addresses.ts";
import type { QueryOf } from "#lib/contract/operation.ts";
import type { Operations } from "#lib/contract/operations.ts";
import { ClientError } from "./client-error.ts";
import { type CallBody, type CallInput, type CallResult, call, operationPath } from "./request.ts";
import { type ServiceAddress, tokenTransport, withHeader } from "./token-transport.ts";

export type { RunEvent } from "#lib/client/live/follow-run.ts";
export { ClientError } from "./client-error.ts";

/** Address, credentials and organization; by default, the organization the token belongs to. */
export type ClientOptions = ServiceAddress & { organizationId?: number };

/** Cancels a call: it then throws the signal's reason. */
type Stoppable = { signal?: AbortSignal | undefined };
/** With your own key the call can be repeated for 24 hours, after a lost connection for example, and takes effect only once. */
type Once = Stoppable & { idempotencyKey?: string | undefined };
/** Parameters of a query; each may be left out. */
type Query<Id extends OperationId> = {
  [Name in keyof QueryOf<Operations[Id]>]?: QueryOf<Operations[Id]>[Name] | undefined;
};

/**
 * An API client for programs, in the contract's terms: the API reference describes the fields. A failed call throws a {@link
 * ClientError} with `status`, `code`, `detail`, `requestId` and `retryAfterMs`. Rate-limited reads wait for up to a minute and
 * are repeated, three times at most.
 */
export type Client = {
  /** Starts a run. */
  create(body: CallBody<"createRun">, options?: Once): Promise<CallResult<"createRun">>;
  /** Adds a turn to a run. */
  resume(body: CallBody<"resumeRun">, options?: Once): Promise<CallResult<"resumeRun">>;
  /** Cancels a run; one that has already ended stays as it is. */
  cancel(runId: number, options?: Stoppable): Promise<CallResult<"cancelRun">>;
  /** Answers the question of a waiting run. */
  answer(runId: number, body: CallBody<"answerQuestion">, options?: Stoppable): Promise<CallResult<"answerQuestion">>;
  /** Reads a run. */
  get(runId: number, options?: Stoppable): Promise<CallResult<"getRun">>;
  /** Reads a page of the organization's repositories, by name. */
  repositories(query?: Query<"listRepositories">, options?: Stoppable): Promise<CallResult<"listRepositories">>;
  /** Reads a page of runs, newest first. */
  list(query?: Query<"listRuns">, options?: Stoppable): Promise<CallResult<"listRuns">>;
  /** Reads a run with a page of its log entries, at most 100. */
  logs(runId: number, query?: Query<"getLogs">, options?: Stoppable): Promise<CallResult<"getLogs">>;
  /**
   * Follows a run until it has ended: the run, every entry after `after` (0 by default) once and in order, and progress.
   * Reconnects by itself, after the last entry. Breaking out of the loop, or the signal, ends it.
   */
  follow(runId: number, options?: Stoppable & { after?: number; clip?: number }): AsyncGenerator<RunEvent>;
  /** Searches for runs in which a single entry contains all the words. */
  search(query: Query<"searchRuns"> & { q: string }, options?: Stoppable): Promise<CallResult<"searchRuns">>;
  /** Reads the findings about a run's log, by rules. */
  analysis(runId: number, options?: Stoppable): Promise<CallResult<"getAnalysis">>;
  /** Reads a run's changes, as a unified diff. */
  diff(runId: number, options?: Stoppable): Promise<string>;
};

/** Creates a {@link Client}. Nothing is sent yet. Throws a TypeError for an invalid address or token. */
export function createClient({ organizationId, ...address }: ClientOptions): Client {
  const transport = tokenTransport(address);
  let found = organizationId;

  /** A token belongs to one organization, which is looked up once. */
  async function organization({ signal }: Stoppable): Promise<number> {
    found ??= (await call("listOrganizations", { signal }, transport)).items[0]?.id;
    if (found !== undefined) return found;
    throw new ClientError("forbidden", "The token's person is not a member of its organization.", { status: 403 });
  }

  type More = Once & { runId?: number; query?: object; body?: unknown };

  async function ask<Id extends OperationId>(id: Id, more: More): Promise<CallResult<Id>> {
    const params = { org_id: await organization(more), agent_run_id: more.runId };
    const { query, body, signal, idempotencyKey } = more;
    return await call(
      id,
      // The methods' types say what an operation takes; parameters it does not name are left out of its path.
      { params, query, body, signal } as unknown as CallInput<Id>,
      idempotencyKey === undefined ? transport : withHeader(transport, "idempotency-key", idempotencyKey),
    );
  }

  return {
    create: (body, options = {}) => ask("createRun", { ...options, body }),
    resume: (body, options = {}) => ask("resumeRun", { ...options, body }),
    cancel: (runId, options = {}) => ask("cancelRun", { ...options, runId }),
    answer: (runId, body, options = {}) => ask("answerQuestion", { ...options, runId, body }),
    get: (runId, options = {}) => ask("getRun", { ...options, runId }),
    repositories: (query = {}, options = {}) => ask("listRepositories", { ...options, query }),
    list: (query = {}, options = {}) => ask("listRuns", { ...options, query }),
    logs: (runId, query = {}, options = {}) => ask("getLogs", { ...options, runId, query }),
    search: (query, options = {}) => ask("searchRuns", { ...options, query }),
    analysis: (runId, options = {}) => ask("getAnalysis", { ...options, runId }),
    diff: (runId, options = {}) => ask("getDiff", { ...options, runId }),
    async *follow(runId, { after = 0, clip, signal } = {}) {
      const read = (by: AbortSignal | undefined) => ask("getRun", { runId, signal: by });
      const params = { org_id: await organization({ signal }), agent_run_id: runId };
      const run = await read(signal);
      const open = (from: number, beforeRead: () => Promise<void>) => {
        const path = operationPath("streamLogs", { params, query: { after: from, clip } });
        const init = { method: "GET", headers: { accept: addresses.streamLogs.resultType } };
        return new EventStreamSource((by) => transport(path, { ...init, signal: by }), { beforeRead });
      };
      yield* followRun({ run, after, open, readRun: read, signal });
    },
  };
}
