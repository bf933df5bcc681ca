import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";
import { FilledText, Instant, Text } from "./text.ts";

const tag = "Integrations";

/** What an organization can be connected to by an address and a secret. */
export const IntegrationType = z.enum(["github", "gitlab", "forgejo", "slack", "linear"]);
export type IntegrationType = z.infer<typeof IntegrationType>;

/** Names as people know them. */
export const integrationTitles: Record<IntegrationType, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  forgejo: "Forgejo",
  slack: "Slack",
  linear: "Linear",
};

/** Where each service is reached unless a base address is given. */
export const integrationAddresses: Record<IntegrationType, string> = {
  github: "https://github.com",
  gitlab: "https://gitlab.com",
  forgejo: "https://codeberg.org",
  slack: "https://slack.com",
  linear: "https://api.linear.app",
};

/** What the reference service names and nothing here serves, with the reason that is told. */
export const otherIntegrations: Record<string, { title: string; reason: string }> = {
  webhook: { title: "Webhook", reason: "It is set by operations of its own: …/webhooks/agent-run." },
  mcp: {
    title: "MCP servers",
    reason: "Agents cannot use MCP servers yet. Errand itself is an MCP server, at /mcp.",
  },
  jira: { title: "Jira", reason: "Not served here." },
  clickup: { title: "ClickUp", reason: "Not served here." },
  monday: { title: "Monday", reason: "Not served here." },
  notion: { title: "Notion", reason: "Not served here." },
  figma: { title: "Figma", reason: "Not served here." },
  circleci: { title: "CircleCI", reason: "Not served here." },
  sentry: { title: "Sentry", reason: "Not served here." },
  postgres: { title: "PostgreSQL", reason: "Not served here." },
};

/** The name that is listened for where none is set: `@errand`. */
export const mentionDefault = "errand";

/** Bounds of what is connected: characters of a secret, of a private key, of an address; places that have a repository. */
export const integrationBounds = {
  secretMax: 4096,
  keyMax: 16_384,
  addressMax: 2048,
  placesMax: 200,
  hookSecretMin: 8,
} as const;

/** Text that goes out in a header: nothing that could begin another one, and no space around it. */
const Secret = (max: number) =>
  FilledText(max).refine((text) => /^[\x21-\x7e]+$/.test(text), "must be visible ASCII characters without spaces");

const PrivateKey = FilledText(integrationBounds.keyMax).refine(
  (text) => /-----BEGIN (?:RSA )?PRIVATE KEY-----/.test(text),
  "must be a private key in PEM form",
);

/** What an organization decides about an integration. */
export const IntegrationSettings = z.strictObject({
  mention: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/, "must be a name of at most 39 letters, digits, - and _, without the @")
    .default(mentionDefault)
    .describe("The name that is listened for, without the @"),
  repositories: z
    .record(FilledText(100), z.int().min(1))
    .refine(
      (places) => Object.keys(places).length <= integrationBounds.placesMax,
      `must have at most ${integrationBounds.placesMax} entries`,
    )
    .default({})
    .describe(
      "Slack and Linear: the repository of each channel or team, by the id of the channel or the key of the team",
    ),
  channel: Text(100).nullable().default(null).describe("Slack: the id of the channel that is told of runs"),
  notify_waiting: z.boolean().default(false).describe("Slack: tell the channel when a run waits for an answer"),
  notify_finished: z.boolean().default(false).describe("Slack: tell the channel when a run ends"),
});
export type IntegrationSettings = z.infer<typeof IntegrationSettings>;

/** Request body of `PUT integrations/{type}`. What is left out stays as it is; null takes it away. */
export const ConnectIntegration = z.strictObject({
  base_url: FilledText(integrationBounds.addressMax)
    .nullish()
    .describe("Address of your own server, like https://git.example.com. Unset: the public service"),
  token: Secret(integrationBounds.secretMax)
    .nullish()
    .describe(
      "An access token (GitHub, GitLab, Forgejo), a bot token (Slack) or an API key (Linear). Never given back",
    ),
  app_id: z.int().min(1).nullish().describe("GitHub App: its id, with private_key and installation_id"),
  private_key: PrivateKey.nullish().describe("GitHub App: its private key in PEM form. Never given back"),
  installation_id: z.int().min(1).nullish().describe("GitHub App: the installation in your organization"),
  hook_secret: Secret(256)
    .min(integrationBounds.hookSecretMin, `must have at least ${integrationBounds.hookSecretMin} characters`)
    .nullish()
    .describe("What incoming events are signed with (Slack: the signing secret). Never given back"),
  settings: IntegrationSettings.nullish().describe("Replaces all settings; null sets them back"),
});
export type ConnectIntegration = z.infer<typeof ConnectIntegration>;

