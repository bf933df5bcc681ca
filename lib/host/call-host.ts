import type { z } from "zod";
import { maskSent } from "./mask-sent.ts";
import { jsonOf, wordsOf } from "./refusal-words.ts";

/** One request to a configured service; lib/outbound, the guarded HTTP client, has this form. */
export type Send = (request: {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
  answerBytesMax: number;
  signal?: AbortSignal;
}) => Promise<{
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
  complete: boolean;
}>;

/** Why a host refuses a pull request (see PullHost.openPull), or `revoked`: a service has ended the credential for good. */
export type HostRefusal =
  | "duplicate"
  | "no_drafts"
  | "no_commits"
  | "no_head"
  | "no_branch"
  | "protected"
  | "scope"
  | "revoked";

/**
 * A service refused or its response could not be understood. The message is a sentence that may be shown and contains no
 * secret.
 */
export class HostError extends Error {
  /** The HTTP status; null if there was no usable response. */
  readonly status: number | null;
  /** How long the service asks us to wait, or null. */
  readonly waitMs: number | null;
  /** Kind of refusal, if the caller can do something about it; otherwise null. */
  readonly reason: HostRefusal | null;
  /** What to do about it, as a sentence, if the kind does not say it; otherwise null. */
  readonly hint: string | null;

  constructor(
    message: string,
    status: number | null = null,
    waitMs: number | null = null,
    reason: HostRefusal | null = null,
    hint: string | null = null,
  ) {
    super(message);
    this.name = "HostError";
    this.status = status;
    this.waitMs = waitMs;
    this.reason = reason;
    this.hint = hint;
  }
}

/**
 * Settings of a call besides its request. `title` is the service's name in messages; `reasonOf` classifies refusals by status and
 * the service's words. `renew`: the Authorization header with which a call that got 401 is made once more. `unauthorizedHint`: the
 * hint of an error with status 401.
 */
export type HostCall = {
  title: string;
  send: Send;
  headers: Record<string, string>;
  signal?: AbortSignal;
  reasonOf?: (status: number, words: string) => HostRefusal | null;
  renew?: () => Promise<string>;
  unauthorizedHint?: string;
};

/**
 * A request. `etag`: of the known version, see {@link HostAnswer}. `answerBytesMax`: instead of 4 MB. `redirects`: a redirect is
 * not an error.
 */
export type HostRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  body?: unknown;
  etag?: string | null;
  answerBytesMax?: number;
  redirects?: boolean;
};

/**
 * A response. `unchanged`: the request's `etag` is still valid, so there is no body. `brokeOff`: it is incomplete although it is
 * not larger than Errand reads.
 */
export type HostAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
  complete: boolean;
  brokeOff: boolean;
  unchanged: boolean;
  etag: string | null;
};

const timeoutMs = 10_000;
const bytesMax = 4 * 1024 * 1024;
/** Characters of a refusal in which its kind is looked for. */
const wordsMax = 2000;

/**
 * Sends a request. Throws a {@link HostError} for any status except 2xx and those requested (304 with `etag`, 3xx with
 * `redirects`); errors of the HTTP client pass through.
 */
