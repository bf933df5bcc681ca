import type { FoundCommand } from "#lib/setup/found-command.ts";
import type { Detector, Project } from "#lib/setup/project.ts";
import { lineOfKey, objectOf, parseJsonc } from "#lib/setup/text-lines.ts";

type Manager = { name: "npm" | "pnpm" | "yarn" | "bun"; lockfile: string | null; isBerry: boolean };

const lockfiles = {
  npm: ["package-lock.json", "npm-shrinkwrap.json"],
  pnpm: ["pnpm-lock.yaml"],
  yarn: ["yarn.lock"],
  bun: ["bun.lock", "bun.lockb"],
} as const;

/** npm, pnpm, Yarn and Bun: scripts of package.json, with the package manager that `packageManager` or a lockfile names. */
export const javascript: Detector = {
  manifests: ["package.json"],
  signs: [...Object.values(lockfiles).flat(), ".yarnrc.yml", "pnpm-workspace.yaml"],
  detect(project) {
    const text = project.text("package.json");
    const manifest = objectOf(parseJsonc(text));
    if (!project.has("package.json") || text === "") return [];
    const manager = managerOf(project, manifest.packageManager);
    const found = installOf(project, manifest, manager);
    const scripts = objectOf(manifest.scripts);
    for (const kind of ["build", "test", "lint"] as const) {
      const script = scripts[kind];
      // npm init writes this script if there are no tests.
      if (typeof script !== "string" || script.trim() === "" || script.includes("no test specified")) continue;
      const short = kind === "test" && manager.name !== "bun";
      found.push(
        project.command({
          kind,
          command: short ? `${manager.name} test` : `${manager.name} run ${kind}`,
          tool: manager.name,
          file: "package.json",
          at: lineOfKey(text, ["scripts", kind]),
          reason: `The package.json has a ${kind} script: ${script.slice(0, 200)}`,
        }),
      );
    }
    return found;
  },
};

/** True for a package.json whose packages are in separate folders: one install serves them all. */
export function hasWorkspaces(project: Project): boolean {
  return (
    project.has("pnpm-workspace.yaml") || objectOf(parseJsonc(project.text("package.json"))).workspaces !== undefined
  );
}

function installOf(project: Project, manifest: Record<string, unknown>, manager: Manager): FoundCommand[] {
  const dependencies = ["dependencies", "devDependencies", "optionalDependencies", "workspaces"];
  // Without either, an install would only write a lockfile into the checkout.
  if (manager.lockfile === null && dependencies.every((name) => manifest[name] === undefined)) return [];
  const file = manager.lockfile ?? "package.json";
  return [
    project.command({
      kind: "install",
      command: installCommand(manager),
      tool: manager.name,
      file,
      reason: `There is a ${file}.`,
      confidence: manager.lockfile === null ? "medium" : "high",
    }),
  ];
}

function installCommand({ name, lockfile, isBerry }: Manager): string {
  if (name === "npm") return lockfile === null ? "npm install --no-package-lock" : "npm ci";
  if (lockfile === null) return `${name} install`;
  return name === "yarn" && isBerry ? "yarn install --immutable" : `${name} install --frozen-lockfile`;
}

function managerOf(project: Project, named: unknown): Manager {
  const [, chosen, major] = /^(npm|pnpm|yarn|bun)@(\d+)?/.exec(typeof named === "string" ? named : "") ?? [];
  const names = ["pnpm", "yarn", "bun", "npm"] as const;
  const name =
    names.find((one) => one === chosen) ?? names.find((one) => project.first(...lockfiles[one]) !== null) ?? "npm";
  return {
    name,
    lockfile: project.first(...lockfiles[name]),
    isBerry: project.has(".yarnrc.yml") || (chosen === "yarn" && Number(major) >= 2),
  };
}

/** Deno: tasks of deno.json, or the tool's own commands. */
export const deno: Detector = {
  manifests: ["deno.json", "deno.jsonc"],
  signs: ["deno.lock"],
  detect(project) {
    const file = project.first("deno.json", "deno.jsonc");
    if (file === null) return [];
    const text = project.text(file);
    const config = objectOf(parseJsonc(text));
    const tasks = objectOf(config.tasks);
    const reason = `There is a ${file}.`;
    const found: FoundCommand[] = [];
    const add = (kind: "install" | "build" | "test" | "lint", usual: string | null) => {
      const hasTask = tasks[kind] !== undefined && kind !== "install";
      const command = hasTask ? `deno task ${kind}` : usual;
      if (command === null) return;
      const at = hasTask ? lineOfKey(text, ["tasks", kind]) : 1;
      const confidence = hasTask || kind === "install" ? "high" : "medium";
      const why = hasTask ? `The ${file} has a task named ${kind}.` : reason;
      found.push(project.command({ kind, command, tool: "deno", file, at, reason: why, confidence }));
    };
    add("install", config.imports !== undefined || project.has("deno.lock") ? "deno install" : null);
    add("build", null);
    add("test", "deno test");
    add("lint", "deno lint");
    return found;
  },
};

const nodeTestFile = /(^|\/)(test|[^/]+[.\-_]test|test-[^/]+)\.[cm]?[jt]s$|(^|\/)test\/.+\.[cm]?js$/;

/** Test files for `node --test`, if nothing else says how to run the tests. */
export const nodeTests: Detector = {
  manifests: [],
  signs: [],
  detect(project) {
    const file = project.paths.find((path) => nodeTestFile.test(path) && !path.includes("node_modules/"));
    if (file === undefined) return [];
    return [
      project.command({
        kind: "test",
        command: "node --test",
        tool: "node",
        file,
        reason: `There are test files for node --test, such as ${file}.`,
        source: "file names",
        confidence: "low",
      }),
    ];
  },
};
