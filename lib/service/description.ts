import { ApiError } from "#lib/contract/error.ts";
import { buildOpenapi } from "#lib/contract/openapi.ts";
import type { RateSettings } from "#lib/contract/rate-limits.ts";
import { Tagged } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";

const engineSeenMs = 15_000;
const descriptions = new WeakMap<RateSettings, Tagged>();

/** The API's description with its configured limits, built once. */
export function getOpenapi({ rates }: Pick<ServiceContext, "rates">): Tagged {
  const description = descriptions.get(rates) ?? new Tagged(buildOpenapi(rates));
  descriptions.set(rates, description);
  return description;
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
