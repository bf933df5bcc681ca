import { table } from "./key-tables.ts";

// Kept apart from a run's tables, which would make the script of a run's page larger.

/** The list of runs. */
export const runsKeys = table([
  { keys: { j: "next", k: "previous" }, does: "Next and previous run" },
  { keys: {}, shown: ["Enter"], does: "Open the run" },
  { keys: { n: "new" }, does: "New run" },
  { keys: { "/": "search" }, does: "Search the runs" },
]);

/** Search results over all runs. */
export const resultsKeys = table([
  { keys: { j: "next", k: "previous" }, does: "Next and previous result" },
  { keys: {}, shown: ["Enter"], does: "Open the result" },
  { keys: { "/": "search" }, does: "Go to the search field" },
]);
