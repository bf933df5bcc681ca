import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { Store } from "#lib/store/store.ts";
import type { Host } from "./host.ts";
import { addressOf, failureOf, type IntegrationParts, openIntegration } from "./open-integration.ts";
import { findPullTarget } from "./pull-target.ts";

/** Result of a trial call: `name` says what was called, `text` how it went. */
export type TriedCall = { name: string; ok: boolean; text: string };

/** A name that no run's branch has. */
const noBranch = "errand/doctor";
const pageSize = 100;

/**
 * Makes every read that pull requests need on a connected code host, and changes nothing there: the account and, for each of the
 * organization's repositories on that host, its rights, pull requests and checks. Throws only if the signal aborts.
 */
export async function dryRun(
  store: Pick<Store, "integrations" | "repositories">,
  integration: IntegrationRow,
  parts: IntegrationParts,
  signal: AbortSignal,
): Promise<TriedCall[]> {
  const name = addressOf(integration);
  const account = await tried(signal, name, async () => {
    const opened = openIntegration(integration, parts);
    if (opened.kind !== "host") throw new TypeError("A dry run needs a code host.");
    const { login, kind } = await opened.host.identity(signal);
    return { host: opened.host, text: `acts as ${login} (${kind})` };
  });
  const { host } = account;
  if (host === undefined) return [account.finding];
  const findings = [account.finding];
  const access = { organizationId: integration.organizationId, userId: null };
  const all = await store.integrations.list(access);
  for (let skip = 0; ; skip += pageSize) {
    const { items } = await store.repositories.list(access, {}, { skip, limit: pageSize });
    for (const { source } of items) {
      const target = findPullTarget(all, source);
      if (target.kind !== "host" || target.integration?.id !== integration.id) continue;
      findings.push(await tryRepository(host, target.fullName, signal));
    }
    if (items.length < pageSize) return findings;
  }
}

async function tryRepository({ pulls }: Host, fullName: string, signal: AbortSignal): Promise<TriedCall> {
  const { finding } = await tried(signal, fullName, async () => {
    const repository = await pulls.repository(fullName, signal);
    if (repository === null) return { refused: "the credential cannot see it" };
    const { defaultBranch, canPush } = repository;
    if (!canPush) return { refused: "the credential may not push to it, or it is archived" };
    await pulls.findPull(fullName, noBranch, signal);
    // Hosts accept a branch in place of its commit.
    const { checks } = await pulls.checks(fullName, { commit: defaultBranch, number: 0 }, null, signal);
    return { text: `may be pushed to; ${checks?.length ?? 0} checks on ${defaultBranch}` };
  });
  return finding;
}

type Outcome = { host?: Host; text?: string; refused?: string };

async function tried(signal: AbortSignal, name: string, call: () => Promise<Outcome>) {
  try {
    const { host, text, refused } = await call();
    return { host, finding: { name, ok: refused === undefined, text: refused ?? text ?? "" } };
  } catch (error) {
    signal.throwIfAborted();
    return { host: undefined, finding: { name, ok: false, text: failureOf(error) } };
  }
}
