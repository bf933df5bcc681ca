import type { Environment } from "./environment.ts";
import { handOver } from "./hand-over.ts";
import type { LayerSpace } from "./layers.ts";
import { limitsBefore, wallLimits } from "./limits.ts";
import { prepareGit } from "./shared-objects.ts";
import { wallFilter } from "./wall-filter.ts";
import { gitMounts, programMounts, systemMounts } from "./wall-mounts.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Where the processes in the wall find the checkout, their home, and the socket that leads out where there is one. */
export const wallPlaces = { checkout: "/workspace", home: "/home/agent", egress: "/run/errand-egress.sock" } as const;

/** A user of the machine that agents run as. */
export interface AgentUser {
  uid: number;
  gid: number;
}

/** The one way out of the wall. */
export interface WallNetwork {
  /** A unix socket, mounted at wallPlaces.egress. */
  socket: string;
  /** What goes before the command inside. */
  bridge: readonly string[];
  /** Files that the bridge needs. */
  readable: readonly string[];
}

/** What a wall is built around. Paths are absolute and of the service. */
export interface WallOptions {
  /** A folder without symbolic links in its path, as checkouts are. */
  checkout: string;
  home: string;
  /** Files and folders that may be read beside the system and the program. */
  readable: readonly string[];
  /** Whom the processes run as, where the service is root; null for the service's own user. */
  user: AgentUser | null;
  network: WallNetwork | null;
  /** The data folder, the home of the service's user: real paths of folders of which nothing else may be seen. */
  hidden: readonly string[];
  /** Where layers of the checkout and the home are mounted; the same for all walls that stand at a time. */
  layers?: LayerSpace | null;
}

/** How a command is started in the wall. */
export interface Wall {
  /** What goes before bubblewrap. */
  enter: string[];
  /** Of bubblewrap, up to the command; descriptors from `firstFile` on are the files. */
  args: string[];
  /** What each descriptor gives to read. */
  files: Buffer[];
  /** What goes before the command. */
  before: string[];
}

/**
 * The wall around one run: bubblewrap's arguments under which a process sees the system read-only, the run's checkout, a home of its
 * own and nothing else of the machine; it has no privileges, no network but its own loopback, and no processes to see but its own.
 * `command` is an absolute path. Nothing of the run may be alive outside of the wall. Throws WorkspaceError `isolation_unavailable`.
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
    limitsBefore(),
  ]);
  const args = [
    ...namespaces(user),
    ...(layers?.ids ?? []),
    ...system,
    ...Object.entries(accounts(user)).flatMap(([path, content]) => [
      ...["--perms", "0644", "--file", file(content), path],
    ]),
    // What root may write there without any privilege changes the whole machine.
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
  const before = [...(user === null ? [] : asUser(user)), ...limits, ...(network?.bridge ?? [])];
  return { enter: layers?.enter() ?? [], args, files, before };
}

/** Makes the folders of a run ready for its walls. No process of the run may be alive. */
export async function prepareForWall({ checkout, home, user }: WallOptions): Promise<void> {
  await prepareGit(`${checkout}/.git`);
  if (user !== null) await handOver([checkout, home], user);
}

/** The environment in the wall: what leads to folders of the service's user leads nowhere there. */
export function wallEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !/^(TMPDIR|XDG_\w+|(HTTPS?|ALL|NO)_PROXY)$/i.test(name));
  return { ...Object.fromEntries(kept), HOME: wallPlaces.home, USER: "agent", LOGNAME: "agent" };
}

/**
 * To start as another user takes the privileges to change it, which bubblewrap leaves to the very first command in the wall;
 * in a user namespace there would be no other user to change to.
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

/** The files of /etc that name users and hosts: those of the machine tell who else is there. */
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
    // The repository's settings are read-only: git must not want to note there what a new branch follows.
    "/etc/gitconfig": "[branch]\n\tautoSetupMerge = false\n[safe]\n\tdirectory = *\n",
  };
}
