// Every setting of the service with its check and its default, in one place.
import type { BlockList } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { type RateSettings, rateQuotasDefault, sessionFactorDefault } from "#lib/contract/rate-limits.ts";
import { type PermittedPairs, readPermittedPairs } from "#lib/egress/resolve.ts";
import { type OidcSettings, readGroupRoles } from "#lib/oidc/settings.ts";
import { type AllowedTargets, readAllowedTargets } from "#lib/outbound/allowed-targets.ts";
import { parseSecretKey } from "#lib/secrets/seal.ts";
import { readProxies } from "./trusted-proxies.ts";

/** An invalid setting; the message is one line that names the variable and the bound. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigError";
  }
}

const whole = (min: number, max: number, unset: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .default(unset);

const quotaMax = 1_000_000;
const quota = (unset: number) => whole(0, quotaMax, unset);

const Settings = z.object({
  PORT: whole(0, 65535, 3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  ERRAND_DATA_DIR: z.string().min(1).default("./data"),
  ERRAND_PUBLIC_URL: z
    .string()
    .refine(
      isWebOrigin,
      "must be an http or https address without a name, password or path, like https://errand.example.com",
    )
    .optional(),
  ERRAND_ALLOWED_HOSTS: z.string().default(""),
  ERRAND_CORS_ORIGINS: z
    .string()
    .default("")
    .transform(listed)
    .refine(
      (origins) => origins.every((origin) => isWebOrigin(origin) && new URL(origin).origin === origin),
      "must be origins like https://app.example.com, separated by commas",
    ),
  ERRAND_TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text, context) => {
      const read = readProxies(text);
      if ("proxies" in read) return read.proxies;
      context.addIssue(`"${read.unreadable}" is not an IP address, nor a network such as 10.0.0.0/8`);
      return z.NEVER;
    }),
  ERRAND_OUTBOUND_ALLOW: z
    .string()
    .default("")
    .transform((text, context) => {
      const read = readAllowedTargets(text);
      if ("allowed" in read) return read.allowed;
      context.addIssue(`"${read.unreadable}" is not a host name, an IP address or a network such as 10.0.0.0/8`);
      return z.NEVER;
    }),
  ERRAND_EGRESS_PRIVATE: z
    .string()
    .default("")
    .transform((text, context) => {
      const read = readPermittedPairs(text);
      if ("pairs" in read) return read.pairs;
      context.addIssue(
        `"${read.unreadable}" cannot be permitted: each entry must be a host and port, such as models.corp:8000`,
      );
      return z.NEVER;
    }),
  ERRAND_RATE_STANDARD: quota(rateQuotasDefault.standard),
  ERRAND_RATE_LOGS: quota(rateQuotasDefault.logs),
  ERRAND_RATE_CREATE: quota(rateQuotasDefault.create),
  ERRAND_RATE_SETUP: quota(rateQuotasDefault.setup),
  ERRAND_RATE_ANALYSIS: quota(rateQuotasDefault.analysis),
  ERRAND_RATE_INGEST: quota(rateQuotasDefault.ingest),
  ERRAND_RATE_EDIT: quota(rateQuotasDefault.edit),
  ERRAND_RATE_WEBHOOK_TEST: quota(rateQuotasDefault.webhook_test),
  ERRAND_RATE_SHARE: quota(rateQuotasDefault.share),
  ERRAND_RATE_FAILED_AUTHENTICATION: quota(rateQuotasDefault.failed_authentication),
  ERRAND_RATE_SESSION_FACTOR: whole(0, 1000, sessionFactorDefault),
  ERRAND_SECRET_KEY: z
    .string()
    .refine(
      (text) => parseSecretKey(text) !== null,
      "must be 32 bytes in base64 or hexadecimal (openssl rand -base64 32)",
    )
    .transform(parseSecretKey)
    .optional(),
  ERRAND_OIDC_ISSUER: z
    .string()
    .refine((text) => ["http:", "https:"].includes(URL.parse(text)?.protocol ?? ""), "must be an http or https address")
    .optional(),
  ERRAND_OIDC_CLIENT_ID: z.string().optional(),
  ERRAND_OIDC_CLIENT_SECRET: z.string().optional(),
  ERRAND_OIDC_NAME: z.string().max(40, "must have at most 40 characters").default("single sign-on"),
  ERRAND_OIDC_SCOPES: z
    .string()
    .refine((text) => text.split(/\s+/).includes("openid"), "must include the scope openid")
    .default("openid profile email"),
  ERRAND_OIDC_GROUPS_CLAIM: z.string().default("groups"),
  ERRAND_OIDC_GROUP_ROLES: z
    .string()
    .default("")
    .transform((text, context) => {
      const read = readGroupRoles(text);
      if ("groupRoles" in read) return read.groupRoles;
      context.addIssue(`"${read.unreadable}" is not GROUP=ROLE or GROUP=ORGANIZATION_ID:ROLE`);
      return z.NEVER;
    }),
  ERRAND_OIDC_DEFAULT_ROLE: z.enum(["none", "viewer", "member", "admin"]).default("none"),
  ERRAND_OIDC_ALLOWED_DOMAINS: z.string().default(""),
  ERRAND_QUEUE_MAX: whole(0, quotaMax, 1000),
  ERRAND_CONCURRENCY: whole(1, 64, 2),
  ERRAND_AGENT_WARM_SECONDS: whole(0, 3600, 60),
  ERRAND_AGENT_START_SECONDS: whole(1, 3600, 120),
  ERRAND_AGENT_INACTIVITY_SECONDS: whole(1, 86_400, 600),
  ERRAND_TURN_SECONDS: whole(1, 604_800, 14_400),
  ERRAND_QUESTION_SECONDS: whole(1, 604_800, 3600),
  ERRAND_SESSION_SILENCE_SECONDS: whole(0, 604_800, 1800),
  ERRAND_SANDBOX: z.enum(["auto", "bubblewrap", "process-group"]).default("auto"),
  ERRAND_ISOLATION: z.enum(["auto", "wall", "leash"]).default("auto"),
  ERRAND_AGENT_USER: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]*$|^\d+:\d+$/i, "must be the name of a user, or UID:GID")
    .optional(),
  ERRAND_WALL_READABLE: z
    .string()
    .default("")
    .transform((text) => text.split(":").filter((path) => path !== ""))
    .refine((paths) => paths.every((path) => path.startsWith("/")), "must be absolute paths, separated by colons"),
  ERRAND_PREPARED_HOURS: whole(0, 8760, 24),
  ERRAND_PREPARED_GB: whole(0, 100_000, 20),
  ERRAND_MODE: z.enum(["production", "development"]).default("production"),
  ERRAND_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
});

/** All settings of the service, read once. Durations are in milliseconds, paths absolute. */
export type Config = {
  host: string;
  /** 0 means any free port. */
  port: number;
  dataDir: string;
  /** The store's file in the data folder. */
  storeFile: string;
  /** The search index beside it, which can be rebuilt from the store. */
  indexFile: string;
  /** Origin in links; null if it follows from host and port. */
  publicUrl: string | null;
  /** Names accepted in the Host header besides this machine's own. */
  allowedHosts: string[];
  /** Origins whose pages may use the API with a token. */
  corsOrigins: string[];
  /** Proxies whose X-Forwarded-For is trusted. */
  trustedProxies: BlockList;
  /** Key for encrypting stored secrets; without the setting, a file is created on first use. */
  secretKey: { key: Uint8Array | null; file: string };
  /** Addresses in private networks that webhooks and integrations may use. */
  outboundAllow: AllowedTargets;
  /** Hosts and ports in private networks that agents behind the wall may reach. */
  egressPermitted: PermittedPairs;
  /** Null without OpenID Connect. */
  oidc: OidcSettings | null;
  rates: RateSettings;
  /** File that keeps the log of the rate limits across a restart. */
  rateLogFile: string;
  /** Queued runs per organization; 0 = unlimited. */
  queueMax: number;
  /** Runs that one engine works on at once. */
  concurrency: number;
  /** How long an agent is kept after a turn, in case its run continues; 0: it ends with its turn. */
  warmMs: number;
  limits: { startMs: number; inactivityMs: number; turnMs: number; questionMs: number; stopGraceMs: number };
  /** After this long without a message a terminal's Claude Code session counts as gone; 0 = never. */
  sessionSilenceMs: number;
  sandbox: "auto" | "bubblewrap" | "process-group";
  /** How agents are isolated: behind the wall, on the leash, or chosen for each by what it can work in. */
  isolation: "auto" | "wall" | "leash";
  /** Name of the user, or UID:GID, that agents run as behind the wall; null for the service's own. */
  agentUser: string | null;
  /** Paths that every agent may read behind the wall. */
  wallReadable: string[];
  /** Prepared checkouts: the most bytes kept for later runs, and how long each may be used; 0 = none are kept. */
  prepared: { bytesMax: number; usableMs: number };
  /** Development mode reloads changed files; set by the supervisor. */
  mode: "production" | "development";
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Environment that agents' profiles may pass on from; without the encryption key. */
  environment: Record<string, string>;
};

