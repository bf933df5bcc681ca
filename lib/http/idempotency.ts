import { createHash } from "node:crypto";
import { ApiError, notFound } from "#lib/contract/error.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import { idNamedIn, sealedMark } from "#lib/contract/stored-response.ts";
import type { ServiceParts } from "#lib/service/service-context.ts";
import { type Answer, isStream } from "./answer.ts";
import type { Call } from "./call.ts";
import type { HttpRuntime } from "./runtime-access.ts";

type Store = ServiceParts["store"];
type Parts = Pick<HttpRuntime, "store" | "seal" | "keysUnderWay">;
type OperationCall = { operation: AnyOperation; caller: Caller; params: object };
/** Responds using only what it reads and writes through `store`. */
type Work = (store: Store) => Promise<Answer>;
/** A body that has arrived, and the function that responds to it. */
type Arrived = { bytes: Uint8Array; work: Work };

const keyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Responds to a request of an `idempotent` operation (/docs, "Idempotency"): with the Idempotency-Key header it takes effect
 * once per key, caller and operation within 24 h, in one transaction with its response, and a repetition gets the same status
 * and body with `Idempotency-Replayed: true`. Throws 409 while the first is in progress, 422 for another request under the same
 * key, 400 for an invalid key. An error has no effect, so it is not stored.
 */
export async function answerOnce(
  call: Call,
  asked: OperationCall,
  { store, seal, keysUnderWay }: Parts,
  arrive: () => Promise<Arrived>,
): Promise<Answer> {
  const key = asked.operation.idempotent ? call.header("idempotency-key") : null;
  if (key === null) {
    const { work } = await arrive();
    return await work(store);
  }
  if (!keyPattern.test(key)) throw invalidKey();
  const place = { caller: nameOf(asked), operation: asked.operation.id, key };
  const name = JSON.stringify(place);
  if (keysUnderWay.has(name)) throw stillUnderWay();
  keysUnderWay.add(name);
  try {
    const { bytes, work } = await arrive();
    // Kept for 24 h: under another digest, a repetition would count as another request.
    const digest = createHash("sha512-256")
      .update(`${JSON.stringify(asked.params)}\n`)
      .update(bytes)
      .digest();
    const headers: Record<string, string> = {};
    const sealContext = `idempotency:${name}`;
    const done = await store.idempotency.once(place, digest, async (inside) => {
      const answer = await work(inside);
      Object.assign(headers, answer.headers);
      const body = textOf(answer);
      const sealed = () => `${sealedMark}${idNamedIn(body) ?? ""}:${seal.seal(body, sealContext)}`;
      return { status: answer.status, body: answer.bearsSecret ? sealed() : body };
    });
    if (done === "mismatch") throw reused();
    // Errors are not stored: the run of this response was deleted since (lib/store/stored-responses.ts).
    if (done.replayed && done.answer.status === 404) throw notFound("Agent run");
    if (done.replayed) Object.assign(headers, replayHeaders);
    const kept = done.answer.body;
    const isSealed = kept.startsWith(sealedMark);
    const body = Buffer.from(isSealed ? seal.unseal(kept.slice(kept.lastIndexOf(":") + 1), sealContext) : kept);
    return { status: done.answer.status, headers: { ...headers, "content-length": String(body.length) }, body: [body] };
  } finally {
    keysUnderWay.delete(name);
  }
}

const replayHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "idempotency-replayed": "true",
};

/** A token has its own keys; so does a person's session in each organization. */
function nameOf({ caller, params }: OperationCall): string {
  if (caller.tokenId !== null) return `token:${caller.tokenId}`;
  const organization = "org_id" in params ? String(params.org_id) : "";
  return `user:${caller.userId}:${organization}`;
}

function textOf({ body }: Answer): string {
  if (body === null || isStream(body)) throw new Error("Only a JSON response can be stored under a key.");
  return Buffer.concat(body).toString("utf8");
}

function invalidKey(): ApiError {
  const msg = "must have 1 to 255 printable ASCII characters";
  return new ApiError("invalid_parameters", `Idempotency-Key: ${msg}`, {
    fields: [{ loc: ["header", "Idempotency-Key"], msg, type: "value_error" }],
  });
}

function stillUnderWay(): ApiError {
  return new ApiError("conflict", "A request with this Idempotency-Key is still in progress. Try again in a moment.", {
    headers: { "retry-after": "1" },
  });
}

function reused(): ApiError {
  return new ApiError("idempotency_mismatch", "This Idempotency-Key was used for another request. Choose a new one.");
}
