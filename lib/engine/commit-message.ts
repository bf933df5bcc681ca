import type { RunRow, TurnRow } from "#lib/store/store.ts";

/** Message of the commit that keeps a turn's work: the prompt's first line, then whose work it is. */
export function commitMessage(run: Pick<RunRow, "id" | "agent">, turn: Pick<TurnRow, "number" | "prompt">): string {
  return `${subjectOf(turn.prompt)}\n\nErrand run ${run.id}, turn ${turn.number}, agent ${run.agent}`;
}

/** A commit's subject: the prompt's first line, cut at 72 characters. */
function subjectOf(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > 72 ? `${line.slice(0, 71)}…` : line;
}
