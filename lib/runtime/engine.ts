// This one file assembles all parts of the engine, in the order of their dependencies.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { markOfCommand } from "#lib/agents/find-command.ts";
import { LiveProfiles } from "#lib/agents/live-profiles.ts";
import { builtInProfiles, internalProfiles } from "#lib/agents/profiles.ts";
import { tracePreparer } from "#lib/analyst/read-trace.ts";
import { hashSecret } from "#lib/auth/secret.ts";
import { type Config, localUrl } from "#lib/config.ts";
import { sweepSockets } from "#lib/egress/listen.ts";
import { AgentList } from "#lib/engine/agent-list.ts";
import { AgentSignIns } from "#lib/engine/agent-sign-ins.ts";
import { commitIdentityFor } from "#lib/engine/commit-identity.ts";
import { Conversations } from "#lib/engine/conversations/conversations.ts";
import { DailyCheck } from "#lib/engine/daily-check.ts";
import { Engine } from "#lib/engine/engine.ts";
import { Housekeeping } from "#lib/engine/housekeeping.ts";
import { isolationOfAgent } from "#lib/engine/isolation.ts";
import { JudgeAgain } from "#lib/engine/judge-again.ts";
import { findOutOfReach } from "#lib/engine/out-of-reach.ts";
import type { PullParts } from "#lib/engine/pull-request/parts.ts";
import { PullRequests } from "#lib/engine/pull-request/pull-requests.ts";
import { Retention } from "#lib/engine/retention.ts";
import { RunSecrets, secretsInVariables } from "#lib/engine/run-secrets.ts";
import { createRunWorkspace } from "#lib/engine/run-workspace.ts";
import { SilentSessions } from "#lib/engine/silent-sessions.ts";
import { TidyMirrors } from "#lib/engine/tidy-mirrors.ts";
import { TidyPrepared } from "#lib/engine/tidy-prepared.ts";
import { type SenderParts, WebhookSender } from "#lib/engine/webhook-sender.ts";
import { sourceCredentialsFrom } from "#lib/host/git-authorization.ts";
import { maskGiven } from "#lib/host/given-secrets.ts";
import { InstallationTokens } from "#lib/host/installation-tokens.ts";
import { mcpServersFor } from "#lib/host/open-mcp-servers.ts";
import { pausedSend } from "#lib/host/paused-send.ts";
import type { Logger } from "#lib/logger.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { startSearchIndexing } from "#lib/search/indexing.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { holdsKey } from "#lib/service/holds-key.ts";
import { maskText } from "#lib/service/mask-secrets.ts";
import { presentRun } from "#lib/service/present-run.ts";
import { defaultsForRun } from "#lib/service/run-defaults.ts";
import { traceMasks } from "#lib/service/trace-masks.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Store } from "#lib/store/store.ts";
import { pushOrFollow } from "#lib/workspace/follow-branch.ts";
import { measureRun } from "#lib/workspace/measure-changes.ts";
import { readRunWork } from "#lib/workspace/run-work.ts";
import { describe, enclosureSettings } from "./machine.ts";
import { variablesOfRun } from "./note-changes.ts";

/** How long a run's lease lasts without renewal, and how often the store is polled for changes, in milliseconds. */
const leaseMs = 15_000;
const pollMs = 25;

/**
 * Dependencies of the engine process, the only one of its data folder (see {@link holdFolder}). `listed` resolves when the first
 * list of agents is written.
 */
