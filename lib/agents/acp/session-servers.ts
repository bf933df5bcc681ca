import type { AgentMcpServer, AgentProfile } from "#lib/agents/agent.ts";
import type { AgentConnection } from "./connection.ts";
import type { AgentHandshake, SessionServer } from "./session.ts";

/** Shorter values occur in ordinary text, so hiding them would make errors unreadable. */
const hiddenMin = 8;

/**
 * The servers for an agent's session; none if the agent does not support HTTP servers, which `notice` says for agents that could
 * use tools. The values of headers are kept out of errors and diagnostics.
 */
export function serversForSession(
  connection: AgentConnection,
  agent: AgentHandshake,
  profile: AgentProfile,
  servers: readonly AgentMcpServer[],
): { mcpServers: SessionServer[]; notice: string | null } {
  if (agent.agentCapabilities?.mcpCapabilities?.http !== true) {
    const names = servers.map(({ name }) => name).join(", ");
    const isMissed = servers.length > 0 && profile.hasModel;
    return {
      mcpServers: [],
      notice: isMissed ? `${profile.title} takes no MCP servers over HTTP, so it was not given: ${names}.` : null,
    };
  }
  const mcpServers = servers.map(({ name, url, headers }): SessionServer => {
    for (const value of Object.values(headers)) {
      for (const secret of [value, value.split(" ").at(-1) ?? ""])
        if (secret.length >= hiddenMin) connection.hide(secret);
    }
    return {
      type: "http",
      name,
      url,
      headers: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
    };
  });
  return { mcpServers, notice: null };
}
