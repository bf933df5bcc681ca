import { invalidField, notFound } from "#lib/contract/error.ts";
import {
  type ChangeNetwork,
  type ChangeRepositoryNetwork,
  type Network,
  type NetworkMode,
  type NetworkRule,
  networkRulesMax,
  type PutNetwork,
  type PutRepositoryNetwork,
  type RepositoryNetwork,
} from "#lib/contract/repositories/network.ts";
import { builtInRules } from "#lib/egress/built-in-rules.ts";
import { readRuleHost } from "#lib/egress/rules.ts";
import type { Store } from "#lib/store/store.ts";
import { type Act, recordAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import { repositoryObject } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRepository = { params: { repo_id: number } };
type GivenRules = { host: string; port?: number | null | undefined }[];
type Place = { mode: NetworkMode | null; rules: NetworkRule[] };

/** Network settings of the organization's agents. */
export async function getNetwork(context: OrganizationContext): Promise<Network> {
  return presentNetwork(context.store, context.access.organizationId);
}

/** Sets the given fields and keeps the rest. 400 if a rule's host cannot be used. */
export async function putNetwork(context: OrganizationContext, { body }: { body: PutNetwork }): Promise<Network> {
  return setNetwork(context, replacing(body));
}

/** Sets the mode, adds and removes single rules. 400 if a host cannot be used, or there would be too many rules. */
export async function changeNetwork(context: OrganizationContext, { body }: { body: ChangeNetwork }): Promise<Network> {
  return setNetwork(context, changing(body));
}

/** Network settings of a repository's runs. */
export async function getRepositoryNetwork(
  context: OrganizationContext,
  { params }: OfRepository,
): Promise<RepositoryNetwork> {
  return presentRepositoryNetwork(context.store, context, params.repo_id);
}

/** Sets the given fields and keeps the rest. 400 if a rule's host cannot be used. */
export async function putRepositoryNetwork(
  context: OrganizationContext,
  { params, body }: OfRepository & { body: PutRepositoryNetwork },
): Promise<RepositoryNetwork> {
  return setRepositoryNetwork(context, params.repo_id, replacing(body));
}

/** Sets the mode, adds and removes single rules. 400 if a host cannot be used, or there would be too many rules. */
export async function changeRepositoryNetwork(
  context: OrganizationContext,
  { params, body }: OfRepository & { body: ChangeRepositoryNetwork },
): Promise<RepositoryNetwork> {
  return setRepositoryNetwork(context, params.repo_id, changing(body));
}

/** Computes a place's new settings from the current ones. */
type Change<Mode> = (before: Place) => { mode: Mode | undefined; rules: NetworkRule[] | undefined };

/** Parses all rules first, so that an invalid one changes nothing. */
function replacing<Mode>({ network, rules: given }: { network?: Mode; rules?: GivenRules | undefined }): Change<Mode> {
  const rules = given === undefined ? undefined : [...readRules(given, "rules").values()];
  return () => ({ mode: network, rules });
}

function changing<Mode>(given: {
  network?: Mode;
  add?: GivenRules | undefined;
  remove?: GivenRules | undefined;
}): Change<Mode> {
  const { network: mode, add, remove } = given;
  const [added, removed] = [readRules(add ?? [], "add"), readRules(remove ?? [], "remove")];
  return ({ rules: before }) => {
    if (added.size === 0 && removed.size === 0) return { mode, rules: undefined };
    const kept = before.filter((rule) => !removed.has(wordsOf(rule)));
    const rules = [...new Map([...kept.map((rule) => [wordsOf(rule), rule] as const), ...added]).values()];
    if (rules.length > networkRulesMax) {
      throw invalidField(["add"], `must leave at most ${networkRulesMax} rules; this would leave ${rules.length}`);
    }
    return { mode, rules };
  };
}

async function setNetwork(context: OrganizationContext, change: Change<NetworkMode | undefined>): Promise<Network> {
  const { access } = context;
  return await context.store.transaction(async (store) => {
    await requireMatch(context, () => presentNetwork(store, access.organizationId));
    const before = await findPlace(store, context, null);
    const { mode, rules } = change(before);
    if (mode !== undefined) await store.settings.change(access, { network: mode });
    if (rules !== undefined) await store.networks.putRules(access, null, rules);
    const object = { type: "organization", id: access.organizationId };
    await record(store, context, object, before, { mode: mode ?? before.mode, rules: rules ?? before.rules });
    return presentNetwork(store, access.organizationId);
  });
}

async function setRepositoryNetwork(
  context: OrganizationContext,
  repositoryId: number,
  change: Change<NetworkMode | null | undefined>,
): Promise<RepositoryNetwork> {
  const { access } = context;
  return await context.store.transaction(async (store) => {
    const repository = await store.repositories.find(access, repositoryId);
    if (repository === null) throw notFound("Repository");
    await requireMatch(context, () => presentRepositoryNetwork(store, context, repository.id));
    const before = await findPlace(store, context, repository.id);
    const { mode, rules } = change(before);
    const after = { mode: mode === undefined ? before.mode : mode, rules: rules ?? before.rules };
    if (mode !== undefined) await store.networks.setMode(access, repository.id, mode);
    if (rules !== undefined) await store.networks.putRules(access, repository.id, rules);
    await record(store, context, repositoryObject(repository), before, after);
    return presentRepositoryNetwork(store, context, repository.id);
  });
}

async function findPlace(store: Store, { access }: OrganizationContext, repositoryId: number | null): Promise<Place> {
  const found = await store.networks.find(access, repositoryId);
  if (found === null) throw notFound("Repository");
  return found;
}

/** The rules in stored form, by their text: each host normalized, each rule once. 400 if a host cannot be used. */
export function readRules(given: GivenRules, field: "rules" | "add" | "remove" | "network"): Map<string, NetworkRule> {
  const rules = new Map<string, NetworkRule>();
  for (const [at, { host, port }] of given.entries()) {
    const read = readRuleHost(host.trim());
    if ("wrong" in read) throw invalidField([field, at, "host"], read.wrong);
    const rule = { host: read.host, port: port ?? null };
    rules.set(wordsOf(rule), rule);
  }
  return rules;
}

const wordsOf = ({ host, port }: NetworkRule) => (port === null ? host : `${host}:${port}`);

/** Records what changed; nothing if nothing did. */
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
