import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import type { NetworkRule } from "#lib/contract/repositories/network.ts";
import { type AcceptSetup, type GenerateSetup, type Setup, SetupCommands } from "#lib/contract/repositories/setup.ts";
import { setupAgent } from "#lib/contract/runs/agent-ids.ts";
import type { PreparedCheckout } from "#lib/contract/runs/prepared-checkout.ts";
import type { SetupRow, VersionConflict } from "#lib/store/repositories/setups.ts";
import type { PreparedRow } from "#lib/store/storage/prepared.ts";
import { recordAct } from "./audit.ts";
import { chooseAgent } from "./choose-agent.ts";
import { changedMeanwhile } from "./if-match.ts";
import { readRules } from "./networks.ts";
import { presentRun, statusWord, viewOf } from "./present-run.ts";
import { pieceOf, StoredJson } from "./reply.ts";
import { findRepository, inspect, isSourceError, repositoryObject } from "./repositories.ts";
import { generatedAlready } from "./rival-run.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRepository = { params: { repo_id: number } };

/** Setup of a repository; its tag contains the version, for If-Match. */
export async function getSetup(context: OrganizationContext, { params }: OfRepository): Promise<StoredJson> {
  return tagged(await presentSetup(found(await context.store.setups.find(context.access, params.repo_id)), context));
}

/** Replaces the accepted commands. 409 if they were edited from an older version. */
export async function acceptSetup(
  context: OrganizationContext,
  { params, body }: OfRepository & { body: AcceptSetup },
): Promise<StoredJson> {
  const { version, ...commands } = body;
  const network = [...readRules(commands.network, "network").values()];
  const env = [...new Set(commands.env)];
  return change(context, params.repo_id, { ...commands, network, env }, version ?? null);
}

/** Removes the accepted commands. 412 if If-Match names an older version. */
export async function deleteSetup(context: OrganizationContext, { params }: OfRepository): Promise<StoredJson> {
  return change(context, params.repo_id, null, null);
}

/** Discards the proposal. */
export async function discardProposal(context: OrganizationContext, { params }: OfRepository): Promise<StoredJson> {
  const repository = await findRepository(context, params.repo_id);
  return await context.store.transaction(async (store) => {
    const setup = found(await store.setups.discardProposal(context.access, repository.id));
    await recordAct(store, context, { act: "setup.proposal_discarded", object: repositoryObject(repository) });
    return tagged(await presentSetup(setup, { ...context, store }));
  });
}

/** Makes the next run prepare its checkout again. 409 if no setup is accepted. */
export async function rebuildSetup(context: OrganizationContext, { params }: OfRepository): Promise<StoredJson> {
  const repository = await findRepository(context, params.repo_id);
  return await context.store.transaction(async (store) => {
    const before = found(await store.setups.find(context.access, repository.id));
    if (before.accepted === null) {
      throw new ApiError("conflict", "setup: no setup commands are accepted, so there is nothing to rebuild.");
    }
    await store.prepared.outdate(repository.id);
    await recordAct(store, context, { act: "setup.rebuilt", object: repositoryObject(repository) });
    const outdated = found(await store.setups.find(context.access, repository.id));
    return tagged(await presentSetup(outdated, { ...context, store }));
  });
}

/**
 * Queues a run that finds and tries the setup commands. 404 if the repository does not exist, 400 if it has no commits
 * or the agent cannot be used, 409 if its source cannot be read now, or with the id of a generate run of the repository
 * in progress.
 */
export async function generateSetup(context: OrganizationContext, { body }: { body: GenerateSetup }) {
  const { store, access } = context;
  const repository = await findRepository(context, body.repo_id);
  // A repository with a default branch has commits; for others the source is read, which takes longer.
  if (repository.defaultBranch === null && (await isEmpty(context, repository.source))) {
    throw invalidField(["repo_id"], `${repository.fullName} has no commits`);
  }
  const named = body.agent ?? null;
  const agent = named === null || named === setupAgent ? setupAgent : await chooseAgent({ agent: named }, store);
  if (agent === "external")
    throw invalidField(["agent"], "`external` cannot find setup commands: name an agent that Errand runs");
  const wanted = {
    prompt: body.prompt ?? "Find the commands that set this repository up, and try them.",
    images: [],
    model: null,
    sourceType: "SETUP_COMMANDS" as const,
    metadata: { trigger_source: body.trigger_source },
    repositoryId: repository.id,
    baseBranch: null,
    agent,
    permissionMode: "auto" as const,
  };
  const done = await store.transaction(async (inside) => {
    const made = await inside.generateRuns.create(access, wanted);
    if ("refused" in made) return made;
    const details = { agent_run_id: made.run.id };
    await recordAct(inside, context, { act: "setup.requested", object: repositoryObject(repository), details });
    return made;
  });
  if ("refused" in done) throw generatedAlready(done.runId);
  const { id, status, web_url } = presentRun(done.run, viewOf(context));
  return { agent_run_id: id, status, url: web_url };
}

