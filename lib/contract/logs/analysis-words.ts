import type { AnalysisRepeat, AnalysisWaste } from "./analysis.ts";

/** What kinds of repeated calls are called, on pages and in findings. */
export const repeatWords: Record<AnalysisRepeat["kind"], string> = {
  loop: "Loop",
  polling: "Waiting",
  rerun_after_edit: "Rerun after a change",
  flaky: "Flaky",
};

/** What rules of output that was of no use are called. */
export const wasteWords: Record<AnalysisWaste["items"][number]["rule"], string> = {
  repeated_read: "Read again, unchanged",
  oversized_output: "Very large output",
  failed_retry: "Failed call retried",
  unused_output: "Output never used",
};
