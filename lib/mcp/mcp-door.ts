import { ApiError } from "#lib/contract/error.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { bodyBytesMaxDefault } from "#lib/contract/operation.ts";
import { scopes } from "#lib/contract/people/role-scopes.ts";
import type { Answer } from "#lib/http/answer.ts";
import type { Call } from "#lib/http/call.ts";
import { problemAnswer } from "#lib/http/problem.ts";
import { parseJson, readBody } from "#lib/http/read-body.ts";
import { requestIdOf } from "#lib/http/request-id.ts";
import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import { tokenCaller } from "#lib/http/token-caller.ts";
import type { McpRequest } from "./call-tool.ts";

/** Maximum number of messages per request; older clients may send them as a list. */
const messagesMax = 20;
const body = { bodyBytesMax: bodyBytesMaxDefault, otherBodies: [] };

type Parts = { runtime: HttpRuntime; api: (call: Call) => Promise<Answer> };

/** Path of the protected resource metadata (RFC 9728), also followed by the server's own path. */
const metadataPath = "/.well-known/oauth-protected-resource";

/** True for the address of the MCP server, and those of its protected resource metadata. */
export function isMcpPath(path: string): boolean {
  return path === "/mcp" || path === "/mcp/" || isMetadata(path);
}

function isMetadata(path: string): boolean {
  return path === metadataPath || path === `${metadataPath}/mcp`;
}

/**
 * The MCP server over streamable HTTP (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports), without
 * sessions, and its protected resource metadata (GET). A tool call is charged as its operation, any other POST with a valid token as a
 * standard request, the rest not at all. Never throws.
 */
export async function answerMcp(call: Call, { runtime, api }: Parts): Promise<Answer> {
  const requestId = requestIdOf(call.header("x-request-id"));
  const answer = await answerOrProblem(call, { runtime, api }, requestId);
  answer.headers["x-request-id"] = requestId;
  answer.headers["x-content-type-options"] = "nosniff";
  return answer;
}

async function answerOrProblem(call: Call, { runtime, api }: Parts, requestId: string): Promise<Answer> {
  const limitHeaders: Record<string, string> = {};
  const problem = (error: ApiError) => {
    const answer = problemAnswer(error, call.target, requestId);
    return { ...answer, headers: { ...answer.headers, ...limitHeaders } };
  };
  try {
    if (isMetadata(new URL(call.target, runtime.publicUrl).pathname)) return describeResource(call, runtime.publicUrl);
    if (call.method === "OPTIONS") return { status: 204, headers: { allow: "POST, OPTIONS" }, body: null };
    if (call.method !== "POST") {
      const headers = { allow: "POST, OPTIONS" };
      throw new ApiError("method_not_allowed", "The MCP server keeps no sessions: use POST.", { headers });
    }
    const caller = await tokenCaller(call, runtime);
    // The SDK is loaded on first use: a service without MCP clients saves its memory.
    const [{ answerMessages }, { chargeStandard }] = await Promise.all([
      import("./answer-mcp.ts"),
      import("./call-tool.ts"),
    ]);
    const request: McpRequest = { call, caller, runtime, api, limitHeaders, charged: false };
    try {
      const messages = await readMessages(call);
      if (!areToolCalls(messages)) await chargeStandard(request);
      return await answerMessages(request, messages);
    } finally {
      // A body that cannot be read, or a call of a tool that does not exist.
      if (!request.charged && !call.signal.aborted) await chargeStandard(request);
    }
  } catch (error) {
    if (error instanceof ApiError) {
      const answer = problem(error);
      const challenge = answer.headers["www-authenticate"];
      if (challenge !== undefined) answer.headers["www-authenticate"] = withMetadata(challenge, runtime.publicUrl);
      return answer;
    }
    runtime.logger.error({ err: error, requestId }, "an MCP request failed");
    const internal = new ApiError(
      "internal",
      `Something went wrong. Errand's log has details under request id ${requestId}.`,
    );
    return problem(internal);
  }
}

/**
 * The server as a protected resource (RFC 9728). It names no authorization server: a person creates a token in the settings, which
 * the client sends as a bearer token.
 */
function describeResource(call: Call, publicUrl: string): Answer {
  if (call.method !== "GET" && call.method !== "HEAD") {
    throw new ApiError("method_not_allowed", "This describes the MCP server: use GET or HEAD.", {
      headers: { allow: "GET, HEAD" },
    });
  }
  const described = {
    resource: `${publicUrl}/mcp`,
    resource_name: "Errand",
    resource_documentation: `${publicUrl}/docs#mcp`,
    bearer_methods_supported: ["header"],
    scopes_supported: scopes,
  };
  const bytes = Buffer.from(JSON.stringify(described));
  const headers = { "content-type": "application/json; charset=utf-8", "content-length": String(bytes.length) };
  return { status: 200, headers: { ...headers, "cache-control": "no-cache" }, body: [bytes] };
}

/** The challenge, with the address of the metadata. */
function withMetadata(challenge: string, publicUrl: string): string {
  const separator = challenge.includes(" ") ? ", " : " ";
  return `${challenge}${separator}resource_metadata="${publicUrl}${metadataPath}/mcp"`;
}

async function readMessages(call: Call): Promise<unknown> {
  const messages = parseJson(await readBody(call, body));
  if (messages === undefined) throw new ApiError("bad_request", "The body is empty: send a JSON-RPC message.");
  if (Array.isArray(messages) && messages.length > messagesMax) {
    throw new ApiError("bad_request", `The body has more than ${messagesMax} messages.`);
  }
  return messages;
}

function areToolCalls(messages: unknown): boolean {
  const all = [messages].flat();
  return all.length > 0 && all.every((message) => fieldsOf(message).method === "tools/call");
}
