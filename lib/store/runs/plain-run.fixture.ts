import type { NewRun } from "./run-store.ts";

/** A run for tests and benchmarks: created with a token, for the built-in agent, without a repository. */
export function plainRun(prompt: string, more: Partial<NewRun> = {}): NewRun {
  return {
    prompt,
    images: [],
    model: null,
    sourceType: "API",
    metadata: {},
    repositoryId: null,
    baseBranch: null,
    agent: "steps",
    permissionMode: "auto",
    ...more,
  };
}
