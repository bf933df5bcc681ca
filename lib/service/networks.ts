import { invalidField, notFound } from "#lib/contract/error.ts";
import type {
  Denial,
  Network,
  NetworkMode,
  NetworkRule,
  PutNetwork,
  PutRepositoryNetwork,
  RepositoryNetwork,
} from "#lib/contract/network.ts";
import { builtInRules } from "#lib/egress/built-in-rules.ts";
import { readRuleHost } from "#lib/egress/rules.ts";
import type { Store } from "#lib/store/store.ts";
import { type Act, recordAct } from "./audit.ts";
import { repositoryObject } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRepository = { params: { repo_id: number } };
type GivenRules = { host: string; port?: number | null | undefined }[];
type Place = { mode: NetworkMode | null; rules: NetworkRule[] };

/** What the agents of the organization may reach. */
export async function getNetwork(context: OrganizationContext): Promise<Network> {
  return presentNetwork(context.store, context.access.organizationId);
}

/** Sets what is given and keeps the rest. 400 where a rule's host cannot be used. */
export async function putNetwork(context: OrganizationContext, { body }: { body: PutNetwork }): Promise<Network> {
  const rules = body.rules === undefined ? undefined : readRules(body.rules);
  const { access } = context;
  return await context.store.transaction(async (store) => {
    const before = await findPlace(store, context, null);
    if (body.network !== undefined) await store.settings.change(access, { network: body.network });
    if (rules !== undefined) await store.networks.putRules(access, null, rules);
    const object = { type: "organization", id: access.organizationId };
    await record(store, context, object, before, { mode: body.network ?? before.mode, rules: rules ?? before.rules });
    return presentNetwork(store, access.organizationId);
  });
}

/** What the agents of a repository's runs may reach. */
export async function getRepositoryNetwork(
  context: OrganizationContext,
  { params }: OfRepository,
): Promise<RepositoryNetwork> {
  return presentRepositoryNetwork(context.store, context, params.repo_id);
}

/** Sets what is given and keeps the rest. 400 where a rule's host cannot be used. */
export async function putRepositoryNetwork(
  context: OrganizationContext,
  { params, body }: OfRepository & { body: PutRepositoryNetwork },
): Promise<RepositoryNetwork> {
  const rules = body.rules === undefined ? undefined : readRules(body.rules);
  const { access } = context;
  return await context.store.transaction(async (store) => {
    const repository = await store.repositories.find(access, params.repo_id);
    if (repository === null) throw notFound("Repository");
    const before = await findPlace(store, context, repository.id);
    const after = { mode: body.network === undefined ? before.mode : body.network, rules: rules ?? before.rules };
    await store.networks.setMode(access, repository.id, after.mode);
    if (rules !== undefined) await store.networks.putRules(access, repository.id, rules);
    await record(store, context, repositoryObject(repository), before, after);
    return presentRepositoryNetwork(store, context, repository.id);
  });
}

/** The connections of a run that were refused. */
export async function listDenials(
  { store, access }: OrganizationContext,
  { params }: { params: { agent_run_id: number } },
): Promise<{ items: Denial[] }> {
  const items = await store.networks.listDenials(access, params.agent_run_id);
  if (items === null) throw notFound("Agent run");
  return { items };
}

async function findPlace(store: Store, { access }: OrganizationContext, repositoryId: number | null): Promise<Place> {
  const found = await store.networks.find(access, repositoryId);
  if (found === null) throw notFound("Repository");
  return found;
}

/** The rules as they are kept: each host in its one form, each rule once. */
function readRules(given: GivenRules): NetworkRule[] {
  const rules = new Map<string, NetworkRule>();
  for (const [at, { host, port }] of given.entries()) {
    const read = readRuleHost(host.trim());
    if ("wrong" in read) throw invalidField(["rules", at, "host"], read.wrong);
    const rule = { host: read.host, port: port ?? null };
    rules.set(wordsOf(rule), rule);
  }
  return [...rules.values()];
}

const wordsOf = ({ host, port }: NetworkRule) => (port === null ? host : `${host}:${port}`);

/** Notes what changed; nothing where nothing did. */
async function record(
  store: Store,
  context: OrganizationContext,
  object: NonNullable<Act["object"]>,
  before: Place,
  after: Place,
): Promise<void> {
  const [had, has] = [before.rules.map(wordsOf), after.rules.map(wordsOf)];
  const [added, removed] = [has.filter((rule) => !had.includes(rule)), had.filter((rule) => !has.includes(rule))];
  const details = {
    ...(before.mode === after.mode ? {} : { network: after.mode ?? "the organization's" }),
    ...(added.length === 0 ? {} : { allowed: added.join(", ") }),
    ...(removed.length === 0 ? {} : { no_longer_allowed: removed.join(", ") }),
  };
  if (Object.keys(details).length > 0) await recordAct(store, context, { act: "network.changed", object, details });
}

async function presentNetwork(store: Store, organizationId: number): Promise<Network> {
  const { mode, rules } = await store.networks.findForRun({ organizationId, repositoryId: null });
  return { network: mode, rules, built_in: builtInRules(await store.networks.listSources(organizationId)) };
}

async function presentRepositoryNetwork(
  store: Store,
  context: OrganizationContext,
  repositoryId: number,
): Promise<RepositoryNetwork> {
  const { mode, rules } = await findPlace(store, context, repositoryId);
  const { organizationId } = context.access;
  const inForce = await store.networks.findForRun({ organizationId, repositoryId });
  return { network: mode, in_force: inForce.mode, rules };
}