async function change(
  context: OrganizationContext,
  repositoryId: number,
  commands: SetupCommands | null,
  version: number | null,
): Promise<StoredJson> {
  const matched = versionOfTag(context.ifMatch);
  const basedOn = version ?? matched;
  if (version !== null && matched !== null && version !== matched) {
    throw new ApiError("precondition_failed", `version: ${version} is not the version that If-Match names.`);
  }
  const repository = await findRepository(context, repositoryId);
  const changed = await context.store.transaction(async (store) => {
    if (commands !== null) {
      const before = found(await store.setups.find(context.access, repositoryId));
      refuseGrants(context, before.accepted?.commands ?? noCommands, commands);
    }
    const setup = found(await store.setups.change(context.access, repositoryId, commands, basedOn));
    if ("conflict" in setup) return setup;
    const act = commands === null ? "setup.deleted" : "setup.accepted";
    const details = { version: setup.version };
    await recordAct(store, context, { act, object: repositoryObject(repository), details });
    return setup;
  });
  if (!("conflict" in changed)) return tagged(await presentSetup(changed, context));
  if (version === null) throw changedMeanwhile();
  throw new ApiError(
    "conflict",
    `version: the setup is at version ${changed.conflict}; it has changed since you read it. Read it again, then change it.`,
  );
}

/**
 * Only those who manage the secrets and the rules may let commands reach further or give them a secret. A grant applies to the
 * commands it was given to: others may change those only by giving it up, since a command can show what it gets.
 */
function refuseGrants({ member }: OrganizationContext, before: SetupCommands, wanted: SetupCommands): void {
  if (member.scopes.includes("org:admin")) return;
  const variable = wanted.env.find((name) => !before.env.includes(name));
  if (variable !== undefined) {
    throw new ApiError("forbidden", `env: only an admin can give setup commands another variable: ${variable}.`);
  }
  const isNew = ({ host, port }: NetworkRule) => !before.network.some((had) => had.host === host && had.port === port);
  const added = wanted.network.find(isNew);
  if (added !== undefined) {
    throw new ApiError("forbidden", `network: only an admin can let setup commands reach another host: ${added.host}.`);
  }
  const granted = [...wanted.env, ...wanted.network.map(({ host }) => host)];
  const changed = grantedKinds.find((kind) => !isDeepStrictEqual(before[kind], wanted[kind]));
  if (granted.length === 0 || changed === undefined) return;
  throw new ApiError(
    "forbidden",
    `${changed}: only an admin can change commands that an admin gave variables or hosts (${granted.join(", ")}). Leave out env and network, or ask an admin.`,
  );
}

/** The commands that run without being asked for, with the variables and hosts of the setup. */
const grantedKinds = ["install", "build", "maintenance"] as const;

async function isEmpty(context: OrganizationContext, source: string): Promise<boolean> {
  const report = await inspect(context, source).catch((error: unknown) => {
    throw isSourceError(error) ? new ApiError("conflict", error.message) : error;
  });
  return report.empty;
}

/**
 * Version named by `If-Match`, a tag of {@link tagged}; null if any will do. Only the version counts: the rest of a tag
 * changes with runs. Of several tags the newest decides, because versions only grow. -1, which no setup has, if none is
 * ours.
 */
function versionOfTag(ifMatch: string | null): number | null {
  if (ifMatch === null || ifMatch.trim() === "*") return null;
  const versions = ifMatch.split(",").map((tag) => /^(?:W\/)?"v(\d{1,15})(?:-[\w-]*)?"$/.exec(tag.trim())?.[1]);
  return Math.max(-1, ...versions.map((version) => (version === undefined ? -1 : Number(version))));
}

function tagged(setup: Setup): StoredJson {
  const text = JSON.stringify(setup);
  return new StoredJson(`v${setup.version}-${hash("sha1", text, "base64url")}`, async () => pieceOf(text));
}

function found<Row extends SetupRow | VersionConflict>(row: Row | null): Row {
  if (row === null) throw notFound("Repository");
  return row;
}

const noCommands = SetupCommands.parse({});

async function presentSetup(row: SetupRow, context: OrganizationContext): Promise<Setup> {
  const prepared = await context.store.prepared.list(row.repositoryId);
  const { accepted, lastUse, generate, proposal } = row;
  return {
    repo_id: row.repositoryId,
    setup_status: row.status,
    version: row.version,
    ...(accepted?.commands ?? noCommands),
    accepted_by: accepted?.acceptedBy.id ?? null,
    accepted_by_name: accepted?.acceptedBy.name ?? null,
    accepted_at: accepted?.acceptedAt ?? null,
    last_use: lastUse === null ? null : { agent_run_id: lastUse.runId, worked: lastUse.worked, at: lastUse.at },
    prepared: prepared.map(presentPrepared),
    generate:
      generate === null
        ? null
        : { agent_run_id: generate.runId, status: statusWord(generate.status, context.caller.statusStyle) },
    proposal:
      proposal === null
        ? null
        : {
            agent_run_id: proposal.runId,
            created_at: proposal.createdAt,
            open: proposal.open,
            ...proposal.proposal,
          },
  };
}

function presentPrepared(row: PreparedRow): PreparedCheckout {
  const { key, state, bytes, files, error } = row;
  const times = { made_at: row.madeAt, used_at: row.usedAt, expires_at: row.expiresAt };
  return { key, state, bytes, files, agent_run_id: row.runId, error, ...times };
}
