import type { Agent } from "#lib/contract/runs/agent.ts";

/** Label and color of each state. */
export const stateLook: Record<
  Agent["state"],
  { label: string; variant: "completed" | "waiting" | "failed" | "outline" }
> = {
  ready: { label: "Ready", variant: "completed" },
  slow: { label: "Slow to answer", variant: "waiting" },
  needs_sign_in: { label: "Needs sign-in", variant: "waiting" },
  too_old: { label: "Too old", variant: "waiting" },
  not_working: { label: "Does not work", variant: "failed" },
  not_installed: { label: "Not installed", variant: "outline" },
};

/**
 * Prompt of a test, in an empty folder: an agent with a model answers in one word; the built-in one runs a command. Read-only would
 * keep Codex from starting behind the wall, where its own sandbox does not work.
 */
export function testOf({ has_model }: Pick<Agent, "has_model">) {
  const prompt = has_model ? "Answer with the one word: ready. Use no tools." : "A test.\n```sh\necho ready\n```";
  return { prompt, permission_mode: "auto" as const };
}
