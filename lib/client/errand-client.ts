import { getAnalysis } from "#lib/contract/analysis.ts";
import type { AnyOperation, BodyInputOf, QueryOf, ResultOf } from "#lib/contract/operation.ts";
import { listOrganizations } from "#lib/contract/organization.ts";
import * as runs from "#lib/contract/run-operations.ts";
import { searchRuns } from "#lib/contract/search.ts";
import { ClientError } from "./client-error.ts";
import { EventStreamSource } from "./event-stream-source.ts";
import { followRun, type RunEvent } from "./follow-run.ts";
import { call, operationPath } from "./request.ts";
import { type ServiceAddress, tokenTransport, withHeader } from "./token-transport.ts";

export { ClientError } from "./client-error.ts";
export type { RunEvent } from "./follow-run.ts";

/** Where the service is, who asks, and in which organization; unless given, in the one that the token belongs to. */
export type ClientOptions = ServiceAddress & { organizationId?: number };

/** How any call can be given up: it then throws the signal's reason. */
type Stoppable = { signal?: AbortSignal | undefined };
/** With a key of yours the call can be repeated for 24 hours, after a lost connection for example, and has one effect. */
type Once = Stoppable & { idempotencyKey?: string | undefined };
/** Parameters of a query; each may be left out. */
type Query<O extends AnyOperation> = { [Name in keyof QueryOf<O>]?: QueryOf<O>[Name] | undefined };

/**
 * A client of the API for programs, in the words of the contract: fields and their meaning are those of the API reference. Every
 * call throws a {@link ClientError} with `status`, `code`, `detail`, `requestId` and `retryAfterMs` where it does not succeed. Reads that
 * come too soon wait for up to a minute and are repeated, three times at most.
 */
export type Client = {
  /** Starts a run. */
  create(body: BodyInputOf<typeof runs.createRun>, options?: Once): Promise<ResultOf<typeof runs.createRun>>;
  /** Adds a turn to a run. */
  resume(body: BodyInputOf<typeof runs.resumeRun>, options?: Once): Promise<ResultOf<typeof runs.resumeRun>>;
  /** Cancels a run; one that has ended stays as it is. */
  cancel(runId: number, options?: Stoppable): Promise<ResultOf<typeof runs.cancelRun>>;
  /** Answers the question of a run that waits. */
  answer(
    runId: number,
    body: BodyInputOf<typeof runs.answerQuestion>,
    options?: Stoppable,
  ): Promise<ResultOf<typeof runs.answerQuestion>>;
  /** Reads a run. */
  get(runId: number, options?: Stoppable): Promise<ResultOf<typeof runs.getRun>>;
  /** Reads a page of runs, newest first. */
  list(query?: Query<typeof runs.listRuns>, options?: Stoppable): Promise<ResultOf<typeof runs.listRuns>>;
  /** Reads a run with a page of its log entries, at most 100. */
  logs(runId: number, query?: Query<typeof runs.getLogs>, options?: Stoppable): Promise<ResultOf<typeof runs.getLogs>>;
  /**
   * Follows a run until it has ended: the run, every entry after `after` (0 unless given) once and in order, what is in flight.
   * Connects again by itself, after the last entry. Breaking out of the loop, or the signal, ends it.
   */
  follow(runId: number, options?: Stoppable & { after?: number; clip?: number }): AsyncGenerator<RunEvent>;
  /** Searches the runs for words that all occur in one entry. */
  search(query: Query<typeof searchRuns> & { q: string }, options?: Stoppable): Promise<ResultOf<typeof searchRuns>>;
  /** Reads what a run's log tells, by rules. */
  analysis(runId: number, options?: Stoppable): Promise<ResultOf<typeof getAnalysis>>;
  /** Reads what a run changed, as a unified diff. */
  diff(runId: number, options?: Stoppable): Promise<string>;
};

/** Makes a {@link Client}. Nothing is sent yet. Throws a TypeError for an address or a token that cannot be one. */
export function createClient({ organizationId, ...address }: ClientOptions): Client {
  const transport = tokenTransport(address);
  let found = organizationId;

  /** A token belongs to one organization: it is asked for once. */
  async function organization({ signal }: Stoppable): Promise<number> {
    found ??= (await call(listOrganizations, { signal }, transport)).items[0]?.id;
    if (found !== undefined) return found;
    throw new ClientError("forbidden", "The token's person is not a member of its organization.", { status: 403 });
  }

  type More = Once & { runId?: number; query?: object; body?: unknown };

  async function ask<O extends AnyOperation>(operation: O, more: More): Promise<ResultOf<O>> {
    const params = { org_id: await organization(more), agent_run_id: more.runId };
    const { query, body, signal, idempotencyKey } = more;
    return await call(
      operation,
      // The methods' types say what an operation takes; parameters that it does not name are left out of its path.
      { params, query, body, signal } as unknown as Parameters<typeof call<O>>[1],
      idempotencyKey === undefined ? transport : withHeader(transport, "idempotency-key", idempotencyKey),
    );
  }

  return {
    create: (body, options = {}) => ask(runs.createRun, { ...options, body }),
    resume: (body, options = {}) => ask(runs.resumeRun, { ...options, body }),
    cancel: (runId, options = {}) => ask(runs.cancelRun, { ...options, runId }),
    answer: (runId, body, options = {}) => ask(runs.answerQuestion, { ...options, runId, body }),
    get: (runId, options = {}) => ask(runs.getRun, { ...options, runId }),
    list: (query = {}, options = {}) => ask(runs.listRuns, { ...options, query }),
    logs: (runId, query = {}, options = {}) => ask(runs.getLogs, { ...options, runId, query }),
    search: (query, options = {}) => ask(searchRuns, { ...options, query }),
    analysis: (runId, options = {}) => ask(getAnalysis, { ...options, runId }),
    diff: (runId, options = {}) => ask(runs.getDiff, { ...options, runId }),
    async *follow(runId, { after = 0, clip, signal } = {}) {
      const read = (by: AbortSignal | undefined) => ask(runs.getRun, { runId, signal: by });
      const params = { org_id: await organization({ signal }), agent_run_id: runId };
      const run = await read(signal);
      const open = (from: number, beforeRead: () => Promise<void>) => {
        const path = operationPath(runs.streamLogs, { params, query: { after: from, clip } });
        const init = { method: "GET", headers: { accept: runs.streamLogs.resultType } };
        return new EventStreamSource((by) => transport(path, { ...init, signal: by }), { beforeRead });
      };
      yield* followRun({ run, after, open, readRun: read, signal });
    },
  };
}
