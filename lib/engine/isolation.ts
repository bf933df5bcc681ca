import type { AgentProfile } from "#lib/agents/agent.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { PermissionMode } from "#lib/contract/runs/run.ts";
import type { Claimed } from "#lib/store/store.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import type { FoundIsolation } from "./agent-list.ts";
import { AttemptError } from "./attempt-error.ts";
import type { EngineParts } from "./engine-parts.ts";
import { findOutOfReach } from "./out-of-reach.ts";

/** What decides how a run's agent is isolated. */
export type IsolationRequest = {
  /** The service's own setting. */
  setting: "auto" | Isolation;
  profile: Pick<AgentProfile, "title" | "isolation" | "sandboxedModes">;
  /** The run's; null for the list of agents, which knows no run. */
  permissionMode: PermissionMode | null;
  /** The run's organization requires the wall. */
  isWallRequired: boolean;
};

/** Questions about the wall, each asked only if the answer matters. */
export type WallQuestions = {
  /** Whether it holds on this machine. */
  findState: () => Promise<WallState>;
  /** Why the agent could not reach its models behind it, see {@link findOutOfReach}. */
  findOutOfReach: () => Promise<string | null>;
};

/**
 * How a run's agent is isolated. Anyone who requires the wall gets it or an AttemptError `isolation_unavailable`, never the leash;
 * if nobody does, agents are put behind the wall if it holds and they can reach their models from there.
 */
export async function chooseIsolation(
  request: IsolationRequest,
  { findState, findOutOfReach }: WallQuestions,
): Promise<Isolation> {
  const { setting, profile, permissionMode: mode } = request;
  const demand = demandOf(request);
  const wall = (): Isolation => {
    if (mode === null || profile.sandboxedModes?.includes(mode) !== true) return "wall";
    const way = demand === null ? `, or turn off its isolation (\`"isolation": "leash"\` in agents.json)` : "";
    throw unavailable(
      `With the permission mode ${mode}, ${profile.title} runs its commands in a sandbox of its own, which the wall does not allow. Use the permission mode auto${way}.`,
    );
  };
  const against = setting === "leash" ? "ERRAND_ISOLATION=leash" : leashOf(profile);
  if (demand === null) {
    if (against !== null || !(await findState()).holds) return "leash";
    return (await findOutOfReach()) === null ? wall() : "leash";
  }
  if (against !== null) throw unavailable(`${demand}, and ${against} rules it out.`);
  const state = await findState();
  if (!state.holds)
    throw unavailable(`${demand}, and it does not work on this machine: ${state.why} ${adviceOn(state.fix)}`);
  return wall();
}

/** Isolation of a claimed run's agent in its next turn, also written to the run. */
export async function chooseForTurn(
  { store, workspace, network, isolation: setting }: Pick<EngineParts, "store" | "workspace" | "network" | "isolation">,
  { run, lease }: Claimed,
  profile: AgentProfile,
): Promise<Isolation> {
  const { requireWall: isWallRequired } = await store.settings.get(run.organizationId);
  const isolation = await chooseIsolation(
    { setting, profile, isWallRequired, permissionMode: run.permissionMode },
    { findState: () => workspace.findWallState(), findOutOfReach: () => findOutOfReach(profile, network) },
  );
  await store.queue.setFigures(lease, { isolation });
  return isolation;
}

/** How runs of an agent are isolated where no organization requires the wall, for the list of agents. */
export async function isolationOfAgent(
  request: Pick<IsolationRequest, "setting" | "profile">,
  questions: WallQuestions,
): Promise<FoundIsolation> {
  const wallProblem = await findWallProblem(request, questions.findState);
  try {
    const isolation = await chooseIsolation({ ...request, isWallRequired: false, permissionMode: null }, questions);
    const reason = isolation === "wall" ? null : (wallProblem ?? (await questions.findOutOfReach()));
    return { isolation, reason, wallProblem, problem: null };
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    return { isolation: "wall", reason: null, wallProblem, problem: error.message };
  }
}

/** Why the wall could not be had if it were required, as a sentence; null if it could. */
async function findWallProblem(
  { setting, profile }: Pick<IsolationRequest, "setting" | "profile">,
  findState: () => Promise<WallState>,
): Promise<string | null> {
  if (setting === "leash") return "Isolation is turned off for all agents (ERRAND_ISOLATION=leash).";
  const against = leashOf(profile);
  if (against !== null) return `It is set to ${against}.`;
  const state = await findState();
  return state.holds ? null : `The wall does not work on this machine: ${state.why} ${adviceOn(state.fix)}`;
}

/** How to make the wall hold, as the end of a sentence. */
export function adviceOn(fix: string): string {
  return isCommand(fix) ? `To fix this, run: ${fix}` : fix;
}

/** Whether the remedy for the wall is a command to type rather than a sentence. */
export function isCommand(fix: string): boolean {
  return /^(sudo|sysctl) /.test(fix);
}

function demandOf({ setting, profile, isWallRequired }: IsolationRequest): string | null {
  if (isWallRequired) return "The organization requires the wall";
  if (setting === "wall") return "ERRAND_ISOLATION=wall requires the wall";
  return profile.isolation === "wall" ? `${profile.title} requires the wall` : null;
}

function leashOf({ title, isolation }: IsolationRequest["profile"]): string | null {
  return isolation === "leash" ? `\`isolation: leash\` of ${title} in agents.json` : null;
}

function unavailable(message: string): AttemptError {
  return new AttemptError("isolation_unavailable", message);
}
