import { z } from "zod";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";

/** Tools of a run, most used first. */
export const LogTools = z.object({
  items: z
    .array(
      z.object({
        tool_name: z.string().describe("The tool's name, as in the entries").meta({ example: "Bash" }),
        count: z.int().describe("How many entries name it").meta({ example: 17 }),
      }),
    )
    .describe("Tools, most used first"),
});
export type LogTools = z.infer<typeof LogTools>;

export const getLogTools = defineOperation({
  id: "getLogTools",
  summary: "List the tools a run has used",
  description: "Tools beyond the 65,534th of a run are left out.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  tagged: true,
  params: RunParams,
  result: LogTools,
});
