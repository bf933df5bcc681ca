import { z } from "zod";
import { defineOperation } from "./define-operation.ts";

export const getOpenapi = defineOperation({
  id: "getOpenapi",
  summary: "This description, as OpenAPI 3.1",
  scope: null,
  rateClass: "none",
  tagged: true,
  result: z
    .record(z.string(), z.unknown())
    .meta({ example: { openapi: "3.1.1", info: { title: "Errand", version: "1" }, paths: {} } }),
});

export const getHealth = defineOperation({
  id: "getHealth",
  summary: "Whether the process is alive",
  scope: null,
  rateClass: "none",
  result: z.object({ status: z.literal("ok").describe("Always ok") }),
});

export const getReadiness = defineOperation({
  id: "getReadiness",
  summary: "Whether the store responds and an engine is running",
  description:
    "503 if the store does not respond or is damaged, if its disk is full, or if no engine was seen in the last 15 s. `detail` says which.",
  scope: null,
  rateClass: "none",
  refusals: ["unavailable"],
  result: z
    .object({
      status: z.literal("ok").describe("Always ok"),
      engines: z.int().describe("Engines seen in the last 15 seconds"),
      problems: z.array(z.string()).describe("Problems that do not keep Errand from working; usually none"),
    })
    .meta({ example: { problems: [] } }),
});
