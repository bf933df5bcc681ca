import { lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findExecutable } from "#lib/find-executable.ts";
import { isWithin } from "#lib/is-within.ts";
import type { Environment } from "./environment.ts";
import { isFolder, sharedObjects } from "./shared-objects.ts";

/** Arguments of bubblewrap that make a path visible. */
type Mount = string[];

const systemFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Where tools lie beside /usr; a machine need not have them. */
const toolFolders = ["/opt", "/nix/store", "/gnu/store"];
/** Of /etc what programs need to run, and no more: above all no private keys of /etc/ssl and /etc/pki. */
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
 * The system as it is seen in the wall, all of it read-only. `hidden`: folders of which nothing may be seen though they lie
 * in a folder of the system (a data folder in /opt).
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
 * What of a repository's `.git` an agent may not change: settings and hooks, which people's git would run, and the objects that
 * are hard links into the mirror, of which other runs have theirs. All of `.git` is mounted, so that none of it can be put
 * aside and something else in its place. An agent's own commits, branches and tags are written as ever.
 *
 * No process of the run may be alive outside of the wall: what is looked at here is mounted later.
 */
export async function gitMounts(checkout: string): Promise<Mount> {
  const git = join(checkout, ".git");
  // Not a folder of ours (an agent made another): nothing of it is shared, and nothing that the service does obeys it.
  if (!(await isFolder(git)) || !(await isFolder(join(git, "objects")))) return [];
  const mounts: Mount = ["--bind", git, "/workspace/.git"];
  for (const name of ["hooks", "config", sharedObjects]) {
    const found = await lstat(join(git, name)).catch(() => null);
    if (found?.isDirectory() || found?.isFile()) mounts.push("--ro-bind", join(git, name), `/workspace/.git/${name}`);
  }
  return mounts;
}

/** What must be readable in the wall at its own place. */
interface Visible {
  /** Real paths of files and folders. */
  readonly folders: Set<string>;
  /** Symbolic links, by what they lead to. */
  readonly links: Map<string, string>;
}

/**
 * What must be seen to run a program: its file, the packages around it (a `node_modules` folder, the outermost, for packages
 * use their neighbours; an installation of Node), and the interpreter that its first line names; and the `readable` paths as they are. Of `hidden` folders nothing is seen, but for what is
 * named here and lies in them.
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

/** The file itself, or the folders of packages that it belongs to. */
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

/** Nothing of a hidden folder is seen where it lies in one that is shown. */
function hiddenIn(folder: string, hidden: readonly string[]): Mount {
  return hidden.filter((path) => path !== folder && isWithin(path, folder)).flatMap((path) => ["--tmpfs", path]);
}

function readOnly(path: string): Mount {
  return [...foldersAbove(path), "--ro-bind", path, path];
}

/** bubblewrap makes the folders above a mount for its own user alone. */
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
