import type { TestKind } from "#lib/contract/logs/analysis.ts";
import type { FoundCheck } from "./check.ts";
import { targetsOf } from "./check-targets.ts";
import { baseName, type Program } from "./program.ts";

/** Programs that run scripts and tasks of a project by their names. */
export const runners: ReadonlySet<string> = new Set([
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

/** Subcommands of package managers that are not scripts. */
const noScripts = new Set(
  "install i ci add remove rm uninstall update up upgrade outdated list ls why view info audit publish pack link unlink config init create cache dedupe prune root bin version whoami login logout search fund help store exec dlx x pm start dev serve watch".split(
    " ",
  ),
);

/** A script of a project: `npm run build`, `mise run test:ci`, `make check`. */
export function findScript({ name, args }: Program): FoundCheck | null {
  const words = scriptWords(name, args);
  const [script, ...rest] = words;
  if (script === undefined) return name === "make" || name === "gmake" ? scriptFound(name, "all", "build", []) : null;
  if (/watch|(^|:)(dev|serve|start)(:|$)/.test(script)) return null;
  // `make clean all`, `turbo run lint test`: the first one that is a check determines the call.
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

const scriptFound = (name: string, script: string, kind: TestKind, targets: string[]): FoundCheck => ({
  kind,
  framework: null,
  suite: `${name} ${script}`,
  targets,
});

/** Words from the script's name on: `--filter x`, `-w x`, `-C x`, `run` and the like precede it. */
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
export function findOwnScript({ name, args }: Program): FoundCheck | null {
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
