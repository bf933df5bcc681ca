import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findExecutable } from "./find-executable.ts";

/** How the tests of a folder are run, as far as its files tell. `reason` is a sentence that names the sign. */
export type TestDetection =
  | { kind: "found"; command: string; reason: string }
  | { kind: "not installed"; command: string; tool: string; reason: string }
  | { kind: "none" };

type Candidate = { command: string; tool: string; reason: string };

const nodeTestFile = /(^|\/)(test|[^/]+[.\-_]test|test-[^/]+)\.[cm]?[jt]s$|(^|\/)test\/.+\.[cm]?js$/;
const pythonTestFile = /(^|\/)(test_[^/]+|[^/]+_test|conftest)\.py$/;

/**
 * The command that runs the tests of a folder: the first of the test script of package.json (with the package manager
 * that the lock file or `packageManager` names), go, cargo, pytest, Maven, Gradle, Mix, `make test` and `node --test`
 * whose sign is at the folder's top; for pytest and node, test files anywhere count. `files` are relative to `cwd`.
 */
export async function detectTests(cwd: string, files: string[], env: NodeJS.Dict<string>): Promise<TestDetection> {
  const candidate = await findCandidate(cwd, new Set(files));
  if (candidate === null) return { kind: "none" };
  const { command, tool, reason } = candidate;
  const installed = tool.startsWith("./") ? await exists(join(cwd, tool)) : (await findExecutable(tool, env)) !== null;
  return installed ? { kind: "found", command, reason } : { kind: "not installed", command, tool, reason };
}

async function findCandidate(cwd: string, files: Set<string>): Promise<Candidate | null> {
  const read = (name: string) => readFile(join(cwd, name), "utf8").catch(() => "");
  const script = files.has("package.json") ? testScriptOf(await read("package.json"), files) : null;
  if (script !== null) return script;
  if (files.has("go.mod")) return { command: "go test ./...", tool: "go", reason: "There is a go.mod." };
  if (files.has("Cargo.toml")) return { command: "cargo test", tool: "cargo", reason: "There is a Cargo.toml." };
  const pytestSign = await findPytestSign(files, read);
  if (pytestSign !== null) return { command: "pytest", tool: "pytest", reason: `There is ${pytestSign}.` };
  if (files.has("pom.xml")) {
    const tool = files.has("mvnw") ? "./mvnw" : "mvn";
    return { command: `${tool} -B test`, tool, reason: "There is a pom.xml." };
  }
  if (files.has("build.gradle") || files.has("build.gradle.kts")) {
    const tool = files.has("gradlew") ? "./gradlew" : "gradle";
    return { command: `${tool} --console=plain --no-daemon test`, tool, reason: "There is a Gradle build." };
  }
  if (files.has("mix.exs")) return { command: "mix test", tool: "mix", reason: "There is a mix.exs." };
  for (const name of ["GNUmakefile", "makefile", "Makefile"]) {
    if (files.has(name) && /^test\s*:(?!=)/m.test(await read(name))) {
      return { command: "make test", tool: "make", reason: `The ${name} has a target named test.` };
    }
  }
  const testFile = [...files].find((file) => nodeTestFile.test(file) && !file.includes("node_modules/"));
  if (testFile === undefined) return null;
  return { command: "node --test", tool: "node", reason: `There are test files for node --test, such as ${testFile}.` };
}

function testScriptOf(packageJson: string, files: Set<string>): Candidate | null {
  const content = parseObject(packageJson);
  const script = parseObject(content.scripts).test;
  // npm init writes this script where there are no tests.
  if (typeof script !== "string" || script.trim() === "" || script.includes("no test specified")) return null;
  const tool = packageManagerOf(content.packageManager, files);
  return {
    command: tool === "bun" ? "bun run test" : `${tool} test`,
    tool,
    reason: `The package.json has a test script: ${script}`,
  };
}

function packageManagerOf(named: unknown, files: Set<string>): string {
  const name = typeof named === "string" ? /^(npm|pnpm|yarn|bun)@/.exec(named)?.[1] : undefined;
  if (name !== undefined) return name;
  if (files.has("pnpm-lock.yaml")) return "pnpm";
  if (files.has("yarn.lock")) return "yarn";
  return files.has("bun.lock") || files.has("bun.lockb") ? "bun" : "npm";
}

async function findPytestSign(files: Set<string>, read: (name: string) => Promise<string>): Promise<string | null> {
  if (files.has("pytest.ini")) return "a pytest.ini";
  const sections: [string, RegExp][] = [
    ["pyproject.toml", /^\[tool\.pytest/m],
    ["setup.cfg", /^\[tool:pytest\]/m],
    ["tox.ini", /^\[pytest\]/m],
  ];
  for (const [name, section] of sections) {
    if (files.has(name) && section.test(await read(name))) return `a section for pytest in ${name}`;
  }
  return [...files].find((file) => pythonTestFile.test(file)) ?? null;
}

/** An object from JSON text or a parsed value; an empty one where it is anything else. */
function parseObject(value: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
