import { fieldsOf } from "#lib/contract/json-fields.ts";

/** Names of the MCP servers that an agent was given, from the `tool_input` of the message that began its session. */
export function serverNamesOf(toolInput: unknown): string[] {
  const { mcp_servers } = fieldsOf(toolInput);
  return Array.isArray(mcp_servers) ? mcp_servers.filter((name) => typeof name === "string") : [];
}
