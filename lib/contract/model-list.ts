import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";

/** Models that runs can name, in the reference service's shape. */
export const ModelList = z.object({
  providers: z
    .array(
      z.object({
        name: z.string().describe("The agent that takes these models"),
        models: z
          .array(
            z.object({
              label: z.string().describe("Name for people"),
              value: z.string().describe("What `model` of POST run takes"),
            }),
          )
          .describe("Names that the agent gives"),
      }),
    )
    .describe("One for each agent that is ready and names its models, the one that works where none is named first"),
  default_model: z
    .string()
    .describe("What a run gets that names neither agent nor model; empty where the agent itself chooses"),
});
export type ModelList = z.infer<typeof ModelList>;

export const listModels = defineOperation({
  id: "listModels",
  method: "GET",
  path: `${O}/models`,
  tag: "Agents",
  summary: "List the models that agents name",
  description:
    "Other names are taken too: the agent decides. A model of another agent than the first needs that agent named in POST run.",
  scope: "org:read",
  params: OrgParams,
  result: ModelList,
});
