import { createHash } from "node:crypto";
import { ApiError, notFound } from "#lib/contract/error.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import { sealedIn, storedResponse } from "#lib/contract/stored-response.ts";
import type { ServiceParts } from "#lib/service/service-context.ts";
import { type Answer, isStream } from "./answer.ts";
import type { Call } from "./call.ts";
import type { HttpRuntime } from "./runtime-access.ts";

type Store = ServiceParts["store"];
type Parts = Pick<HttpRuntime, "store" | "seal" | "keysUnderWay">;
type OperationCall = { operation: AnyOperation; caller: Caller; params: object };
/** Responds using only what it reads and writes through `store`. */
type Work = (store: Store) => Promise<Answer>;
/** A body that has arrived, parsed too, and the function that responds to it. */
type Arrived = { bytes: Uint8Array; body: unknown; work: Work };

const keyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Responds to a request (/docs, "Idempotency"). With an Idempotency-Key, an operation marked `once` takes effect once per key and
 * caller within 24 h, in one transaction with its response, and a repetition gets the same status and body with
 * `Idempotency-Replayed: true`; one marked `repeatable` is carried out each time. Throws 409 while the first is in progress, 422 for another request under the same
 * key, 400 for an invalid key, or if the operation takes none (tokens with the vocabulary of the reference service may send it). An
 * error has no effect, so it is not stored.
 */
export async function answerOnce(
  call: Call,
  asked: OperationCall,
  { store, seal, keysUnderWay }: Parts,
  arrive: () => Promise<Arrived>,
): Promise<Answer> {
  const { operation, caller, params } = asked;
  const key = call.header("idempotency-key");
  const isRefused = operation.method === "POST" && caller.statusStyle !== "reference";
  if (key === null || (operation.idempotent === null && !isRefused)) return await (await arrive()).work(store);
  if (operation.idempotent === null) throw invalidKey("is not taken here, because each repetition takes effect again");
  if (!keyPattern.test(key)) throw invalidKey("must have 1 to 255 printable ASCII characters");
  if (operation.idempotent === "repeatable") return withReplayed(await (await arrive()).work(store));
  const place = { caller: nameOf(asked), operation: operation.id, key };
  const name = JSON.stringify(place);
  if (keysUnderWay.has(name)) throw stillUnderWay();
  keysUnderWay.add(name);
  try {
    const arrived = await arrive();
    if (operation.hasEffect?.(arrived.body) === false) return withReplayed(await arrived.work(store));
    // Kept for 24 h: under another digest, a repetition would count as another request.
    const digest = createHash("sha512-256")
      .update(`${JSON.stringify(params)}\n`)
      .update(inOrder(arrived.bytes))
      .digest();
    const headers: Record<string, string> = {};
    const sealContext = `idempotency:${name}`;
    const done = await store.idempotency.once(place, digest, async (inside) => {
      const answer = await arrived.work(inside);
      if (answer.didNothing === true) throw new DidNothing(answer);
      Object.assign(headers, answer.headers, firstHeaders);
      const body = textOf(answer);
      return { status: answer.status, body: storedResponse(params, body, seal.seal(body, sealContext)) };
    });
    if (done === "mismatch") throw reused();
    // Errors are not stored: the run of this response was deleted since (lib/store/stored-responses.ts).
    if (done.replayed && done.answer.status === 404) throw notFound("Agent run");
    if (done.replayed) Object.assign(headers, replayHeaders);
    const kept = done.answer.body;
    const sealed = sealedIn(kept);
    const body = Buffer.from(sealed === null ? kept : seal.unseal(sealed, sealContext));
    return { status: done.answer.status, headers: { ...headers, "content-length": String(body.length) }, body: [body] };
  } catch (error) {
    if (error instanceof DidNothing) return withReplayed(error.answer);
    throw error;
  } finally {
    keysUnderWay.delete(name);
  }
}

/** Ends the transaction of a request that did nothing. */
class DidNothing extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super("nothing was done");
    this.answer = answer;
  }
}

const firstHeaders = { "idempotency-replayed": "false" };
const withReplayed = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...firstHeaders } });

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

/** Larger bodies are compared as they were sent. */
const orderedBytesMax = 1024 * 1024;

/** The same bytes for JSON of the same values, in whatever order a client writes its fields. */
function inOrder(bytes: Uint8Array): Uint8Array | string {
  if (bytes.length > orderedBytesMax) return bytes;
  try {
    return JSON.stringify(parseExactJson(Buffer.from(bytes).toString()), (_, value: unknown) =>
      fieldsOf(value) === value && !JSON.isRawJSON?.(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
        : value,
    );
  } catch {
    return bytes;
  }
}

function invalidKey(msg: string): ApiError {
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
