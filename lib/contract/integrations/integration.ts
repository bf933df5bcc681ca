import { z } from "zod";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";
import { FilledText, Instant, Text } from "#lib/contract/text.ts";
import { integrationTypes, mentionDefault } from "#lib/contract/words.ts";
import { ConnectMcpServers, McpServerStatus } from "./mcp-server.ts";

export const IntegrationType = z.enum(integrationTypes);
export type IntegrationType = z.infer<typeof IntegrationType>;

/** Integrations that the reference service has and this one does not, with the reason shown. */
export const otherIntegrations: Record<string, { title: string; reason: string }> = {
  webhook: { title: "Webhook", reason: "It has operations of its own: …/webhooks/agent-run." },
  jira: { title: "Jira", reason: "Not supported here." },
  clickup: { title: "ClickUp", reason: "Not supported here." },
  monday: { title: "Monday", reason: "Not supported here." },
  notion: { title: "Notion", reason: "Not supported here." },
  figma: { title: "Figma", reason: "Not supported here." },
  circleci: { title: "CircleCI", reason: "Not supported here." },
  sentry: { title: "Sentry", reason: "Not supported here." },
  postgres: { title: "PostgreSQL", reason: "Not supported here." },
};

/** The name of the integration `mcp` for people: the servers whose tools agents are given. */
export const mcpTitle = "MCP servers";

/** Bounds of a connection: characters of a secret, of a private key, of an address; places with a repository; bots. */
export const integrationBounds = {
  secretMax: 4096,
  keyMax: 16_384,
  addressMax: 2048,
  placesMax: 200,
  hookSecretMin: 8,
  botsMax: 50,
} as const;

/** Text sent in a header: it cannot contain another header, or spaces around it. */
const Secret = (max: number) =>
  FilledText(max).refine((text) => /^[\x21-\x7e]+$/.test(text), "must be visible ASCII characters without spaces");

const PrivateKey = FilledText(integrationBounds.keyMax).refine(
  (text) => /-----BEGIN (?:RSA )?PRIVATE KEY-----/.test(text),
  "must be a private key in PEM form",
);

/** Login of a bot, as events have it: GitHub's Apps end with `[bot]`. */
const BotLogin = Text(100)
  .trim()
  .regex(/^[A-Za-z0-9_][\w.-]*(?:\[bot\])?$/, "must be the login of a bot, such as renovate[bot], without the @");

/** An organization's settings for an integration. */
export const IntegrationSettings = z.strictObject({
  mention: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/, "must be a name of at most 39 letters, digits, - and _, without the @")
    .default(mentionDefault)
    .describe("The name to listen for, without the @"),
  repositories: z
    .record(FilledText(100), z.int().min(1))
    .refine(
      (places) => Object.keys(places).length <= integrationBounds.placesMax,
      `must have at most ${integrationBounds.placesMax} entries`,
    )
    .default({})
    .describe("Slack and Linear: the repository for each channel or team, by channel id or team key"),
  bots: z
    .array(BotLogin)
    .max(integrationBounds.botsMax, `must name at most ${integrationBounds.botsMax} bots`)
    .default([])
    .describe(
      "Code hosts: logins of bots whose mentions count as a person's, upper or lower case. Other bots, and the service's own account, are ignored",
    ),
  channel: Text(100).nullable().default(null).describe("Slack: id of the channel that is notified of runs"),
  notify_waiting: z.boolean().default(false).describe("Slack: notify the channel when a run waits for an answer"),
  notify_finished: z.boolean().default(false).describe("Slack: notify the channel when a run ends"),
});
export type IntegrationSettings = z.infer<typeof IntegrationSettings>;

/** Request body of `PUT integrations/{type}`. Fields left out stay as they are; null removes them. */
export const ConnectIntegration = z.strictObject({
  base_url: FilledText(integrationBounds.addressMax)
    .nullish()
    .describe("Address of your own server, such as https://git.example.com; by default the public service"),
  token: Secret(integrationBounds.secretMax)
    .nullish()
    .describe("An access token (GitHub, GitLab, Forgejo), a bot token (Slack) or an API key (Linear). Never returned"),
  app_id: z.int().min(1).nullish().describe("GitHub App: its ID, with private_key and installation_id"),
  private_key: PrivateKey.nullish().describe("GitHub App: its private key in PEM form. Never returned"),
  installation_id: z.int().min(1).nullish().describe("GitHub App: the installation in your organization"),
  hook_secret: Secret(256)
    .min(integrationBounds.hookSecretMin, `must have at least ${integrationBounds.hookSecretMin} characters`)
    .nullish()
    .describe("Secret that incoming events are signed with (Slack: the signing secret). Never returned"),
  settings: IntegrationSettings.nullish().describe("Replaces all settings; null resets them"),
  servers: ConnectMcpServers.nullish().describe("mcp: all MCP servers of the organization; those left out are removed"),
});
z.globalRegistry.add(ConnectIntegration, { example: { token: "ghp_the-token", settings: { mention: "errand" } } });
export type ConnectIntegration = z.infer<typeof ConnectIntegration>;

