import type { FieldError } from "#lib/contract/error.ts";
import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import type { AnyOperation, BodyInputOf, ParamsOf, QueryInputOf, ResultOf } from "#lib/contract/operation.ts";
import { ClientError } from "./client-error.ts";
import { fillPath, queryString } from "./request-path.ts";

/** How a request reaches the server: `fetch` in the browser, the endpoints themselves where pages are rendered. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>;

/** The transport of the browser. The session cookie goes with it. */
export const browserTransport: Transport = (path, init) => fetch(path, init);

type Needs<Key extends string, Value> =
  Record<never, never> extends Value ? { [K in Key]?: Value } : { [K in Key]: Value };

/** What an operation takes; `body` must be given exactly where the operation has one. */
export type CallInput<O extends AnyOperation> = Needs<"params", ParamsOf<O>> &
  (undefined extends BodyInputOf<O> ? { body?: undefined } : { body: BodyInputOf<O> }) & {
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
  if (code !== null && detail !== null) {
    const fields = Array.isArray(problem.errors) ? problem.errors.flatMap(fieldErrorOf) : [];
    return new ClientError(code, detail, { ...more, requestId: textField(problem, "request_id") ?? requestId, fields });
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
