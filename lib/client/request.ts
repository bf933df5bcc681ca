import { addresses, type OperationId } from "#lib/contract/addresses.ts";
import type { FieldError } from "#lib/contract/error.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import type { BodyInputOf, ParamsOf, QueryInputOf, ResultOf } from "#lib/contract/operation.ts";
import type { Operations } from "#lib/contract/operations.ts";
import { ClientError } from "./client-error.ts";
import { fillPath, queryString } from "./request-path.ts";

/** How a request reaches the server: `fetch` in the browser, the endpoints themselves while rendering on the server. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>;

/** Most repetitions of a rate-limited read, and the longest wait before one. */
const REPEATS_MAX = 3;
const WAIT_SECONDS_MAX = 60;

/**
 * A transport that waits: a GET refused with 429 is repeated after its Retry-After, so that a fast reader waits instead of
 * seeing an error; changes are never repeated.
 */
export function patient(send: Transport): Transport {
  return async (path, init) => {
    for (let repeats = 0; ; repeats += 1) {
      const response = await send(path, init);
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      const isRepeated = response.status === 429 && init.method === "GET" && repeats < REPEATS_MAX;
      if (!isRepeated || !(seconds <= WAIT_SECONDS_MAX)) return response;
      await response.body?.cancel();
      await wait(seconds * 1000, init.signal);
    }
  };
}

/** The browser's transport, {@link patient}. Sends the session cookie. */
export const browserTransport: Transport = patient((path, init) => fetch(path, init));

/** Resolves after `ms`; rejects with the signal's reason if it is aborted first. */
function wait(ms: number, signal: AbortSignal | null = null): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, ms);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
  });
}

type Needs<Key extends string, Value> =
  Record<never, never> extends Value ? { [K in Key]?: Value } : { [K in Key]: Value };

/** Input and result of an operation, by its name: its schemas as types, none of which is loaded. */
export type CallParams<Id extends OperationId> = ParamsOf<Operations[Id]>;
export type CallQuery<Id extends OperationId> = QueryInputOf<Operations[Id]>;
export type CallBody<Id extends OperationId> = BodyInputOf<Operations[Id]>;
export type CallResult<Id extends OperationId> = ResultOf<Operations[Id]>;

/** Input of a call; `body` is required if the operation requires one, and optional if it accepts one. */
export type CallInput<Id extends OperationId> = Needs<"params", CallParams<Id>> &
  (undefined extends CallBody<Id> ? { body?: CallBody<Id> } : { body: CallBody<Id> }) & {
    query?: CallQuery<Id>;
    signal?: AbortSignal | undefined;
    /** The ETag of what is to be changed, as it was read: 409 if it is another one now. */
    ifMatch?: string | null | undefined;
  };

/** What was read, with its ETag; null if the response had none. */
export type WithTag<Result> = Result & { etag: string | null };

/**
 * Calls one operation of the contract by its name. The response is trusted to match the contract, from which both sides are
 * built. Throws {@link ClientError}, or the signal's reason if the caller gave up.
 */
export async function call<Id extends OperationId>(
  id: Id,
  input: CallInput<Id>,
  transport: Transport = browserTransport,
): Promise<CallResult<Id>> {
  return (await ask(id, input, transport)).result;
}

/** {@link call} of an operation whose responses are objects with an ETag. */
export async function callTagged<Id extends OperationId>(
  id: Id,
  input: CallInput<Id>,
  transport: Transport = browserTransport,
): Promise<WithTag<CallResult<Id>>> {
  const { result, etag } = await ask(id, input, transport);
  return Object.assign(result ?? {}, { etag });
}

async function ask<Id extends OperationId>(
  id: Id,
  input: CallInput<Id>,
  transport: Transport,
): Promise<{ result: CallResult<Id>; etag: string | null }> {
  const path = operationPath(id, input);
  const { method, resultType } = addresses[id];
  const headers: Record<string, string> = { accept: resultType };
  const init: RequestInit = { method, headers };
  if (input.ifMatch != null) headers["if-match"] = input.ifMatch;
  if (input.signal !== undefined) init.signal = input.signal;
  if (input.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(input.body);
  }
  const response = await reach(transport, path, init);
  if (!response.ok) throw await readProblem(response);
  try {
    const text = await response.text();
    // The service answers an operation as its contract says.
    const result = (resultType === "application/json" ? parseExactJson(text) : text) as CallResult<Id>;
    return { result, etag: response.headers.get("etag") };
  } catch (cause) {
    if (input.signal?.aborted) throw cause;
    throw new ClientError("unexpected_answer", "The server's response was cut off or could not be read.", {
      status: response.status,
      requestId: response.headers.get("x-request-id"),
      cause,
    });
  }
}

/** Address of an operation: path and query, without the host. */
export function operationPath(id: OperationId, input: { params?: object; query?: object }): string {
  return fillPath(addresses[id].path, { ...input.params }) + queryString({ ...input.query });
}

async function reach(transport: Transport, path: string, init: RequestInit): Promise<Response> {
  try {
    return await transport(path, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ClientError("unreachable", "The server could not be reached.", { cause });
  }
}

async function readProblem(response: Response): Promise<ClientError> {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const more = { status: response.status, retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null };
  const requestId = response.headers.get("x-request-id");
  const problem = fieldsOf(await response.json().catch(() => null));
  const [code, detail] = [textField(problem, "code"), textField(problem, "detail")];
  if (code === "rate_limited" && detail !== null && more.retryAfterMs !== null) {
    const seconds = more.retryAfterMs / 1000;
    const when = `Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
    return new ClientError(code, detail.replace("Please try again later.", when), { ...more, requestId });
  }
  if (code !== null && detail !== null) {
    const fields = Array.isArray(problem.errors) ? problem.errors.flatMap(fieldErrorOf) : [];
    return new ClientError(code, detail, {
      ...more,
      requestId: textField(problem, "request_id") ?? requestId,
      fields,
      agentRunId: numberField(problem, "agent_run_id"),
    });
  }
  return new ClientError("unexpected_answer", `The server answered ${response.status} without saying why.`, {
    ...more,
    requestId,
  });
}

function fieldErrorOf(value: unknown): FieldError[] {
  const { loc, ...fields } = fieldsOf(value);
  const [msg, type] = [textField(fields, "msg"), textField(fields, "type")];
  if (!Array.isArray(loc) || msg === null) return [];
  return [{ loc: loc.filter((part) => typeof part === "string" || typeof part === "number"), msg, type: type ?? "" }];
}
