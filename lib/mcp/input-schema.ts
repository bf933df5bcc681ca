import { z } from "zod";
import { repeatable } from "#lib/contract/define-operation.ts";
import type { McpTool } from "#lib/contract/openapi/mcp-tools.ts";
import { Run } from "#lib/contract/runs/run.ts";

/** A tool's structured result as JSON Schema 2020-12, without descriptions: models do not read it. It may have more fields. */
export function mcpOutputSchema({ name, operation }: McpTool): Record<string, unknown> & { type: "object" } {
  const result =
    name === "wait_for_run"
      ? z.object({ outcome: z.enum(["ended", "question", "working"]), run: Run })
      : operation.resultType === "application/json"
        ? operation.result
        : z.object({ text: z.string() });
  const { $schema, ...written } = z.toJSONSchema(result, {
    io: "output",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      for (const key of ["description", "example", "pattern", "additionalProperties"]) {
        Reflect.deleteProperty(jsonSchema, key);
      }
    },
  });
  return { ...written, type: "object" };
}

/** A tool's input as JSON Schema 2020-12. */
export function mcpInputSchema({ input, defaults }: McpTool): Record<string, unknown> & { type: "object" } {
  const { $schema, ...written } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      delete jsonSchema[repeatable];
      delete jsonSchema.example;
    },
  });
  const properties: Record<string, object> = {};
  for (const [name, schema] of Object.entries(written.properties ?? {})) {
    const known = typeof schema === "object" ? schema : {};
    properties[name] = name in defaults ? { ...known, default: defaults[name] } : known;
  }
  return { ...written, type: "object", properties, additionalProperties: false };
}
