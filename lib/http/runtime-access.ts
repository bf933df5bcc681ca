import type { RateLimits } from "#lib/limits/rate-limits.ts";
import type { ServiceParts } from "#lib/service/service-context.ts";

/** The part of a pino logger that this layer uses. */
export type HttpLogger = {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
};

/**
 * What the composition root puts on globalThis for the endpoints: Next bundles them into copies of their own, which share
 * nothing else with the process (ARCHITECTURE.md).
 */
export type HttpRuntime = ServiceParts & {
  logger: HttpLogger;
  limits: RateLimits;
  /** Idempotency keys of requests under way in this process; other processes are held apart by the store's transaction. */
  keysUnderWay: Set<string>;
  /** Answers a request in this process, as the front would; there once the front has started. Pages read through it. */
  dispatch?: (request: Request) => Promise<Response>;
};

const key = Symbol.for("errand.runtime");

type Holder = { [key]?: HttpRuntime };

/** The runtime of this process. Throws where the composition root has not set it. */
export function getRuntime(): HttpRuntime {
  const runtime = (globalThis as Holder)[key];
  if (runtime === undefined) throw new Error("The runtime is not set up: start the service by its own entry point.");
  return runtime;
}

/** Sets the runtime of this process; null takes it away. */
export function setRuntime(runtime: HttpRuntime | null): void {
  if (runtime === null) delete (globalThis as Holder)[key];
  else (globalThis as Holder)[key] = runtime;
}