/** Reads the settings. An empty variable counts as unset. Throws {@link ConfigError}. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ""),
  );
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0])}: ${issue?.message ?? "cannot be read"}`);
  }
  const settings = parsed.data;
  const dataDir = resolve(settings.ERRAND_DATA_DIR);
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir,
    storeFile: resolve(dataDir, "errand.db"),
    indexFile: resolve(dataDir, "search.db"),
    publicUrl: settings.ERRAND_PUBLIC_URL?.replace(/\/$/, "") ?? null,
    allowedHosts: listed(settings.ERRAND_ALLOWED_HOSTS),
    corsOrigins: settings.ERRAND_CORS_ORIGINS,
    trustedProxies: settings.ERRAND_TRUSTED_PROXIES,
    secretKey: { key: settings.ERRAND_SECRET_KEY ?? null, file: resolve(dataDir, "secret.key") },
    outboundAllow: settings.ERRAND_OUTBOUND_ALLOW,
    egressPermitted: settings.ERRAND_EGRESS_PRIVATE,
    oidc: oidcOf(settings),
    rates: ratesOf(settings),
    rateLogFile: resolve(dataDir, "rate-limits.json"),
    queueMax: settings.ERRAND_QUEUE_MAX,
    concurrency: settings.ERRAND_CONCURRENCY,
    warmMs: settings.ERRAND_AGENT_WARM_SECONDS * 1000,
    limits: {
      startMs: settings.ERRAND_AGENT_START_SECONDS * 1000,
      inactivityMs: settings.ERRAND_AGENT_INACTIVITY_SECONDS * 1000,
      turnMs: settings.ERRAND_TURN_SECONDS * 1000,
      questionMs: settings.ERRAND_QUESTION_SECONDS * 1000,
      stopGraceMs: 10_000,
    },
    sessionSilenceMs: settings.ERRAND_SESSION_SILENCE_SECONDS * 1000,
    sandbox: settings.ERRAND_SANDBOX,
    isolation: settings.ERRAND_ISOLATION,
    agentUser: settings.ERRAND_AGENT_USER ?? null,
    wallReadable: settings.ERRAND_WALL_READABLE,
    prepared: {
      bytesMax: settings.ERRAND_PREPARED_GB * 1024 ** 3,
      usableMs: settings.ERRAND_PREPARED_HOURS * 3600_000,
    },
    mode: settings.ERRAND_MODE,
    logLevel: settings.ERRAND_LOG_LEVEL,
    environment: Object.fromEntries(Object.entries(given).filter(([name]) => !secretNames.includes(name))),
  };
}

/** Names separated by commas, in small letters. */
function listed(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
}

