import type { CallerKind, RateClass } from "./operation.ts";

/** Everything with its own quota: the rate classes, and failed authentication by address. */
export type RateName = Exclude<RateClass, "none"> | "failed_authentication";

/** Length of each sliding window in seconds (/docs, "Rate limits"). */
export const rateSeconds: Readonly<Record<RateName, number>> = {
  standard: 30,
  logs: 60,
  create: 60,
  setup: 60,
  analysis: 60,
  ingest: 60,
  edit: 60,
  webhook_test: 60,
  share: 30,
  failed_authentication: 60,
};

/** Requests admitted per window; 0 turns the limit off. */
export type RateQuotas = Readonly<Record<RateName, number>>;

/** Default quotas (/docs, "Rate limits"). */
export const rateQuotasDefault: RateQuotas = {
  standard: 60,
  logs: 60,
  create: 10,
  setup: 5,
  analysis: 5,
  ingest: 1000,
  edit: 30,
  webhook_test: 10,
  share: 600,
  failed_authentication: 30,
};

/** Factor by which a session's limits exceed those of a token. */
export const sessionFactorDefault = 10;

/** Event streams that one token, session, or reader of a share link at one address may have open at a time. */
export const openStreamsMax = 100;

/** The configured limits. `sessionFactor` 0 leaves sessions unlimited. */
export type RateSettings = { quotas: RateQuotas; sessionFactor: number };

export const rateSettingsDefault: RateSettings = { quotas: rateQuotasDefault, sessionFactor: sessionFactorDefault };

/** Each caller's logs of admitted requests: one shared by all classes except `ingest`, and one per narrow class. */
export type RateLogName = "shared" | RateName;

/** One sliding window: at most `quota` requests of the caller's `log` in any `seconds`. */
export type RateLimit = { name: RateName; quota: number; seconds: number; log: RateLogName };

/** Logs that a request of the class is charged to. */
export function chargedLogs(name: RateClass | RateName): RateLogName[] {
  switch (name) {
    case "none":
      return [];
    case "standard":
      return ["shared"];
    case "ingest":
    case "share":
    case "failed_authentication":
      return [name];
    default:
      return ["shared", name];
  }
}

/** Limits that a request of the class must meet, all of them; none if all are off. */
export function limitsOf(name: RateClass | RateName, kind: CallerKind, settings: RateSettings): RateLimit[] {
  if (name === "none") return [];
  const charged = chargedLogs(name);
  const names: RateName[] = charged.includes("shared") && name !== "standard" ? ["standard", name] : [name];
  const factor = kind === "session" ? settings.sessionFactor : 1;
  return names
    .map((each) => ({
      name: each,
      quota: settings.quotas[each] * factor,
      seconds: rateSeconds[each],
      log: each === "standard" ? ("shared" as const) : each,
    }))
    .filter(({ quota }) => quota > 0);
}

/** A token's limits in a class, as text: "60 requests per 30 seconds". Null if unlimited. */
export function rateWords(name: RateClass, settings: RateSettings): string | null {
  const limits = limitsOf(name, "token", settings);
  const own = limits.find((limit) => limit.name === name);
  const standard = limits.find((limit) => limit.name === "standard" && limit !== own);
  const words = ({ quota, seconds }: RateLimit) => `${quota} requests per ${seconds} seconds`;
  if (own === undefined) return standard === undefined ? null : words(standard);
  return standard === undefined ? words(own) : `${words(own)}, and ${words(standard)} for all requests`;
}
