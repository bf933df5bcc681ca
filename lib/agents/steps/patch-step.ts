import { dirname } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { diffContent, type FileText, hasReturns, readForDiff } from "./file-diff.ts";
import { gitApplyPaths, withReturns } from "./patch-paths.ts";
import { resolveInTree } from "./path-in-tree.ts";
import { inlineCode, type PlannedStep, type StepControl, type StepResult, textContent } from "./planned-step.ts";
import { runCommand } from "./run-command.ts";
import { resultOfCommand } from "./shell-step.ts";

const shownFilesMax = 50;
const shownCharactersMax = 2 * 1024 * 1024;

/** A step that applies a unified patch with `git apply`, as a whole or not at all. Paths are relative to the folder. */
export function planPatchStep(patch: string, thought: string): PlannedStep {
  const files = gitApplyPaths(patch).files.map((file) => file.to ?? file.from ?? "");
  const more = files.length > 1 ? ` and ${files.length - 1} more` : "";
  const title = files[0] === undefined ? "Apply the patch" : `Apply the patch to ${files[0]}${more}`;
  return {
    title,
    thought,
    toolName: "apply_patch",
    toolKind: "edit",
    rawInput: { patch },
    run: (control) => applyPatch(patch, control),
  };
}

async function applyPatch(patch: string, control: StepControl): Promise<StepResult> {
  const { strip, files } = gitApplyPaths(patch);
  const program = ["git", "apply", "--verbose", "--whitespace=nowarn", `-p${strip}`, "-"];
  const label = files[0] === undefined ? "the patch" : `the patch to ${inlineCode(files[0].to ?? files[0].from ?? "")}`;
  const refused = (reason: string): StepResult => ({
    failure: `${label} was not applied: ${reason}`,
    cancelled: false,
    command: program.join(" "),
    output: { output: `Not applied: ${reason}.\n`, truncated: false, duration_ms: 0 },
    content: [textContent(`Not applied: ${reason}.\n`)],
    locations: [],
  });
  if (files.length === 0) return refused("it names no file");

  const changes: { from: string | null; to: string | null; before: FileText }[] = [];
  // A patch in a prompt cannot have carriage returns: Markdown removes them. Its lines end as those of the file do.
  const returns: boolean[] = [];
  for (const file of files) {
    const from = file.from === null ? null : await resolveInTree(control.cwd, file.from);
    const to = file.to === null ? null : await resolveInTree(control.cwd, file.to);
    for (const place of [from, to]) if (place !== null && "refusal" in place) return refused(place.refusal);
    const fromFile = from !== null && "file" in from ? from.file : null;
    const toFile = to !== null && "file" in to ? to.file : null;
    const before = fromFile === null ? null : await readForDiff(fromFile);
    returns.push(before !== null && "text" in before && hasReturns(before.text));
    changes.push({ from: fromFile, to: toFile, before: changes.length >= shownFilesMax ? null : before });
  }

  const end = await runCommand(program, {
    cwd: control.cwd,
    // In a folder inside a larger repository git would silently skip files outside that folder.
    env: { ...control.env, GIT_CEILING_DIRECTORIES: dirname(control.cwd) },
    signal: control.signal,
    stdinText: returns.includes(true) ? withReturns(patch, returns) : patch,
    onOutput: () => {},
  });
  const result = resultOfCommand(end, program.join(" "), label);
  if (result.failure !== null) {
    const failure =
      end.exitCode === null ? result.failure : `${label} did not apply (git apply exited with ${end.exitCode})`;
    return { ...result, failure };
  }
  const content = await contentOfChanges(changes);
  const locations = changes.flatMap(({ from, to }) => to ?? from ?? []).map((path) => ({ path }));
  return { ...result, content, locations };
}

async function contentOfChanges(changes: { from: string | null; to: string | null; before: FileText }[]) {
  const content: ToolCallContent[] = [];
  let characters = 0;
  for (const { from, to, before } of changes.slice(0, shownFilesMax)) {
    const after = to === null ? null : await readForDiff(to);
    const diff = diffContent(to ?? from ?? "", before, after);
    if (diff.type === "diff") characters += diff.newText.length + (diff.oldText?.length ?? 0);
    if (characters > shownCharactersMax) break;
    content.push(diff);
  }
  const hidden = changes.length - content.length;
  if (hidden > 0)
    content.push(textContent(`${hidden} more changed ${hidden === 1 ? "file is" : "files are"} not shown.`));
  return content;
}
