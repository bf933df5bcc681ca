import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** Size of a folder: bytes of its files, and number of files, links and folders. */
export interface FolderSize {
  bytes: number;
  files: number;
}

/** A folder of the checkout or of the agent's home that setup commands made. `path` is relative, with "/" between names. */
export interface PreparedFolder {
  place: "checkout" | "home";
  path: string;
}

/** How files made by setup commands are kept: large folders as layers, the rest as copies. */
export interface PreparedParts {
  layers: PreparedFolder[];
  /** Single files and small folders of the checkout. */
  copies: string[];
  size: FolderSize;
}

/** Caches of package managers in a home. Other folders may have a sign-in or the state of an agent, and are not kept. */
const homeFolders = [
  ...[".cache/pip", ".cache/uv", ".cache/yarn", ".cache/pypoetry", ".cache/go-build", ".cache/deno", ".cache/composer"],
  ...[
    ".npm",
    ".yarn",
    ".bun",
    ".local/bin",
    ".local/lib",
    ".local/share/pnpm",
    ".local/share/uv",
    ".local/share/virtualenvs",
  ],
  ...[
    ".cargo/bin",
    ".cargo/git",
    ".cargo/registry",
    ".rustup",
    "go",
    ".m2/repository",
    ".gradle/caches",
    ".gradle/wrapper",
  ],
  ...[".gem", ".bundle/cache", ".rbenv", ".hex", ".mix", ".nuget/packages", ".dotnet", ".nvm", ".pyenv", ".sdkman"],
];

/** Each layer is one more mount in every turn. */
const layersMax = 24;
/** Folders up to this size are copied faster than mounted. */
const smallFolder = { bytes: 1024 ** 2, files: 200 };
/** Limits of what is copied into each run. */
const copiesMax = { bytes: 64 * 1024 ** 2, files: 5000 };

/**
 * Plans how to keep the ignored paths of the checkout (see listIgnoredPaths) and the package caches in the home, or says why they
 * cannot be kept.
 */
export async function choosePrepared(
  checkout: string,
  home: string,
  ignored: readonly string[],
): Promise<PreparedParts | { why: string }> {
  const unreadable = ignored.find((path) => path.includes("\ufffd"));
  if (unreadable !== undefined) return { why: `the name ${JSON.stringify(unreadable)} is not UTF-8` };
  const folders: { folder: PreparedFolder; size: FolderSize }[] = [];
  const copies: { path: string; size: FolderSize }[] = [];
  for (const name of ignored) {
    const path = name.replace(/\/$/, "");
    const size = await sizeOf(join(checkout, path));
    const isSmall = size.bytes <= smallFolder.bytes && size.files <= smallFolder.files;
    if (isSmall || !name.endsWith("/")) copies.push({ path, size });
    else folders.push({ folder: { place: "checkout", path }, size });
  }
  const realHome = await realpath(home);
  for (const path of homeFolders) {
    // A link in its place or above it may lead anywhere outside of the wall.
    const real = await realpath(join(home, path)).catch(() => null);
    if (real !== join(realHome, path)) continue;
    const size = await sizeOf(real);
    if (size.files > 1) folders.push({ folder: { place: "home", path }, size });
  }
  folders.sort((one, other) => other.size.files - one.size.files);
  for (const { folder, size } of folders.splice(layersMax)) {
    if (folder.place === "checkout") copies.push({ path: folder.path, size });
  }
  const copied = sum(copies.map(({ size }) => size));
  if (copied.bytes > copiesMax.bytes || copied.files > copiesMax.files) {
    return {
      why: `the setup left ${copied.files.toLocaleString("en-US")} files outside of its ${layersMax} largest ignored folders, more than can be copied into each run`,
    };
  }
  if (folders.length + copies.length === 0) return { why: "the setup left nothing that git ignores" };
  return {
    layers: folders.map(({ folder }) => folder),
    copies: copies.map(({ path }) => path),
    size: sum([copied, ...folders.map(({ size }) => size)]),
  };
}

/** Size of everything at and below a path; zero if there is nothing. Follows no symbolic links. Names need not be UTF-8. */
async function sizeOf(path: string | Buffer): Promise<FolderSize> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return { bytes: 0, files: 0 };
  if (!found.isDirectory()) return { bytes: found.size, files: 1 };
  const names = await readdir(path, { encoding: "buffer" });
  const total = { bytes: 0, files: 1 };
  for (let at = 0; at < names.length; at += 64) {
    const inside = names.slice(at, at + 64).map((name) => sizeOf(Buffer.concat([Buffer.from(path), slash, name])));
    const { bytes, files } = sum(await Promise.all(inside));
    total.bytes += bytes;
    total.files += files;
  }
  return total;
}

const slash = Buffer.from("/");

function sum(sizes: readonly FolderSize[]): FolderSize {
  const total = { bytes: 0, files: 0 };
  for (const { bytes, files } of sizes) {
    total.bytes += bytes;
    total.files += files;
  }
  return total;
}