/** What is known of an integration beside its state. Of what is not connected, title and reason only. */
export const IntegrationMetadata = z.object({
  title: z.string().describe("Name for people"),
  reason: z.string().nullable().describe("Why it is not active"),
  connected: z.boolean().optional().describe("Somebody has connected it"),
  base_url: z.string().optional().describe("Address of the service"),
  account: z.string().nullable().optional().describe("Who the secret acts as there"),
  account_kind: z.string().nullable().optional().describe("app, user or bot"),
  checked_at: Instant.nullable().optional().describe("When it was last asked whether the secret works"),
  has_token: z.boolean().optional().describe("A secret is kept; it is never given back"),
  has_hook_secret: z.boolean().optional().describe("A secret for incoming events is kept"),
  hook_url: z.string().optional().describe("Where the service sends its events"),
  settings: IntegrationSettings.optional().describe("Settings of the integration"),
});
export type IntegrationMetadata = z.infer<typeof IntegrationMetadata>;

/** One integration, in the reference's shape. `active` is what the last call to it showed. */
export const IntegrationStatus = z.object({
  integration_type: z
    .string()
    .describe("github, gitlab, forgejo, slack, linear, webhook, mcp, or one that is not served here"),
  active: z.boolean().describe("Its secret worked when it was last asked (`metadata.checked_at`)"),
  token_id: z.int().nullable().describe("Names the kept secret; null where there is none"),
  installation_id: z.int().nullable().describe("GitHub App: the installation; null otherwise"),
  metadata: IntegrationMetadata.describe("Further facts"),
});
export type IntegrationStatus = z.infer<typeof IntegrationStatus>;

/** All integrations of an organization, in the reference's shape. */
export const OrganizationIntegrations = z.object({
  organization_id: z.int().describe("The organization"),
  organization_name: z.string().describe("Its name"),
  integrations: z.array(IntegrationStatus).describe("Every integration, connected or not"),
  total_active_integrations: z.int().describe("How many of them are active"),
});
export type OrganizationIntegrations = z.infer<typeof OrganizationIntegrations>;

const TypeParams = OrgParams.extend({
  type: z.string().describe(`One of ${IntegrationType.options.join(", ")}`),
});

export const listIntegrations = defineOperation({
  id: "listIntegrations",
  method: "GET",
  path: `${O}/integrations`,
  tag,
  summary: "List integrations",
  description:
    "With those that are not connected, each with the reason. `active` is what the last check showed; metadata.checked_at says when that was. Secrets are never given back.",
  scope: "org:read",
  params: OrgParams,
  result: OrganizationIntegrations,
});

export const putIntegration = defineOperation({
  id: "putIntegration",
  method: "PUT",
  path: `${O}/integrations/{type}`,
  tag,
  summary: "Connect an integration, or change it",
  description:
    "Keeps what is given, sealed, and asks the service at once whether it works: a secret that does not work is kept and the integration is not active, with the reason. 400 where the address leads to a private network that this instance does not allow.",
  scope: "org:admin",
  params: TypeParams,
  body: ConnectIntegration,
  result: IntegrationStatus,
});

export const deleteIntegration = defineOperation({
  id: "deleteIntegration",
  method: "DELETE",
  path: `${O}/integrations/{type}`,
  tag,
  summary: "Disconnect an integration",
  description: "Its secrets and settings are deleted, and its events are no longer taken.",
  scope: "org:admin",
  params: TypeParams,
  result: IntegrationStatus,
});

export const testIntegration = defineOperation({
  id: "testIntegration",
  method: "POST",
  path: `${O}/integrations/{type}/test`,
  tag,
  summary: "Check whether an integration works now",
  description: "Asks the service who the kept secret belongs to. 404 where it is not connected.",
  scope: "org:admin",
  params: TypeParams,
  result: IntegrationStatus,
});
