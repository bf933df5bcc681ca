import type { RunAct } from "./run-acts.ts";

/** Label of each action on a run, for /docs and refusals. The browser's pages have their own words. */
export const runActWords: Record<RunAct, string> = {
  read: "Read, follow, search and export it",
  continue: "Resume it, queue messages, send held ones",
  cancel: "Cancel it",
  analyze: "Start a run that analyzes it",
  answer: "Answer the agent's questions",
  edit_message: "Edit or remove a queued message",
  push: "Push its branch",
  share: "Create, list and revoke share links to it",
  delete: "Delete it",
  report: "Report steps of an external run",
};