/** Details of an integration besides its state. If it is not connected, only title and reason. */
export const IntegrationMetadata = z.object({
  title: z.string().describe("Display name").meta({ example: "GitHub" }),
  reason: z.string().nullable().describe("Why it is not active, or what its host refuses for a repository"),
  connected: z.boolean().optional().describe("Whether someone has connected it"),
  base_url: z.string().optional().describe("Address of the service"),
  account: z.string().nullable().optional().describe("The account the secret belongs to there"),
  account_kind: z.string().nullable().optional().describe("app, user or bot"),
  checked_at: Instant.nullable().optional().describe("When the secret was last checked"),
  has_token: z.boolean().optional().describe("Whether a secret is stored; it is never returned"),
  has_hook_secret: z.boolean().optional().describe("Whether a secret for incoming events is stored"),
  hook_url: z.string().optional().describe("Where the service sends its events"),
  settings: IntegrationSettings.optional().describe("Settings of the integration"),
  servers: z.array(McpServerStatus).optional().describe("mcp: the MCP servers, by name"),
});
export type IntegrationMetadata = z.infer<typeof IntegrationMetadata>;

/** One integration, in the reference service's shape. `active` is the result of the last call to it. */
export const IntegrationStatus = z.object({
  integration_type: z
    .string()
    .describe("github, gitlab, forgejo, slack, linear, webhook, mcp, or one that is not supported here"),
  active: z.boolean().describe("Whether its secret worked when last checked (`metadata.checked_at`)"),
  token_id: z.int().nullable().describe("Identifies the stored secret; null if there is none"),
  installation_id: z.int().nullable().describe("GitHub App: the installation; otherwise null").meta({ example: null }),
  metadata: IntegrationMetadata.describe("Further details"),
});
z.globalRegistry.add(IntegrationStatus, { id: "IntegrationStatus", example: { integration_type: "github" } });
export type IntegrationStatus = z.infer<typeof IntegrationStatus>;

/** All integrations of an organization, in the reference service's shape. */
export const OrganizationIntegrations = z.object({
  organization_id: z.int().describe("The organization"),
  organization_name: z.string().describe("Its name").meta({ example: "Acme" }),
  integrations: z.array(IntegrationStatus).describe("Every integration, connected or not"),
  total_active_integrations: z.int().describe("How many of them are active"),
});
z.globalRegistry.add(OrganizationIntegrations, { id: "OrganizationIntegrations" });
export type OrganizationIntegrations = z.infer<typeof OrganizationIntegrations>;

const TypeParams = OrgParams.extend({
  type: z.string().describe(`One of ${[...IntegrationType.options, "mcp"].join(", ")}`),
});
z.globalRegistry.add(TypeParams, { example: { type: "github" } });

export const listIntegrations = defineOperation({
  id: "listIntegrations",
  isReference: true,
  summary: "List integrations",
  description:
    "Includes those that are not connected, each with the reason. `active` is the result of the last check, made at metadata.checked_at; a code host that does not accept the secret when an event arrives fails it too. Secrets are never returned.",
  scope: "org:read",
  params: OrgParams,
  result: OrganizationIntegrations,
});

export const putIntegration = defineOperation({
  id: "putIntegration",
  summary: "Connect an integration, or change it",
  description:
    "Stores the given values encrypted, and asks the service at once whether they work: a secret that does not work is stored, but the integration is not active, with the reason. 400 if the address leads to a private network that this installation does not allow. A new address disconnects the old service: people are unlinked, conversations end, unsent replies are dropped, the integration gets a new hook_url, and its secrets must be given again; its settings stay. With `mcp`, `servers` replaces the organization's MCP servers: Errand opens a session over streamable HTTP with each that is new, changed or not active, and lists its tools. Agents that take MCP servers over HTTP are given the active ones.",
  scope: "org:admin",
  refusals: ["conflict"],
  params: TypeParams,
  body: ConnectIntegration,
  result: IntegrationStatus,
});

export const deleteIntegration = defineOperation({
  id: "deleteIntegration",
  summary: "Disconnect an integration",
  description: "Its secrets and settings are deleted, and its events are no longer accepted.",
  scope: "org:admin",
  refusals: ["conflict"],
  params: TypeParams,
  result: IntegrationStatus,
});

export const testIntegration = defineOperation({
  id: "testIntegration",
  summary: "Check whether an integration works now",
  description: "Asks the service which account the stored secret belongs to. 404 if it is not connected.",
  scope: "org:admin",
  refusals: ["conflict"],
  params: TypeParams,
  result: IntegrationStatus,
});
