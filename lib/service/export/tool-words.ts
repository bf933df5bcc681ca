import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { FileChange } from "#lib/entry/file-changes.ts";
import { shownInputNames } from "#lib/entry/input-rest.ts";
import { outcomeOf } from "#lib/entry/outcome.ts";
import { checklistOf } from "#lib/entry/plan.ts";
import type { AskedQuestion } from "#lib/entry/question.ts";
import { toolViewOf } from "#lib/entry/read-tool-view.ts";
import { type ToolResult, toolResultOf } from "#lib/entry/result.ts";
import { showsTerminal } from "#lib/entry/shows-terminal.ts";
import { plainTerminalText } from "#lib/entry/terminal-text.ts";
import { toolNameOf } from "#lib/entry/tool-name.ts";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { type Block, imageBlock, literal, prose, restBlocks, valueBlocks } from "./block.ts";
import { diffText, hunksText } from "./diff-text.ts";

/** A tool call as text. */
export type ToolWords = { title: string; about: string; facts: string[]; blocks: Block[] };

/** Renders a tool call as its card does: what was done, then the result. */
export function toolWords(entry: LogEntry): ToolWords {
  const view = toolViewOf(entry);
  const result = toolResultOf(entry.tool_output);
  const { name, server } = toolNameOf(entry.tool_name);
  return {
    title: entry.tool_name === null ? "Tool" : server === null ? name : `${name} (${server})`,
    about: view.kind === "shell" ? (view.description ?? "") : headlineOf(view),
    facts: factsOf(entry, result),
    blocks: [...callBlocks(view, entry.tool_input), ...resultBlocks(view, result, showsTerminal(entry))],
  };
}

function factsOf(entry: LogEntry, { status, exitCode, signal, durationMs, chips, truncated }: ToolResult): string[] {
  const outcome = outcomeOf(entry);
  const word = status ?? outcome;
  return [
    ...(outcome === "ok" || outcome === "unknown" ? [] : [word === "completed" ? outcome : word]),
    ...(exitCode === null ? [] : [`exit ${exitCode}`]),
    ...(signal === null ? [] : [signal]),
    ...(durationMs === null ? [] : [`${(durationMs / 1000).toFixed(durationMs < 10_000 ? 1 : 0)} s`]),
    ...chips.map(({ label, value }) => `${label}: ${value}`),
    ...(truncated === null ? [] : [cutFact(truncated)]),
  ];
}

function cutFact({ droppedCharacters }: NonNullable<ToolResult["truncated"]>): string {
  return droppedCharacters === null ? "cut" : `${droppedCharacters} characters cut`;
}

/** The tool's input; fields without a separate place are included as JSON. */
function callBlocks(view: ToolView, input: unknown): Block[] {
  const shown = shownInputNames(view);
  switch (view.kind) {
    case "shell":
      return [
        literal("Command", view.command, view.language),
        ...restBlocks("Input", scriptless(input, view.command), shown),
      ];
    case "edit": {
      if (view.changes.length === 0) return restBlocks("Input", input, new Set());
      const isPatch = view.changes.some(({ source }) => "hunks" in source);
      // A patch may be in a field of any name, and is the only input of such tools.
      const rest = isPatch && typeof input === "string" ? [] : restBlocks("Input", input, shown);
      return [...view.changes.map(changeBlock), ...rest];
    }
    case "plan":
      return [prose(checklistOf(view.steps)), ...restBlocks("Input", input, shown)];
    case "agent":
      return [...(view.prompt === null ? [] : [prose(view.prompt, "Prompt")]), ...restBlocks("Input", input, shown)];
    case "question":
      return [...view.questions.map(questionBlock), ...restBlocks("Input", input, shown)];
    case "think":
    case "answer":
      return view.text === ""
        ? restBlocks("Input", input, new Set())
        : [prose(view.text), ...restBlocks("Input", input, shown)];
    case "read":
    case "search":
    case "list":
    case "fetch":
    case "browser":
    case "generic":
      return restBlocks("Input", input, new Set());
  }
}

/** The input without the field that holds the script, whatever its name. */
function scriptless(input: unknown, command: string): unknown {
  if (input === command) return null;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== command));
}

function changeBlock({ path, oldPath, source }: FileChange): Block {
  const text =
    "hunks" in source
      ? hunksText(oldPath ?? path, path, source.hunks)
      : diffText(path, source.oldText, source.newText, source.firstLine === 1);
  return literal(path, text, "diff");
}

function questionBlock({ header, text, options, answer }: AskedQuestion): Block {
  const lines = options.map(({ label, description }) => `- ${label}${description === null ? "" : `: ${description}`}`);
  return prose(
    [
      ...(header === null ? [] : [`${header}\n`]),
      text,
      ...lines,
      ...(answer === null ? [] : [`\nAnswer: ${answer}`]),
    ].join("\n"),
  );
}

function resultBlocks(view: ToolView, result: ToolResult, isTerminal: boolean): Block[] {
  const shown = (text: string) => (isTerminal ? plainTerminalText(text) : text);
  const { output, stdout, stderr, json, images, reminders, rest } = result;
  const areApart = stdout !== null && stderr !== null && stdout !== "" && stderr !== "";
  const text =
    output === null || output === ""
      ? []
      : [view.kind === "agent" ? prose(output, "Output") : literal("Output", shown(output))];
  return [
    ...(areApart ? [literal("Output", shown(stdout)), literal("Error output", shown(stderr))] : text),
    ...(json !== null && text.length === 0 ? valueBlocks("Result", json.value) : []),
    ...images.map(imageBlock),
    ...reminders.map((one) => literal("Reminder to the agent", one)),
    ...valueBlocks("Result", rest),
  ];
}
