import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { toolCallIdMax } from "./entry.ts";
import { LogFilter } from "./log-filter.ts";
import { skipMax } from "./page.ts";
import { Text } from "./text.ts";
import { WholeNumber } from "./whole-number.ts";

const RunParams = OrgParams.extend({ agent_run_id: Id });

/** Which place is asked for, in the whole run or in what a filter leaves of it. */
export const LogPositionQuery = z
  .object({
    seq: WholeNumber(1, skipMax).optional().describe("The entry whose place is asked for"),
    tool_call_id: Text(toolCallIdMax).optional().describe("Instead of seq: the first entry that has this tool call id"),
    ...LogFilter.shape,
  })
  .refine((query) => (query.seq === undefined) !== (query.tool_call_id === undefined), {
    path: ["seq"],
    message: "is required, or tool_call_id instead",
  });
export type LogPositionQuery = z.infer<typeof LogPositionQuery>;

/** Where an entry stands among those that a filter leaves. */
export const LogPosition = z.object({
  skip: z.int().describe("How many entries stand before it: the skip of a page that begins there"),
  seq: z.int().nullable().describe("The first entry there or after; null where there is none, or no such tool call"),
  matching_logs: z.int().describe("How many entries there are"),
  complete: z.boolean().describe("False while q is still being searched for: the figures may grow"),
});
export type LogPosition = z.infer<typeof LogPosition>;

export const getLogPosition = defineOperation({
  id: "getLogPosition",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/logs/position`,
  tag: "Agent runs",
  summary: "Find where an entry stands in a run",
  description:
    "Names the place of an entry, or of a tool call by the agent's own id, in the run or among the entries that a filter leaves: what is `skip` for a page that begins there.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  params: RunParams,
  query: LogPositionQuery,
  result: LogPosition,
});

/** The tools of a run, the most used first. */
export const LogTools = z.object({
  items: z
    .array(
      z.object({
        tool_name: z.string().describe("The tool's name as entries have it"),
        count: z.int().describe("How many entries name it"),
      }),
    )
    .describe("Tools, the most used first"),
});
export type LogTools = z.infer<typeof LogTools>;

export const getLogTools = defineOperation({
  id: "getLogTools",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/logs/tools`,
  tag: "Agent runs",
  summary: "List the tools that a run has used",
  description: "Tools beyond the 65,534th of a run are not told apart and are left out.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  params: RunParams,
  result: LogTools,
});
