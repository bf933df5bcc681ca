import { z } from "zod";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";

/** Models that runs can name, in the reference service's shape. */
export const ModelList = z.object({
  providers: z
    .array(
      z.object({
        name: z.string().describe("The agent that offers these models").meta({ example: "claude" }),
        models: z
          .array(
            z.object({
              label: z.string().describe("Display name"),
              value: z.string().describe("Value for `model` of POST run"),
            }),
          )
          .describe("Models the agent names")
          .meta({ example: [{ label: "Opus", value: "opus" }] }),
      }),
    )
    .describe("One per agent that is ready and names its models, the default agent first"),
  default_model: z
    .string()
    .describe("Default for runs that name neither agent nor model; empty if the agent itself chooses")
    .meta({ example: "opus" }),
});
export type ModelList = z.infer<typeof ModelList>;

export const listModels = defineOperation({
  id: "listModels",
  isReference: true,
  summary: "List the models that agents name",
  description:
    "Other names are accepted too: the agent decides. For a model of an agent other than the first, name that agent in POST run.",
  scope: "org:read",
  params: OrgParams,
  result: ModelList,
});
