import type { TestKind } from "#lib/contract/analysis.ts";
import { remembered } from "./bounded.ts";
import { type Pipeline, splitCommand } from "./command-line.ts";
import { checkerAliases, knownCheckers } from "./known-checkers.ts";
import { baseName, type Program } from "./program.ts";

/** A run of tests, a type check, a linter, a build or a script of the agent's own, as a command starts it. */
export type Check = {
  kind: TestKind;
  /** The tool that is known to do it; null where a script of the project decides. */
  framework: string | null;
  /** The command without pipe filters. */
  command: string;
  /** The program and script that decide, without targets: checks of the same suite can be compared. */
  suite: string;
  /** Files, folders and patterns that it is limited to; empty for all. */
  targets: string[];
  /** Programs that its output goes through. */
  filters: string[][];
  /** See {@link ExitScope}. */
  exit: ExitScope;
  folder: string | null;
};

/**
 * What the exit code of the whole call says about a check. own: it is the check's. all: 0 says that it passed, another code may be
 * that of another command. echoed: it is printed behind it. hidden: nothing.
 */
export type ExitScope = "own" | "all" | "echoed" | "hidden";

type Found = { kind: TestKind; framework: string | null; suite: string; targets: string[] };

/** The checks that a shell command runs, in order. */
export const checksOf: (command: string) => readonly Check[] = remembered(400, findChecks);

function findChecks(command: string): Check[] {
  const pipelines = splitCommand(command);
  const failsOnPipe = pipelines.some(({ words }) => words[0] === "set" && words.join(" ").includes("pipefail"));
  const failsAtOnce = pipelines.some(({ words }) => words[0] === "set" && /^-[a-z]*e/.test(words[1] ?? ""));
  return pipelines.flatMap((pipeline, index) => {
    const found = pipeline.program === null ? null : findCheck(pipeline.program);
    if (found === null) return [];
    const exit = exitScopeOf(pipelines, index, { failsOnPipe, failsAtOnce });
    const { text, filters, folder } = pipeline;
    return [{ ...found, command: text, filters, exit, folder }];
  });
}

function exitScopeOf(
  pipelines: readonly Pipeline[],
  index: number,
  { failsOnPipe, failsAtOnce }: { failsOnPipe: boolean; failsAtOnce: boolean },
): ExitScope {
  const own = pipelines[index];
  if (own === undefined) return "hidden";
  const next = pipelines[index + 1];
  const isPiped = own.filters.length > 0 && !failsOnPipe;
  if (next?.words[0] === "echo" && own.after === ";") {
    const said = next.words.join(" ");
    if (/PIPESTATUS\[0\]|pipestatus\[1\]/.test(said) || (/\$\?/.test(said) && !isPiped)) return "echoed";
  }
  if (isPiped || own.before === "||") return "hidden";
  const later = pipelines.slice(index);
  const decides = later.every(({ after }, place) => {
    if (place === later.length - 1) return after === null;
    return after === "&&" || (failsAtOnce && after === ";");
  });
  if (!decides) return "hidden";
  const others = pipelines.filter((pipeline, place) => place !== index && !isQuiet(pipeline));
  const before = pipelines.slice(0, index).filter((pipeline) => !isQuiet(pipeline));
  const joined = before.length > 0 && own.before !== ";";
  return others.length === 0 || (later.length === 1 && !joined) ? "own" : "all";
}

/** Commands that only go somewhere or set something. */
function isQuiet({ words }: Pipeline): boolean {
  return /^(cd|pushd|export|set|source|\.|echo|printf|true|pwd|unset|:)$/.test(words[0] ?? ":");
}

const runners = new Set([
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "mise",
  "make",
  "gmake",
  "just",
  "task",
  "rake",
  "composer",
  "turbo",
  "nx",
  "lerna",
  "moon",
  "poe",
  "tox",
  "invoke",
  "grunt",
  "gulp",
  "rush",
  "deno",
  "hatch",
]);

function findCheck(program: Program): Found | null {
  const direct = findDirect(program);
  if (direct !== null) return direct;
  if (runners.has(program.name)) return findScript(program);
  return findOwnScript(program);
}

