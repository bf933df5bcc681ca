import { hash } from "node:crypto";
import { Lru } from "#lib/lru.ts";
import { HostError, type Send, waitOf } from "./call-host.ts";
import { wordsOf } from "./refusal-words.ts";

/** How many hosts and credentials are remembered at once. */
const pausesMax = 1000;

/**
 * A client that leaves a host alone for as long as it asks: after a 429, or another refusal that says how long to wait, a request
 * with the same credential to the same origin is not sent, but throws a HostError with the remaining time. `now` in milliseconds.
 */
export function pausedSend(send: Send, now: () => number = Date.now): Send {
  const until = new Lru<string, number>({ count: pausesMax });
  return async (request) => {
    const { origin, host } = new URL(request.url);
    const key = `${origin} ${hash("sha256", request.headers?.authorization ?? "", "hex")}`;
    const leftMs = (until.get(key) ?? 0) - now();
    if (leftMs > 0) {
      const seconds = Math.ceil(leftMs / 1000);
      throw new HostError(`"${host}" limits how often Errand may call it. Try again in ${seconds} s.`, 429, leftMs);
    }
    const answer = await send(request);
    if (answer.status < 300) return answer;
    const waitMs = waitOf(answer, () => wordsOf(answer.body));
    if (waitMs !== null && waitMs > 0) until.set(key, now() + waitMs);
    return answer;
  };
}