export async function openEngine(
  config: Config,
  logger: Logger,
): Promise<{ engine: Engine; start(): Promise<void>; listed: Promise<void>; close(): Promise<void> }> {
  const { dataDir, environment, isolation, limits, concurrency } = config;
  const profiles = await LiveProfiles.open(join(dataDir, "agents.json"), builtInProfiles, (message) =>
    logger.warn({ reason: message }, "the changed agents file is not used"),
  );
  const store = await openStore({ file: config.storeFile, queueMax: config.queueMax });
  for (const run of await store.queue.endLeases()) logger.warn({ run }, "the run's engine died");
  const driver = acpDriver(environment);
  const workspace = createRunWorkspace({ ...(await enclosureSettings(config)), allowed: config.outboundAllow });
  await workspace.sweep();
  const seal = createSeal(config.secretKey, (fields, message) => logger.warn(fields, message));
  const socketFolder = join(dataDir, "run");
  await sweepSockets(socketFolder);
  // Shared by all: a host's request to pause applies to everything sent with the credential.
  const send = pausedSend(createOutbound(config.outboundAllow).send);
  const tokens = new InstallationTokens();
  const engineId = `${hostname()}:${process.pid}:${randomUUID()}`;
  const network = { folder: socketFolder, permitted: config.egressPermitted, environment, unseal: seal.unseal };
  const engine = new Engine({
    store,
    driver,
    workspace,
    get profiles() {
      return [...profiles.current, ...internalProfiles];
    },
    onAnnounced: (...told) => agents.learn(...told),
    isolation,
    prepareTrace: tracePreparer(store, async (run) => traceMasks(await maskGiven({ store, seal }, run))),
    findMcpServers: mcpServersFor(store, seal),
    findCommitIdentity: commitIdentityFor(store, seal),
    maskCommit: (text) => maskText(secrets.mask.text(text)),
    findCredential: sourceCredentialsFrom(store, { seal, send, tokens }),
    prepared: config.prepared,
    network,
    limits,
    warmMs: config.warmMs,
    concurrency,
    leaseMs,
    pollMs,
    engineId,
    logger,
  });
  const secrets = new RunSecrets();
  secrets.add(secretsInVariables(environment));
  const agents = new AgentList({
    store,
    driver,
    mask: (words) => maskText(secrets.mask.text(words)),
    readProfiles: () => profiles.read(),
    // Everybody can see it, so it must not contain the data folder's path.
    fileProblem: () => profiles.problem?.replaceAll(join(dataDir, "agents.json"), "agents.json") ?? null,
    environmentOf: (profile) => Object.keys(agentEnvironment(environment, profile, null)).sort(),
    markOf: ({ command }) => markOfCommand(command, environment.PATH ?? ""),
    startMs: limits.startMs,
    logger,
    isolationOf: (profile) =>
      isolationOfAgent(
        { setting: isolation, profile },
        { findState: () => workspace.findWallState(), findOutOfReach: () => findOutOfReach(profile, network) },
      ),
    findMachine: async () => describe(config, await workspace.findWallState()),
  });
  const signIns = new AgentSignIns({
    ...{ store, driver, logger },
    readProfiles: () => profiles.read(),
    askAgain: (id) => agents.askAgain(id),
    mask: (words) => maskText(secrets.mask.text(words)),
  });
  const variablesOf = variablesOfRun(environment, () => profiles.current);
  const access = { seal, send, tokens, variablesOf, logger };
  const isAtWork = (runId: number) => engine.isAtWork(runId) || engine.endKept(runId);
  // Stopped in this order.
  const services = [
    new TidyPrepared({ store, workspace, prepared: config.prepared }, logger),
    new TidyMirrors({ workspace, logger }),
    openPullRequests(config, store, access),
    openConversations(config, store, access),
    new SilentSessions({ store, silenceMs: config.sessionSilenceMs, logger }),
    new DailyCheck({ storeFile: config.storeFile, isIdle: () => engine.isIdle, now: Date.now, logger }),
    new Retention({ store, workspace, isAtWork, now: Date.now, logger }),
    new Housekeeping({ store, workspace, isAtWork, logger }),
    new JudgeAgain(store, logger),
    signIns,
  ];
  const sender = createWebhookSender(config, store, { seal, engineId, logger, variablesOf });
  sender.start();
  const indexing = startSearchIndexing({ storeFile: config.storeFile, indexFile: config.indexFile, engineId }, logger);
  const close = async () => {
    for (const service of [...services, sender, indexing, agents]) await service.stop();
    await store.close();
  };
  const start = async () => {
    await store.queue.beat(engineId);
    engine.start();
    for (const service of services) service.start();
  };
  return { engine, start, listed: agents.open(), close };
}

/** Shared by everything in this process that calls code hosts. */
type HostAccess = Pick<PullParts, "seal" | "send" | "tokens" | "variablesOf"> & { logger: Logger };

/** Processes events from connected services and replies there. */
function openConversations(config: Config, store: Store, access: HostAccess) {
  return new Conversations({
    ...access,
    store,
    origin: () => originOf(config),
    chooseForRun: (organizationId, prompt) => defaultsForRun(organizationId, prompt, store),
    mask: (text) => maskText(text),
    hashSecret,
    now: () => new Date(),
  });
}

/** Pushes the work of runs, opens their pull requests and follows their checks. */
function openPullRequests(config: Config, store: Store, access: HostAccess) {
  const { dataDir, outboundAllow: allowed, environment: env } = config;
  const credentialOf = sourceCredentialsFrom(store, access);
  return new PullRequests({
    ...access,
    store,
    readWork: (run, signal) => readRunWork({ ...run, dataDir, env, signal }),
    measure: ({ organizationId, ...run }, signal) => {
      const findCredential = (refused?: string) => credentialOf(organizationId, run.source, signal, refused);
      return measureRun({ ...run, findCredential, dataDir, allowed, env, signal });
    },
    push: (run, signal) => pushOrFollow({ ...run, dataDir, allowed, env, signal }),
    holdsKey,
    mask: (text) => maskText(text),
    origin: () => originOf(config),
    now: () => new Date(),
  });
}

function createWebhookSender(
  config: Config,
  store: Store,
  parts: Pick<SenderParts, "seal" | "engineId" | "logger" | "variablesOf">,
) {
  return new WebhookSender({
    store,
    ...parts,
    outbound: createOutbound(config.outboundAllow),
    describeRun: async (run) => presentRun(run, { publicUrl: await originOf(config), statusStyle: "errand" }),
    now: () => Date.now(),
    random: Math.random,
  });
}

/** Origin of links for a process that serves no HTTP: the configured one, or the address recorded by the web process. */
async function originOf({ publicUrl, dataDir, host, port }: Config): Promise<string> {
  if (publicUrl !== null) return publicUrl;
  const address = await readFile(join(dataDir, "address"), "utf8").catch(() => "");
  return address.trim() || localUrl(host, port);
}
