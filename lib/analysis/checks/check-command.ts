import { remembered } from "#lib/analysis/bounded.ts";
import type { Check, ExitScope, FoundCheck } from "./check.ts";
import { targetsOf } from "./check-targets.ts";
import { type Pipeline, splitCommand } from "./command-line.ts";
import { checkerAliases, knownCheckers } from "./known-checkers.ts";
import type { Program } from "./program.ts";
import { findOwnScript, findScript, runners } from "./project-scripts.ts";

/** The checks run by a shell command, in order. */
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

/** Commands that only change the folder or a setting. */
function isQuiet({ words }: Pipeline): boolean {
  return /^(cd|pushd|export|set|source|\.|echo|printf|true|pwd|unset|:)$/.test(words[0] ?? ":");
}

function findCheck(program: Program): FoundCheck | null {
  const direct = findDirect(program);
  if (direct !== null) return direct;
  return runners.has(program.name) ? findScript(program) : findOwnScript(program);
}

/** Checks of syntax alone. */
function isSyntaxCheck(name: string, line: string): boolean {
  if (/^(bash|sh|zsh)$/.test(name)) return /^-n\s/.test(line);
  if (name === "node") return /^(--check|-c)\s/.test(line);
  return (
    (name === "php" && /^-l\s/.test(line)) || (name === "gofmt" && /(^|\s)-[a-z]*[ld]/.test(line) && !/-w/.test(line))
  );
}

function findDirect({ name, args }: Program): FoundCheck | null {
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
