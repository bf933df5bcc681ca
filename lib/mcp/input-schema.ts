import { z } from "zod";
import { repeatable } from "#lib/contract/define-operation.ts";
import type { McpTool } from "#lib/contract/openapi/mcp-tools.ts";

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
