import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentConnection, type ConnectionListener } from "./connection.ts";
import { startPlain } from "./plain-process.ts";

/** A connection to an agent in an empty folder. `close` ends the agent, after `graceMs`, and removes the folder. Never throws. */
type Started = { connection: AgentConnection; folder: string; close: (graceMs: number) => Promise<void> };

/**
 * Starts an agent in an empty folder, to probe it or to sign in. `problem`: why it cannot be started, in words that fit after
 * a colon, such as a full disk or an environment that is too large. Never throws.
 */
export async function startInFolder(
  command: string[],
  env: Record<string, string>,
  listener: ConnectionListener,
): Promise<Started | { problem: string }> {
  let folder: string | null = null;
  const removeFolder = async () => {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  };
  try {
    folder = await mkdtemp(join(tmpdir(), "errand-agent-"));
    const connection = new AgentConnection(startPlain(command, { cwd: folder, env }), listener);
    const close = async (graceMs: number) => {
      await connection.close(graceMs);
      await removeFolder();
    };
    return { connection, folder, close };
  } catch (error) {
    await removeFolder();
    // Only the code: Node's message repeats the variable that it refuses, which may be a key.
    const code = error instanceof Error && "code" in error ? String(error.code) : "an internal error";
    return { problem: `it cannot be started (${code})` };
  }
}
