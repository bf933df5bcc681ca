import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { type Environment, toProcessEnv } from "./environment.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A folder of a run whose content is elsewhere and never written to: the run's changes go to a separate folder. */
export interface Layer {
  /** Path of the content, relative to the data folder: only letters, digits, "/", "_", "-" and ".". */
  lower: string;
  /** The run's own folder for it, relative to the data folder, with `upper` and `work` in it; the same characters. */
  own: string;
  /** The folder that shows both: an existing absolute path without symbolic links. */
  at: string;
}

/** A mount namespace with the layers of one turn, which only its processes see. */
export interface LayerSpace {
  /** The command to prefix bubblewrap with. Throws WorkspaceError `layers_unavailable` once the namespace has ended. */
  enter(): string[];
  /** Arguments of bubblewrap that restore the service's user, if the namespace maps another. */
  readonly ids: readonly string[];
  /** Ends it; its mounts end with its last process. Never throws. */
  close(): Promise<void>;
}

/** Mounts relative to the folder in the first argument, then waits for stdin to close, which the end of the service also does. */
const script = `cd -- "$1" || exit; shift
while [ $# -gt 0 ]; do
  mount -t overlay -o "userxattr,lowerdir=$1,upperdir=$2/upper,workdir=$2/work" errand "$3" || exit; shift 3
done
echo ready; exec cat > /dev/null`;

/**
 * Mounts the layers in a new namespace. Paths in the mounts are relative, so that the wall does not reveal the data folder's path.
 * Overlays by users other than root need Linux 5.11; no privileges are used. Throws WorkspaceError `layers_unavailable` with the
 * error message.
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
    // Not in the service's process group: Ctrl+C in the terminal must not end the mounts of runs that are still ending.
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
