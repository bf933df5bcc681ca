import type { NewRun } from "./store.ts";

/** A run as tests and measurements make it: by token, of the built-in agent, without a repository. */
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
