import type { Agent } from "#lib/contract/agent.ts";
import type { BodyInputOf } from "#lib/contract/operation.ts";
import type { CreateRun, PermissionMode } from "#lib/contract/run.ts";
import type { createRun } from "#lib/contract/run-operations.ts";

/** What the form holds. Empty text stands for "not chosen": the service decides then. */
export type NewRunValues = {
  prompt: string;
  repoId: number | null;
  baseBranch: string;
  agent: string;
  model: string;
  /** Null for what the organization sets. */
  permissionMode: PermissionMode | null;
  /** Whole minutes that each turn may take, as they are typed. */
  minutes: string;
  /** Data URLs. */
  images: string[];
};

export const emptyValues: NewRunValues = {
  prompt: "",
  repoId: null,
  baseBranch: "",
  agent: "",
  model: "",
  permissionMode: null,
  minutes: "",
  images: [],
};

/** The fields an error can stand beside, by their names in the API. */
export const newRunFields = [
  "prompt",
  "repo_id",
  "base_branch",
  "agent",
  "model",
  "permission_mode",
  "turn_timeout_s",
  "images",
] as const satisfies (keyof CreateRun)[];

/** The messages to show beside each field; under `""` what belongs to none. */
export type NewRunErrors = Partial<Record<(typeof newRunFields)[number] | "", string>>;

/** The request that the form stands for; what was not chosen is left out. */
export function requestBody(values: NewRunValues): BodyInputOf<typeof createRun> {
  const { prompt, repoId, baseBranch, agent, model, permissionMode, minutes, images } = values;
  return {
    prompt,
    ...(repoId !== null && { repo_id: repoId }),
    ...(repoId !== null && baseBranch !== "" && { base_branch: baseBranch }),
    ...(agent !== "" && { agent }),
    ...(model !== "" && { model }),
    ...(permissionMode !== null && { permission_mode: permissionMode }),
    // What is no number goes as it is, for the service to say what it must be.
    ...(minutes.trim() !== "" && { turn_timeout_s: Number(minutes) * 60 }),
    ...(images.length > 0 && { images }),
  };
}

/**
 * The repository to begin with: the kept one, else the first there is. None only where there are none, or where a draft (kept
 * values with a prompt) was begun without one.
 */
export function settleRepository(kept: NewRunValues | null, repositories: readonly { id: number }[]): number | null {
  if (kept !== null && (kept.repoId !== null || kept.prompt !== "")) return kept.repoId;
  return repositories[0]?.id ?? null;
}

/** The agent to use where none was chosen, or the chosen one cannot work: as the service would decide. Empty for none. */
export function settleAgent(agents: readonly Agent[], chosen: string): string {
  if (agents.some(({ id, ready }) => id === chosen && ready)) return chosen;
  const settled = agents.find(({ ready, is_default }) => ready && is_default) ?? agents.find(({ ready }) => ready);
  return settled?.id ?? "";
}
