import { table } from "./key-tables.ts";

// Of pages other than a run's, whose script they would make larger.

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
