import { ApiError, notFound } from "#lib/contract/error.ts";
import {
  type ConnectIntegration,
  IntegrationSettings,
  type IntegrationStatus,
  IntegrationType,
  type OrganizationIntegrations,
  otherIntegrations,
} from "#lib/contract/integrations/integration.ts";
import { integrationTitles } from "#lib/contract/words.ts";
import { addressOf, checkIntegration, type IntegrationSecret, sealContextOf } from "#lib/host/open-integration.ts";
import type { IntegrationChanges, IntegrationRow } from "#lib/store/integrations/integrations.ts";
import { recordAct } from "./audit.ts";
import { checkConnection } from "./integration-rules.ts";
import { deleteMcpServers, mcpStatus, putMcpServers, testMcpServers } from "./mcp-servers.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfType = { params: { type: string } };

/**
 * All supported integrations and those the reference service names; connected ones with the result of their last check.
 */
export async function listIntegrations(context: OrganizationContext): Promise<OrganizationIntegrations> {
  const { store, access } = context;
  const [organization, rows] = await Promise.all([
    store.organizations.findOrganization(access.organizationId),
    store.integrations.list(access),
  ]);
  const integrations = [
    ...IntegrationType.options.map((type) => {
      const row = rows.find((one) => one.type === type);
      return row === undefined ? notConnected(type, integrationTitles[type]) : present(row, context);
    }),
    await mcpStatus(context),
    await webhookStatus(context),
    ...Object.entries(otherIntegrations)
      .filter(([type]) => type !== "webhook")
      .map(([type, { title, reason }]) => notConnected(type, title, reason)),
  ];
  return {
    organization_id: access.organizationId,
    organization_name: organization?.name ?? "",
    integrations,
    total_active_integrations: integrations.filter(({ active }) => active).length,
  };
}

/**
 * Stores the given values and asks the service whether they work. 400 if one cannot be used, 409 for types that are set
 * elsewhere.
 */
export async function putIntegration(
  context: OrganizationContext,
  { params, body }: OfType & { body: ConnectIntegration },
): Promise<IntegrationStatus> {
  if (params.type === "mcp") return await putMcpServers(context, body);
  const { store, access } = context;
  const type = typeOf(params.type);
  const row = await store.transaction(async (inside) => {
    // Checked is what is replaced: at the same time, somebody else may move it to another address.
    const before = await inside.integrations.find(access, type);
    await checkConnection({ ...context, store: inside }, type, before, body);
    const changed = await inside.integrations.put(access, type, changesOf(context, type, body));
    await recordAct(inside, context, {
      act: "integration.changed",
      object: { type: "integration", id: changed.id, name: integrationTitles[type] },
      // Names of the changed fields, never their values.
      details: { type, fields: Object.keys(body).join(", "), address: addressOf(changed) },
    });
    return changed;
  });
  return present(await check(context, row), context);
}

/** Removes it with its secrets. 404 if it is not connected. */
export async function deleteIntegration(context: OrganizationContext, { params }: OfType): Promise<IntegrationStatus> {
  if (params.type === "mcp") return await deleteMcpServers(context);
  const type = typeOf(params.type);
  await context.store.transaction(async (inside) => {
    const removed = await inside.integrations.remove(context.access, type);
    if (removed === null) throw notFound("Integration");
    const object = { type: "integration", id: removed.id, name: integrationTitles[type] };
    await recordAct(inside, context, { act: "integration.removed", object, details: { type } });
  });
  return notConnected(type, integrationTitles[type]);
}

/** Asks the service now. 404 if it is not connected. */
export async function testIntegration(context: OrganizationContext, { params }: OfType): Promise<IntegrationStatus> {
  if (params.type === "mcp") return await testMcpServers(context);
  const type = typeOf(params.type);
  const row = await context.store.integrations.find(context.access, type);
  if (row === null) throw notFound("Integration");
  const checked = present(await check(context, row), context);
  const object = { type: "integration", id: row.id, name: integrationTitles[type] };
  await recordAct(context.store, context, {
    act: "integration.tested",
    object,
    details: { type, active: checked.active },
  });
  return checked;
}

/** The type named by a path, or 404; 409 for types with separate operations. */
export function typeOf(text: string): IntegrationType {
  const type = IntegrationType.safeParse(text);
  if (type.success) return type.data;
  if (text === "mcp") throw new ApiError("conflict", "MCP servers have no people to link.");
  const other = Object.hasOwn(otherIntegrations, text) ? otherIntegrations[text] : undefined;
  if (other === undefined) throw notFound("Integration");
  throw new ApiError("conflict", `${other.title} cannot be connected here. ${other.reason}`);
}

