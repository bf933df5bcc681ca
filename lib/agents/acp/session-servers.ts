import type { AgentMcpProgram, AgentMcpServer, AgentProfile } from "#lib/agents/agent.ts";
import type { AgentConnection } from "./connection.ts";
import type { AgentHandshake, SessionServer } from "./session.ts";

/** Shorter values occur in ordinary text, so hiding them would make errors unreadable. */
const hiddenMin = 8;

/**
 * The servers for an agent's session; without those over HTTP if the agent does not support them; `notice` says so for agents
 * that could use tools. The values of headers and variables are kept out of errors and diagnostics.
 */
export function serversForSession(
  connection: AgentConnection,
  agent: AgentHandshake,
  profile: AgentProfile,
  given: readonly (AgentMcpServer | AgentMcpProgram)[],
): { mcpServers: SessionServer[]; notice: string | null } {
  const hide = (values: string[]) => {
    for (const value of values) if (value.length >= hiddenMin) connection.hide(value);
  };
  const programs = given.flatMap((server): SessionServer[] => {
    if (!("command" in server)) return [];
    const [command, ...args] = server.command;
    hide(Object.values(server.env));
    return [{ name: server.name, command, args, env: pairsOf(server.env) }];
  });
  const servers = given.filter((server) => "url" in server);
  if (agent.agentCapabilities?.mcpCapabilities?.http !== true) {
    const names = servers.map(({ name }) => name).join(", ");
    const isMissed = servers.length > 0 && profile.hasModel;
    return {
      mcpServers: programs,
      notice: isMissed
        ? `${profile.title} does not support MCP servers over HTTP, so these were left out: ${names}.`
        : null,
    };
  }
  const mcpServers = servers.map(({ name, url, headers }): SessionServer => {
    hide(Object.values(headers).flatMap((value) => [value, value.split(" ").at(-1) ?? ""]));
    return { type: "http", name, url, headers: pairsOf(headers) };
  });
  return { mcpServers: [...programs, ...mcpServers], notice: null };
}

function pairsOf(values: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
