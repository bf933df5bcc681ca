import { isMap, isScalar } from "yaml";
import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
import type { FoundCommand } from "#lib/setup/found-command.ts";
import type { Detector, Project } from "#lib/setup/project.ts";
import { parseYaml } from "#lib/setup/yaml-lines.ts";

/** Names of targets by kind. `make install` installs into the system, so it is not included. */
const targets: [SetupKind, string[]][] = [
  ["install", ["setup", "bootstrap", "deps", "install-deps"]],
  ["build", ["build"]],
  ["test", ["test"]],
  ["lint", ["lint"]],
];

function commandsOf(
  project: Project,
  file: string,
  tool: string,
  noun: string,
  lineOfTarget: (name: string) => number | null,
): FoundCommand[] {
  return targets.flatMap(([kind, names]) => {
    for (const name of names) {
      const at = lineOfTarget(name);
      if (at === null) continue;
      const reason = `The ${file} has a ${noun} named ${name}.`;
      return [project.command({ kind, command: `${tool} ${name}`, tool, file, at, reason, source: "task runner" })];
    }
    return [];
  });
}

/** Number of the first matching line, from 1; null if there is none. */
function findLine(text: string, pattern: RegExp): number | null {
  const index = text.split("\n").findIndex((line) => pattern.test(line));
  return index === -1 ? null : index + 1;
}

/** Targets of a makefile. */
export const make: Detector = {
  manifests: [],
  signs: ["GNUmakefile", "makefile", "Makefile"],
  detect(project) {
    const file = project.first("GNUmakefile", "makefile", "Makefile");
    if (file === null) return [];
    const text = project.text(file);
    return commandsOf(project, file, "make", "target", (name) => findLine(text, new RegExp(`^${name}\\s*:(?!=)`)));
  },
};

/** Recipes of a justfile. */
export const just: Detector = {
  manifests: [],
  signs: ["justfile", "Justfile", ".justfile"],
  detect(project) {
    const file = project.first("justfile", "Justfile", ".justfile");
    if (file === null) return [];
    const text = project.text(file);
    // A recipe that requires an argument cannot be run without one; `name *rest:` and `name arg="x":` can.
    return commandsOf(project, file, "just", "recipe", (name) =>
      findLine(text, new RegExp(`^@?${name}(\\s+(\\*\\w+|\\w+=\\S+))*\\s*:(?!=)`)),
    );
  },
};

/** Tasks of a Taskfile. */
export const task: Detector = {
  manifests: [],
  signs: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml"],
  detect(project) {
    const file = project.first("Taskfile.yml", "Taskfile.yaml", "taskfile.yml");
    if (file === null) return [];
    const yaml = parseYaml(project.yaml(file));
    const tasks = yaml?.root.get("tasks");
    if (yaml === null || !isMap(tasks)) return [];
    return commandsOf(project, file, "task", "task", (name) => {
      const key = tasks.items.find((item) => isScalar(item.key) && item.key.value === name)?.key;
      return isScalar(key) ? yaml.lineOf(key) : null;
    });
  },
};