/** Checks of syntax alone. */
function isSyntaxCheck(name: string, line: string): boolean {
  if (/^(bash|sh|zsh)$/.test(name)) return /^-n\s/.test(line);
  if (name === "node") return /^(--check|-c)\s/.test(line);
  return (
    (name === "php" && /^-l\s/.test(line)) || (name === "gofmt" && /(^|\s)-[a-z]*[ld]/.test(line) && !/-w/.test(line))
  );
}

function findDirect({ name, args }: Program): Found | null {
  const own = checkerAliases[name] ?? name;
  if (/^(--version|-V|--help|-h|version|help)$/.test(args[0] ?? "")) return null;
  const line = args.join(" ");
  if (isSyntaxCheck(name, line))
    return { kind: "lint", framework: null, suite: `${name} syntax`, targets: targetsOf(args) };
  for (const one of (Object.hasOwn(knownCheckers, own) ? knownCheckers[own] : undefined) ?? []) {
    if (one.when !== undefined && !one.when.test(line)) continue;
    if (one.unless?.test(line)) continue;
    const verb = one.when === undefined ? null : (args.find((word) => !word.startsWith("-")) ?? null);
    const targets = targetsOf(args).filter((word) => word !== verb);
    return { kind: one.kind, framework: one.framework ?? own, suite: `${own} ${verb ?? ""}`.trim(), targets };
  }
  return null;
}

const scriptKinds: readonly [kind: TestKind, words: RegExp][] = [
  ["typecheck", /(^|[:_.-])(typecheck|type-check|types|check-types|tsc|tsgo|mypy|pyright)($|[:_.-])/],
  [
    "lint",
    /(^|[:_.-])(lint|eslint|biome|prettier|rubocop|ruff|clippy|vet|(fmt|format|style)[:_-]?check|check[:_-]?(fmt|format|style|lint))($|[:_.-])/,
  ],
  ["test", /(^|[:_.-])(tests?|specs?|e2e|unit|integration|coverage|jest|vitest|pytest|mocha|runtests)($|[:_.-])/],
  ["build", /(^|[:_.-])(build|compile|bundle|dist|all)($|[:_.-])/],
  ["typecheck", /^(check|checks|check:\w+|verify|ci|validate|precommit|preflight|presubmit)$/],
  ["script", /(^|[:_.-])(check|verify|validate|smoke)($|[:_.-])/],
];

function kindOfScript(name: string): TestKind | null {
  return scriptKinds.find(([, pattern]) => pattern.test(name.toLowerCase()))?.[0] ?? null;
}

/** Words of package managers that are no scripts. */
const noScripts = new Set(
  "install i ci add remove rm uninstall update up upgrade outdated list ls why view info audit publish pack link unlink config init create cache dedupe prune root bin version whoami login logout search fund help store exec dlx x pm start dev serve watch".split(
    " ",
  ),
);

/** A script of a project: `npm run build`, `mise run test:ci`, `make check`. */
function findScript({ name, args }: Program): Found | null {
  const words = scriptWords(name, args);
  const [script, ...rest] = words;
  if (script === undefined) return name === "make" || name === "gmake" ? scriptFound(name, "all", "build", []) : null;
  if (/watch|(^|:)(dev|serve|start)(:|$)/.test(script)) return null;
  // `make clean all`, `turbo run lint test`: the first that is a check speaks for the call.
  const names = /^(make|gmake|turbo|just|rake|task|grunt|gulp)$/.test(name)
    ? words.filter((word) => !word.startsWith("-"))
    : [script];
  for (const own of names) {
    const isMake = /^(make|gmake|ninja|rake)$/.test(name);
    const kind = isMake && /^(check|spec)$/.test(own) ? "test" : kindOfScript(own);
    if (kind !== null)
      return scriptFound(
        name,
        own,
        kind,
        targetsOf(rest).filter((word) => word !== own),
      );
  }
  return null;
}

const scriptFound = (name: string, script: string, kind: TestKind, targets: string[]): Found => ({
  kind,
  framework: null,
  suite: `${name} ${script}`,
  targets,
});

