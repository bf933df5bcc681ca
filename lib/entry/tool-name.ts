/** A tool's name as shown: `server` is its MCP server, null for the agent's own tools. */
export type ToolName = { name: string; server: string | null };

/**
 * Names of a tool and its MCP server, from `mcp__server__tool`, `mcp_server_tool` (only if the name begins with `mcp_`),
 * `server/tool` and `server.tool`. A null or empty name is "tool".
 */
export function toolNameOf(toolName: string | null): ToolName {
  const whole = (toolName ?? "").trim();
  if (whole === "") return { name: "tool", server: null };
  const double = /^mcp__(.+?)__(.+)$/s.exec(whole);
  if (double !== null) return { name: double[2] ?? whole, server: double[1] ?? null };
  const single = /^mcp_([^_]+)_(.+)$/s.exec(whole);
  if (single !== null) return { name: single[2] ?? whole, server: single[1] ?? null };
  const path = /^(?:mcp:)?([\w-]{1,60})[/:]([\w-]{1,100})$/.exec(whole);
  if (path !== null) return { name: path[2] ?? whole, server: path[1] ?? null };
  return { name: whole, server: null };
}

/** Letters of a tool's own name, in lower case: `mcp__term__run_command` and `RunCommand` are both `runcommand`. */
export function plainToolName(toolName: string | null): string {
  return toolNameOf(toolName)
    .name.toLowerCase()
    .replace(/[^a-z]/g, "");
}
