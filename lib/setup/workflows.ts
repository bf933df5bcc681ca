import { isMap, isScalar, isSeq, Scalar, type YAMLMap } from "yaml";
import type { Confidence } from "#lib/contract/repositories/setup-command.ts";
import { classifyLine, scriptLines, toolOf } from "./classify-line.ts";
import type { FoundCommand, SignSource } from "./found-command.ts";
import { type LinedYaml, parseYaml } from "./yaml-lines.ts";

const stepsMax = 200;
/** Folder names for which `cd` needs no quoting. */
export const plainFolder = /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)*$/;

/** Maximum number of CI files read. */
export const ciFilesMax = 20;

/** CI files among `paths`, by name; at most {@link ciFilesMax} of them are read. */
export function ciFiles(paths: string[]): string[] {
  const workflow = /^\.github\/workflows\/[^/]+\.ya?ml$/;
  return paths.filter((path) => workflow.test(path) || path === ".gitlab-ci.yml").sort();
}

/** Commands of CI jobs that install, build, test or lint; those for other machines and for releases are left out. */
export function readCi(path: string, text: string): FoundCommand[] {
  const yaml = parseYaml(text);
  if (yaml === null) return [];
  return path === ".gitlab-ci.yml" ? readGitlab(path, yaml) : readWorkflow(path, yaml, null);
}

/** The `run:` steps of a workflow, or only those of its job with that name, in which every line then counts as an install. */
export function readWorkflow(path: string, yaml: LinedYaml, onlyJob: string | null): FoundCommand[] {
  const jobs = yaml.root.get("jobs");
  if (!isMap(jobs) || (onlyJob === null && !isForChanges(yaml.root))) return [];
  const steps = jobs.items.flatMap(({ key, value }) => {
    if (!isMap(value) || (onlyJob !== null && !(isScalar(key) && key.value === onlyJob))) return [];
    const machine = value.get("runs-on");
    if (typeof machine === "string" && /windows|macos/i.test(machine)) return [];
    const list = value.get("steps");
    return isSeq(list) ? list.items.filter((step) => isMap(step)) : [];
  });
  return steps.slice(0, stepsMax).flatMap((step) => {
    const script = step.get("run", true);
    const shell = step.get("shell");
    const folder = step.get("working-directory");
    if (!isScalar(script) || (typeof shell === "string" && !/^(ba|z)?sh\b/.test(shell))) return [];
    if (folder !== undefined && (typeof folder !== "string" || !plainFolder.test(folder.replace(/^\.\/|\/$/g, "")))) {
      return [];
    }
    const at = { path, folder: typeof folder === "string" ? folder.replace(/^\.\/|\/$/g, "") : "" };
    return onlyJob === null
      ? commandsOf(yaml, script, { ...at, source: "CI", confidence: "high", always: false })
      : commandsOf(yaml, script, { ...at, source: "agent file", confidence: "high", always: true });
  });
}

/** True for a workflow that checks changes: not one that only a release, a schedule or a person starts. */
function isForChanges(root: YAMLMap): boolean {
  const on = root.get("on");
  const names = isMap(on)
    ? on.items.map(({ key }) => (isScalar(key) ? key.value : null))
    : isSeq(on)
      ? on.items.map((item) => (isScalar(item) ? item.value : null))
      : [on];
  return names.some((name) => name === "push" || name === "pull_request" || name === "merge_group");
}

function readGitlab(path: string, yaml: LinedYaml): FoundCommand[] {
  const places = [yaml.root, ...yaml.root.items.map(({ value }) => value).filter((value) => isMap(value))];
  const scripts = places.flatMap((place) =>
    ["before_script", "script"].flatMap((key) => {
      const value = place.get(key, true);
      return isSeq(value) ? value.items.filter((item) => isScalar(item)) : isScalar(value) ? [value] : [];
    }),
  );
  return scripts
    .slice(0, stepsMax)
    .flatMap((script) =>
      commandsOf(yaml, script, { path, folder: "", source: "CI", confidence: "high", always: false }),
    );
}

/** Lines of one script. `always` takes every line, as an install if it is nothing else. */
function commandsOf(
  yaml: LinedYaml,
  script: Scalar,
  where: { path: string; folder: string; source: SignSource; confidence: Confidence; always: boolean },
): FoundCommand[] {
  if (typeof script.value !== "string") return [];
  const { path, folder, source, confidence, always } = where;
  const isBlock = script.type === Scalar.BLOCK_LITERAL || script.type === Scalar.BLOCK_FOLDED;
  const first = yaml.lineOf(script) + (isBlock ? 1 : 0);
  return scriptLines(script.value).flatMap(({ text, line }) => {
    const kind = classifyLine(text) ?? (always && !text.includes("${{") ? "install" : null);
    if (kind === null) return [];
    return {
      kind,
      command: folder === "" ? text : `cd ${folder} && ${text}`,
      source,
      confidence,
      evidence: [{ path, line: first + line }],
      reason: `${path} runs it.`,
      folder,
      tool: toolOf(text),
    };
  });
}
