import { z } from "zod";
import { skipMax } from "#lib/contract/bounds.ts";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Text } from "#lib/contract/text.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";
import { toolCallIdMax } from "./entry.ts";
import { LogFilter } from "./log-filter.ts";

/** The position to find, in the whole run or among the entries that match a filter. */
export const LogPositionQuery = z
  .object({
    seq: WholeNumber(1, skipMax).optional().describe("The entry to locate").meta({ example: 100 }),
    tool_call_id: Text(toolCallIdMax).optional().describe("Instead of seq: the first entry that has this tool call id"),
    ...LogFilter.shape,
  })
  .refine((query) => (query.seq === undefined) !== (query.tool_call_id === undefined), {
    path: ["seq"],
    message: "is required, unless tool_call_id is given",
  });
export type LogPositionQuery = z.infer<typeof LogPositionQuery>;

/** Position of an entry among those that match a filter. */
export const LogPosition = z.object({
  skip: z.int().describe("How many entries precede it: the `skip` of a page that begins there").meta({ example: 0 }),
  seq: z
    .int()
    .nullable()
    .describe("The first entry at or after that place; null if there is none, or no such tool call"),
  matching_logs: z.int().describe("How many entries there are"),
  complete: z.boolean().describe("False while the search for q is still running: the numbers may grow"),
});
export type LogPosition = z.infer<typeof LogPosition>;

export const getLogPosition = defineOperation({
  id: "getLogPosition",
  summary: "Find where an entry is in a run",
  description:
    "Locates an entry, or a tool call by the agent's own id, in the run or among the entries that match a filter: the `skip` of a page that begins there.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  tagged: true,
  params: RunParams,
  query: LogPositionQuery,
  result: LogPosition,
});
