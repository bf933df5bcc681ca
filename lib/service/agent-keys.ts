import { notFound } from "#lib/contract/error.ts";
import type { AgentKey, PutAgentKey } from "#lib/contract/repositories/agent-key.ts";
import { ordinaryWarning } from "#lib/entry/ordinary-word.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import type { AgentKeyRow } from "#lib/store/repositories/agent-keys.ts";
import type { Store } from "#lib/store/store.ts";
import { recordAct } from "./audit.ts";
import { repositoryObject } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

/** The keys kept for agents, without their values. */
export async function listKeys(context: OrganizationContext): Promise<{ items: AgentKey[] }> {
  return { items: (await context.store.agentKeys.list(context.access)).map((row) => present(row, context)) };
}

/** Stores a key, sealed, replacing any earlier one. 404 for a repository that is not visible. */
export async function putKey(context: OrganizationContext, { body }: { body: PutAgentKey }): Promise<AgentKey> {
  const { access, seal } = context;
  const key = { variable: body.variable, repositoryId: body.repo_id ?? null };
  return await context.store.transaction(async (store) => {
    const object = await objectOf(store, context, key);
    const sealed = seal.seal(body.value, agentKeyContext(access.organizationId, key));
    const row = await store.agentKeys.put(access, { ...key, sealed });
    await forgetRefusals(store, context, row);
    await recordAct(store, context, { act: "agent_key.set", object, details: { variable: key.variable } });
    return present(row, context);
  });
}

/** Deletes a stored key. 404 if there is none. */
export async function deleteKey(
  context: OrganizationContext,
  { params }: { params: { key_id: number } },
): Promise<AgentKey> {
  return await context.store.transaction(async (store) => {
    const row = await store.agentKeys.remove(context.access, params.key_id);
    if (row === null) throw notFound("Key");
    await forgetRefusals(store, context, row);
    const object = await objectOf(store, context, row);
    await recordAct(store, context, { act: "agent_key.deleted", object, details: { variable: row.variable } });
    return present(row, context);
  });
}

/** With another key of the organization, the agents that use it may be signed in again: the next run tells. */
async function forgetRefusals(store: Store, { access }: OrganizationContext, row: AgentKeyRow): Promise<void> {
  if (row.repositoryId !== null) return;
  const users = (await store.agents.list()).filter(({ keys }) => keys.includes(row.variable));
  await store.agentRefusals.clear(
    access.organizationId,
    users.map(({ id }) => id),
  );
}

/** The key's owner for the audit log: the organization or a repository; 404 for one that is not visible. */
async function objectOf(
  store: Store,
  { access }: OrganizationContext,
  { repositoryId }: Pick<AgentKeyRow, "repositoryId">,
) {
  if (repositoryId === null) return { type: "organization", id: access.organizationId };
  const repository = await store.repositories.find(access, repositoryId);
  if (repository === null) throw notFound("Repository");
  return repositoryObject(repository);
}

function present(row: AgentKeyRow, { seal, access }: OrganizationContext): AgentKey {
  const { id, variable, repositoryId, changedAt, sealed } = row;
  const context = agentKeyContext(access.organizationId, row);
  const value = seal.canUnseal(sealed, context) ? seal.unseal(sealed, context) : null;
  const problem = value === null ? "It cannot be decrypted. Enter it again." : null;
  const warning = value === null ? null : ordinaryWarning(value);
  return { id, variable, repository_id: repositoryId, changed_at: changedAt, problem, warning };
}
