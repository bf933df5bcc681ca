import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/** The header the server requires. */
export const mcpAuthorization = "Bearer mcp-s3cret-1f9b";

type McpUnderTest = { url: string; sessions: { opened: number; closed: number }; close(): Promise<void> };

/** A real MCP server with two tools and sessions, on `host`. `json`: it responds with JSON instead of event streams. */
export async function openMcpServer({ json = false, host = "127.0.0.1" } = {}): Promise<McpUnderTest> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const sessions = { opened: 0, closed: 0 };
  const openSession = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: json,
      onsessioninitialized: (id) => {
        sessions.opened += 1;
        transports.set(id, transport);
      },
      onsessionclosed: () => {
        sessions.closed += 1;
      },
    });
    const server = new McpServer({ name: "tracker", version: "2.1" });
    for (const name of ["list_issues", "get_issue"]) {
      server.registerTool(name, { description: name }, async () => ({ content: [{ type: "text", text: "none" }] }));
    }
    // The SDK's own types do not work with exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<McpServer["connect"]>[0]);
    return transport;
  };
  const findSession = async (request: IncomingMessage) => {
    const id = request.headers["mcp-session-id"];
    return typeof id === "string" ? transports.get(id) : await openSession();
  };
  const listener = createServer(async (request, response) => {
    if (request.headers.authorization !== mcpAuthorization) return void response.writeHead(401).end();
    const transport = request.url === "/mcp" ? await findSession(request) : undefined;
    if (transport === undefined) return void response.writeHead(404).end();
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => listener.listen(0, host, resolve));
  const { port } = listener.address() as AddressInfo;
  const close = async () => {
    for (const transport of transports.values()) await transport.close();
    listener.closeAllConnections();
    // If it was closed before, it reports that in an error nobody needs.
    await new Promise((resolve) => listener.close(resolve));
  };
  return { url: `http://${host}:${port}/mcp`, sessions, close };
}
