import { join } from "node:path";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import type { Config } from "#lib/config.ts";
import type { PullParts } from "#lib/engine/pull-request/parts.ts";
import type { Seal } from "#lib/secrets/seal.ts";
import type { ServiceParts } from "#lib/service/service-context.ts";
import type { Store } from "#lib/store/store.ts";

/** See PullParts.variablesOf. */
export function variablesOfRun(
  environment: Config["environment"],
  findProfiles: () => readonly AgentProfile[],
): PullParts["variablesOf"] {
  return ({ agent, permissionMode }) => {
    const profile = findProfiles().find(({ id }) => id === agent);
    if (profile === undefined) return [];
    const own = agentEnvironment(environment, profile, null, permissionMode);
    return [own, ...profile.mcpPrograms.map(({ env }) => env)];
  };
}

/** See ServiceParts.noteChanges. Its parts are loaded on use. While the agents file is invalid, it throws. */
export function changesNoter(
  config: Pick<Config, "dataDir" | "environment" | "outboundAllow">,
  store: Store,
  seal: Seal,
): ServiceParts["noteChanges"] {
  const { dataDir, environment, outboundAllow: allowed } = config;
  return async (run, repository, signal) => {
    const [agents, known, { sourceCredentialsFrom }, { createOutbound }, work, { noteChanges }] = await Promise.all([
      import("#lib/agents/agents-file.ts"),
      import("#lib/agents/profiles.ts"),
      import("#lib/host/git-authorization.ts"),
      import("#lib/outbound/outbound.ts"),
      import("#lib/workspace/measure-changes.ts"),
      import("#lib/engine/pull-request/note-changes.ts"),
    ]);
    const profiles = await agents.readProfiles(join(dataDir, "agents.json"), known.builtInProfiles);
    const credentialOf = sourceCredentialsFrom(store, { seal, send: createOutbound(allowed).send });
    const measure: PullParts["measure"] = ({ organizationId, ...asked }) => {
      const findCredential = (refused?: string) => credentialOf(organizationId, asked.source, signal, refused);
      return work.measureRun({ ...asked, findCredential, dataDir, allowed, env: environment, signal });
    };
    const parts = { store, seal, measure, variablesOf: variablesOfRun(environment, () => profiles) };
    await noteChanges(parts, { run, repository }, signal);
  };
}
