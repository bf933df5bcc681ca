import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "#lib/config.ts";
import { inspectSource, nameOfSource } from "#lib/runtime/commands.ts";
import type { Store } from "#lib/store/store.ts";

/**
 * Creates the first organization with its owner and, on the very first start, adds the checkout that Errand runs from as the
 * first repository, so that a newcomer has something to send an agent to.
 */
export async function prepareFirstStart(
  store: Store,
  config: Config,
): Promise<{ organizationId: number; userId: number }> {
  const { organizationId, userId, created } = await store.organizations.ensureFirst({
    organization: "Errand",
    fullName: personName(config),
    email: null,
  });
  if (created) await registerOwnCheckout(store, { organizationId, userId }, config);
  return { organizationId, userId };
}

async function registerOwnCheckout(
  store: Store,
  access: { organizationId: number; userId: number },
  config: Config,
): Promise<void> {
  const here = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
  const top = await topOfCheckout(here);
  if (top !== here) return;
  try {
    const { defaultBranch } = await inspectSource(top, AbortSignal.timeout(10_000), config);
    await store.repositories.add(access, {
      ...nameOfSource(top),
      description: null,
      source: top,
      defaultBranch,
      opensHost: true,
    });
  } catch {
    // A checkout that cannot be read must not prevent the start: repositories are then added by hand.
  }
}

function topOfCheckout(folder: string): Promise<string | null> {
  return new Promise((done) => {
    execFile("git", ["-C", folder, "rev-parse", "--show-toplevel"], { timeout: 10_000 }, (error, stdout) =>
      done(error === null ? resolve(stdout.trim()) : null),
    );
  });
}

function personName(config: Config): string {
  if (config.environment.USER !== undefined) return config.environment.USER;
  try {
    return userInfo().username;
  } catch {
    return "Owner";
  }
}
