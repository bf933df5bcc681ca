import { lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findExecutable } from "#lib/find-executable.ts";
import { isWithin } from "#lib/is-within.ts";
import type { Environment } from "./environment.ts";
import { isFolder, sharedObjects } from "./shared-objects.ts";

/** Arguments of bubblewrap that make a path visible. */
type Mount = string[];

const systemFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Folders of tools besides /usr, if the machine has them. */
const toolFolders = ["/opt", "/nix/store", "/gnu/store"];
/** The parts of /etc that programs need to run; above all no private keys of /etc/ssl and /etc/pki. */
const settingFiles = [
  "alternatives",
  "ca-certificates",
  "ca-certificates.conf",
  "crypto-policies",
  "debian_version",
  "fonts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "lsb-release",
  "mime.types",
  "os-release",
  "pki/ca-trust/extracted",
  "pki/tls/cert.pem",
  "pki/tls/certs",
  "pki/tls/openssl.cnf",
  "protocols",
  "redhat-release",
  "services",
  "ssl/cert.pem",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
];

/**
 * The system as seen in the wall, all read-only. `hidden`: folders hidden although they are in a folder of the system (a data
 * folder in /opt).
 */
export async function systemMounts(hidden: readonly string[]): Promise<Mount> {
  const mounts: Mount = ["--ro-bind", "/usr", "/usr"];
  for (const path of systemFolders) {
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink()) mounts.push("--symlink", await readlink(path), path);
    else if (found !== null) mounts.push(...readOnly(path));
  }
  const tools = await existing(toolFolders);
  for (const path of tools) mounts.push(...readOnly(path));
  for (const path of await existing(settingFiles.map((name) => `/etc/${name}`))) mounts.push(...readOnly(path));
  return [...mounts, ...["/usr", ...tools].flatMap((folder) => hiddenIn(folder, hidden))];
}

/**
 * The parts of a repository's `.git` that an agent may not change: settings and hooks, which people's git would run, and the
 * objects that are hard links to the mirror's, shared with other runs. All of `.git` is mounted, so that nothing in it can be
 * replaced. An agent can still write commits, branches and tags.
 *
 * No process of the run may be alive outside the wall: what is checked here is mounted later.
 */
export async function gitMounts(checkout: string): Promise<Mount> {
  const git = join(checkout, ".git");
  // Whatever else is missing: setup commands may have removed it, so that the agent could write to the rest.
  if (!(await isFolder(git))) return [];
  const mounts: Mount = ["--bind", git, "/workspace/.git"];
  for (const name of ["hooks", "config", sharedObjects]) {
    const found = await lstat(join(git, name)).catch(() => null);
    if (found?.isDirectory() || found?.isFile()) mounts.push("--ro-bind", join(git, name), `/workspace/.git/${name}`);
  }
  return mounts;
}

/** Paths that must be readable in the wall under the same path. */
interface Visible {
  /** Real paths of files and folders. */
  readonly folders: Set<string>;
  /** Symbolic links and their targets. */
  readonly links: Map<string, string>;
}

/**
 * The paths needed to run a program: its file, the packages around it (the outermost `node_modules` folder, because packages use
 * their neighbors; an installation of Node), and the interpreter in its first line; and the `readable` paths. Nothing else in
 * `hidden` folders is visible.
 */
export async function programMounts(
  command: string,
  env: Environment,
  { readable, hidden }: { readable: readonly string[]; hidden: readonly string[] },
): Promise<Mount> {
  const visible: Visible = { folders: new Set(), links: new Map() };
  for (const path of readable) await show(path, visible, async (real) => [real]);
  await showProgram(command, env, visible);
  return mountsOf(visible, hidden);
}

async function showProgram(command: string, env: Environment, visible: Visible): Promise<void> {
  const real = await show(command, visible, aroundOf);
  if (real === null) return;
  const [interpreter, argument] = await readFirstLine(real);
  if (interpreter === undefined) return;
  const named = /\/env$/.test(interpreter) ? await findExecutable(argument ?? "", env.PATH) : interpreter;
  if (named !== null && named !== command) await show(named, visible, aroundOf);
}

async function show(
  path: string,
  visible: Visible,
  around: (real: string) => Promise<string[]>,
): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  if (real !== path) visible.links.set(path, real);
  for (const folder of await around(real)) visible.folders.add(folder);
  return real;
}

/** The file itself, or the package folders it belongs to. */
async function aroundOf(real: string): Promise<string[]> {
  const packages = /^.*?\/node_modules(?=\/)/.exec(real)?.[0];
  if (packages !== undefined) return [packages];
  const bin = dirname(real);
  const modules = join(bin, "../lib/node_modules");
  const isInstallation = bin.endsWith("/bin") && (await isFolder(join(modules, "npm")));
  return isInstallation ? [bin, modules] : [real];
}

async function readFirstLine(path: string): Promise<string[]> {
  if (!(await stat(path)).isFile()) return [];
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    const [line = ""] = buffer.toString("latin1", 0, bytesRead).split("\n", 1);
    const words = line.slice(2).trim().split(/\s+/);
    return line.startsWith("#!") ? words.filter((word) => word !== "-S") : [];
  } finally {
    await file.close();
  }
}

function mountsOf({ folders, links }: Visible, hidden: readonly string[]): Mount {
  const sorted = [...folders].sort();
  const outermost = sorted.filter((path) => !sorted.some((other) => other !== path && isWithin(path, other)));
  const shown = [...outermost, ...systemFolders, ...toolFolders, "/usr"];
  const mounts = outermost
    .filter((path) => !isSystem(path))
    .flatMap((path) => [...readOnly(path), ...hiddenIn(path, hidden)]);
  for (const [path, real] of links) {
    if (!shown.some((folder) => isWithin(path, folder))) mounts.push(...foldersAbove(path), "--symlink", real, path);
  }
  return mounts;
}

/** Mounts that cover the hidden folders inside a visible one. */
function hiddenIn(folder: string, hidden: readonly string[]): Mount {
  return hidden.filter((path) => path !== folder && isWithin(path, folder)).flatMap((path) => ["--tmpfs", path]);
}

function readOnly(path: string): Mount {
  return [...foldersAbove(path), "--ro-bind", path, path];
}

/** bubblewrap creates the parent folders of a mount for its own user only. */
function foldersAbove(path: string): Mount {
  const parts = path.split("/").slice(1, -1);
  return parts.flatMap((_, at) => ["--dir", `/${parts.slice(0, at + 1).join("/")}`]);
}

async function existing(paths: string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return paths.filter((_, at) => found[at] !== null);
}

function isSystem(path: string): boolean {
  return [...systemFolders, "/usr"].some((folder) => isWithin(path, folder));
}
