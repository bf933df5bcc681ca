import { createHash } from "node:crypto";
import { maskOf, secretsInHeaders, type ValueMask } from "#lib/entry/mask-values.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import type { Seal } from "#lib/secrets/seal.ts";
import type { Store } from "#lib/store/store.ts";
import { sealContextOf } from "./open-integration.ts";
import { unsealHeaders } from "./open-mcp-servers.ts";

type Run = { organizationId: number; repositoryId: number | null; runId: number };
type Parts = { store: Pick<Store, "agentKeys" | "integrations" | "mcpServers" | "runs">; seal: Pick<Seal, "unseal"> };

/** A mask and the version of its values: another one as soon as one of them changes. */
export type GivenMask = ValueMask & { version: string };

/**
 * Masks the secrets that agents of a run are given now, those of the organization's integrations and `more` in what leaves this
 * service or is read from files of the run.
 */
export async function maskGiven({ store, seal }: Parts, run: Run, more: string[] = []): Promise<GivenMask> {
  const [{ keys, headers }, integrations] = await Promise.all([
    secretsGivenTo({ store, seal }, run),
    store.integrations.list({ organizationId: run.organizationId, userId: null }),
  ]);
  const connected = integrations.flatMap((row) => [
    ...unsealed(seal, row.secretSealed, sealContextOf(row, "secret")),
    ...unsealed(seal, row.hookSecretSealed, sealContextOf(row, "hook")),
  ]);
  const values = [...keys, ...headers, ...connected, ...more];
  return { ...maskOf(values), version: createHash("sha256").update(JSON.stringify(values)).digest("base64url") };
}

/** The value, unless there is none or it cannot be decrypted. */
function unsealed(seal: Parts["seal"], sealed: string | null, context: string): string[] {
  try {
    return sealed === null ? [] : [seal.unseal(sealed, context)];
  } catch {
    return [];
  }
}

/**
 * Secrets that agents of a run are given now and may have written into a file: stored keys, and those in the headers of the
 * organization's MCP servers and of the run's own. Those that cannot be decrypted were given to no agent.
 */
export async function secretsGivenTo(
  { store, seal }: Parts,
  { organizationId, repositoryId, runId }: Run,
): Promise<{ keys: string[]; headers: string[] }> {
  const [keys, servers, { own }] = await Promise.all([
    store.agentKeys.list({ organizationId, userId: null }),
    store.mcpServers.list({ organizationId }),
    store.runs.findMcpServers(runId),
  ]);
  return {
    keys: keys.flatMap((key) => {
      if (key.repositoryId !== null && key.repositoryId !== repositoryId) return [];
      return unsealed(seal, key.sealed, agentKeyContext(organizationId, key));
    }),
    headers: [...servers, ...own.map((server) => ({ ...server, organizationId }))].flatMap((server) => {
      const headers = unsealHeaders(server, seal);
      return headers === null ? [] : secretsInHeaders(headers);
    }),
  };
}
