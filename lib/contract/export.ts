import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { LogEntry } from "./entry.ts";
import { Run } from "./run.ts";

/** The kinds of file that a run can be taken away as. */
export const ExportFormat = z.enum(["json", "markdown", "html"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** A run with all its entries, oldest first, none of them cut; `total_logs` counts them. */
export const ExportedRun = Run.extend({
  logs: z.array(LogEntry).describe("All entries, oldest first, none of them cut"),
});
export type ExportedRun = z.infer<typeof ExportedRun>;

export const exportRun = defineOperation({
  id: "exportRun",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/export`,
  tag: "Agent runs",
  summary: "Download a whole run",
  description:
    "The run as it stands now with all its entries as one file of any size: JSON, Markdown to read, or an HTML page that opens offline. Entries that are appended meanwhile are not in it.",
  scope: "runs:read",
  rateClass: "logs",
  params: OrgParams.extend({ agent_run_id: Id }),
  query: z.object({ format: ExportFormat.default("json").describe("Kind of file") }),
  result: ExportedRun,
  otherTypes: ["text/markdown", "text/html"],
});
