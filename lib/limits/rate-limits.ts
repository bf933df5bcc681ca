import { ApiError } from "#lib/contract/error.ts";
import { hookBytesMax } from "#lib/contract/integrations/hook.ts";
import type { CallerKind, RateClass } from "#lib/contract/operation.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import {
  chargedLogs,
  limitsOf,
  openStreamsMax,
  type RateLimit,
  type RateLogName,
  type RateName,
  type RateSettings,
} from "#lib/contract/rate-limits.ts";
import type { Charge, Outcome, RateLimitStatus, RateLog } from "./rate-log.ts";

/** The reference service's message for a rate-limited request. */
const tooSoon = "Rate limit exceeded. Please try again later.";
const tooManyStreams = `More than ${openStreamsMax} event streams are open. Close some of them, then try again.`;
/** Bytes that one address may have under way: two of the largest events. */
const unprovedBytesMax = 2 * hookBytesMax;
const tooManyBytes = "Too many large events from this IP address are arriving at once. Please try again later.";
/** When there is room depends on the client alone. */
const heldRetrySeconds = 5;
const tooManyFailures = "Too many failed sign-ins from this IP address. Please try again later.";

/** A charge with the fixed part of its headers. */
type Policy = Charge & { name: RateClass | RateName; header: string };

/**
 * Rate limits of the API (/docs, "Rate limits"), over one log. Each admission returns the response headers, or throws 429
 * `rate_limited` with Retry-After: whole seconds after which the same request is admitted.
 */
export class RateLimits {
  readonly #log: RateLog;
  readonly #policies: Record<CallerKind, Map<RateClass | RateName, Policy>> = { token: new Map(), session: new Map() };
  readonly #settings: RateSettings;
  /** What callers and addresses hold now: open streams, bytes under way. */
  readonly #held = new Map<string, number>();
  /** Number of requests refused since this process started, by the class they were charged to. */
  readonly refused = new Map<RateClass | RateName, number>();

  constructor(log: RateLog, settings: RateSettings) {
    this.#log = log;
    this.#settings = settings;
  }

  /** Charges a request to the token or session that makes it, whatever its outcome. */
  async admit({ kind, key }: Pick<Caller, "kind" | "key">, rateClass: RateClass): Promise<Record<string, string>> {
    return await this.#take(key, this.#policy(rateClass, kind), tooSoon);
  }

  /** Charges a request to a share link and the reader's address; null counts as one address. */
  async admitReader(shareId: number, address: string | null): Promise<Record<string, string>> {
    return await this.#take(readerKey(shareId, address), this.#policy("share", "token"), tooSoon);
  }

  /** Counts an event stream of a caller as open until the returned function is called. Throws 429 if the caller has too many. */
  openStream(caller: string): () => void {
    return this.#hold(`streams:${caller}`, 1, openStreamsMax, tooManyStreams);
  }

  /**
   * Counts bytes that an address sends before it has proved who it is, until the returned function is called. Throws 429 if too
   * many of its bytes are under way.
   */
  holdUnproved(address: string | null, bytes: number): () => void {
    return this.#hold(`unproved:${address ?? ""}`, bytes, unprovedBytesMax, tooManyBytes);
  }

  #hold(what: string, amount: number, max: number, refusal: string): () => void {
    const held = (this.#held.get(what) ?? 0) + amount;
    if (held > max) {
      throw new ApiError("rate_limited", refusal, { headers: { "retry-after": String(heldRetrySeconds) } });
    }
    this.#held.set(what, held);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const rest = (this.#held.get(what) ?? 0) - amount;
      if (rest > 0) this.#held.set(what, rest);
      else this.#held.delete(what);
    };
  }

  /**
   * Counts a failed authentication by its address, or a password attempt before it is checked, whatever its outcome: guessing is
   * limited like failing. Throws 429 after too many of both. Without an address nothing is counted.
   */
  async countFailure(address: string | null): Promise<void> {
    if (address === null) return;
    await this.#take(`failed:${address}`, this.#policy("failed_authentication", "token"), tooManyFailures);
  }

  async #take(caller: string, policy: Policy, refusal: string): Promise<Record<string, string>> {
    if (policy.logs.length === 0) return {};
    const taken = this.#log.take(caller, policy);
    const outcome = taken instanceof Promise ? await taken : taken;
    const headers = headersOf(policy, outcome);
    if (outcome.waitMs <= 0) return headers;
    this.refused.set(policy.name, (this.refused.get(policy.name) ?? 0) + 1);
    const seconds = wholeSeconds(outcome.waitMs);
    headers["retry-after"] = String(seconds);
    const words = refusal === tooSoon ? exceeded(outcome, seconds) : refusal;
    throw new ApiError("rate_limited", words, { headers, olderMessage: refusal });
  }

  #policy(name: RateClass | RateName, kind: CallerKind): Policy {
    const known = this.#policies[kind].get(name);
    if (known !== undefined) return known;
    const limits = limitsOf(name, kind, this.#settings);
    const logs = chargedLogs(name)
      .map((log) => ({ name: log, capacity: logCapacity(log, kind, this.#settings) }))
      .filter(({ capacity }) => capacity > 0);
    const policy = { name, limits, logs, header: limits.map(policyItem).join(", ") };
    this.#policies[kind].set(name, policy);
    return policy;
  }
}

/** Readers of a share link are told apart by their address; null counts as one address. */
export function readerKey(shareId: number, address: string | null): string {
  return `share:${shareId} ${address ?? ""}`;
}

/** Number of requests a log must remember: the largest quota of the limits over it, 0 if all are off. */
export function logCapacity(log: RateLogName, kind: CallerKind, settings: RateSettings): number {
  const name = log === "shared" ? "standard" : log;
  const limits = limitsOf(name, kind, settings).filter((limit) => limit.log === log);
  return Math.max(0, ...limits.map(({ quota }) => quota));
}

/** Fields of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers: structured lists, one item per limit. */
function headersOf({ header }: Policy, { statuses }: Outcome): Record<string, string> {
  if (header === "") return {};
  return { "ratelimit-policy": header, ratelimit: statuses.map(statusItem).join(", ") };
}

/** Names the limit that takes longest to have room again. */
function exceeded({ statuses }: Outcome, seconds: number): string {
  const full = statuses.filter(({ remaining }) => remaining === 0).sort((one, other) => other.resetMs - one.resetMs);
  const limit = full[0]?.limit;
  if (limit === undefined) return tooSoon;
  const requests = `${limit.quota} ${limit.quota === 1 ? "request" : "requests"}`;
  return `Rate limit exceeded: ${requests} in ${limit.seconds} s (${limit.name}). Try again in ${seconds} s.`;
}

function policyItem({ name, quota, seconds }: RateLimit): string {
  return `"${name}";q=${quota};w=${seconds}`;
}

function statusItem({ limit, remaining, resetMs }: RateLimitStatus): string {
  return `"${limit.name}";r=${remaining};t=${wholeSeconds(resetMs)}`;
}

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
