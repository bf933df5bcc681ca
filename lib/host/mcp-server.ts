import { z } from "zod";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { cutText } from "#lib/cut-text.ts";
import { HostError, type Send } from "./call-host.ts";
import { maskSent } from "./mask-sent.ts";
import { failureOf } from "./open-integration.ts";

/** Address of an MCP server, and headers of every request to it. */
export type McpAddress = { url: string; headers: Record<string, string> };

/** An MCP server's description of itself, or why it cannot be used. `error` is a sentence that may be shown. */
export type McpServerCheck = { active: true; server: string; tools: number } | { active: false; error: string };

/** The requested protocol revision; the server may respond with an earlier one. */
const protocolVersion = "2025-06-18";
const timeoutMs = 10_000;
const answerBytesMax = 4 * 1024 * 1024;
const pagesMax = 50;

const Initialized = z.object({
  // Sent as a header of every further request.
  protocolVersion: z.string().regex(/^[\w.-]{1,40}$/),
  capabilities: z.object({ tools: z.unknown().optional() }),
  serverInfo: z.object({ name: z.string(), version: z.string().optional() }),
});
const ToolPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Opens a session with the server as an agent does (`initialize`), and counts its tools. Throws only if the signal aborts. */
export async function checkMcpServer(address: McpAddress, send: Send, signal: AbortSignal): Promise<McpServerCheck> {
  const session = new McpSession(address, send, signal);
  try {
    const { serverInfo, capabilities } = await session.open();
    const tools = capabilities.tools === undefined ? 0 : await session.countTools();
    const server = [serverInfo.name, serverInfo.version].filter((part) => part !== undefined).join(" ");
    // It is shown in one line.
    const plain = server.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
    return { active: true, server: cutText(maskSent(plain, address.headers), 200), tools };
  } catch (error) {
    signal.throwIfAborted();
    return { active: false, error: failureOf(error) };
  } finally {
    await session.close();
  }
}

/** One session over streamable HTTP (https://modelcontextprotocol.io/specification/2025-06-18/basic/transports). */
class McpSession {
  readonly #address: McpAddress;
  readonly #send: Send;
  readonly #signal: AbortSignal;
  #headers: Record<string, string> = {};
  #calls = 0;

  constructor(address: McpAddress, send: Send, signal: AbortSignal) {
    this.#address = address;
    this.#send = send;
    this.#signal = signal;
  }

  async open() {
    const answer = await this.#ask("initialize", Initialized, {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "errand", title: "Errand", version: "1" },
    });
    this.#headers["mcp-protocol-version"] = answer.protocolVersion;
    await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  async countTools(): Promise<number> {
    let count = 0;
    let cursor: string | undefined;
    for (let page = 0; page < pagesMax; page += 1) {
      const { tools, nextCursor } = await this.#ask("tools/list", ToolPage, cursor === undefined ? {} : { cursor });
      count += tools.length;
      if (nextCursor === undefined) break;
      cursor = nextCursor;
    }
    return count;
  }

  /** Tells a server with sessions that this one is over. */
  async close(): Promise<void> {
    if (this.#headers["mcp-session-id"] === undefined || this.#signal.aborted) return;
    await this.#request("DELETE").catch(() => undefined);
  }

  async #ask<Schema extends z.ZodType>(method: string, schema: Schema, params: object): Promise<z.output<Schema>> {
    this.#calls += 1;
    const answer = await this.#post({ jsonrpc: "2.0", id: this.#calls, method, params });
    const message = messagesOf(answer).find(({ id }) => id === this.#calls);
    const { error, result } = message ?? {};
    if (error !== undefined) {
      const { message: said } = fieldsOf(error);
      const words = typeof said === "string" ? `: ${maskSent(said, this.#address.headers).slice(0, 200)}` : "";
      throw new HostError(`The server refused ${method}${words}.`);
    }
    const read = schema.safeParse(result);
    if (read.success) return read.data;
    throw new HostError(noServer);
  }

  async #post(message: object) {
    const answer = await this.#request("POST", JSON.stringify(message));
    const { status } = answer;
    const sessionId = answer.headers["mcp-session-id"];
    if (typeof sessionId === "string") this.#headers["mcp-session-id"] = sessionId;
    if (status >= 200 && status < 300) return answer;
    if (status === 401) throw new HostError("The server does not accept the headers (401).", status);
    if (status === 403) throw new HostError("The server refused (403).", status);
    if (status === 404 || status === 405) throw new HostError(noServer, status);
    if (status >= 300 && status < 400) {
      throw new HostError(`The address redirects (${status}). Enter the address it redirects to.`, status);
    }
    throw new HostError(`The server answered with status ${status}.`, status);
  }

  #request(method: "POST" | "DELETE", body?: string) {
    const headers = {
      ...this.#address.headers,
      ...this.#headers,
      accept: "application/json, text/event-stream",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    return this.#send({
      method,
      url: this.#address.url,
      headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs,
      answerBytesMax,
      signal: this.#signal,
    });
  }
}

const noServer = "The address responds, but not like an MCP server over streamable HTTP.";

/** JSON-RPC messages of a response: one as JSON, or those of an event stream. */
function messagesOf({ headers, body }: Awaited<ReturnType<Send>>): Record<string, unknown>[] {
  const text = new TextDecoder().decode(body);
  if (!String(headers["content-type"] ?? "").startsWith("text/event-stream")) return [fieldsOf(parsed(text))];
  return text.split(/\r?\n\r?\n/).map((event) => {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []));
    return fieldsOf(parsed(data.join("\n")));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
