import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { ExactNumber } from "#lib/contract/exact-json.ts";
import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import type { McpTool } from "#lib/contract/openapi/mcp-tools.ts";
import type { Answer } from "#lib/http/answer.ts";
import { jsonOf } from "./inner-call.ts";
import { summarize } from "./summarize.ts";

/** A tool's result: the operation's JSON with its long strings cut, and a short text. */
export function toolResult(tool: McpTool, value: unknown): CallToolResult {
  const structuredContent = fieldsOf(cutStrings(value, tool.charactersMax));
  return { content: [{ type: "text", text: summarize(tool.name, structuredContent) }], structuredContent };
}

/**
 * An error: the API's message for the model, its problem for programs, in `_meta`: clients check whatever is in `structuredContent`
 * against the tool's schema.
 */
export function toolError(message: string, problem: Record<string, unknown> | null = null): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text: message }];
  return problem === null ? { content, isError: true } : { content, isError: true, _meta: { problem } };
}

/** A problem response as a tool's result; `retry_after` in seconds if it says when to try again. */
export function refusalOf(answer: Answer): CallToolResult {
  const problem = fieldsOf(jsonOf(answer));
  const after = answer.headers["retry-after"];
  const message = textField(problem, "message") ?? "Errand could not answer.";
  if (after === undefined) return toolError(message, problem);
  return toolError(`${message} Try again after ${after} seconds.`, { ...problem, retry_after: Number(after) });
}

/** JSON with strings of at most `charactersMax`; a cut one says how many are left out. The API bounds the depth (64). */
export function cutStrings(value: unknown, charactersMax: number): unknown {
  if (typeof value === "string") {
    if (value.length <= charactersMax) return value;
    const end = /[\uD800-\uDBFF]/.test(value.charAt(charactersMax - 1)) ? charactersMax - 1 : charactersMax;
    return `${value.slice(0, end)}… [${value.length - end} more characters]`;
  }
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, charactersMax));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutStrings(item, charactersMax)]));
}