async function check(context: OrganizationContext, row: IntegrationRow): Promise<IntegrationRow> {
  const { seal, outbound, signal, store } = context;
  const outcome = await checkIntegration(row, { seal, send: outbound.send }, signal);
  // If it was disconnected in the meantime, the response still reports the check.
  return (await store.integrations.noteCheck(row.id, row.revision, outcome)) ?? row;
}

function changesOf(
  { seal, access }: OrganizationContext,
  type: IntegrationType,
  body: ConnectIntegration,
): IntegrationChanges {
  const place = { organizationId: access.organizationId, type };
  const sealed = (text: string, which: "secret" | "hook") => seal.seal(text, sealContextOf(place, which));
  const secret = secretOf(body);
  return {
    ...(body.base_url === undefined ? {} : { baseUrl: body.base_url?.replace(/\/+$/, "") ?? null }),
    ...(body.installation_id === undefined ? {} : { installationId: body.installation_id }),
    ...(secret === undefined
      ? {}
      : { secretSealed: secret === null ? null : sealed(JSON.stringify(secret), "secret") }),
    ...(body.hook_secret === undefined
      ? {}
      : { hookSecretSealed: body.hook_secret === null ? null : sealed(body.hook_secret, "hook") }),
    ...(body.settings === undefined ? {} : { settings: body.settings ?? IntegrationSettings.parse({}) }),
  };
}

/** The given secret; null removes the stored one, undefined keeps it. */
function secretOf({ token, app_id, private_key }: ConnectIntegration): IntegrationSecret | null | undefined {
  if (token != null) return { token };
  if (app_id != null && private_key != null) return { app_id, private_key };
  return token === null || private_key === null ? null : undefined;
}

function present(row: IntegrationRow, { publicUrl, seal }: OrganizationContext): IntegrationStatus {
  const hookSealed = row.hookSecretSealed;
  const isHookLost = hookSealed !== null && !seal.canUnseal(hookSealed, sealContextOf(row, "hook"));
  const hookError = isHookLost ? "The secret of its events cannot be decrypted. Enter it again." : null;
  const unchecked = row.secretSealed === null ? "It has no secret." : "It has not been checked yet.";
  const refusal = row.errorRepository === null ? null : `${row.errorRepository}: ${row.error}`;
  const failure = (refusal === null ? row.error : null) ?? hookError;
  const reason = failure ?? refusal ?? (row.active ? null : unchecked);
  return {
    integration_type: row.type,
    active: row.active && hookError === null,
    token_id: row.secretSealed === null ? null : row.id,
    installation_id: row.installationId,
    metadata: {
      title: integrationTitles[row.type],
      reason,
      connected: true,
      base_url: addressOf(row),
      account: row.account,
      account_kind: row.accountKind,
      checked_at: row.checkedAt,
      has_token: row.secretSealed !== null,
      has_hook_secret: row.hookSecretSealed !== null,
      hook_url: `${publicUrl}/v1/hooks/${row.id}`,
      settings: row.settings,
    },
  };
}

/** The organization's default webhook: active while it is on and its last delivery arrived. */
async function webhookStatus({ store, access }: OrganizationContext): Promise<IntegrationStatus> {
  const title = otherIntegrations.webhook?.title ?? "Webhook";
  const webhook = await store.webhooks.find(access);
  if (webhook === null) return notConnected("webhook", title, "No webhook is set.");
  const { items } = await store.deliveries.list(access, { webhookId: webhook.id }, { skip: 0, limit: 20 });
  const last = items.find(({ attemptedAt }) => attemptedAt !== null);
  const failure =
    last === undefined || last.state === "delivered"
      ? null
      : `The last delivery failed${last.error === null ? "" : `: ${last.error}`}`;
  const reason = webhook.enabled ? failure : (webhook.disabledReason ?? "It is turned off.");
  return {
    integration_type: "webhook",
    active: reason === null,
    token_id: null,
    installation_id: null,
    metadata: { title, reason, base_url: new URL(webhook.url).origin, checked_at: last?.attemptedAt ?? null },
  };
}

function notConnected(type: string, title: string, reason = "Not connected."): IntegrationStatus {
  return {
    integration_type: type,
    active: false,
    token_id: null,
    installation_id: null,
    metadata: { title, reason, ...(type in integrationTitles ? { connected: false } : {}) },
  };
}
