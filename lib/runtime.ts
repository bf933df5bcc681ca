// All concrete parts are put together in this one file, in the order in which they need each other: that is its purpose, and its length.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { AgentProfile, FoundAgent } from "#lib/agents/agent.ts";
import { passwordCost, passwordsAt } from "#lib/auth/password.ts";
import type { MachineIsolation } from "#lib/contract/isolation.ts";
import { scopesOf } from "#lib/contract/role-scopes.ts";
import type { RunLimits } from "#lib/contract/run-limits.ts";
import type { Engine } from "#lib/engine/engine.ts";
import { branchPusher, mirrorReader, workReader } from "#lib/git/mirrors.ts";
import type { Send } from "#lib/host/call-host.ts";
import { sourceCredentialsFrom } from "#lib/host/git-authorization.ts";
import type { HostKind } from "#lib/host/host.ts";
import { InstallationTokens } from "#lib/host/installation-tokens.ts";
import { pausedSend } from "#lib/host/paused-send.ts";
import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { SavedRateLog } from "#lib/limits/saved-rate-log.ts";
import { openidProvider } from "#lib/oidc/openid-provider.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { openFindThreads } from "#lib/search/find-threads.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { openAnalysisThread } from "#lib/service/analysis-threads.ts";
import { createCaches } from "#lib/service/caches.ts";
import { endLeftSessions } from "#lib/service/claude-sessions.ts";
import { takeLock } from "#lib/store/folder-lock.ts";
import { openStore } from "#lib/store/open-store.ts";
import type { Store } from "#lib/store/store.ts";
import { StoreError } from "#lib/store/store-error.ts";
import { ChangeSignal } from "#lib/tail/change-signal.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import { type Config, localUrl } from "./config.ts";
import type { Logger } from "./logger.ts";

/** Functions for secrets that commands need: they are created here, and only their hashes are stored. */
export type CommandAuth = {
  mintToken(): { secret: string; hash: Uint8Array; hint: string };
  mintSignInCode(): { code: string; hash: Uint8Array };
  scopesOf: typeof scopesOf;
};

/** Opens the store for a CLI command. Throws a one-line error. */
export async function openStoreForCommand(config: Config): Promise<{ store: Store; auth: CommandAuth }> {
  const [{ mintToken }, { mintSignInCode }] = await Promise.all([
    import("#lib/auth/token-secret.ts"),
    import("#lib/auth/sign-in-code.ts"),
  ]);
  const store = await openStore({ file: config.storeFile });
  return { store, auth: { mintToken, mintSignInCode, scopesOf } };
}

/** Asks the connected code hosts of this kind, of every organization, what pull requests need (lib/host/dry-run.ts). */
export async function dryRunHost(config: Config, store: Store, kind: HostKind, signal: AbortSignal) {
  const { dryRun } = await import("#lib/host/dry-run.ts");
  const parts = { seal: createSeal(config.secretKey), send: createOutbound(config.outboundAllow).send };
  const found = [];
  for (const row of await store.integrations.listByType(kind)) found.push(...(await dryRun(store, row, parts, signal)));
  return found;
}

/** How long a process of an earlier service may take to end: the engine's agents get 6 s of it. */
const earlierMs = 12_000;

/**
 * Makes this process the only service, web process or engine of the data folder, until it ends. Web and engine wait for that of
 * a service whose supervisor was killed. Throws a one-line StoreError.
 */
export async function holdFolder(config: Config, as: "service" | "web" | "engine" | "backup"): Promise<void> {
  const lock = await takeLock(lockFile(config, as), as === "web" || as === "engine" ? earlierMs : 0);
  if (lock !== null) return;
  const names = {
    service: "Another Errand",
    web: "Another web process",
    engine: "Another engine",
    backup: "Another backup",
  };
  throw new StoreError(`${names[as]} is at work in ${config.dataDir}: stop it, or choose another ERRAND_DATA_DIR`);
}

/**
 * Ends the runs of an engine that died, instead of waiting until its leases expire; gives their ids. None if an engine is at
 * work.
 */
export async function settleDeadEngine(config: Config, store: Store): Promise<number[]> {
  const release = await takeLock(lockFile(config, "engine"), 0);
  if (release === null) return [];
  try {
    return await store.queue.endLeases();
  } finally {
    release();
  }
}

