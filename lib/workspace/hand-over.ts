import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A user of the machine that agents run as. */
export interface AgentUser {
  uid: number;
  gid: number;
}

/**
 * Changes the owner of folders and their content to the user that agents run as. Files with several hard links stay as they are:
 * they are objects that a checkout shares with its mirror. No process of that user may be working in the folders.
 */
export async function handOver(folders: readonly string[], { uid, gid }: AgentUser): Promise<void> {
  const foreign = ["(", "!", "-user", String(uid), "-o", "!", "-group", String(gid), ")"];
  const shared = ["!", "(", "-type", "f", "-links", "+1", ")"];
  const change = ["-exec", "chown", "--no-dereference", `${uid}:${gid}`, "{}", "+"];
  await promisify(execFile)("find", [...folders, ...foreign, ...shared, ...change]);
}
