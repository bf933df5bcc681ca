import type { FieldError } from "#lib/contract/error.ts";
import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import type { AnyOperation, BodyInputOf, ParamsOf, QueryInputOf, ResultOf } from "#lib/contract/operation.ts";
import { ClientError } from "./client-error.ts";
import { fillPath, queryString } from "./request-path.ts";

/** How a request reaches the server: `fetch` in the browser, the endpoints themselves where pages are rendered. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>;

/** How often a read that came too soon is repeated, and the longest wait that it is repeated after. */
const REPEATS_MAX = 3;
const WAIT_SECONDS_MAX = 60;

/**
 * A transport that waits: a GET that is refused with 429 is repeated after its Retry-After, so that a fast reader waits
 * instead of seeing an error; what changes something is never repeated.
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

/** The transport of the browser, {@link patient}. The session cookie goes with it. */
export const browserTransport: Transport = patient((path, init) => fetch(path, init));

/** Resolves after so many milliseconds; rejects with the signal's reason where it is aborted before. */
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

/** What an operation takes; `body` must be given where the operation needs one, and may be where it takes one. */
export type CallInput<O extends AnyOperation> = Needs<"params", ParamsOf<O>> &
  (undefined extends BodyInputOf<O> ? { body?: BodyInputOf<O> } : { body: BodyInputOf<O> }) & {
    query?: QueryInputOf<O>;
    signal?: AbortSignal | undefined;
  };

/**
 * Calls one operation of the contract. The answer is trusted to be what the contract says: both sides are built from it.
 * Throws {@link ClientError}, or the signal's reason where the caller gave up.
 */
export async function call<O extends AnyOperation>(
  operation: O,
  input: CallInput<O>,
  transport: Transport = browserTransport,
): Promise<ResultOf<O>> {
  const path = operationPath(operation, input);
  const headers: Record<string, string> = { accept: operation.resultType };
  const init: RequestInit = { method: operation.method, headers };
  if (input.signal !== undefined) init.signal = input.signal;
  if (input.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(input.body);
  }
  const response = await reach(transport, path, init);
  if (!response.ok) throw await readProblem(response);
  try {
    const text = await response.text();
    const result = operation.resultType === "application/json" ? JSON.parse(text) : text;
    return result;
  } catch (cause) {
    if (input.signal?.aborted) throw cause;
    throw new ClientError("unexpected_answer", "The server's answer broke off or could not be read.", {
      status: response.status,
      requestId: response.headers.get("x-request-id"),
      cause,
    });
  }
}

/** The address of an operation: path and query, without the host. */
export function operationPath<O extends AnyOperation>(
  operation: O,
  input: { params?: object; query?: object },
): string {
  return fillPath(operation.path, { ...input.params }) + queryString({ ...input.query });
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
