import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { type Environment, toProcessEnv } from "./environment.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A folder of a run whose content comes from elsewhere and is never written to: what the run changes goes to a folder of its own. */
export interface Layer {
  /** Where the content lies, below the data folder: letters, digits, "/", "_", "-" and "." only. */
  lower: string;
  /** The run's own folder for it, below the data folder, with `upper` and `work` in it; the same characters. */
  own: string;
  /** The folder that shows both: an absolute path without symbolic links. It exists. */
  at: string;
}

/** A mount namespace in which the layers of one turn are mounted, as nobody else sees them. */
export interface LayerSpace {
  /** The command that goes before bubblewrap. Throws WorkspaceError `layers_unavailable` once the namespace has ended. */
  enter(): string[];
  /** Arguments of bubblewrap that give its processes the service's user again, where the namespace shows another. */
  readonly ids: readonly string[];
  /** Ends it: its mounts go with the last process in it. Never throws. */
  close(): Promise<void>;
}

/** Mounts in the folder given first, then waits for the end of its stdin, which comes with the end of the service too. */
const script = `cd -- "$1" || exit; shift
while [ $# -gt 0 ]; do
  mount -t overlay -o "userxattr,lowerdir=$1,upperdir=$2/upper,workdir=$2/work" errand "$3" || exit; shift 3
done
echo ready; exec cat > /dev/null`;

/**
 * Mounts the layers in a namespace of their own. Paths in the mounts are relative, so that the wall does not tell where the data folder
 * is. Overlays by users other than root need Linux 5.11; no privilege of the machine is used. Throws WorkspaceError
 * `layers_unavailable` with what was said.
 */
export async function openLayers(options: {
  dataDir: string;
  layers: readonly Layer[];
  env: Environment;
}): Promise<LayerSpace> {
  const { dataDir, layers, env } = options;
  const isRoot = process.getuid?.() === 0;
  const given = layers.flatMap(({ lower, own, at }) => [lower, own, at]);
  const holder = spawn(
    "unshare",
    [...(isRoot ? [] : ["--user", "--map-root-user"]), "--mount", "sh", "-c", script, "sh", dataDir, ...given],
    // Not in the group of the service: who stops that by a key of the terminal does not mean the mounts of runs that still end.
    { env: toProcessEnv({ PATH: env.PATH, LC_ALL: "C" }), stdio: ["pipe", "pipe", "pipe"], detached: true },
  );
  const ended = once(holder, "close").catch(() => undefined);
  holder.stdin.on("error", () => undefined);
  const said = text(holder.stderr).catch(() => "");
  const close = async () => {
    holder.kill("SIGKILL");
    await ended;
  };
  const isReady = await Promise.race([once(holder.stdout, "data").then(() => true), ended.then(() => false)]);
  if (!isReady) {
    const why = (await said).trim().split("\n", 1)[0] || `unshare ended with ${holder.exitCode ?? holder.signalCode}`;
    throw new WorkspaceError("layers_unavailable", why.slice(0, 500));
  }
  const ids = isRoot ? [] : ["--uid", `${process.getuid?.()}`, "--gid", `${process.getgid?.()}`];
  return { enter: () => entering(holder, isRoot), ids, close };
}

function entering({ pid, exitCode, signalCode }: ChildProcess, isRoot: boolean): string[] {
  if (pid === undefined || exitCode !== null || signalCode !== null) {
    throw new WorkspaceError("layers_unavailable", "The mounts of this turn have ended.");
  }
  return ["nsenter", `--target=${pid}`, ...(isRoot ? [] : ["--user", "--preserve-credentials"]), "--mount", "--"];
}
