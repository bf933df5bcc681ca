import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import type { AuditRecord } from "#lib/contract/people/audit.ts";

type Details = AuditRecord["details"];
type Describe = (value: unknown, details: Details, nameOf: (userId: number) => string) => string | null;

/** Details of an audit record in words, besides the action and its object: `with a password`, `from member to admin`. */
export function auditDetails(details: Details, nameOf: (userId: number) => string): string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    const describe = Object.hasOwn(described, name) ? described[name] : undefined;
    const words = describe === undefined ? plain(name, value) : describe(value, details, nameOf);
    return words === null ? [] : [words];
  });
}

/** Already shown by the object or another detail. */
const untold: Describe = () => null;

const signInWays: Record<string, string> = {
  link: "with a sign-in link",
  password: "with a password",
  reset: "by a reset link",
  invitation: "by an invitation",
  oidc: "with single sign-on",
};

const fieldNames: Record<string, string> = {
  base_url: "address",
  token: "access token",
  app_id: "App ID",
  hook_secret: "webhook secret",
  full_name: "name",
  github_username: "GitHub username",
  email: "email address",
  check_retry_count: "rounds",
  check_retry_counts: "fix rounds of individual checks",
  custom_prompts: "prompts",
  high_priority_apps: "high-priority apps",
};

const described: Record<string, Describe> = {
  agent_run_id: untold,
  type: untold,
  command: (value) => `with ${text(value)}`,
  how: (value) => signInWays[text(value)] ?? `by ${text(value)}`,
  fields: (value) => {
    const names = Array.isArray(value) ? value.map(text) : text(value).split(", ");
    return `changed: ${names.map((name) => fieldNames[name] ?? spaced(name)).join(", ")}`;
  },
  servers: (value) => `servers: ${text(value)}`,
  active: (value) => (value === true ? "works" : "does not work"),
  address: text,
  source: text,
  reason: text,
  issuer: text,
  event: text,
  role: (value) => `as ${text(value)}`,
  from: (value, { to }) => `from ${text(value)} to ${text(to)}`,
  to: untold,
  by: (value) => (value === "groups" ? "by groups from the sign-in provider" : `by ${text(value)}`),
  expires_at: (value) => (value === null ? "never expires" : `until ${text(value).slice(0, 10)}`),
  linked: (value, { user_id }, nameOf) =>
    typeof user_id === "number" ? `linked ${text(value)} to ${nameOf(user_id)}` : `linked ${text(value)}`,
  unlinked: (value) => `unlinked ${text(value)}`,
  user_id: (value, details, nameOf) =>
    typeof value !== "number" || "linked" in details ? null : `of ${nameOf(value)}`,
  ended: (value) => (typeof value === "number" ? formatCountOf(value, "session") : null),
  name_before: (value) => `was called ${text(value)}`,
  description: (value) => (value === null ? "description removed" : `description: ${text(value)}`),
  version: (value) => `version ${text(value)}`,
  from_seq: (value, { to_seq }) => {
    if (typeof to_seq === "number") return `steps ${text(value)} to ${to_seq}`;
    return value === null || value === 1 ? "the whole run" : `from step ${text(value)}`;
  },
  to_seq: untold,
  outputs: (value) => (value === true ? "with tool output" : "without tool output"),
  enabled: (value) => (value === true ? "turned on" : "turned off"),
  events: (value) => `events: ${text(value)}`,
  secret_changed: (value) => (value === true ? "with a new secret" : null),
  name: (value) => `name: ${text(value)}`,
  rules_characters: (value) =>
    typeof value === "number" && value > 0 ? `rules of ${formatCount(value)} characters` : "rules removed",
  enable_pr_creation: (value) => `pull requests ${onOff(value)}`,
  enable_rules_detection: (value) => `rule files of repositories ${onOff(value)}`,
  require_wall: (value) => (value === true ? "the wall is required" : "the wall is not required"),
  default_agent: (value) => `default agent: ${text(value)}`,
  default_model: (value) => `default model: ${text(value)}`,
  default_models: (value) => `default models: ${byAgent(value)}`,
  default_modes: (value) => `default modes: ${byAgent(value)}`,
  default_permission_mode: (value) => `permissions: ${text(value)}`,
  default_turn_timeout_s: (value) =>
    `time limit of a turn: ${typeof value === "number" ? formatDuration(value * 1000) : "none"}`,
  deleted_runs: (value) => (typeof value === "number" ? formatCountOf(value, "run") : null),
  first_run_id: (value, { last_run_id }) => `numbers ${text(value)} to ${text(last_run_id)}`,
  last_run_id: untold,
  keep_runs_days: (value) => (value === null ? "runs kept forever" : `runs kept for ${text(value)} days`),
  keep_runs_gb: (value) => (value === null ? "logs of any size kept" : `logs kept up to ${text(value)} GB`),
  keep_checkouts_days: (value) =>
    value === null ? "checkouts kept forever" : `checkouts kept for ${text(value)} days`,
};

function plain(name: string, value: unknown): string | null {
  return value === null ? null : `${spaced(name)}: ${text(value)}`;
}

const spaced = (name: string) => name.replaceAll("_", " ");
const onOff = (value: unknown) => (value === true ? "on" : "off");

function text(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.map(text).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function byAgent(value: unknown): string {
  const values = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return values.length === 0 ? "none" : values.map(([agent, one]) => `${agent} ${text(one)}`).join(", ");
}
