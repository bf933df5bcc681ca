import { z } from "zod";
import { maskSent } from "./mask-sent.ts";

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

/**
 * A service refused or its response could not be understood. The message is a sentence that may be shown and contains no
 * secret.
 */
export class HostError extends Error {
  /** The HTTP status; null if there was no usable response. */
  readonly status: number | null;
  /** How long the service asks us to wait, or null. */
  readonly waitMs: number | null;

  constructor(message: string, status: number | null = null, waitMs: number | null = null) {
    super(message);
    this.name = "HostError";
    this.status = status;
    this.waitMs = waitMs;
  }
}

/** Settings of a call besides its request. `title` is the service's name in messages. */
export type HostCall = { title: string; send: Send; headers: Record<string, string>; signal?: AbortSignal };

const timeoutMs = 10_000;
const answerBytesMax = 4 * 1024 * 1024;

/**
 * Sends a request and parses its JSON with the schema. Throws a {@link HostError} for any status but 2xx and for an unexpected
 * response; errors of the HTTP client pass through.
 */
export async function callHost<Schema extends z.ZodType>(
  { title, send, headers, signal }: HostCall,
  { method, url, body }: { method: "GET" | "POST" | "PUT"; url: string; body?: unknown },
  schema: Schema,
): Promise<z.output<Schema>> {
  const answer = await send({
    method,
    url,
    headers: {
      accept: "application/json",
      "user-agent": "errand",
      ...headers,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs,
    answerBytesMax,
    ...(signal === undefined ? {} : { signal }),
  });
  const json = parsed(answer.body);
  if (answer.status < 200 || answer.status > 299) {
    throw new HostError(refusalOf(title, answer.status, json, headers), answer.status, waitOf(answer.headers));
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  throw new HostError(`The address answers, but not as ${title} does.`, answer.status);
}

/**
 * Result of a call; null if the service says that it does not exist (404), or not for this credential (403, without a wait).
 */
export async function unlessUnseen<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HostError && (error.status === 404 || (error.status === 403 && error.waitMs === null)))
      return null;
    throw error;
  }
}

const Told = z.object({ message: z.unknown().optional(), error: z.unknown().optional() });

function refusalOf(title: string, status: number, json: unknown, headers: Record<string, string>): string {
  const told = Told.safeParse(json).data;
  const words = [told?.message, told?.error].find((text) => typeof text === "string" && text.trim() !== "");
  const said =
    typeof words === "string" ? `: ${maskSent(words, headers).slice(0, 200).replace(/\s+/g, " ").trim()}` : "";
  if (status === 401) return `${title} does not accept the secret (401)${said}.`;
  if (status === 403 || status === 429) return `${title} refused (${status})${said}.`;
  if (status >= 300 && status < 400) return `The address leads elsewhere (${status}): give the one it leads to.`;
  return `${title} answered with status ${status}${said}.`;
}

/** `Retry-After` in seconds, or GitHub's `X-RateLimit-Reset` if nothing is left. */
function waitOf(headers: Record<string, string | string[] | undefined>): number | null {
  const after = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return Math.min(after, 3600) * 1000;
  if (String(headers["x-ratelimit-remaining"] ?? "") !== "0") return null;
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  return Number.isFinite(reset) ? Math.min(3_600_000, Math.max(0, reset * 1000 - Date.now())) : null;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
