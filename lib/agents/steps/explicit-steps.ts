import { cutText } from "#lib/cut-text.ts";
import type { PromptStep } from "#lib/entry/prompt-steps.ts";
import { planPatchStep } from "./patch-step.ts";
import type { PlannedStep } from "./planned-step.ts";
import { planShellStep } from "./shell-step.ts";
import { planWriteStep } from "./write-step.ts";

/** The steps of a prompt, ready to run. The text before a step is its thought. */
export function planExplicitSteps(steps: PromptStep[]): PlannedStep[] {
  return steps.map(planExplicitStep);
}

function planExplicitStep(step: PromptStep): PlannedStep {
  switch (step.kind) {
    case "shell": {
      const thought = thoughtOf(step.words, "This command is written in the prompt.");
      return planShellStep(step.command, titleOfCommand(step.command), thought);
    }
    case "patch":
      return planPatchStep(step.patch, thoughtOf(step.words, "This patch is written in the prompt."));
    case "write":
      return planWriteStep(step.path, step.text, thoughtOf(step.words, "This file is written in the prompt."));
  }
}

/** The first line that does something, with an ellipsis if more lines follow. */
function titleOfCommand(command: string): string {
  const lines = command.split("\n").map((line) => line.trim());
  const doing = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const first = doing[0] ?? lines.find((line) => line !== "") ?? "";
  return `${cutText(first, 80, "…")}${doing.length > 1 && !first.endsWith("…") ? " …" : ""}`;
}

/** The first three lines of the words, at most 500 characters. */
function thoughtOf(words: string, otherwise: string): string {
  const lines = words
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return cutText(lines.slice(0, 3).join("\n"), 500, "…") || otherwise;
}
