import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { ApiError } from "#lib/contract/error.ts";
import type { McpTool } from "#lib/contract/openapi/mcp-tools.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import type { Answer } from "#lib/http/answer.ts";
import type { Call } from "#lib/http/call.ts";
import { parseInput } from "#lib/http/field-errors.ts";
import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import { innerCall, jsonOf, textOf } from "./inner-call.ts";
import { refusalOf, toolError, toolResult } from "./tool-result.ts";
import { type AskOperation, type ReportProgress, waitForRun } from "./wait-for-run.ts";

/** One request to /mcp: its caller, its organization, and the API that its tools use. */
export type McpRequest = {
  call: Call;
  caller: Caller;
  runtime: Pick<HttpRuntime, "limits">;
  api: (call: Call) => Promise<Answer>;
  /** Receives the rate-limit headers of the tools' operations. */
  limitHeaders: Record<string, string>;
  /** True once the request has been charged: one that calls no operation counts as a standard request. */
  charged: boolean;
};

/** Calls a tool through the endpoint of its operation. An API error is a result that says so, with its message. */
export async function callTool(
  request: McpRequest,
  tool: McpTool,
  given: Record<string, unknown>,
  { signal, report }: { signal: AbortSignal; report: ReportProgress | null },
): Promise<CallToolResult> {
  let values: Record<string, unknown>;
  let organization: string;
  try {
    organization = organizationOf(request);
    values = readArguments(request, tool, given);
  } catch (error) {
    return await refuse(request, error);
  }
  const ask: AskOperation = async (operation, asked, more = {}) => {
    const inner = innerCall(request.call, operation, organization, {
      values: asked,
      idempotencyKey: more.idempotencyKey ?? null,
      signal: more.signal ?? signal,
    });
    request.charged = true;
    const answer = await request.api(inner);
    for (const name of ["ratelimit-policy", "ratelimit", "retry-after"]) {
      if (answer.headers[name] !== undefined) request.limitHeaders[name] = answer.headers[name];
    }
    return answer;
  };
  if (tool.name === "wait_for_run") return await waitForRun(tool, values, ask, { signal, report });
  const { idempotency_key: key, ...asked } = values;
  const answer = await ask(tool.operation, asked, { idempotencyKey: typeof key === "string" ? key : null });
  if (answer.status !== 200) return refusalOf(answer);
  const isJson = tool.operation.resultType === "application/json";
  return toolResult(tool, isJson ? jsonOf(answer) : { text: textOf(answer) });
}

/** A call that never reaches an operation is still charged, as a standard request. */
async function refuse(request: McpRequest, error: unknown): Promise<CallToolResult> {
  if (!(error instanceof ApiError)) throw error;
  try {
    await chargeStandard(request);
  } catch (refusal) {
    if (refusal instanceof ApiError) return toolError(refusal.message);
    throw refusal;
  }
  return toolError(error.message);
}

/** Charges the request as standard. Throws 429. */
export async function chargeStandard(request: McpRequest): Promise<void> {
  request.charged = true;
  Object.assign(request.limitHeaders, await request.runtime.limits.admit(request.caller, "standard"));
}

/** Organization named by x-organization-id, or the token's own. */
function organizationOf({ call, caller }: McpRequest): string {
  const named = call.header("x-organization-id")?.trim() ?? "";
  if (named === "") return String(caller.organizationId ?? "");
  if (/^\d{1,16}$/.test(named)) return named;
  throw new ApiError("invalid_parameters", "x-organization-id: must be a whole number");
}

/** Arguments as the operation takes them: with the tool's defaults, and x-repo-id for a run that names no repository. */
function readArguments({ call }: McpRequest, tool: McpTool, given: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(tool.input.shape, name));
  if (unknown !== undefined) {
    const known = Object.keys(tool.input.shape).join(", ") || "no arguments";
    throw new ApiError("invalid_parameters", `${unknown.slice(0, 100)}: is not known; ${tool.name} takes ${known}`);
  }
  const values = { ...tool.defaults, ...given };
  const repository = call.header("x-repo-id")?.trim() ?? "";
  if (tool.name === "start_run" && values.repo_id === undefined && repository !== "") {
    if (!/^\d{1,16}$/.test(repository)) {
      throw new ApiError("invalid_parameters", "x-repo-id: must be a whole number");
    }
    values.repo_id = Number(repository);
  }
  parseInput(tool.input, values, "body");
  return values;
}
