import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type {
  AgentHost,
  AgentMcpProgram,
  AgentMcpServer,
  AgentProfile,
  AgentSession,
  TurnEnd,
} from "#lib/agents/agent.ts";
import { isTraceCommand } from "#lib/analyst/prompt.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { Claimed, TurnRow } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { EngineParts } from "./engine-parts.ts";
import { recapOf } from "./recap.ts";
import type { RunSecrets } from "./run-secrets.ts";
import { readRules, rulesText } from "./turn-brief.ts";
import { openTurnPlace, type TurnPlace } from "./turn-place.ts";
import { BoundHost, type WarmSession, type WarmSessions } from "./warm-sessions.ts";

/** Arguments for opening one turn's agent. */
export type SessionOptions = {
  parts: EngineParts & { warm?: WarmSessions };
  claimed: Claimed;
  turn: TurnRow;
  profile: AgentProfile;
  secrets: RunSecrets;
  checkout: Checkout;
  isolation: Isolation;
  /** The run analyzes another one: its agent gets no MCP servers, reads the trace and reaches only its own hosts. */
  isAnalysis: boolean;
  state: Record<string, unknown> | null;
  host: AgentHost;
  signal: AbortSignal;
};

/** The agent of one turn and where it works. */
export type TurnSession = {
  session: AgentSession;
  place: TurnPlace;
  /** The secrets that the agent has been given. */
  secrets: RunSecrets;
  /** False if it is the previous turn's process. */
  isStarted: boolean;
  /**
   * After the turn: stops or ends the agent, so that no process of the run is active and the work can be committed. The agent is
   * kept, stopped, for the next turn, or ends. Null: the turn did not end by itself.
   */
  leave(end: TurnEnd | null): Promise<void>;
};

/** The agent that was kept after the run's last turn, if it fits, or a new one that continues its session. */
export async function openTurnSession(options: SessionOptions): Promise<TurnSession> {
  const { parts, claimed, profile, isAnalysis, host } = options;
  const { id, organizationId, repositoryId } = claimed.run;
  const found = isAnalysis ? [] : await parts.findMcpServers(organizationId, repositoryId, id);
  const programs = isAnalysis ? [] : profile.mcpPrograms;
  // Agents know a server by its name, so one with the name of the agent's own is left out.
  const mcpServers = found.filter(({ name }) => !programs.some((one) => one.name === name));
  const mark = await markOf(options, mcpServers);
  const kept = (await parts.warm?.take(claimed.run.id, mark)) ?? null;
  if (kept !== null) {
    Object.assign(kept.claimed, claimed);
    kept.host.bind(host);
    return turnSession(options, kept, false);
  }
  const { secrets, checkout, isolation, signal } = options;
  const bound = new BoundHost(host);
  const ofPlace = { ...claimed };
  const place = await openTurnPlace({
    ...{ parts, claimed: ofPlace, profile, secrets, mcpServers, isAnalysis, checkout, isolation, signal },
  });
  try {
    const session = await startAgent(options, place, bound, [...mcpServers, ...programs]);
    return turnSession(options, { session, place, mark, secrets, host: bound, claimed: ofPlace }, true);
  } catch (error) {
    await place.close();
    throw error;
  }
}

function turnSession(options: SessionOptions, warm: WarmSession, isStarted: boolean): TurnSession {
  const { parts, claimed, profile, isolation, isAnalysis, signal } = options;
  const { session, place, secrets } = warm;
  const leave = async (end: TurnEnd | null) => {
    // On the leash a stopped process would hold ports and locks of the machine. Layers may be removed after their run's end, so
    // an agent with mounted layers is not kept.
    const isAlone = isolation === "wall" && place.layers.space === null;
    const mayStay = profile.hasModel && !isAnalysis && isAlone && end?.status === "completed" && !signal.aborted;
    if (mayStay && parts.warm?.isOff === false && (await session.freeze().catch(() => false))) {
      await place.rest();
      // The reason why nothing can be kept for later runs is reported only once.
      const layers = { ...place.layers, begun: null, toKeep: null };
      parts.warm.keep(claimed.run.id, { ...warm, place: { ...place, layers } });
      return;
    }
    await session.close();
    await place.close();
  };
  return { session, place, secrets, isStarted, leave };
}

function startAgent(
  { parts, claimed, turn, profile, checkout, isAnalysis, state, signal }: SessionOptions,
  { enclosure }: TurnPlace,
  host: AgentHost,
  mcpServers: (AgentMcpServer | AgentMcpProgram)[],
): Promise<AgentSession> {
  const { run } = claimed;
  const { store, driver, limits } = parts;
  return driver.start({
    profile,
    cwd: enclosure.cwd,
    folder: checkout.path,
    agentHome: enclosure.agentHome,
    permissionMode: run.permissionMode,
    mode: run.mode,
    ...(isAnalysis ? { isReadingCommand: isTraceCommand, mayFetch: false } : {}),
    model: turn.model,
    limits:
      run.turnTimeoutS === null ? limits : { ...limits, turnMs: Math.min(limits.turnMs, run.turnTimeoutS * 1000) },
    state,
    mcpServers,
    recap: async () => {
      const now = await store.runs.find({ organizationId: run.organizationId, userId: null }, run.id);
      const recap = await recapOf(store, now ?? run);
      const rules = rulesText(await readRules(store, run), []);
      return rules === null ? recap : `${rules}\n\n${recap}`;
    },
    host,
    spawn: enclosure.spawn,
    signal,
  });
}

/** Mark of a place's settings: as long as all of them are the same, the next turn may work in the same place. */
async function markOf(
  { parts: { store }, claimed: { run }, profile, isolation, isAnalysis, checkout }: SessionOptions,
  mcpServers: AgentMcpServer[],
): Promise<string> {
  const [rules, sources, keys, setup] = await Promise.all([
    store.networks.findForRun(run),
    store.networks.listSources(run.organizationId),
    store.agentKeys.list({ organizationId: run.organizationId, userId: run.userId }),
    run.repositoryId === null ? null : store.setups.findAccepted(run.repositoryId),
  ]);
  const ofKeys = keys.map(({ id, changedAt }) => [id, changedAt]);
  const opened = [profile, isolation, isAnalysis, run.permissionMode, run.mode, run.turnTimeoutS, mcpServers];
  const folders = await Promise.all([checkout.path, join(checkout.path, ".git")].map(identityOf));
  const all = JSON.stringify([opened, checkout.path, folders, rules, sources, ofKeys, setup?.version ?? null]);
  return createHash("sha256").update(all).digest("hex");
}

/** Distinguishes a folder from one recreated in its place, in which the old one's mounts do not appear. */
async function identityOf(path: string): Promise<string | null> {
  const found = await lstat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}
