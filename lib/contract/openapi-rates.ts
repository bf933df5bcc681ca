import { rateClasses } from "./operation.ts";
import { limitsOf, type RateSettings } from "./rate-limits.ts";

type Json = Record<string, unknown>;

/** The response headers of the rate limits, as they stand under components/headers. */
export const rateHeaders = {
  "RateLimit-Policy": {
    description:
      'Every limit that the request must meet, as `"name";q=requests;w=seconds` (draft-ietf-httpapi-ratelimit-headers)',
    schema: { type: "string", examples: ['"standard";q=60;w=30, "create";q=10;w=60'] },
  },
  RateLimit: {
    description: "For each limit, `r` requests that are left and the seconds `t` until there is one more",
    schema: { type: "string", examples: ['"standard";r=59;t=30, "create";r=9;t=60'] },
  },
  "Retry-After": {
    description:
      "Seconds after which the same request is admitted; for `queue_full`, after which it may be tried again",
    schema: { type: "integer", minimum: 1 },
  },
};

/** The limits of a token in every class with their configured numbers, without those that are off. */
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
