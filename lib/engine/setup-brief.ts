import type { FoundCommand } from "#lib/setup/found-command.ts";
import { ThreadLimitError } from "#lib/setup/limited-thread.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { Workspace } from "./engine-parts.ts";

/**
 * Instructions for a named agent in a generate run, besides its prompt: the commands found in the files, and the required form
 * of its answer.
 */
export async function findSetupBrief(
  workspace: Pick<Workspace, "findSetup">,
  checkout: Checkout,
  signal: AbortSignal,
): Promise<string> {
  const list = await workspace.findSetup(checkout, signal).then(linesOf, (error: unknown) => {
    if (!(error instanceof ThreadLimitError)) throw error;
    return [`(not known: ${error.message})`];
  });
  return [
    "Find the commands that set up this repository. Try them in this checkout, and answer with the ones that work.",
    "Commands named in the repository's files, not tried yet:",
    ...list,
    "End your answer with one fenced json code block of this form:",
    '{"commands": [{"kind": "install" | "build" | "test" | "lint" | "maintenance", "command": "one shell command", "outcome": "worked" | "failed" | "not_tried", "evidence": [{"path": "package.json", "line": 4}], "note": "why, where it did not work"}], "inputs": ["lockfiles and version files"]}',
    "Nothing is saved until a person accepts it.",
  ]
    .join("\n")
    .replace(/`{3,}/g, "'''")
    .replace(/~{3,}/g, "'''");
}

function linesOf(found: FoundCommand[]): string[] {
  return found.length === 0 ? ["(none: no file of the repository names one)"] : found.map(lineOf);
}

function lineOf({ kind, command, evidence, confidence }: FoundCommand): string {
  const places = evidence.map(({ path, line }) => `${path}:${line}`).join(", ");
  return `- ${kind}: ${JSON.stringify(command)} (${places}; confidence ${confidence})`;
}
