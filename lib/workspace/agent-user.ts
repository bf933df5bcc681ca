import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { AgentUser } from "./hand-over.ts";

/**
 * The user that agents run as behind the wall, by name or `UID:GID`; null for the service's own. Throws a one-line error if there
 * is no such user, if it is root, or if the service is not root and so cannot start processes as another user.
 */
export async function findAgentUser(name: string | null): Promise<AgentUser | null> {
  if (name === null) return null;
  if (process.getuid?.() !== 0) throw new Error("ERRAND_AGENT_USER: works only if Errand runs as root");
  const [uid, gid] = name.includes(":") ? name.split(":") : await Promise.all([idOf("-u", name), idOf("-g", name)]);
  if (Number(uid) === 0) throw new Error("ERRAND_AGENT_USER: must not be root");
  return { uid: Number(uid), gid: Number(gid) };
}

async function idOf(which: "-u" | "-g", name: string): Promise<string> {
  const found = await promisify(execFile)("id", [which, name]).catch(() => null);
  if (found === null) throw new Error(`ERRAND_AGENT_USER: there is no user "${name}"`);
  return found.stdout.trim();
}
