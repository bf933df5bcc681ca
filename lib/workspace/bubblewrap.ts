import { execFile } from "node:child_process";
import type { Readable } from "node:stream";
import { type Environment, toProcessEnv } from "./environment.ts";
import { findPidNamespace } from "./process-table.ts";

/**
 * A PID namespace over the file system as it is: when its first process ends, the kernel ends all others, whatever they
 * did to get away; and it ends with the process that started it. It is a leash, not a wall: files, network and
 * privileges are those of the service (but set-user-id programs, sudo for one, gain nothing inside).
 */
const flags = ["--die-with-parent", "--unshare-pid", "--dev-bind", "/", "/"];
const ownProc = ["--proc", "/proc"];

const probes = new Map<string, Promise<string[] | null>>();

/**
 * The flags with which bubblewrap runs here, or null where it is missing or not permitted. Containers that forbid a new
 * /proc get a namespace under the old one. Tried once for each PATH, then remembered.
 */
export function findBubblewrapFlags(env: Environment): Promise<string[] | null> {
  if (process.platform !== "linux") return Promise.resolve(null);
  const path = env.PATH ?? "";
  const known = probes.get(path);
  if (known !== undefined) return known;
  const probe = probeFlags(path);
  probes.set(path, probe);
  return probe;
}

/**
 * The PID namespace of a bubblewrap that was started with `--info-fd`, from what it writes there: an id to compare with
 * findPidNamespace. null when it never got that far or everything in it has ended already.
 */
export async function readNamespace(info: Readable): Promise<string | null> {
  let text = "";
  try {
    for await (const chunk of info) {
      text += String(chunk);
      if (!text.includes("}")) continue;
      const id = /"pid-namespace":\s*(\d+)/.exec(text)?.[1];
      if (id !== undefined) return `pid:[${id}]`;
      return await findPidNamespace(Number(/"child-pid":\s*(\d+)/.exec(text)?.[1]));
    }
  } catch {
    // The pipe broke: nothing was started.
  }
  return null;
}

async function probeFlags(path: string): Promise<string[] | null> {
  for (const proc of [ownProc, []]) {
    const wanted = [...flags, ...proc];
    if (await runs([...wanted, "--", "true"], path)) return wanted;
  }
  return null;
}

function runs(args: string[], path: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("bwrap", args, { env: toProcessEnv({ PATH: path }), timeout: 10_000 }, (error) => resolve(error === null));
  });
}
