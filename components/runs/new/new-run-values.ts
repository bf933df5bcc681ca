import type { TextFile } from "#components/runs/attach/read-text-files.ts";
import type { CallBody } from "#lib/client/request.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";
import type { CreateRun, PermissionMode } from "#lib/contract/runs/run.ts";

/** Values of the form. Empty text means "not chosen": the service decides then. */
export type NewRunValues = {
  prompt: string;
  repoId: number | null;
  baseBranch: string;
  agent: string;
  model: string;
  /** Null means the organization's setting. */
  permissionMode: PermissionMode | null;
  /** The agent's own mode. */
  mode: string;
  /** Names of the organization's MCP servers that are withheld from the agent. */
  withheldServers: string[];
  /** Whole minutes per turn, as typed. */
  minutes: string;
  /** Data URLs. */
  images: string[];
  attachments: TextFile[];
};

export const emptyValues: NewRunValues = {
  prompt: "",
  repoId: null,
  baseBranch: "",
  agent: "",
  model: "",
  permissionMode: null,
  mode: "",
  withheldServers: [],
  minutes: "",
  images: [],
  attachments: [],
};

/** Fields that can show an error, by their names in the API. */
export const newRunFields = [
  "prompt",
  "repo_id",
  "base_branch",
  "agent",
  "model",
  "permission_mode",
  "mode",
  "mcp_server_names",
  "turn_timeout_s",
  "images",
  "attachments",
] as const satisfies (keyof CreateRun)[];

/** Messages by field; those that belong to none are under `""`. */
export type NewRunErrors = Partial<Record<(typeof newRunFields)[number] | "", string>>;

/** Request for the form's values; values that were not chosen are left out. `offered`: see offeredServers. */
export function requestBody(values: NewRunValues, offered: readonly string[] = []): CallBody<"createRun"> {
  const { prompt, repoId, baseBranch, agent, model, permissionMode, mode, minutes, images, attachments } = values;
  const given = offered.filter((name) => !values.withheldServers.includes(name));
  return {
    prompt,
    ...(repoId !== null && { repo_id: repoId }),
    ...(repoId !== null && baseBranch !== "" && { base_branch: baseBranch }),
    ...(agent !== "" && { agent }),
    ...(model !== "" && { model }),
    ...(permissionMode !== null && { permission_mode: permissionMode }),
    ...(mode !== "" && { mode }),
    ...(given.length < offered.length && { mcp_server_names: given }),
    // Text that is not a number becomes null in JSON, and the service explains what the field must be.
    ...(minutes.trim() !== "" && { turn_timeout_s: Number(minutes) * 60 }),
    ...(images.length > 0 && { images }),
    ...(attachments.length > 0 && { attachments }),
  };
}

/**
 * Initial repository: the remembered one, or the first. None only if there are none, or if a draft (remembered values with a
 * prompt) was started without one.
 */
export function initialRepository(kept: NewRunValues | null, repositories: readonly { id: number }[]): number | null {
  if (kept !== null && (kept.repoId !== null || kept.prompt !== "")) return kept.repoId;
  return repositories[0]?.id ?? null;
}

/**
 * The chosen agent if it is ready, otherwise the one that the service would choose. Empty if no agent is ready.
 */
function effectiveAgent(agents: readonly Agent[], chosen: string): string {
  if (agents.some(({ id, ready }) => id === chosen && ready)) return chosen;
  const settled = agents.find(({ ready, is_default }) => ready && is_default) ?? agents.find(({ ready }) => ready);
  return settled?.id ?? "";
}

/** The values with an agent that is ready. If it replaces the chosen one, the model and mode, which were that one's, are unset. */
export function settleValues(agents: readonly Agent[], chosen: NewRunValues): NewRunValues {
  const agent = effectiveAgent(agents, chosen.agent);
  const isReplaced = chosen.agent !== "" && agent !== "" && agent !== chosen.agent;
  return isReplaced ? { ...chosen, agent, model: "", mode: "" } : { ...chosen, agent };
}
