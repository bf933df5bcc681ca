import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import type { Answer } from "#lib/http/answer.ts";
import type { Call } from "#lib/http/call.ts";

/** A tool's input for an operation: values by the names of its path, query and body, as its schemas distinguish them. */
export type ToolInput = { values: Record<string, unknown>; idempotencyKey: string | null; signal: AbortSignal };

/** Headers of the request to /mcp that are passed to the operation: credentials, and the request id for the log. */
const kept = new Set(["authorization", "user-agent", "x-request-id"]);

/**
 * The call of an operation as a client of the HTTP API would make it, on behalf of the caller of /mcp. Values the schemas
 * refuse are sent unchanged: the operation says what is wrong with them.
 */
export function innerCall(
  outer: Call,
  operation: AnyOperation,
  organization: string,
  { values, idempotencyKey, signal }: ToolInput,
): Call {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === "org_id" ? organization : written(values[name])),
  );
  const query = new URLSearchParams();
  for (const name of Object.keys(operation.query.shape)) {
    const value = values[name];
    if (value !== undefined && value !== null) query.set(name, written(value));
  }
  const body = bodyOf(operation, values);
  const headers: Record<string, string> = {};
  if (body !== null) headers["content-type"] = "application/json";
  if (idempotencyKey !== null) headers["idempotency-key"] = idempotencyKey;
  return {
    method: operation.method,
    target: query.size === 0 ? path : `${path}?${query}`,
    header: (name) => headers[name] ?? (kept.has(name) ? outer.header(name) : null),
    body: () => (body === null ? null : once(body)),
    hasArrived: true,
    get address() {
      return outer.address;
    },
    signal,
  };
}

/** Fields that belong to neither path nor query, as JSON; null for an operation without a body. */
function bodyOf(operation: AnyOperation, values: Record<string, unknown>): Uint8Array | null {
  if (operation.body.def.type === "undefined") return null;
  const rest = Object.entries(values).filter(
    ([name]) => !(name in operation.params.shape) && !(name in operation.query.shape),
  );
  return Buffer.from(JSON.stringify(Object.fromEntries(rest)));
}

function written(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : Array.isArray(value) ? value.join(",") : JSON.stringify(value);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** JSON of a response; undefined if it has none. A stream is not read. */
export function jsonOf(answer: Answer): unknown {
  const text = textOf(answer);
  return text === "" ? undefined : parseExactJson(text);
}

/** Text of a response. A stream is not read. */
export function textOf({ body }: Answer): string {
  return Array.isArray(body) ? Buffer.concat(body).toString("utf8") : "";
}
