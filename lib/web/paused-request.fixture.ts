import type { Answer } from "#lib/http/answer.ts";
import type { ApiUnderTest } from "./api-under-test.ts";

/** A request whose body has begun to arrive and is held back until released. */
export type PausedRequest = { letThrough: () => Promise<Answer> };

/** Sends a request with an Idempotency-Key as far as the middle of its body; resolves when the API reads it. */
export async function holdRequest(
  { api }: ApiUnderTest,
  { method, target, token, key, body }: { method: string; target: string; token: string; key: string; body: unknown },
): Promise<PausedRequest> {
  const bytes = Buffer.from(JSON.stringify(body));
  const [asked, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* arriving() {
    asked.resolve();
    yield bytes.subarray(0, 1);
    await rest.promise;
    yield bytes.subarray(1);
  }
  const headers = new Headers({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "idempotency-key": key,
  });
  const { signal } = new AbortController();
  const header = (name: string) => headers.get(name);
  const answered = api({ method, target, header, body: arriving, hasArrived: false, address: null, signal });
  // A response before the body was read would leave the test waiting.
  await Promise.race([asked.promise, answered]);
  return {
    letThrough: () => {
      rest.resolve();
      return answered;
    },
  };
}
