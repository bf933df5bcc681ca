import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createCheckout, type Checkout as KeptCheckout } from "#lib/workspace/checkout.ts";
import { startContained } from "#lib/workspace/contain.ts";
import { commitAndKeep } from "#lib/workspace/finish.ts";
import { sweepOrphans } from "#lib/workspace/sweep-orphans.ts";
import type { Workspace } from "./engine-parts.ts";

/** The engine's view of the workspace: mirrors, checkouts and agents' homes below one data folder. */
export function createRunWorkspace({
  dataDir,
  environment,
  sandbox,
}: {
  dataDir: string;
  environment: Record<string, string>;
  sandbox: "auto" | "bubblewrap" | "process-group";
}): Workspace {
  const opened = new Map<string, KeptCheckout>();
  return {
    open: async ({ runId, repositoryId, source, baseBranch }, signal) => {
      const options = { dataDir, runId, repoId: repositoryId, source, baseBranch, env: environment, signal };
      const checkout = await createCheckout(options);
      opened.set(checkout.path, checkout);
      return checkout;
    },
    keep: async ({ checkout, message }, signal) => {
      const kept = opened.get(checkout.path);
      if (kept === undefined) throw new Error(`The checkout ${checkout.path} was not opened by this engine.`);
      opened.delete(checkout.path);
      const work = await commitAndKeep({ checkout: kept, message, env: environment, signal });
      const { diff, filesChanged, insertions, deletions, truncated } = work;
      return { diff, changes: { files: filesChanged, insertions, deletions, truncated } };
    },
    spawn: async ([command, ...args], { cwd, env }) => {
      if (command === undefined) throw new Error("The agent's profile has no command.");
      const mechanism = sandbox === "auto" ? {} : { mechanism: sandbox };
      const contained = await startContained({ dataDir, command, args, cwd, env, ...mechanism });
      const { stdin, stdout, stderr } = contained.child;
      return { stdin, stdout, stderr, exited: contained.exited, kill: () => contained.kill() };
    },
    agentHome: async (runId) => {
      const folder = join(dataDir, "homes", String(runId));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    sweep: async () => {
      await sweepOrphans({ dataDir });
    },
  };
}