export async function askHost(call: HostCall, request: HostRequest): Promise<HostAnswer> {
  const { title, send, headers, signal } = call;
  const { method, url, body, etag = null, answerBytesMax = bytesMax, redirects = false } = request;
  const answer = await send({
    method,
    url,
    headers: {
      accept: "application/json",
      "user-agent": "errand",
      ...headers,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(etag === null ? {} : { "if-none-match": etag }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs,
    answerBytesMax,
    ...(signal === undefined ? {} : { signal }),
  });
  // A log's server, which gets no credential, gets none now.
  if (answer.status === 401 && call.renew !== undefined && headers.authorization !== undefined) {
    const { renew, ...rest } = call;
    return await askHost({ ...rest, headers: { ...headers, authorization: await renew() } }, request);
  }
  const unchanged = etag !== null && answer.status === 304;
  const isExpected = unchanged || (redirects && answer.status >= 300 && answer.status < 400);
  if (!isExpected && (answer.status < 200 || answer.status > 299)) {
    const words = maskSent(wordsOf(answer.body), headers)
      .slice(0, wordsMax)
      .replace(/\s+/g, " ")
      .trim()
      .replace(/\.$/, "");
    const reason = call.reasonOf?.(answer.status, words) ?? null;
    throw new HostError(
      refusalOf(title, answer.status, words),
      answer.status,
      waitOf(answer, () => words),
      reason,
      answer.status === 401 ? call.unauthorizedHint : null,
    );
  }
  const given = answer.headers.etag;
  const brokeOff = !answer.complete && answer.body.byteLength < answerBytesMax;
  return { ...answer, brokeOff, unchanged, etag: unchanged ? etag : typeof given === "string" ? given : null };
}

/**
 * Sends a request and parses its JSON with the schema. Throws a {@link HostError} for any status except 2xx and for an unexpected
 * response; errors of the HTTP client pass through.
 */
export async function callHost<Schema extends z.ZodType>(
  call: HostCall,
  request: Omit<HostRequest, "etag">,
  schema: Schema,
): Promise<z.output<Schema>> {
  return readAnswer(call, await askHost(call, request), schema);
}

/**
 * Parses the response's JSON with the schema. Throws a {@link HostError} if it does not match or was cut; one that broke off may
 * be asked for again at once.
 */
export function readAnswer<Schema extends z.ZodType>(
  { title }: HostCall,
  { status, body, complete, brokeOff }: HostAnswer,
  schema: Schema,
): z.output<Schema> {
  const read = schema.safeParse(jsonOf(body));
  if (read.success) return read.data;
  if (brokeOff) throw new HostError(`The response from ${title} was cut off.`, status, 0);
  const why = complete ? `responds, but not like ${title}` : "sends a larger response than Errand reads";
  throw new HostError(`The address ${why}.`, status);
}

/**
 * Result of a call; null if the service says that it does not exist (404), or not for this credential (403, without a wait).
 */
export async function nullIfUnseen<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HostError && (error.status === 404 || (error.status === 403 && error.waitMs === null)))
      return null;
    throw error;
  }
}

function refusalOf(title: string, status: number, words: string): string {
  const said = words === "" ? "" : `: ${words.slice(0, 200).trim()}`;
  if (status === 401) return `${title} does not accept the secret (401)${said}.`;
  if (status === 403 || status === 429) return `${title} refused (${status})${said}.`;
  if (status >= 300 && status < 400) return `The address redirects (${status}). Enter the address it redirects to.`;
  return `${title} answered with status ${status}${said}.`;
}

const waitMsMax = 3_600_000;
/** GitHub asks for at least a minute if a limit was reached and no time is given. */
const waitMsUnsaid = 60_000;

/**
 * How long to make no call, in milliseconds: `Retry-After` in seconds or as a date, or GitHub's `X-RateLimit-Reset` if nothing is
 * left (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api). Null if the refusal is about
 * something else. `words`: the host's message.
 */
export function waitOf(
  { status, headers }: Pick<HostAnswer, "status" | "headers">,
  words: () => string,
): number | null {
  const said = String(headers["retry-after"] ?? "").trim();
  const afterMs = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  if (Number.isFinite(afterMs)) return Math.min(waitMsMax, Math.max(0, afterMs));
  if (String(headers["x-ratelimit-remaining"] ?? "") === "0") {
    const resetMs = Number(headers["x-ratelimit-reset"] ?? Number.NaN) * 1000 - Date.now();
    if (Number.isFinite(resetMs)) return Math.min(waitMsMax, Math.max(0, resetMs));
  }
  return status === 429 || (status === 403 && /\brate limit\b/i.test(words())) ? waitMsUnsaid : null;
}
