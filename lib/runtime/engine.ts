// This one file assembles all parts of the engine, in the order of their dependencies.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Config, localUrl } from "#lib/config.ts";
import type { Engine } from "#lib/engine/engine.ts";
import type { Send } from "#lib/host/call-host.ts";
import { sourceCredentialsFrom } from "#lib/host/git-authorization.ts";
import { InstallationTokens } from "#lib/host/installation-tokens.ts";
import { pausedSend } from "#lib/host/paused-send.ts";
import type { Logger } from "#lib/logger.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { openStore } from "#lib/store/open-store.ts";
import type { Store } from "#lib/store/store.ts";
import { describe, enclosureSettings } from "./machine.ts";

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
  const [{ isolationOfAgent }, { findOutOfReach }, { RunSecrets }, { maskText }] = await Promise.all([
    import("#lib/engine/isolation.ts"),
    import("#lib/engine/out-of-reach.ts"),
    import("#lib/engine/run-secrets.ts"),
    import("#lib/service/mask-secrets.ts"),
  ]);
  const [{ Engine }, { AgentList }, { startSearchIndexing }, { createRunWorkspace }, { acpDriver }, { markOfCommand }] =
    await Promise.all([
      import("#lib/engine/engine.ts"),
      import("#lib/engine/agent-list.ts"),
      import("#lib/search/indexing.ts"),
      import("#lib/engine/run-workspace.ts"),
      import("#lib/agents/acp/driver.ts"),
      import("#lib/agents/find-command.ts"),
    ]);
  const { agentEnvironment } = await import("#lib/agents/environment.ts");
  const { commitIdentityFor } = await import("#lib/engine/commit-identity.ts");
  const { startTidying } = await import("#lib/engine/tidy-prepared.ts");
  const { dataDir, environment, isolation, limits, concurrency } = config;
  const [
    { LiveProfiles },
    { builtInProfiles, internalProfiles },
    { tracePreparer },
    { traceMasks },
    { mcpServersFor },
    { sweepSockets },
  ] = await Promise.all([
    import("#lib/agents/live-profiles.ts"),
    import("#lib/agents/profiles.ts"),
    import("#lib/analyst/read-trace.ts"),
    import("#lib/service/trace-masks.ts"),
    import("#lib/host/open-mcp-servers.ts"),
    import("#lib/egress/listen.ts"),
  ]);
  const profiles = await LiveProfiles.open(join(dataDir, "agents.json"), builtInProfiles, (message) =>
    logger.warn({ reason: message }, "the changed agents file is not used"),
  );
  const store = await openStore({ file: config.storeFile });
  for (const run of await store.queue.endLeases()) logger.warn({ run }, "the run's engine died");
  const driver = acpDriver(environment);
  const workspace = createRunWorkspace({ ...(await enclosureSettings(config)), allowed: config.outboundAllow });
  await workspace.sweep();
  const seal = createSeal(config.secretKey);
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
    prepareTrace: tracePreparer(store, traceMasks),
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
  const tidying = startTidying({ store, workspace, prepared: config.prepared }, logger);
  const secrets = new RunSecrets();
  secrets.addVariables(environment);
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
  const { AgentSignIns } = await import("#lib/engine/agent-sign-ins.ts");
  const signIns = new AgentSignIns({
    ...{ store, driver, logger },
    readProfiles: () => profiles.read(),
    askAgain: (id) => agents.askAgain(id),
    mask: (words) => maskText(secrets.mask.text(words)),
  });
  const conversations = await openConversations(config, store, { send, tokens, logger });
  const pulls = await openPullRequests(config, store, { send, tokens, logger });
  const { SilentSessions } = await import("#lib/engine/silent-sessions.ts");
  const silent = new SilentSessions({ store, silenceMs: config.sessionSilenceMs, logger });
  const { DailyCheck } = await import("#lib/engine/daily-check.ts");
  const check = new DailyCheck({ storeFile: config.storeFile, isIdle: () => engine.isIdle, now: Date.now, logger });
  const { Housekeeping } = await import("#lib/engine/housekeeping.ts");
  const house = new Housekeeping({
    store,
    workspace,
    isAtWork: (runId) => engine.isAtWork(runId) || engine.endKept(runId),
    logger,
  });
  const { Retention } = await import("#lib/engine/retention.ts");
  const retention = new Retention({
    store,
    workspace,
    isAtWork: (runId) => engine.isAtWork(runId) || engine.endKept(runId),
    now: Date.now,
    logger,
  });
  const sender = await createWebhookSender(config, store, engineId, logger);
  sender.start();
  const indexing = startSearchIndexing({ storeFile: config.storeFile, indexFile: config.indexFile, engineId }, logger);
  const close = async () => {
    await tidying.stop();
    await pulls.stop();
    await conversations.stop();
    await silent.stop();
    await check.stop();
    await retention.stop();
    await house.stop();
    await sender.stop();
    await indexing.stop();
    await signIns.stop();
    await agents.stop();
    await store.close();
  };
  const start = async () => {
    await store.queue.beat(engineId);
    engine.start();
    signIns.start();
    conversations.start();
    pulls.start();
    silent.start();
    check.start();
    house.start();
    retention.start();
  };
  return { engine, start, listed: agents.start(), close };
}

