import { z } from "zod";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Run } from "#lib/contract/runs/run.ts";
import { LogEntry } from "./entry.ts";

/** File formats of an exported run. */
export const ExportFormat = z.enum(["json", "markdown", "html"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** A run with all its entries, oldest first, uncut; `total_logs` counts them. */
export const ExportedRun = Run.extend({
  logs: z.array(LogEntry).describe("All entries, oldest first, never cut"),
});
z.globalRegistry.add(ExportedRun, { example: Run.meta()?.example });
export type ExportedRun = z.infer<typeof ExportedRun>;

export const exportRun = defineOperation({
  id: "exportRun",
  summary: "Download a whole run",
  description:
    "The run as it is now with all its entries, as one file of any size: JSON, Markdown for reading, or an HTML page that opens offline. Entries appended during the download are not included.",
  scope: "runs:read",
  rateClass: "logs",
  params: RunParams,
  query: z.object({ format: ExportFormat.default("json").describe("File format") }),
  result: ExportedRun,
  otherTypes: ["text/markdown", "text/html"],
  // Streamed, so it has no ETag.
  tagged: false,
});
