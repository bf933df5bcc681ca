/** One step of an agent's plan. */
export type PlanStep = { id: number; text: string; state: "done" | "active" | "open" | "dropped" };

const item = /^\s*[-*] \[([ xX~-])\] ?(.*)$/;

/** Reads a plan written as a Markdown checklist. Null where any line is something else: then it is text. */
export function planOf(text: string): PlanStep[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const steps: PlanStep[] = [];
  for (const [id, line] of lines.entries()) {
    const [, mark, words] = item.exec(line) ?? [];
    if (mark === undefined || words === undefined) return null;
    const isActive = words.endsWith(inProgress);
    steps.push({ id, text: isActive ? words.slice(0, -inProgress.length) : words, state: stateOf(mark, words) });
  }
  return steps.length === 0 ? null : steps;
}

const inProgress = " (in progress)";
/** What was given up: a checklist has no mark of its own for it, so agents say it in words, whatever the mark. */
const dropped = / \((?:cancelled|not run\b[^()]*)\)$/;

function stateOf(mark: string, words: string): PlanStep["state"] {
  if (dropped.test(words)) return "dropped";
  if (mark === "x" || mark === "X") return "done";
  return words.endsWith(inProgress) || mark === "~" || mark === "-" ? "active" : "open";
}

/** The part of a plan that is shown while it is folded: what is under way, or was done last, with its neighbours. */
export type PlanWindow = { steps: PlanStep[]; before: number; after: number };

const windowLength = 6;
/** A plan with fewer hidden steps than this is shown whole. */
const hiddenMin = 3;

/** Folds a long plan around the step that matters now. */
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
