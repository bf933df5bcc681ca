import { z } from "zod";

/** Fields of responses that clients of the reference service read, with the types they require. */

const text = z.string().nullable();
const fields = z.record(z.string(), z.unknown());

/** Links to pull requests: the TUI crashes if the list is null. */
const PullRequests = z.array(z.object({ id: z.int(), url: text, title: text, head_branch_name: text }));

/** A run as the models of the Python SDK and of the bridge read it. */
export const SdkRun = z.object({
  id: z.int(),
  organization_id: z.int(),
  status: text,
  created_at: text,
  web_url: text,
  result: text,
  summary: text,
  source_type: text,
  github_pull_requests: PullRequests,
  metadata: fields.nullable(),
});

/** A run as the command line shows it: what it joins to other text must be text, and the time must be one. */
export const ShownRun = SdkRun.extend({
  status: z.string().min(1),
  created_at: z.iso.datetime(),
  web_url: z.url(),
  source_type: z.string(),
});

/** One entry of a log. */
export const Log = z.object({
  agent_run_id: z.int(),
  created_at: text,
  tool_name: text,
  message_type: text,
  thought: text,
  observation: z.union([z.string(), fields]).nullable(),
  tool_input: fields.nullable(),
  tool_output: fields.nullable(),
});

/** A run with a page of its log. */
export const RunWithLogs = SdkRun.extend({
  logs: z.array(Log),
  total_logs: z.int(),
  page: z.int(),
  size: z.int(),
  pages: z.int(),
});

/** One page of a list. */
export const PageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), size: z.int(), pages: z.int() });

/** A person. `github_user_id` is text, even if there is none. */
export const Person = z.object({
  id: z.int(),
  email: text,
  github_user_id: z.string(),
  github_username: z.string(),
  avatar_url: text,
  full_name: text,
  role: text,
  is_admin: z.boolean().nullable(),
});

const Switches = z.object({ enable_pr_creation: z.boolean(), enable_rules_detection: z.boolean() });

/** An organization, and its switches by themselves. */
export const Organization = z.object({ id: z.int(), name: z.string(), settings: Switches });
export { Switches };

/** A repository. `github_id` is text, even if there is none. */
export const Repository = z.object({
  id: z.int(),
  name: z.string(),
  full_name: z.string(),
  description: text,
  github_id: z.string(),
  organization_id: z.int(),
  visibility: text,
  archived: z.boolean().nullable(),
  setup_status: z.string(),
  language: text,
});

/** Integrations of an organization. */
export const Integrations = z.object({
  organization_id: z.int(),
  organization_name: z.string(),
  total_active_integrations: z.int(),
  integrations: z.array(
    z.object({
      integration_type: z.string(),
      active: z.boolean(),
      token_id: z.int().nullable(),
      installation_id: z.int().nullable(),
      metadata: fields.nullable(),
    }),
  ),
});

/** The available models. */
export const Models = z.object({
  providers: z.array(
    z.object({ name: z.string(), models: z.array(z.object({ label: z.string(), value: z.string() })) }),
  ),
  default_model: z.string(),
});

/** The rules for an agent in a terminal. */
export const Rules = z.object({ organization_rules: text, user_custom_prompt: text });

/** Check settings of repositories. */
export const Checks = z.object({
  check_retry_count: z.int(),
  ignored_checks: z.array(z.string()),
  check_retry_counts: z.record(z.string(), z.int()),
  custom_prompts: z.record(z.string(), z.string()),
  high_priority_apps: z.array(z.string()),
  available_check_suite_names: z.array(z.string()),
});

/** The organization's webhook. */
export const Webhook = z.object({ url: text, enabled: z.boolean(), has_secret: z.boolean() });

/** The run that finds setup commands, and the one that analyzes a log. */
export const SetupRun = z.object({ agent_run_id: z.int(), status: z.string(), url: z.string() });
export const AnalysisRun = z.object({ agent_run_id: z.int(), status: z.string(), message: z.string() });

/** A token for Slack. */
export const SlackToken = z.object({ token: z.string(), message: z.string(), expires_in_minutes: z.int() });

/** Response of ban and similar operations. */
export const Banned = z.object({ message: z.string() });

/** A server of MCP tools to sign in to. */
export const Provider = z.object({
  id: z.int(),
  name: z.string(),
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  default_scopes: z.array(z.string()).nullable(),
  is_mcp: z.boolean(),
  meta: fields.nullable(),
});

/** Any object: an empty response, or one that is not JSON, crashes its readers. */
export const AnyObject = fields;
