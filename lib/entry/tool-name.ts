/** A tool's name as it is shown: `server` is the MCP server that offers it, null for a tool of the agent's own. */
export type ToolName = { name: string; server: string | null };

/**
 * The name of a tool and of its MCP server, from `mcp__server__tool`, `mcp_server_tool` (only where the name begins with
 * `mcp_`), `server/tool` and `server.tool`. A name that is null or empty is "tool".
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

/** The letters of a tool's own name, lower-case: `mcp__term__run_command` and `RunCommand` are both `runcommand`. */
export function plainToolName(toolName: string | null): string {
  return toolNameOf(toolName)
    .name.toLowerCase()
    .replace(/[^a-z]/g, "");
}
