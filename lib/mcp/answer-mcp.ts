import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { mcpTools } from "#lib/contract/openapi/mcp-tools.ts";
import type { Answer } from "#lib/http/answer.ts";
import { unlessAborted } from "#lib/unless-aborted.ts";
import { callTool, type McpRequest } from "./call-tool.ts";
import { mcpInputSchema, mcpOutputSchema } from "./input-schema.ts";

const instructions =
  "Errand sends coding agents on errands in repositories and keeps every step they take. Start a run, wait for it, then read its result; read_log, find_in_run and analyze show what it did, get_diff and read_file what it changed; push_run and open_pull_request send it out. A run in status waiting asks a question: answer_question.";

// The tools do not change while the service runs.
const listed = mcpTools.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: mcpInputSchema(tool),
  outputSchema: mcpOutputSchema(tool),
  annotations: {
    title: tool.title,
    readOnlyHint: tool.readOnly,
    destructiveHint: tool.destructive,
    idempotentHint: tool.idempotent,
    openWorldHint: ["start_run", "resume_run", "push_run", "open_pull_request"].includes(tool.name),
  },
}));

/**
 * Responds to the messages of one POST with the official SDK, using a server per request: nothing is kept between requests, so
 * any process can respond to the next. A call that asks for progress gets an event stream, any other a single JSON response.
 */
export async function answerMessages(request: McpRequest, messages: unknown): Promise<Answer> {
  const { signal } = request.call;
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !wantsProgress(messages) });
  const server = serverFor(request);
  await server.connect(transport);
  const close = () => void server.close();
  signal.addEventListener("abort", close, { once: true });
  const asked = new Request("http://mcp.invalid/mcp", { method: "POST", headers: transportHeaders(request) });
  const answered = await unlessAborted(transport.handleRequest(asked, { parsedBody: messages }), signal);
  // Nobody reads the response to a client that has disconnected.
  const response = answered ?? new Response(null, { status: 503 });
  if (response.body !== null && /^text\/event-stream/.test(response.headers.get("content-type") ?? "")) {
    return { status: response.status, headers: headersOf(response), body: textsOf(response.body, close) };
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  close();
  const headers = { ...headersOf(response), ...request.limitHeaders, "content-length": String(bytes.length) };
  return { status: response.status, headers, body: bytes.length === 0 ? null : [bytes] };
}

function serverFor(request: McpRequest): Server {
  const server = new Server(
    { name: "errand", title: "Errand", version: "1" },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const tool = mcpTools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 100)}.`);
    }
    const token = params._meta?.progressToken;
    const report =
      token === undefined
        ? null
        : (progress: { progress: number; total: number; message: string }) =>
            sendNotification({ method: "notifications/progress", params: { progressToken: token, ...progress } });
    const until = AbortSignal.any([signal, request.call.signal]);
    return await callTool(request, tool, params.arguments ?? {}, { signal: until, report });
  });
  return server;
}

/** True for a wait that asks for progress: the only tool that reports any. */
function wantsProgress(messages: unknown): boolean {
  const { method, params } = fieldsOf(messages);
  const { name, _meta } = fieldsOf(params);
  return method === "tools/call" && name === "wait_for_run" && "progressToken" in fieldsOf(_meta);
}

function transportHeaders({ call }: McpRequest): Headers {
  const headers = new Headers();
  for (const name of ["accept", "content-type", "mcp-protocol-version"]) {
    const value = call.header(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

function headersOf(response: Response): Record<string, string> {
  const { connection, ...headers } = Object.fromEntries(response.headers);
  return { "cache-control": "no-store", ...headers };
}

async function* textsOf(body: ReadableStream<Uint8Array>, close: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  } finally {
    close();
  }
}
