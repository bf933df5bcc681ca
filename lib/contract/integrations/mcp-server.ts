import { z } from "zod";
import { mcpServerBounds } from "#lib/contract/bounds.ts";
import { FilledText, Instant } from "#lib/contract/text.ts";

/** Agents derive the names of tools from it: `mcp__NAME__tool`. */
const ServerName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/,
    "must be 1 to 40 letters, digits, - and _, and start with a letter or digit",
  );

/** Headers of the transport itself, and those that HTTP sets for each connection. */
const reservedHeaders = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "host",
  "mcp-protocol-version",
  "mcp-session-id",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const Headers = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be the name of an HTTP header")
      .refine((name) => !reservedHeaders.has(name.toLowerCase()), "is set by Errand itself"),
    FilledText(mcpServerBounds.valueMax).regex(
      /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
      "must be visible ASCII characters, without spaces around them",
    ),
  )
  .refine(
    (headers) => Object.keys(headers).length <= mcpServerBounds.headersMax,
    `must have at most ${mcpServerBounds.headersMax} entries`,
  )
  .refine(
    (headers) => new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
    "must name each header once",
  );

/** An MCP server in the body of `PUT integrations/mcp`. */
export const ConnectMcpServer = z.strictObject({
  name: ServerName.describe("Its name for agents, unique in the organization"),
  url: FilledText(mcpServerBounds.addressMax).describe(
    "Where it answers over streamable HTTP, such as https://mcp.example.com/mcp. It must have no query: put secrets in headers",
  ),
  headers: Headers.nullish().describe(
    "Headers of every request, such as Authorization. Never returned. If left out, those stored for this name and url stay; null: none",
  ),
  repo_ids: z
    .array(z.int().min(1))
    .min(1, "must name at least one repository; null: all")
    .max(mcpServerBounds.repositoriesMax, `must have at most ${mcpServerBounds.repositoriesMax} repositories`)
    .nullish()
    .describe(
      "Repositories whose runs are given the server; null: every run. If left out, those stored for this name stay; for a new one, every run",
    ),
});
export type ConnectMcpServer = z.infer<typeof ConnectMcpServer>;

/** All MCP servers of an organization, in the body of `PUT integrations/mcp`. */
export const ConnectMcpServers = z
  .array(ConnectMcpServer)
  .min(1, "must have at least one server; DELETE disconnects all")
  .max(mcpServerBounds.serversMax, `must have at most ${mcpServerBounds.serversMax} servers`);

/** MCP servers of one run, in the body of POST run and POST resume. */
export const RunMcpServers = z
  .array(
    z.strictObject({
      name: ServerName.describe(
        "Its name for the agent. If a server of the organization has the same name, that one is left out",
      ),
      url: FilledText(mcpServerBounds.addressMax).describe(
        "Where it answers over streamable HTTP. It must have no query: put secrets in headers. Its host must be one that the run may reach",
      ),
      headers: Headers.nullish().describe(
        "Headers of every request, such as Authorization. They are encrypted, never returned, and masked in the log",
      ),
    }),
  )
  .max(mcpServerBounds.ofRunMax, `must have at most ${mcpServerBounds.ofRunMax} servers`);
export type RunMcpServers = z.infer<typeof RunMcpServers>;

/** Names of the organization's MCP servers that a run is given, in the body of POST run. */
export const McpServerNames = z
  .array(ServerName)
  .max(mcpServerBounds.serversMax, `must have at most ${mcpServerBounds.serversMax} names`);

/** An MCP server that agents are given. */
export const McpServerStatus = z.object({
  id: z.int().describe("The server's id"),
  name: z.string().describe("Its name for agents"),
  url: z.string().describe("Where it answers"),
  header_names: z.array(z.string()).describe("Names of the stored headers; their values are never returned"),
  repo_ids: z.array(z.int()).nullable().describe("Repositories whose runs are given it; null: every run"),
  active: z.boolean().describe("Whether it worked when it was last checked. Agents are given active servers only"),
  reason: z.string().nullable().describe("Why it is not active"),
  checked_at: Instant.nullable().describe("When it was last checked"),
  server: z.string().nullable().describe("What it calls itself, with its version; null before it answered"),
  tools: z.int().nullable().describe("How many tools it has; null before it answered"),
});
export type McpServerStatus = z.infer<typeof McpServerStatus>;