/** From the script's name on: `--filter x`, `-w x`, `-C x`, `run` and the like stand before it. */
function scriptWords(name: string, args: readonly string[]): readonly string[] {
  const valued = /^(--filter|-F|--workspace|-w|--prefix|-C|--cwd|--dir|-f|--file|-j|-p|--project)$/;
  let at = 0;
  let isRun = false;
  while (at < args.length) {
    const word = args[at] ?? "";
    if (word.startsWith("-")) at += valued.test(word) && !(name === "make" && word === "-w") ? 2 : 1;
    else if (/^\w+=/.test(word)) at += 1;
    else if (!isRun && /^(run|run-script|r|workspaces|foreach|-r)$/.test(word)) {
      isRun = true;
      at += 1;
    } else if (word === "workspace" && name === "yarn") at += 2;
    else break;
  }
  const words = args.slice(at);
  if (!isRun && /^(npm|pnpm|yarn|bun)$/.test(name) && noScripts.has(words[0] ?? "")) return [];
  if (!isRun && name === "npm") return /^(test|t|tst)$/.test(words[0] ?? "") ? ["test", ...words.slice(1)] : [];
  return words;
}

/** A file that an agent runs to see whether something works: `python reproduce.py`, `./run-tests.sh`, `node check.mjs`. */
function findOwnScript({ name, args }: Program): Found | null {
  const isInterpreter = /^(python[\d.]*|node|tsx|ts-node|ruby|php|perl|bash|sh|zsh|bun|deno|lua|Rscript)$/.test(name);
  const words = args.filter((word) => !word.startsWith("-") && word !== "run");
  const file = isInterpreter ? words[0] : name;
  if (
    file === undefined ||
    (isInterpreter && args.some((word) => /^-[a-z]*[ceEpmr]$/.test(word)) && !/\.\w+$/.test(file))
  )
    return null;
  if (!isInterpreter && !/\.(sh|py|js|mjs|ts|rb|pl|php)$/.test(file)) return null;
  const own = baseName(file);
  if (/^(runtests|run[-_]tests?|manage)\.\w+$/.test(own)) {
    if (own.startsWith("manage") && words[1] !== "test") return null;
    const framework = own === "runtests.py" || own === "manage.py" ? "unittest" : null;
    return {
      kind: "test",
      framework,
      suite: own,
      targets: targetsOf(args).filter((word) => word !== file && word !== "test"),
    };
  }
  if (/(^|[-_.])(tests?|spec)([-_.]|$)/i.test(own)) {
    return { kind: "test", framework: null, suite: own, targets: [] };
  }
  const kind = /\.(sh|bash|cmd|ps1|py|js|mjs)$/.test(own) ? kindOfScript(own.replace(/\.\w+$/, "")) : null;
  if (kind === "build" || kind === "lint") return { kind, framework: null, suite: own, targets: [] };
  if (
    !/(^|[-_.])(repro|reproduce\w*|reproduction|verify|verification|check\w*|bug|issue|try|demo|debug)([-_.\d]|$)/i.test(
      own,
    )
  )
    return null;
  return { kind: "script", framework: null, suite: own, targets: [] };
}

/** What is no option; values of options that are known to limit a run count too. */
function targetsOf(args: readonly string[]): string[] {
  const targets: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (
      /^(-k|-t|-run|--run|-m|--grep|-g|--testNamePattern|--test-name-pattern|-p|--package|--tests|--filter)$/.test(word)
    ) {
      targets.push(`${word} ${args[at + 1] ?? ""}`);
      at += 1;
    } else if (!word.startsWith("-") && !/^\.(\/\.\.\.)?$/.test(word) && word !== "./...") targets.push(word);
    else if (/^--?(run|grep|testNamePattern|test-name-pattern|tests|filter)=/.test(word)) targets.push(word);
  }
  return targets;
}

/** True where a run of `wide` checks everything that `narrow` did, so that its verdict replaces the other's. */
export function covers(wide: Pick<Check, "suite" | "targets">, narrow: Pick<Check, "suite" | "targets">): boolean {
  if (wide.suite !== narrow.suite) return false;
  return wide.targets.every((target) => {
    const folder = folderOf(target);
    return narrow.targets.some((own) => own === target || own.startsWith(folder));
  });
}

const folderOf = (target: string) => `${target.replace(/(\/|\/\.\.\.)$/, "")}/`;
