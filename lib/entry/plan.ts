import { fieldsOf, textField } from "#lib/contract/json-fields.ts";

/** One step of an agent's plan. `id` is its position in the plan, from 0. */
export type PlanStep = {
  id: number;
  /** The task: the same words whatever its state. */
  text: string;
  state: "done" | "active" | "open" | "dropped" | "failed";
  /** How it ended according to the plan, if that is more than its state: `failed, exit 1`. */
  note?: string;
};

const item = /^\s*[-*] \[([ xX~!-])\] ?(.*)$/;

/** Parses a plan written as a Markdown checklist. Null if any line is something else: then it is text. */
export function planOf(text: string): PlanStep[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const steps: PlanStep[] = [];
  for (const [id, line] of lines.entries()) {
    const [, mark, words] = item.exec(line) ?? [];
    if (mark === undefined || words === undefined) return null;
    steps.push({ id, ...stepOfLine(mark, words) });
  }
  return steps.length === 0 ? null : steps;
}

/**
 * Endings that state a step's outcome: a checklist has no mark for it, so agents append it to the text. It is removed from the
 * text, so that the step can still be matched with the one in an earlier plan.
 */
const endings: readonly { said: RegExp; state: PlanStep["state"] }[] = [
  { said: / \((in progress)\)$/, state: "active" },
  { said: / \((failed(?:, [^()]*)?)\)$/, state: "failed" },
  { said: / \((cancelled|not run(?:, [^()]*)?)\)$/, state: "dropped" },
];
const plainNotes = new Set(["in progress", "failed", "cancelled"]);

function stepOfLine(mark: string, words: string): Omit<PlanStep, "id"> {
  for (const { said, state } of endings) {
    const [suffix, note] = said.exec(words) ?? [];
    if (suffix === undefined || note === undefined || (state === "active" && isDoneMark(mark))) continue;
    const step = { text: words.slice(0, -suffix.length), state };
    return plainNotes.has(note) ? step : { ...step, note };
  }
  return { text: words, state: stateOfMark(mark) };
}

function stateOfMark(mark: string): PlanStep["state"] {
  if (isDoneMark(mark)) return "done";
  if (mark === "!") return "failed";
  return mark === "~" || mark === "-" ? "active" : "open";
}

function isDoneMark(mark: string): boolean {
  return mark === "x" || mark === "X";
}

/**
 * Steps of a plan given as data, as planning tools take them (`todos`, `plan`, `items`); null if there are none. A step is a
 * text, or an object with its words in `content`, `step`, `subject`, `title`, `text` or `description`.
 */
export function planOfItems(items: unknown): PlanStep[] | null {
  if (!Array.isArray(items)) return null;
  const steps = items.slice(0, itemsMax).flatMap((value): Omit<PlanStep, "id">[] => {
    if (typeof value === "string") return value.trim() === "" ? [] : [{ text: value, state: "open" }];
    const fields = fieldsOf(value);
    const text = textField(fields, "content", "step", "subject", "title", "text", "task", "description");
    return text === null ? [] : [{ text, state: stateOfWord(textField(fields, "status", "state"), fields.done) }];
  });
  return steps.length === 0 ? null : steps.map((step, id) => ({ id, ...step }));
}

/** The steps as a Markdown checklist, which {@link planOf} can parse. */
export function checklistOf(steps: readonly PlanStep[]): string {
  return steps
    .map(({ text, state }) => `- [${state === "done" ? "x" : " "}] ${lineOf(text)}${suffixes[state]}`)
    .join("\n");
}

const suffixes: Record<PlanStep["state"], string> = {
  done: "",
  open: "",
  active: " (in progress)",
  dropped: " (cancelled)",
  failed: " (failed)",
};

function lineOf(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 2000);
}

const itemsMax = 500;

/** State from a planning tool's word. */
export function stateOfWord(word: string | null, isDone?: unknown): PlanStep["state"] {
  switch (word?.toLowerCase().replace(/[^a-z]/g, "")) {
    case "completed":
    case "complete":
    case "done":
    case "finished":
      return "done";
    case "inprogress":
    case "active":
    case "doing":
      return "active";
    case "cancelled":
    case "canceled":
    case "deleted":
    case "dropped":
    case "skipped":
      return "dropped";
    case "failed":
    case "error":
    case "blocked":
      return "failed";
    default:
      return isDone === true ? "done" : "open";
  }
}

/** Part of a plan shown while folded: the step in progress, or the last one done, with its neighbors. */
export type PlanWindow = { steps: PlanStep[]; before: number; after: number };

const windowLength = 6;
/** A plan with fewer hidden steps than this is shown completely. */
const hiddenMin = 3;

/** Folds a long plan around the current step. */
export function planWindow(plan: readonly PlanStep[]): PlanWindow {
  if (plan.length < windowLength + hiddenMin) return { steps: [...plan], before: 0, after: 0 };
  const active = plan.findIndex((step) => step.state === "active");
  const lastDone = plan.findLastIndex((step) => step.state === "done");
  const middle = active === -1 ? lastDone : active;
  const before = Math.min(Math.max(0, middle - 2), plan.length - windowLength);
  return {
    steps: plan.slice(before, before + windowLength),
    before,
    after: plan.length - windowLength - before,
  };
}
