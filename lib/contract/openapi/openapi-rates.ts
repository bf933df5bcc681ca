import { rateClasses } from "#lib/contract/operation.ts";
import { limitsOf, type RateSettings } from "#lib/contract/rate-limits.ts";

type Json = Record<string, unknown>;

/** Response headers of the rate limits, for components/headers. */
export const rateHeaders = {
  "RateLimit-Policy": {
    description:
      'Every limit that applies to the request, as `"name";q=requests;w=seconds` (draft-ietf-httpapi-ratelimit-headers)',
    schema: { type: "string", examples: ['"standard";q=60;w=30, "create";q=10;w=60'] },
  },
  RateLimit: {
    description: "For each limit, the `r` requests left and the seconds `t` until one more is allowed",
    schema: { type: "string", examples: ['"standard";r=59;t=30, "create";r=9;t=60'] },
  },
  "Retry-After": {
    description: "Seconds until the same request is admitted; for `queue_full`, until it is worth trying again",
    schema: { type: "integer", minimum: 1 },
  },
};

/** A token's limits in every class with their configured numbers, without those that are off. */
export function describeRates(settings: RateSettings): Json {
  const classes = rateClasses.map((name) => ({
    class: name,
    limits: limitsOf(name, "token", settings).map(({ name: limit, quota, seconds }) => ({
      name: limit,
      quota,
      seconds,
    })),
  }));
  return { classes, session_factor: settings.sessionFactor };
}
