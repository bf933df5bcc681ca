import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { AgentUser } from "./wall.ts";

/**
 * Gives folders with all that is in them to the user that agents run as. Files with further names elsewhere stay as they are:
 * objects that a checkout shares with its mirror. No process of that user may be at work in them.
 */
export async function handOver(folders: readonly string[], { uid, gid }: AgentUser): Promise<void> {
  const foreign = ["(", "!", "-user", String(uid), "-o", "!", "-group", String(gid), ")"];
  const shared = ["!", "(", "-type", "f", "-links", "+1", ")"];
  const change = ["-exec", "chown", "--no-dereference", `${uid}:${gid}`, "{}", "+"];
  await promisify(execFile)("find", [...folders, ...foreign, ...shared, ...change]);
}
