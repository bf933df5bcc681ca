import { mkdir, mkdtemp, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { findExecutable } from "#lib/find-executable.ts";
import { messageOf } from "#lib/message-of.ts";
import { startContained } from "./contain.ts";
import type { Environment } from "./environment.ts";
import type { AgentUser } from "./hand-over.ts";
import { removeTree } from "./remove-checkout.ts";
import { prepareForWall, type WallOptions, wallEnvironment } from "./wall.ts";

/** Whether the wall works on this machine. If not: `why`, from the error message, and `fix`: commands to type, or a sentence. */
export type WallState = { holds: true } | { holds: false; why: string; fix: string };

const limitMs = 10_000;

/** Where the wall is tried: in the data folder, as this user. */
export type ProbeOptions = { dataDir: string; env: Environment; user: AgentUser | null; hidden: readonly string[] };

/** Tries the wall with the same arguments as for runs, around a folder in the data folder. */
export async function probeWall(options: ProbeOptions): Promise<WallState> {
  if (process.platform === "linux") return probeWith(options, programs, fixFor, (wall) => tryWall(wall, options));
  const fix = "Run Errand on Linux, or in a virtual machine with Linux.";
  return { holds: false, why: "The wall needs Linux.", fix };
}

/** Tries something behind the wall of a new folder, with these programs. `attempt` returns or throws what failed. */
export async function probeWith(
  { dataDir, env, user, hidden }: ProbeOptions,
  programs: readonly (readonly [program: string, fix: string])[],
  fixFor: (said: string) => string | Promise<string>,
  attempt: (wall: WallOptions, folder: string) => Promise<string | null>,
): Promise<WallState> {
  for (const [program, fix] of programs) {
    if ((await findExecutable(program, env.PATH)) !== null) continue;
    return { holds: false, why: `The program ${program} is not installed.`, fix };
  }
  await mkdir(dataDir, { recursive: true });
  const folder = await realpath(await mkdtemp(join(dataDir, "wall-probe-")));
  try {
    const [checkout, home] = [join(folder, "checkout"), join(folder, "home")];
    const wall = { checkout, home, readable: [], user, network: null, hidden };
    await mkdir(join(checkout, ".git/objects"), { recursive: true });
    await mkdir(home);
    await prepareForWall(wall);
    const said = await attempt(wall, folder);
    return said === null ? { holds: true } : { holds: false, why: said, fix: await fixFor(said) };
  } catch (error) {
    const why = messageOf(error);
    return { holds: false, why, fix: await fixFor(why) };
  } finally {
    await removeTree(folder);
  }
}

const programs = [
  ["bwrap", "sudo apt install bubblewrap"],
  ["nice", "sudo apt install coreutils"],
  ["setpriv", "sudo apt install util-linux"],
] as const;

/** Runs a shell script in the wall. Returns the error message, or null if it worked. */
export async function tryWall(
  wall: WallOptions,
  { dataDir, env }: { dataDir: string; env: Environment },
  script = "echo > file && echo > ~/file && ! echo > /usr/file",
): Promise<string | null> {
  const contained = await startContained({
    dataDir,
    command: "/bin/sh",
    args: ["-c", script],
    cwd: wall.checkout,
    env: wallEnvironment({ PATH: env.PATH ?? "" }),
    wall,
  });
  contained.stdin.end();
  contained.stdout.resume();
  const said = text(contained.stderr);
  try {
    const exit = await Promise.race([contained.exited, delay(limitMs, null, { ref: false })]);
    if (exit === null) return `bubblewrap did not answer within ${limitMs / 1000} s.`;
    if (exit.code === 0) return null;
    return firstLine(exit.error?.message ?? (await said)) || `bubblewrap ended with ${exit.code ?? exit.signal}.`;
  } finally {
    await contained.kill();
  }
}

/** What to do so that the wall works, derived from bubblewrap's error message and the kernel's settings. */
async function fixFor(said: string): Promise<string> {
  if (/unknown option/i.test(said)) return "Install bubblewrap 0.8 or newer.";
  const [apparmor, clone, most] = await Promise.all(
    [
      "kernel/apparmor_restrict_unprivileged_userns",
      "kernel/unprivileged_userns_clone",
      "user/max_user_namespaces",
    ].map(async (name) => (await readFile(`/proc/sys/${name}`, "latin1").catch(() => "")).trim()),
  );
  return fixOf(said, { apparmor, clone, most, isRoot: process.getuid?.() === 0, inContainer: await isInContainer() });
}

/** See fixFor; settings as the kernel writes them, "" or undefined for an unknown one. */
export function fixOf(
  said: string,
  kernel: {
    apparmor?: string | undefined;
    clone?: string | undefined;
    most?: string | undefined;
    isRoot: boolean;
    inContainer: boolean;
  },
): string {
  if (kernel.inContainer) {
    return "Start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`.";
  }
  if (kernel.most === "0") return "sudo sysctl -w user.max_user_namespaces=15000";
  if (kernel.clone === "0" && !kernel.isRoot) return "sudo sysctl -w kernel.unprivileged_userns_clone=1";
  if (kernel.apparmor === "1" && !kernel.isRoot) {
    return "sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict";
  }
  if (/permission denied|not permitted/i.test(said)) return "Allow user namespaces for the user Errand runs as.";
  return "Look at what bubblewrap says; `bwrap --unshare-all --ro-bind / / true` should end without an error.";
}

async function isInContainer(): Promise<boolean> {
  const marks = ["/.dockerenv", "/run/.containerenv"];
  const found = await Promise.all(
    marks.map((path) =>
      readFile(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

function firstLine(words: string): string {
  return words.trim().split("\n", 1)[0]?.slice(0, 500) ?? "";
}