const lockFile = ({ dataDir }: Config, as: string) => join(dataDir, `${as}.lock`);

/**
 * Asks a repository's source for its branches, where `reader` is given with the credential that its organization has for the source's
 * host. Throws a WorkspaceError whose message may be shown.
 */
export async function inspectSource(
  source: string,
  signal: AbortSignal,
  config: Config,
  reader?: { store: Store; organizationId: number },
) {
  const { inspectSource: inspect } = await import("#lib/workspace/source.ts");
  const { dataDir, outboundAllow: allowed, environment: env, secretKey } = config;
  const findCredential = async () => {
    if (reader === undefined) return { lacks: "Connect its code host under Integrations." };
    const parts = { seal: createSeal(secretKey), send: createOutbound(allowed).send };
    return sourceCredentialsFrom(reader.store, parts)(reader.organizationId, source, signal);
  };
  return inspect(source, { dataDir, allowed, findCredential, env, signal });
}

export { recordSystemAct } from "#lib/service/audit.ts";
export { nameOfSource } from "#lib/service/repository-name.ts";
export { normalizedSource } from "#lib/service/repository-source.ts";
export { checkCopy, compactDatabase, copyStore, isOfOlderLayout } from "#lib/store/store-copy.ts";
export { linkMirrors } from "#lib/workspace/link-mirrors.ts";

/** Dependencies of the web process; parts only other processes need are not loaded. `close` saves what must last. */
export async function openWebRuntime(
  config: Config,
  logger: Logger,
  publicUrl: string,
): Promise<{ runtime: HttpRuntime; close(): Promise<void> }> {
  const { storeFile, queueMax, rates, rateLogFile } = config;
  const store = await openStore({ file: storeFile, queueMax });
  await endLeftSessions({ store });
  const clocks = { now: () => performance.now(), wall: () => Date.now() };
  const rateLog = await SavedRateLog.open(rateLogFile, rates, clocks, (fields, message) =>
    logger.warn(fields, message),
  );
  const runtime: HttpRuntime = {
    store,
    scanner: openFindThreads(config),
    caches: createCaches(store),
    changes: new ChangeSignal(store),
    keysUnderWay: new Set(),
    analyst: openAnalysisThread(config),
    seal: createSeal(config.secretKey),
    publicUrl,
    logger,
    now: () => new Date(),
    limits: new RateLimits(rateLog, rates),
    outbound: createOutbound(config.outboundAllow),
    passwords: passwordsAt(passwordCost),
    oidc: config.oidc === null ? null : { provider: openidProvider(config.oidc), rules: config.oidc },
    runLimits: runLimitsOf(config),
    inspectRepository: (source, organizationId, signal) =>
      inspectSource(source, signal, config, { store, organizationId }),
    readMirror: mirrorReader(config),
    pushBranch: branchPusher(config),
    keptWork: workReader(config),
  };
  const close = async () => {
    await rateLog.close();
    await store.close();
  };
  return { runtime, close };
}

function runLimitsOf({ queueMax, concurrency, limits }: Config): RunLimits {
  const { turnMs, questionMs } = limits;
  return { queued: queueMax, atOnce: concurrency, turnSeconds: turnMs / 1000, questionSeconds: questionMs / 1000 };
}

/** Agents known to this installation: the built-in profiles, changed by `agents.json` in the data folder. */
export async function readProfiles(config: Config): Promise<AgentProfile[]> {
  const [{ builtInProfiles }, agentsFile] = await Promise.all([
    import("#lib/agents/profiles.ts"),
    import("#lib/agents/agents-file.ts"),
  ]);
  return agentsFile.readProfiles(join(config.dataDir, "agents.json"), builtInProfiles);
}

