import { z } from "zod";
import { Instant, Text } from "#lib/contract/text.ts";

/** The question of a run in status `waiting`; the answer is one of its options (POST …/answer). */
export const Question = z.object({
  id: z.string().describe("Id of the question, for `question_id` of POST answer"),
  title: z.string().describe("What the agent wants to do"),
  tool_name: z.string().nullable().describe("Tool it asks permission for, or null"),
  tool_input: z
    .unknown()
    .meta({ type: ["object", "null"], additionalProperties: true })
    .describe("Input of the waiting call, or null. `diffs` has the changes of files that it would make"),
  kind: z
    .string()
    .nullable()
    .default(null)
    .describe("Kind of the call in the agent's words (edit, execute, switch_mode …), or null"),
  text: z.string().nullable().default(null).describe("What the agent says about its request, such as a plan, or null"),
  locations: z
    .array(z.object({ path: z.string().describe("File"), line: z.int().nullable().describe("Line, from 1, or null") }))
    .default([])
    .describe("Files that the call concerns, the first 1,000"),
  locations_total: z.int().default(0).describe("Number of all these files"),
  diffs_total: z.int().default(0).describe("Number of all changes; `tool_input.diffs` has the first 200"),
  options: z
    .array(
      z.object({
        id: z.string().describe("Id of the option, for `option_id` of POST answer"),
        name: z.string().describe("Label for people"),
        kind: z
          .enum(["allow_once", "allow_always", "reject_once", "reject_always"])
          .describe("Effect of choosing it: allow or reject, this once or from now on"),
      }),
    )
    .describe("Choices, in the agent's order"),
  asked_at: Instant.describe("When the agent asked"),
  expires_at: Instant.describe("When it counts as rejected; later if the service was paused"),
});
export type Question = z.infer<typeof Question>;
/** A question as given to the store, without what has a default. */
export type GivenQuestion = z.input<typeof Question>;

/** The question of a run, as clients see it. */
export const OpenQuestion = Question.extend({
  answered: z
    .boolean()
    .describe(
      "Whether someone has answered it already: the agent continues in a moment, and there is nothing left to answer",
    ),
});
z.globalRegistry.add(OpenQuestion, { id: "Question" });
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** Request body of POST …/answer. */
export const AnswerQuestion = z.object({
  question_id: Text(200)
    .describe("The id of the run's `question`")
    .meta({ example: "0b0f6c4e-3f0a-4a57-9a3e-5f5d1f0d9c11" }),
  option_id: Text(200).describe("The id of one of its options").meta({ example: "allow_once" }),
});
z.globalRegistry.add(AnswerQuestion, { id: "AnswerQuestion" });
export type AnswerQuestion = z.infer<typeof AnswerQuestion>;
