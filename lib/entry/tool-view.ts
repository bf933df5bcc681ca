import type { FileChange } from "./file-changes.ts";
import type { PlanStep } from "./plan.ts";
import type { AskedQuestion } from "./question.ts";
import { shortPath } from "./short-path.ts";

/** What a tool does, and the parts of its input that readers want to see. Every text is the agent's own. */
export type ToolView =
  | {
      kind: "shell";
      /** The command, without the shell that starts it. Empty if a call only waits for an earlier one. */
      command: string;
      /** The agent's words for the command's purpose; null if there are none or they repeat the command. */
      description: string | null;
      /** Working folder; null if unknown. */
      cwd: string | null;
      /** Id of the session (codex's session_id or cell_id) whose command this call continues; null for a new command. */
      continues: string | null;
      /** Language of a script, for highlighting. */
      language: "sh" | "javascript" | "python";
    }
  | {
      kind: "edit";
      /** Changed files, with several changes of a file in a row. */
      changes: FileChange[];
      /** The patch as written if its format is unknown, so that `changes` is empty; otherwise null. */
      patch: string | null;
      /** The file, if nothing else is known of the change; otherwise null. */
      path: string | null;
    }
  | { kind: "read"; path: string; firstLine: number | null }
  | { kind: "search"; query: string; where: string | null }
  | { kind: "list"; path: string }
  | {
      kind: "fetch";
      url: string;
      /** What the agent wanted to know about the page; null if it only fetched it. */
      prompt: string | null;
    }
  | {
      kind: "plan";
      /** Steps to show as a checklist; one step if the call adds or changes one (TaskCreate, TaskUpdate). */
      steps: PlanStep[];
      /** The agent's words besides the plan; null if there are none. */
      explanation: string | null;
    }
  | {
      kind: "agent";
      /** Kind of agent that was started ("general", "Explore"); null if the call does not say. */
      agent: string | null;
      title: string | null;
      /** The agent's instructions, in Markdown; null if the call only waits for agents. Its result is Markdown too. */
      prompt: string | null;
    }
  | { kind: "question"; questions: AskedQuestion[] }
  | { kind: "think"; text: string }
  /** A tool by which an agent gives its answer (finish, submit); `text` is Markdown. */
  | { kind: "answer"; text: string }
  | {
      kind: "browser";
      /** The action: navigate, click, screenshot … */
      action: string;
      /** Its target: an address, an element, a text; null if there is none. */
      target: string | null;
    }
  | {
      kind: "generic";
      /** First short text of the input, for the card's one line; null if there is none. */
      title: string | null;
    };

export type ToolKind = ToolView["kind"];

/** The one argument that matters, in one line. */
export function headlineOf(view: ToolView): string {
  switch (view.kind) {
    case "shell":
      return firstLineOf(view.command);
    case "edit": {
      const paths = [...new Set(view.changes.map((change) => shortPath(change.path)))];
      const [first] = paths;
      if (first === undefined) return view.path === null ? firstLineOf(view.patch ?? "") : shortPath(view.path);
      return paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
    }
    case "read":
    case "list":
      return shortPath(view.path);
    case "search":
      return view.where === null ? view.query : `${view.query} in ${shortPath(view.where)}`;
    case "fetch":
      return view.url;
    case "plan":
      return planHeadline(view.steps);
    case "agent":
      return firstLineOf(view.title ?? view.prompt ?? view.agent ?? "");
    case "question":
      return firstLineOf(view.questions[0]?.text ?? "");
    case "think":
    case "answer":
      return firstLineOf(view.text);
    case "browser":
      return view.target === null ? view.action : `${view.action} ${firstLineOf(view.target)}`;
    case "generic":
      return firstLineOf(view.title ?? "");
  }
}

function planHeadline(steps: readonly PlanStep[]): string {
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return firstLineOf(only.text);
  return `${steps.filter(({ state }) => state === "done").length} of ${steps.length} done`;
}

function firstLineOf(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.slice(0, 400) ?? "";
}