/** Looks for every known agent and asks those that are there. */
export async function probeAgents(config: Config, signal: AbortSignal): Promise<FoundAgent[]> {
  const { acpDriver } = await import("#lib/agents/acp/driver.ts");
  const driver = acpDriver(config.environment);
  const { startMs } = config.limits;
  return Promise.all((await readProfiles(config)).map((profile) => driver.probe(profile, signal, startMs)));
}

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
  // One for all: a host that asks for a pause means everything that is sent with the credential.
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
    onAnnounced: (agent, announced) => agents.learn(agent, announced),
    isolation,
    prepareTrace: tracePreparer(store, traceMasks),
    findMcpServers: mcpServersFor(store, seal),
    findCommitIdentity: commitIdentityFor(store, seal),
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
    markOf: ({ command }) => markOfCommand(command, environment.PATH ?? ""),
    startMs: limits.startMs,
    isolationOf: (profile) =>
      isolationOfAgent(
        { setting: isolation, profile },
        { findState: () => workspace.findWallState(), findOutOfReach: () => findOutOfReach(profile, network) },
      ),
    findMachine: async () => describe(config, await workspace.findWallState()),
  });
  const conversations = await openConversations(config, store, { send, tokens, logger });
  const pulls = await openPullRequests(config, store, { send, tokens, logger });
  const { SilentSessions } = await import("#lib/engine/silent-sessions.ts");
  const silent = new SilentSessions({ store, silenceMs: config.sessionSilenceMs, logger });
  const { DailyCheck } = await import("#lib/engine/daily-check.ts");
  const check = new DailyCheck({ storeFile: config.storeFile, isIdle: () => engine.isIdle, now: Date.now, logger });
  const { HouseKeeping } = await import("#lib/engine/house-keeping.ts");
  const house = new HouseKeeping({
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
    await agents.stop();
    await store.close();
  };
  const start = async () => {
    await store.queue.beat(engineId);
    engine.start();
    conversations.start();
    pulls.start();
    silent.start();
    check.start();
    house.start();
    retention.start();
  };
  return { engine, start, listed: agents.start(), close };
}

/** What is shared by all that calls code hosts in this process. */
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

/** Pushes what runs have done, opens their pull requests and follows their checks. */
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

/** Origin of links for a process that serves no HTTP: the configured one, or where the web process said that it listens. */
async function originOf({ publicUrl, dataDir, host, port }: Config): Promise<string> {
  if (publicUrl !== null) return publicUrl;
  const address = await readFile(join(dataDir, "address"), "utf8").catch(() => "");
  return address.trim() || localUrl(host, port);
}

/** Progress of the search index; null if there is none. Throws if the store cannot be read. */
export async function indexStandingOf(config: Config): Promise<{ indexed: number; all: number } | null> {
  const { readIndexStanding } = await import("#lib/search/standing.ts");
  return readIndexStanding(config);
}

/** How agents' processes would be contained on this machine. */
export async function containmentOf(config: Config): Promise<"bubblewrap" | "process-group"> {
  if (config.sandbox === "process-group") return "process-group";
  const { findBubblewrapFlags } = await import("#lib/workspace/bubblewrap.ts");
  return (await findBubblewrapFlags(config.environment)) === null ? "process-group" : "bubblewrap";
}

/** Whether agents can be put behind the wall on this machine, and if not, why and what mends it. */
export async function findMachineIsolation(config: Config): Promise<MachineIsolation> {
  const { findState } = await import("#lib/engine/enclosures.ts");
  return describe(config, await findState(await enclosureSettings(config)));
}

/** Whether runs can begin with what a setup made earlier, and if not, why and what mends it; null where the wall does not hold. */
export async function findLayersState(config: Config): Promise<WallState | null> {
  const settings = await enclosureSettings(config);
  const { findState } = await import("#lib/engine/enclosures.ts");
  const { findLayersState } = await import("#lib/engine/prepared-workspace.ts");
  return (await findState(settings)).holds ? findLayersState(settings) : null;
}

async function describe({ isolation: setting, agentUser }: Config, state: WallState): Promise<MachineIsolation> {
  const { describeMachine } = await import("#lib/engine/machine-isolation.ts");
  const service = { setting, hasAgentUser: agentUser !== null, isRoot: process.getuid?.() === 0 };
  return describeMachine(service, state, new Date());
}

async function enclosureSettings({ dataDir, environment, sandbox, agentUser, wallReadable }: Config) {
  const { findAgentUser } = await import("#lib/workspace/agent-user.ts");
  return { dataDir, environment, sandbox, agentUser: await findAgentUser(agentUser), readable: wallReadable };
}
