import { type Pipeline, splitCommand } from "./command-line.ts";

/** Programs after `||` that ignore a failure. */
const shrugs = new Set(["true", ":"]);
/** Programs whose messages are never about networks, other programs or packages. */
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
 * Whether a line of a command's output belongs to a part that may fail without harm: `curl … || true`. Such a line explains no
 * failure. A line that does not begin with its program's name belongs to such a part if no other part could have printed it.
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

/** Whether a later `|| true` of the same chain of commands absorbs the failure of a pipeline. */
function mayFail(pipelines: readonly Pipeline[], index: number): boolean {
  for (const { before, program } of pipelines.slice(index + 1)) {
    if (before !== "&&" && before !== "||") return false;
    if (before === "||" && shrugs.has(program?.name ?? "")) return true;
  }
  return false;
}