/** Shared by everything in this process that calls code hosts. */
type HostAccess = { send: Send; tokens: InstallationTokens; logger: Logger };

/** Processes events from connected services and replies there. */
async function openConversations(config: Config, store: Store, { send, tokens, logger }: HostAccess) {
  const [{ Conversations }, { defaultsForRun }, { maskText }, { hashSecret }] = await Promise.all([
    import("#lib/engine/conversations/conversations.ts"),
    import("#lib/service/run-defaults.ts"),
    import("#lib/service/mask-secrets.ts"),
    import("#lib/auth/secret.ts"),
  ]);
  return new Conversations({
    store,
    seal: createSeal(config.secretKey),
    send,
    tokens,
    origin: () => originOf(config),
    chooseForRun: (organizationId) => defaultsForRun(organizationId, store),
    mask: (text) => maskText(text),
    hashSecret,
    now: () => new Date(),
    logger,
  });
}

/** Pushes the work of runs, opens their pull requests and follows their checks. */
async function openPullRequests(config: Config, store: Store, { send, tokens, logger }: HostAccess) {
  const [{ PullRequests }, { pushOrFollow }, { readRunWork }, { holdsKey }, { maskText }] = await Promise.all([
    import("#lib/engine/pull-request/pull-requests.ts"),
    import("#lib/workspace/follow-branch.ts"),
    import("#lib/workspace/run-work.ts"),
    import("#lib/service/holds-key.ts"),
    import("#lib/service/mask-secrets.ts"),
  ]);
  const { dataDir, outboundAllow: allowed, environment: env } = config;
  return new PullRequests({
    store,
    seal: createSeal(config.secretKey),
    send,
    tokens,
    readWork: (run, signal) => readRunWork({ ...run, dataDir, env, signal }),
    push: (run, signal) => pushOrFollow({ ...run, dataDir, allowed, env, signal }),
    holdsKey,
    mask: (text) => maskText(text),
    origin: () => originOf(config),
    now: () => new Date(),
    logger,
  });
}

async function createWebhookSender(config: Config, store: Store, engineId: string, logger: Logger) {
  const [{ WebhookSender }, { presentRun }] = await Promise.all([
    import("#lib/engine/webhook-sender.ts"),
    import("#lib/service/present-run.ts"),
  ]);
  return new WebhookSender({
    store,
    outbound: createOutbound(config.outboundAllow),
    seal: createSeal(config.secretKey),
    describeRun: async (run) => presentRun(run, { publicUrl: await originOf(config), statusStyle: "errand" }),
    engineId,
    logger,
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
