import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { Question } from "#lib/contract/runs/question.ts";
import { type FileChange, reportedChanges } from "./file-changes.ts";
import { toolViewOf } from "./read-tool-view.ts";
import { headlineOf, type ToolView } from "./tool-view.ts";

/** What a question asks for, in parts; together they show all of it. */
export type AskedRequest = {
  view: ToolView;
  /** The changes of files that it would make. */
  changes: readonly FileChange[];
  /** Number of all these changes; more than `changes` if not all of them are part of the question. */
  changesTotal: number;
  /** What the agent wants to do in its words; null if the command says the same. */
  title: string | null;
  /** The input without what the other parts show; null if nothing is left. */
  rest: Record<string, unknown> | null;
};

/** Reads a question's call. */
export function askedRequestOf({ title, tool_name, tool_input, diffs_total }: Question): AskedRequest {
  const { diffs, ...input } = fieldsOf(tool_input);
  const view = toolViewOf({ tool_name, tool_input, tool_output: { diffs } });
  const reported = reportedChanges({ diffs });
  const changes = reported.length > 0 ? reported : view.kind === "edit" ? view.changes : [];
  const command = view.kind === "shell" ? view.command : null;
  const shown = new Set([command, title, ...changes.flatMap(textsOf)]);
  const isShown = (value: unknown) =>
    typeof value === "string" && (shown.has(value) || changes.some(({ path }) => value.endsWith(`/${path}`)));
  const rest = Object.entries(input).filter(([name, value]) => name !== "locations" && !isShown(value));
  return {
    view,
    changes,
    changesTotal: Math.max(diffs_total, changes.length),
    title: title === "" || title === command ? null : title,
    rest: rest.length === 0 ? null : Object.fromEntries(rest),
  };
}

function textsOf({ path, source }: FileChange): (string | null)[] {
  return "hunks" in source ? [path] : [path, source.oldText, source.newText];
}

/** A question as plain text, for people who do not see the page: the first lines are what matters most. */
export function questionText(question: Question): string {
  const { view, changes, changesTotal, title, rest } = askedRequestOf(question);
  const { text, locations, locations_total, kind } = question;
  const places = locations.map(({ path, line }) => (line === null ? path : `${path}:${line}`));
  const paths = [...new Set(changes.map(({ path }) => path))];
  const what = view.kind === "shell" ? view.command : changes.length > 0 || rest === null ? "" : headlineOf(view);
  return [
    title ?? "",
    kind === null || tellsNothing.has(kind) ? "" : `Kind: ${kind}`,
    what === title ? "" : what,
    text ?? "",
    listed("file", places, locations_total),
    listed("change", paths, changesTotal),
    ...Object.entries(rest ?? {}).map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** Kinds of calls that say less than the command or the changes beside them. */
const tellsNothing: ReadonlySet<string> = new Set(["other", "execute", "edit"]);
const listedMax = 10;

function listed(noun: string, names: string[], total: number): string {
  if (total === 0) return "";
  const more = names.length > listedMax ? ", …" : "";
  return `${total} ${noun}${total === 1 ? "" : "s"}: ${names.slice(0, listedMax).join(", ")}${more}`;
}
