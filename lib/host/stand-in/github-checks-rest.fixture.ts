import type { HostState, KeptCheck } from "./host-state.fixture.ts";
import { missing, ok, pageOf, type RepositoryRequest, type RestAnswer } from "./rest.fixture.ts";

/** Check runs, statuses, annotations and logs of jobs, as GitHub's REST API has them. Null for other addresses. */
export function githubChecksRest(state: HostState, request: RepositoryRequest): RestAnswer | null {
  const { fullName, rest, query, baseUrl } = request;
  const [, commit, list] = /^\/commits\/([^/]+)\/(check-runs|status)$/.exec(rest) ?? [];
  if (commit !== undefined) {
    if (state.lacks.has("checks")) return { status: 403, json: { message: "Resource not accessible by integration" } };
    const all = state.checksOf(fullName, commit).filter(({ isStatus }) => isStatus === (list === "status"));
    const { items } = pageOf(all, query, { name: "per_page", usual: 30, most: 100 });
    const total_count = all.length;
    if (list === "status")
      return ok({ state: stateOf(all), sha: commit, total_count, statuses: items.map(presentedStatus) });
    return ok({ total_count, check_runs: items.map((check) => presentedRun(check, { fullName, baseUrl })) });
  }
  const [, runId] = /^\/check-runs\/(\d+)\/annotations$/.exec(rest) ?? [];
  if (runId !== undefined) {
    const check = state.checks.find(({ id }) => id === Number(runId));
    if (check === undefined) return missing;
    const { items } = pageOf(check.annotations, query, { name: "per_page", usual: 30, most: 100 });
    return ok(
      items.map(({ path, line, level, message }) => ({
        path,
        start_line: line ?? 1,
        end_line: line ?? 1,
        annotation_level: level,
        title: null,
        message,
      })),
    );
  }
  const [, jobId] = /^\/actions\/jobs\/(\d+)\/logs$/.exec(rest) ?? [];
  if (jobId === undefined) return null;
  const job = state.checks.find(({ id, app }) => id === Number(jobId) && app === "github-actions");
  if (job === undefined) return missing;
  if (job.log === null)
    return { status: 410, json: { message: "Server Error: Failed to generate URL to download logs" } };
  // The log is on another server, whose address has a signature: it refuses requests with a credential.
  return { status: 302, text: "", headers: { location: `${baseUrl}/_logs/${job.id}?sig=secret` } };
}

function stateOf(checks: readonly KeptCheck[]): string {
  if (checks.some(({ conclusion }) => conclusion !== null && conclusion !== "success")) return "failure";
  return checks.length === 0 || checks.some(({ conclusion }) => conclusion === null) ? "pending" : "success";
}

export function presentedStatus(check: KeptCheck) {
  return {
    id: check.id,
    context: check.name,
    state: check.conclusion === null ? "pending" : check.conclusion === "success" ? "success" : "failure",
    description: null,
    target_url: `https://ci.example/${check.id}`,
    created_at: check.startedAt,
    updated_at: check.completedAt ?? check.startedAt,
  };
}

/** A check run, as its list and its event have it. */
export function presentedRun(check: KeptCheck, { fullName, baseUrl }: { fullName: string; baseUrl: string }) {
  return {
    id: check.id,
    name: check.name,
    head_sha: check.commit,
    status: check.status === "running" ? ("in_progress" as const) : check.status,
    conclusion: check.conclusion,
    html_url: `${baseUrl}/${fullName}/runs/${check.id}`,
    details_url: `https://ci.example/${check.id}`,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    app: { id: 1, slug: check.app, name: check.app },
    output: { title: null, summary: null, text: null, annotations_count: check.annotations.length },
  };
}
