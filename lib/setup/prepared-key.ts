import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import type { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { findExecutable } from "#lib/find-executable.ts";
import type { Environment } from "#lib/workspace/environment.ts";
import { readGit, runGit } from "#lib/workspace/git.ts";
import { everyEcosystem } from "./ecosystems/every-ecosystem.ts";

/** Names of lockfiles and of files that select the version of a tool, in any folder. */
export const lockAndVersionFile =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|Pipfile\.lock|requirements(-dev)?\.txt|go\.sum|Cargo\.lock|Gemfile\.lock|composer\.lock|mix\.lock|deno\.lock|\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.tool-versions|mise\.toml|\.mise\.toml|rust-toolchain(\.toml)?|global\.json)$/;

/** Programs whose version may affect what a setup makes. */
const tools = [
  ...[
    "node",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "python3",
    "pip",
    "uv",
    "poetry",
    "go",
    "cargo",
    "rustc",
    "java",
    "mvn",
  ],
  ...["gradle", "ruby", "bundle", "php", "composer", "elixir", "mix", "dotnet", "make", "cmake", "cc"],
];

/** The inputs of {@link preparedKey}: a setup, and a checkout at a commit. */
export type KeyedSetup = {
  gitDir: string;
  commit: string;
  commands: Pick<SetupCommands, "install" | "build" | "inputs">;
  /** The user that the commands run as; they see the checkout at `path`. */
  user: { uid: number; gid: number };
  path: string;
  env: Environment;
  signal?: AbortSignal | undefined;
};

/**
 * The key of a prepared checkout, a SHA-256 in hexadecimal, and the commit's tree. Two commits with the same key have the same
 * lockfiles, manifests, version files, inputs of the setup and ignore rules; if a commit has none of the first four, all of its
 * files count. The key also depends on the commands, the machine's tools, the user and the path. Throws GitError.
 */
export async function preparedKey(setup: KeyedSetup): Promise<{ key: string; tree: string }> {
  const { gitDir, commit, commands, user, path, env, signal } = setup;
  const git = { cwd: gitDir, env, signal, variables: { GIT_DIR: gitDir } };
  const [tree, list, versions] = await Promise.all([
    readGit(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`], git),
    runGit(["ls-tree", "-r", "-z", "--full-tree", commit], { ...git, outputBytesMax: 256 * 1024 * 1024 }),
    Promise.all(tools.map((tool) => versionOf(tool, env))),
  ]);
  const inputs = new Set(commands.inputs.map(plainPath));
  const files = list.stdout.toString("latin1").split("\0");
  const pathOf = (line: string) => line.slice(line.indexOf("\t") + 1);
  const deciding = files.filter((line) => isDependencyFile(pathOf(line)) || inputs.has(utf8(pathOf(line))));
  const ignoring = files.filter((line) => /(^|\/)\.gitignore$/.test(pathOf(line)));
  const keyed = {
    form: 1,
    commands: [commands.install, commands.build, [...inputs].sort()],
    files: deciding.length > 0 ? [deciding, ignoring] : tree,
    versions,
    machine: [process.platform, process.arch, user.uid, user.gid, path],
  };
  return { key: createHash("sha256").update(JSON.stringify(keyed)).digest("hex"), tree };
}

const manifests = everyEcosystem.flatMap(({ manifests }) => manifests);

/** Whether a file lists a project's dependencies. */
function isDependencyFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isManifest = manifests.some((known) =>
    known.startsWith("*") ? name.endsWith(known.slice(1)) : name === known,
  );
  return isManifest || lockAndVersionFile.test(path);
}

/** Identified by the program's file: asking each program would take longer than preparing a checkout. */
async function versionOf(tool: string, env: Environment): Promise<string | null> {
  const found = await findExecutable(tool, env.PATH);
  if (found === null) return null;
  const real = await realpath(found);
  const { size, mtimeMs } = await stat(real);
  return `${tool} ${real} ${size} ${mtimeMs}`;
}

function plainPath(path: string): string {
  const names = path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
  return names.join("/");
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}
