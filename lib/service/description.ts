import { ApiError } from "#lib/contract/error.ts";
import { buildOpenapi } from "#lib/contract/openapi.ts";
import type { RateSettings } from "#lib/contract/rate-limits.ts";
import { Tagged } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";

const engineSeenMs = 15_000;

/** The API's description, which is built once for its limits. */
export class KeptDescription {
  #kept: { rates: RateSettings; description: Tagged } | null = null;

  /** The description with these limits. */
  of(rates: RateSettings): Tagged {
    if (this.#kept?.rates !== rates) this.#kept = { rates, description: new Tagged(buildOpenapi(rates)) };
    return this.#kept.description;
  }
}

/** The API's description with its configured limits. */
export function getOpenapi({ caches, rates }: Pick<ServiceContext, "caches" | "rates">): Tagged {
  return caches.description.of(rates);
}

/** The process lives. */
export function getHealth(): { status: "ok" } {
  return { status: "ok" };
}

/** The store answers, and so many engines are at work. 503 where it does not. */
export async function getReadiness({ store }: ServiceContext): Promise<{ status: "ok"; engines: number }> {
  try {
    return { status: "ok", engines: await store.queue.countEngines(engineSeenMs) };
  } catch (cause) {
    throw new ApiError("unavailable", "The store does not answer.", { cause });
  }
}
