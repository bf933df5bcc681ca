import { z } from "zod";
import { defineOperation } from "./define-operation.ts";

const tag = "Service";

export const getOpenapi = defineOperation({
  id: "getOpenapi",
  method: "GET",
  path: "/v1/openapi.json",
  tag,
  summary: "This description, as OpenAPI 3.1",
  scope: null,
  rateClass: "none",
  result: z.record(z.string(), z.unknown()),
});

export const getHealth = defineOperation({
  id: "getHealth",
  method: "GET",
  path: "/healthz",
  tag,
  summary: "Whether the process lives",
  scope: null,
  rateClass: "none",
  result: z.object({ status: z.literal("ok").describe("Always ok") }),
});

export const getReadiness = defineOperation({
  id: "getReadiness",
  method: "GET",
  path: "/readyz",
  tag,
  summary: "Whether the store answers and an engine is at work",
  description: "503 where the store does not answer. `engines` counts the engines seen in the last 15 s.",
  scope: null,
  rateClass: "none",
  result: z.object({
    status: z.literal("ok").describe("Always ok"),
    engines: z.int().describe("Engines seen in the last 15 seconds"),
  }),
});
