import { join } from "node:path";
import type { AgentProfile, FoundAgent } from "#lib/agents/agent.ts";
import type { Config } from "#lib/config.ts";
import type { MachineIsolation } from "#lib/contract/runs/isolation.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";

/** Agents known to this installation: the built-in profiles, changed by `agents.json` in the data folder. */
export async function readProfiles(config: Config): Promise<AgentProfile[]> {
  const [{ builtInProfiles }, agentsFile] = await Promise.all([
    import("#lib/agents/profiles.ts"),
    import("#lib/agents/agents-file.ts"),
  ]);
  return agentsFile.readProfiles(join(config.dataDir, "agents.json"), builtInProfiles);
}

/** Looks for every known agent and probes those that are installed. */
export async function probeAgents(config: Config, signal: AbortSignal): Promise<FoundAgent[]> {
  const { acpDriver } = await import("#lib/agents/acp/driver.ts");
  const driver = acpDriver(config.environment);
  const { startMs } = config.limits;
  return Promise.all((await readProfiles(config)).map((profile) => driver.probe(profile, signal, startMs)));
}

/** How agents' processes would be contained on this machine. */
export async function containmentOf(config: Config): Promise<"bubblewrap" | "process-group"> {
  if (config.sandbox === "process-group") return "process-group";
  const { findBubblewrapFlags } = await import("#lib/workspace/bubblewrap.ts");
  return (await findBubblewrapFlags(config.environment)) === null ? "process-group" : "bubblewrap";
}

/** Whether agents can be put behind the wall on this machine, and if not, why and how to fix it. */
export async function findMachineIsolation(config: Config): Promise<MachineIsolation> {
  const { findState } = await import("#lib/engine/enclosures.ts");
  return describe(config, await findState(await enclosureSettings(config)));
}

/** Whether runs can begin with a prepared checkout, and if not, why and how to fix it; null if the wall does not hold. */
export async function findLayersState(config: Config): Promise<WallState | null> {
  const settings = await enclosureSettings(config);
  const { findState } = await import("#lib/engine/enclosures.ts");
  const { findLayersState } = await import("#lib/engine/prepared-workspace.ts");
  return (await findState(settings)).holds ? findLayersState(settings) : null;
}

/** Describes in words what a wall's state means for runs. */
export async function describe({ isolation: setting, agentUser }: Config, state: WallState): Promise<MachineIsolation> {
  const { describeMachine } = await import("#lib/engine/machine-isolation.ts");
  const service = { setting, hasAgentUser: agentUser !== null, isRoot: process.getuid?.() === 0 };
  return describeMachine(service, state, new Date());
}

/** Settings for creating agents' enclosures. */
export async function enclosureSettings({ dataDir, environment, sandbox, agentUser, wallReadable }: Config) {
  const { findAgentUser } = await import("#lib/workspace/agent-user.ts");
  return { dataDir, environment, sandbox, agentUser: await findAgentUser(agentUser), readable: wallReadable };
}
