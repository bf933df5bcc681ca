import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { findCommand } from "#lib/agents/find-command.ts";
import { findRuleFiles } from "#lib/setup/rule-files.ts";
import { createCheckout } from "#lib/workspace/checkout.ts";
import { startContained } from "#lib/workspace/contain.ts";
import { commitAndKeep } from "#lib/workspace/finish.ts";
import { readPreparedMark, writePreparedMark } from "#lib/workspace/prepared-mark.ts";
import { sweepOrphans } from "#lib/workspace/sweep-orphans.ts";
import { listUncommittedPaths } from "#lib/workspace/uncommitted-paths.ts";
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
  const spawn: Workspace["spawn"] = async ([command, ...args], { cwd, env }) => {
    if (command === undefined) throw new Error("The agent's profile has no command.");
    const mechanism = sandbox === "auto" ? {} : { mechanism: sandbox };
    const contained = await startContained({ dataDir, command, args, cwd, env, ...mechanism });
    const { stdin, stdout, stderr } = contained.child;
    return { stdin, stdout, stderr, exited: contained.exited, kill: () => contained.kill() };
  };
  return {
    open: ({ runId, repositoryId, source, baseBranch }, signal) =>
      createCheckout({ dataDir, runId, repoId: repositoryId, source, baseBranch, env: environment, signal }),
    keep: async ({ checkout, message }, signal) => {
      const work = await commitAndKeep({ checkout, message, env: environment, signal });
      const { diff, filesChanged, insertions, deletions, truncated } = work;
      return { diff, changes: { files: filesChanged, insertions, deletions, truncated } };
    },
    spawn,
    startShell: async (script, cwd) => {
      const env = agentEnvironment(environment, { env: {}, passEnv: [], homeVariable: null }, null);
      const shell = (await findCommand(["bash"], env.PATH ?? "")) ?? ["/bin/sh"];
      // Node's pipes are sockets, and a bash whose stdin is one takes itself for a remote login and reads ~/.bashrc.
      // And what a process wrote that has ended before anybody listened is lost: the shell waits for the end of its stdin.
      return spawn(
        ["/bin/sh", "-c", 'read -r _; exec </dev/null 2>&1; exec "$@"', "sh", ...shell, "-e", "-c", script],
        {
          cwd,
          env,
        },
      );
    },
    preparedVersion: ({ path }) => readPreparedMark(path),
    markPrepared: ({ path }, version) => writePreparedMark(path, version),
    uncommittedPaths: (checkout, signal) => listUncommittedPaths({ checkout, env: environment, signal }),
    findSetup: async ({ path }, signal) => {
      const { readSigns } = await import("#lib/setup/read-signs.ts");
      const gitDir = join(path, ".git");
      return (await readSigns({ gitDir, revision: "HEAD", env: environment, signal }))?.commands ?? [];
    },
    findRuleFiles: ({ path }, signal) =>
      findRuleFiles({ gitDir: join(path, ".git"), revision: "HEAD", env: environment, signal }),
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
