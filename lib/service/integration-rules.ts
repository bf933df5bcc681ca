import { invalidField } from "#lib/contract/error.ts";
import type { ConnectIntegration, IntegrationType } from "#lib/contract/integrations/integration.ts";
import { integrationTitles } from "#lib/contract/words.ts";
import { type IntegrationRow, isSameAddress } from "#lib/store/integrations/integrations.ts";
import type { OrganizationContext } from "./service-context.ts";

/**
 * Refuses what the schema alone cannot: a 400 that names the field. `before` is the current connection; at another address it is
 * a first one.
 */
export async function checkConnection(
  context: OrganizationContext,
  type: IntegrationType,
  before: IntegrationRow | null,
  body: ConnectIntegration,
): Promise<void> {
  if (body.servers != null) throw invalidField(["servers"], "can be set only for MCP servers");
  refuseAddress(context, body);
  const moves = before !== null && isOtherAddress(before, body);
  if (moves) refuseKeptSecret(before, body);
  refuseSecret(type, moves ? null : before, body);
  await refuseSettings(context, type, body);
}

function refuseAddress({ outbound }: OrganizationContext, { base_url }: ConnectIntegration): void {
  if (base_url == null) return;
  const refusal = outbound.refusalOf(base_url);
  if (refusal !== null) throw invalidField(["base_url"], refusal);
  const { search, hash } = new URL(base_url);
  if (search !== "" || hash !== "") throw invalidField(["base_url"], "must have no query and no fragment");
}

function isOtherAddress({ type, baseUrl }: IntegrationRow, { base_url }: ConnectIntegration): boolean {
  if (base_url === undefined) return false;
  return !isSameAddress(type, base_url?.replace(/\/+$/, "") ?? null, baseUrl);
}

/** Anyone who may change the address must not get the secret sent to their own server. */
function refuseKeptSecret({ secretSealed }: IntegrationRow, { token, private_key }: ConnectIntegration): void {
  if (secretSealed === null || token !== undefined || private_key !== undefined) return;
  throw invalidField(["base_url"], "the stored secret is not sent to a new address: enter the secret again");
}

function refuseSecret(type: IntegrationType, before: IntegrationRow | null, body: ConnectIntegration): void {
  const title = integrationTitles[type];
  for (const name of ["app_id", "private_key", "installation_id"] as const) {
    if (body[name] != null && type !== "github") throw invalidField([name], `${title} has no Apps: use a token`);
  }
  if (body.token != null && body.private_key != null) {
    throw invalidField(["private_key"], "give either a token or an App's key");
  }
  if (body.private_key != null) {
    if (body.app_id == null) throw invalidField(["app_id"], "is required with private_key");
    const installation = body.installation_id === undefined ? before?.installationId : body.installation_id;
    if (installation == null) throw invalidField(["installation_id"], "is required with private_key");
  } else if (body.app_id != null) {
    throw invalidField(["private_key"], "is required with app_id");
  }
  if (type === "github" && body.token?.startsWith("ghs_")) {
    throw invalidField(
      ["token"],
      "must not be a GitHub Actions or App installation token: it expires soon, and what a job's token writes does not trigger workflows",
    );
  }
  if (before === null && body.token == null && body.private_key == null) {
    throw invalidField(["token"], `is required to connect ${title}`);
  }
}

async function refuseSettings(
  { store, access }: OrganizationContext,
  type: IntegrationType,
  { settings }: ConnectIntegration,
): Promise<void> {
  if (settings == null) return;
  const places = Object.entries(settings.repositories);
  const isChat = type === "slack" || type === "linear";
  if (places.length > 0 && !isChat) {
    throw invalidField(
      ["settings", "repositories"],
      "can be set only for Slack and Linear: on a code host, the repository is that of the mention",
    );
  }
  if (settings.bots.length > 0 && isChat) {
    throw invalidField(["settings", "bots"], "can be set only for code hosts");
  }
  if (type !== "slack" && (settings.channel !== null || settings.notify_waiting || settings.notify_finished)) {
    throw invalidField(["settings", "channel"], "can be set only for Slack");
  }
  if (settings.channel === null && (settings.notify_waiting || settings.notify_finished)) {
    throw invalidField(["settings", "channel"], "is required when the channel is notified of runs");
  }
  for (const [place, repositoryId] of places) {
    if ((await store.repositories.find(access, repositoryId)) === null) {
      throw invalidField(["settings", "repositories", place], "is not a repository of this organization");
    }
  }
}
