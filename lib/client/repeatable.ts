import { browserTransport, type Transport } from "./request.ts";
import { withHeader } from "./token-transport.ts";

/**
 * A call that takes effect once for equal bodies until one succeeds: all have the same idempotency key, so it can be repeated if it
 * is unknown whether the first one arrived. After a success, an equal body is a new request.
 */
export function repeatable<Body, Result>(
  send: (body: Body, transport: Transport) => Promise<Result>,
  transport = browserTransport,
): (body: Body) => Promise<Result> {
  let last: { content: string; key: string } | null = null;
  return async (body) => {
    const content = JSON.stringify(body);
    // Unlike randomUUID, this is there on plain http too.
    if (last?.content !== content) last = { content, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
    const result = await send(body, withHeader(transport, "idempotency-key", last.key));
    last = null;
    return result;
  };
}
