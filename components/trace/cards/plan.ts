/** One step of an agent's plan. */
export type PlanStep = { id: number; text: string; state: "done" | "active" | "open" };

const item = /^\s*[-*] \[([ xX~-])\] ?(.*)$/;

/** Reads a plan written as a Markdown checklist. Null where any line is something else: then it is text. */
export function planOf(text: string): PlanStep[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const steps: PlanStep[] = [];
  for (const [id, line] of lines.entries()) {
    const [, mark, words] = item.exec(line) ?? [];
    if (mark === undefined || words === undefined) return null;
    const isActive = words.endsWith(" (in progress)");
    steps.push({
      id,
      text: isActive ? words.slice(0, -" (in progress)".length) : words,
      state: mark === "x" || mark === "X" ? "done" : isActive || mark === "~" || mark === "-" ? "active" : "open",
    });
  }
  return steps.length === 0 ? null : steps;
}
