import type { Agent } from "#lib/contract/agent.ts";

/** The word and the colour of each state. */
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

/** The task of a test: an agent with a model answers in a word and may do no more, the built-in one runs a command. */
export function testOf({ has_model }: Pick<Agent, "has_model">) {
  return has_model
    ? { prompt: "Answer with the one word: ready. Use no tools.", permission_mode: "read-only" as const }
    : { prompt: "A test.\n```sh\necho ready\n```", permission_mode: "auto" as const };
}
