import type { Environment } from "./environment.ts";
import { type AgentUser, handOver } from "./hand-over.ts";
import type { LayerSpace } from "./layers.ts";
import { limitSteps, lowPriorityPrefix, wallLimits } from "./limits.ts";
import { prepareGit } from "./shared-objects.ts";
import { wallFilter } from "./wall-filter.ts";
import { gitMounts, programMounts, systemMounts } from "./wall-mounts.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Paths in the wall of the checkout, the home, and the socket to the proxy if there is one. */
export const wallPlaces = { checkout: "/workspace", home: "/home/agent", egress: "/run/errand-egress.sock" } as const;

/** The only way out of the wall. */
export interface WallNetwork {
  /** A unix socket, mounted at wallPlaces.egress. */
  socket: string;
  /** Step of the shell script inside that starts the bridge. */
  bridge: string;
  /** Files that the bridge needs. */
  readable: readonly string[];
}

/** Options of a wall. Paths are absolute, as the service sees them. */
export interface WallOptions {
  /** A folder without symbolic links in its path, like a checkout's. */
  checkout: string;
  home: string;
  /** Files and folders to make readable besides the system and the program. */
  readable: readonly string[];
  /** The user of the processes, if the service is root; null for the service's own user. */
  user: AgentUser | null;
  network: WallNetwork | null;
  /** The data folder, the home of the service's user: real paths of folders to hide otherwise. */
  hidden: readonly string[];
  /** Mounted layers of the checkout and the home; the same for all concurrent walls of the run. */
  layers?: LayerSpace | null;
}

/** How to start a command in the wall. */
export interface Wall {
  /** Prefix of bubblewrap. */
  enter: string[];
  /** Arguments of bubblewrap, up to the command; descriptors from `firstFile` on are the files. */
  args: string[];
  /** Content of each descriptor. */
  files: Buffer[];
  /** Prefix of the command. */
  before: string[];
}

/**
 * The wall around one run: bubblewrap's arguments under which a process sees the system read-only, the run's checkout, its own
 * home and nothing else of the machine; it has no privileges, no network except its own loopback, and sees no processes except its
 * own. `command` is an absolute path. No process of the run may be alive outside the wall. Throws WorkspaceError
 * `isolation_unavailable`.
 */
export async function buildWall(
  command: string,
  env: Environment,
  firstFile: number,
  { checkout, home, readable, user, network, hidden, layers = null }: WallOptions,
): Promise<Wall> {
  const filter = wallFilter();
  if (filter === null) {
    throw new WorkspaceError("isolation_unavailable", `There is no wall for this kind of processor (${process.arch}).`);
  }
  const files: Buffer[] = [];
  const file = (content: string | Buffer) => {
    files.push(Buffer.from(content));
    return String(firstFile + files.length - 1);
  };
  const [system, git, program, limits] = await Promise.all([
    systemMounts(hidden),
    gitMounts(checkout),
    programMounts(command, env, { readable: [...readable, ...(network?.readable ?? [])], hidden }),
    limitSteps(),
  ]);
  const args = [
    ...namespaces(user),
    ...(layers?.ids ?? []),
    ...system,
    ...Object.entries(accounts(user)).flatMap(([path, content]) => [
      ...["--perms", "0644", "--file", file(content), path],
    ]),
    // Root may write there even without privileges, which would change the whole machine.
    ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"],
    ...ownFolder("/dev/shm", wallLimits.sharedBytes),
    ...ownFolder("/tmp", wallLimits.temporaryBytes),
    ...["--tmpfs", "/run"],
    ...program,
    ...["--bind", checkout, wallPlaces.checkout],
    ...git,
    ...["--dir", "/home", "--bind", home, wallPlaces.home],
    ...(network === null ? [] : ["--bind", network.socket, wallPlaces.egress]),
    ...["--remount-ro", "/", "--seccomp", file(filter), "--chdir", wallPlaces.checkout],
  ];
  const steps = ["set -e", ...limits, ...(network === null ? [] : [network.bridge]), 'exec "$@"'];
  const before = [...(user === null ? [] : asUser(user)), "/bin/sh", "-c", steps.join("\n"), "sh"];
  return { enter: [...lowPriorityPrefix, ...(layers?.enter() ?? [])], args, files, before };
}

/** Prepares a run's folders for its walls. No process of the run may be alive. */
export async function prepareForWall({ checkout, home, user }: WallOptions): Promise<void> {
  await prepareGit(`${checkout}/.git`);
  if (user !== null) await handOver([checkout, home], user);
}

/** The environment in the wall, without the service's folders and proxies. */
export function wallEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !/^(TMPDIR|XDG_\w+|(HTTPS?|ALL|NO)_PROXY)$/i.test(name));
  return { ...Object.fromEntries(kept), HOME: wallPlaces.home, USER: "agent", LOGNAME: "agent" };
}

/**
 * Starting as another user needs the privilege to change it, which bubblewrap leaves to the first command in the wall; in a user
 * namespace there would be no other user.
 */
function namespaces(user: AgentUser | null): string[] {
  const held = ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "errand"];
  if (user === null) return ["--unshare-all", ...held];
  const each = ["ipc", "pid", "net", "uts", "cgroup-try"].map((kind) => `--unshare-${kind}`);
  const keep = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"].flatMap((name) => ["--cap-add", name]);
  return [...each, ...held, ...keep];
}

function asUser({ uid, gid }: AgentUser): string[] {
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"];
}

function ownFolder(path: string, bytes: number): string[] {
  return ["--perms", "1777", "--size", String(bytes), "--tmpfs", path];
}

/** Files of /etc that name users and hosts: the machine's own would reveal its other users. */
function accounts(user: AgentUser | null): Record<string, string> {
  const uid = user?.uid ?? process.getuid?.() ?? 0;
  const gid = user?.gid ?? process.getgid?.() ?? 0;
  const root = uid === 0 ? "" : "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n";
  const nobody = uid === 65534 ? "" : "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
  return {
    "/etc/passwd": `agent:x:${uid}:${gid}:agent:${wallPlaces.home}:/bin/sh\n${root}${nobody}`,
    "/etc/group": `agent:x:${gid}:\n${gid === 0 ? "" : "root:x:0:\n"}${gid === 65534 ? "" : "nogroup:x:65534:\n"}`,
    "/etc/hosts": "127.0.0.1 localhost errand\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    // The repository's settings are read-only, so git must not record there what a new branch tracks.
    "/etc/gitconfig": "[branch]\n\tautoSetupMerge = false\n[safe]\n\tdirectory = *\n",
  };
}
