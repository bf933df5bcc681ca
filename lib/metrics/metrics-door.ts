import { findMember, requireScope } from "#lib/auth/authorize.ts";
import { ApiError } from "#lib/contract/error.ts";
import { runStatuses } from "#lib/contract/runs/run-status.ts";
import type { Answer } from "#lib/http/answer.ts";
import type { Call } from "#lib/http/call.ts";
import { problemAnswer } from "#lib/http/problem.ts";
import { requestIdOf } from "#lib/http/request-id.ts";
import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import { tokenCaller } from "#lib/http/token-caller.ts";
import { Exposition, expositionType } from "./exposition.ts";
import { engineAliveMs } from "./store-figures.ts";
import type { WebMetrics } from "./web-metrics.ts";

type Parts = {
  runtime: HttpRuntime;
  metrics: WebMetrics;
  version: string;
  /** Whether the connection itself is from this machine, without forwarding. */
  isLocal: boolean;
};

/**
 * GET /metrics in Prometheus' format, for this machine or a token with `org:admin`. The numbers cover the whole installation
 * and name no organization. Never throws.
 */
export async function answerMetrics(call: Call, parts: Parts): Promise<Answer> {
  const requestId = requestIdOf(call.header("x-request-id"));
  const { runtime } = parts;
  const limits: Record<string, string> = {};
  const problem = (error: ApiError) => {
    const answer = problemAnswer(error, call.target, requestId);
    return { ...answer, headers: { ...answer.headers, ...limits } };
  };
  try {
    if (call.method !== "GET" && call.method !== "HEAD") {
      throw new ApiError("method_not_allowed", "This path takes GET.", { headers: { allow: "GET, HEAD" } });
    }
    if (!parts.isLocal) await admitAdmin(call, runtime, limits);
    const bytes = Buffer.from(await describe(parts));
    const headers = {
      ...limits,
      "content-type": expositionType,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      "content-length": String(bytes.length),
    };
    return { status: 200, headers, body: [bytes] };
  } catch (error) {
    if (error instanceof ApiError) return problem(error);
    runtime.logger.error({ err: error, requestId }, "the metrics failed");
    const internal = new ApiError(
      "internal",
      `Something went wrong. Errand's log has details under request id ${requestId}.`,
    );
    return problem(internal);
  }
}

/** Adds the headers of a request that was charged to `limits`. Throws 401, 403 and 429. */
async function admitAdmin(call: Call, runtime: HttpRuntime, limits: Record<string, string>): Promise<void> {
  const caller = await tokenCaller(call, runtime);
  Object.assign(limits, await runtime.limits.admit(caller, "standard"));
  requireScope(await findMember(caller, caller.organizationId ?? 0, runtime.store), "org:admin");
}

async function describe({ runtime, metrics, version }: Parts): Promise<string> {
  const { figures, progress, engines } = await metrics.storeFigures.read(runtime);
  const text = new Exposition();
  const build = { version, node: process.versions.node };
  text.write("gauge", "errand_build_info", "What runs here", [{ labels: build, value: 1 }]);
  const runs = runStatuses.map((status) => ({ labels: { status }, value: figures.runs[status] ?? 0 }));
  text.write("gauge", "errand_runs", "Runs by status", runs);
  text.one("gauge", "errand_queue_depth", "Runs that wait to be started", figures.runs.queued ?? 0);
  const oldest = figures.oldestQueuedAt === null ? 0 : runtime.now().getTime() - Date.parse(figures.oldestQueuedAt);
  text.one("gauge", "errand_queue_oldest_seconds", "How long the oldest of them waits", Math.max(0, oldest) / 1000);
  text.one(
    "gauge",
    "errand_engine_slots_used",
    "Runs that an engine works on, without those that wait",
    figures.working,
  );
  text.one("gauge", "errand_engines", `Engines that were alive in the last ${engineAliveMs / 1000} s`, engines);
  if (progress !== null) {
    text.one("counter", "errand_log_entries_total", "Log entries that were appended to runs", progress.all);
    text.one(
      "gauge",
      "errand_search_index_lag_entries",
      "Entries not in the index yet",
      progress.all - progress.indexed,
    );
  }
  const refused = [...runtime.limits.refused].map(([name, value]) => ({ labels: { class: name }, value }));
  text.write("counter", "errand_rate_limited_total", "Requests refused by a rate limit, by its class", refused);
  metrics.write(text);
  return text.toString();
}
