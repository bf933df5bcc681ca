import { type Pipeline, splitCommand } from "./command-line.ts";

/** Programs that follow `||` where a failure is of no account. */
const shrugs = new Set(["true", ":"]);
/** Programs that say nothing of networks, other programs or packages. */
const plain = new Set([
  ...shrugs,
  "echo",
  "printf",
  "cd",
  "pwd",
  "ls",
  "id",
  "whoami",
  "date",
  "export",
  "set",
  "sleep",
  "mkdir",
]);

/**
 * Whether a line of a command's output is of a part that may fail without harm: `curl … || true`. Such a line explains no
 * failure. A line that does not begin with the name of its program is of such a part if no other part could have printed it.
 */
export function isExpected(command: string, line: string): boolean {
  const pipelines = splitCommand(command);
  const expected = pipelines.filter((_, index) => mayFail(pipelines, index));
  if (expected.length === 0) return false;
  const others = pipelines.filter((pipeline) => !expected.includes(pipeline));
  const name = /^(?:\S*(?:bash|sh|zsh): (?:line \d+: )?)?([\w.+-]+)/.exec(line)?.[1] ?? "";
  const isOf = (own: readonly Pipeline[]) => own.some(({ program }) => program?.name === name);
  if (isOf(expected) || isOf(others)) return !isOf(others);
  return others.every(({ program }) => program === null || plain.has(program.name));
}

/** Whether a later `|| true` of the same chain of commands takes the failure of a pipeline. */
function mayFail(pipelines: readonly Pipeline[], index: number): boolean {
  for (const { before, program } of pipelines.slice(index + 1)) {
    if (before !== "&&" && before !== "||") return false;
    if (before === "||" && shrugs.has(program?.name ?? "")) return true;
  }
  return false;
}
