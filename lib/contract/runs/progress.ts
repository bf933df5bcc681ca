import { z } from "zod";
import { Instant } from "#lib/contract/text.ts";

/**
 * Work in progress in a run that is not yet an entry: the text so far and the running tools with the end of
 * their output. Only sent on the live stream, and always replaced as a whole.
 */
export const Progress = z.object({
  thought: z.string().describe("The end of the reasoning so far"),
  text: z.string().describe("The end of the answer so far"),
  tools: z
    .array(
      z.object({
        id: z.string().describe("The agent's id for the call"),
        tool_name: z.string().describe("The tool"),
        title: z.string().describe("The call in words"),
        tool_input: z.unknown().nullable().describe("The call's input, or null"),
        output: z.string().describe("The end of the output so far"),
        started_at: Instant.describe("When it began"),
      }),
    )
    .describe("The calls in progress: `id`, `tool_name`, `title`, `tool_input`, the end of the `output`, `started_at`"),
  heard_at: Instant.optional().describe("When the agent last sent anything: some agents retry for minutes in silence"),
  log: z.string().optional().describe("The end of what the agent wrote to its error output in this turn"),
  updated_at: Instant.describe("When this was written"),
});
export type Progress = z.infer<typeof Progress>;
