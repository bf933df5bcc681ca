import type { Readable } from "node:stream";
import type { RateLimits } from "#lib/limits/rate-limits.ts";
import type { ServiceParts } from "#lib/service/service-context.ts";

/** The part of a pino logger that this layer uses. */
export type HttpLogger = {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
};

/**
 * Set on globalThis by the composition root for the endpoints: Next bundles them into separate copies, which share nothing else
 * with the process (ARCHITECTURE.md).
 */
export type HttpRuntime = ServiceParts & {
  logger: HttpLogger;
  /**
   * Reads a mirror for a git client; null if there is none. `signal` is the client's. Throws 503 if too many others read.
   */
  readMirror(request: MirrorRequest, signal: AbortSignal): Promise<MirrorReply | null>;
  limits: RateLimits;
  /** Idempotency keys of requests in progress in this process; the store's transaction separates other processes. */
  keysUnderWay: Set<string>;
  /** Responds to a request within this process, as the front would; set once the front has started. Pages read through it. */
  dispatch?: (request: Request) => Promise<Response>;
  /** The command that prints a sign-in link, for the sign-in page; set with the address. */
  loginCommand?: string;
};

/** A git client's request to a mirror. */
export type MirrorRequest = {
  /** The repository's id, or `run-<id>`. */
  key: number | string;
  /** The branch that a clone checks out; null if there is none. */
  defaultBranch: string | null;
  what: "info/refs" | "git-upload-pack";
  /** The Git-Protocol header, or null. */
  protocol: string | null;
  /** The body, uncompressed; null if there is none. */
  body: Uint8Array | null;
};

/** git's response; `body` must be read to its end, or destroyed. */
export type MirrorReply = {
  status: number;
  headers: Record<string, string>;
  body: Readable;
};

const key = Symbol.for("errand.runtime");

type Holder = { [key]?: HttpRuntime };

/** The runtime of this process. Throws if the composition root has not set it. */
export function getRuntime(): HttpRuntime {
  const runtime = (globalThis as Holder)[key];
  if (runtime === undefined) throw new Error("The runtime is not set up: start the service by its own entry point.");
  return runtime;
}

/** Sets the runtime of this process; null removes it. */
export function setRuntime(runtime: HttpRuntime | null): void {
  if (runtime === null) delete (globalThis as Holder)[key];
  else (globalThis as Holder)[key] = runtime;
}
