import { spawn } from "node:child_process";
import type { ContainedProcess } from "#lib/agents/agent.ts";
import { within } from "./connection.ts";

/**
 * Starts a command in its own process group; `kill` ends the group. Enough containment for a handshake, during which an agent
 * runs no tools; runs get better containment from the workspace.
 */
export function startPlain(
  [program = "", ...parameters]: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): ContainedProcess {
  // Next's types require NODE_ENV in every environment; a process does not.
  const variables = env as NodeJS.ProcessEnv;
  const child = spawn(program, parameters, { cwd, env: variables, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const { promise: exited, resolve } = Promise.withResolvers<{ code: number | null; signal: NodeJS.Signals | null }>();
  child.once("exit", (code, signal) => resolve({ code, signal }));
  child.once("error", () => resolve({ code: null, signal: null }));
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    kill: async () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // The group is gone already.
      }
      await within(exited, 2000);
    },
  };
}