/** Secrets of the service itself, hidden from other programs. */
const secretNames = ["ERRAND_SECRET_KEY", "ERRAND_OIDC_CLIENT_SECRET"];

function oidcOf(settings: z.output<typeof Settings>): OidcSettings | null {
  const { ERRAND_OIDC_ISSUER: issuer, ERRAND_OIDC_CLIENT_ID: clientId } = settings;
  if (issuer === undefined && clientId === undefined) return null;
  if (issuer === undefined) throw new ConfigError("ERRAND_OIDC_ISSUER: is missing; ERRAND_OIDC_CLIENT_ID needs it");
  if (clientId === undefined) throw new ConfigError("ERRAND_OIDC_CLIENT_ID: is missing; ERRAND_OIDC_ISSUER needs it");
  return {
    issuer: new URL(issuer),
    clientId,
    clientSecret: settings.ERRAND_OIDC_CLIENT_SECRET ?? null,
    name: settings.ERRAND_OIDC_NAME,
    scopes: settings.ERRAND_OIDC_SCOPES,
    groupsClaim: settings.ERRAND_OIDC_GROUPS_CLAIM,
    groupRoles: settings.ERRAND_OIDC_GROUP_ROLES,
    defaultRole: settings.ERRAND_OIDC_DEFAULT_ROLE === "none" ? null : settings.ERRAND_OIDC_DEFAULT_ROLE,
    allowedDomains: listed(settings.ERRAND_OIDC_ALLOWED_DOMAINS),
  };
}

function ratesOf(settings: z.infer<typeof Settings>): RateSettings {
  return {
    quotas: {
      standard: settings.ERRAND_RATE_STANDARD,
      logs: settings.ERRAND_RATE_LOGS,
      create: settings.ERRAND_RATE_CREATE,
      setup: settings.ERRAND_RATE_SETUP,
      analysis: settings.ERRAND_RATE_ANALYSIS,
      ingest: settings.ERRAND_RATE_INGEST,
      edit: settings.ERRAND_RATE_EDIT,
      webhook_test: settings.ERRAND_RATE_WEBHOOK_TEST,
      share: settings.ERRAND_RATE_SHARE,
      failed_authentication: settings.ERRAND_RATE_FAILED_AUTHENTICATION,
    },
    sessionFactor: settings.ERRAND_RATE_SESSION_FACTOR,
  };
}

/** Address at which a browser on this machine reaches the service. */
export function localUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function isWebOrigin(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return false;
  return url.pathname === "/" && url.search === "" && url.hash === "";
}
