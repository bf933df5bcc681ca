import { z } from "zod";
import { defineOperation } from "./define-operation.ts";

const tag = "Service";

export const getOpenapi = defineOperation({
  id: "getOpenapi",
  tag,
  summary: "This description, as OpenAPI 3.1",
  scope: null,
  rateClass: "none",
  result: z.record(z.string(), z.unknown()),
});

export const getHealth = defineOperation({
  id: "getHealth",
  tag,
  summary: "Whether the process is alive",
  scope: null,
  rateClass: "none",
  result: z.object({ status: z.literal("ok").describe("Always ok") }),
});

export const getReadiness = defineOperation({
  id: "getReadiness",
  tag,
  summary: "Whether the store responds and an engine is running",
  description:
    "503 if the store does not respond or is damaged, if its disk is full, or if no engine was seen in the last 15 s. `detail` says which.",
  scope: null,
  rateClass: "none",
  result: z.object({
    status: z.literal("ok").describe("Always ok"),
    engines: z.int().describe("Engines seen in the last 15 seconds"),
    problems: z.array(z.string()).describe("Problems that do not keep Errand from working; usually none"),
  }),
});
