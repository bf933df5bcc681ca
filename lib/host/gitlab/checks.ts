import { z } from "zod";
import { askHost, callHost, type HostCall, nullIfUnseen, readAnswer } from "#lib/host/call-host.ts";
import { readLogEnd } from "#lib/host/log-end.ts";
import { checksMax, type HostCheck } from "#lib/host/pull-host.ts";
import { dateOf, unlessUnchanged } from "#lib/host/unchanged-checks.ts";

const Instant = z.string().nullish();
/** A job, or a status that another program set. Lists of a commit have `target_url`, lists of a pipeline `web_url`. */
const Job = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  failure_reason: z.string().nullish(),
  target_url: z.string().nullish(),
  web_url: z.string().nullish(),
  started_at: Instant,
  finished_at: Instant,
});
type Job = z.output<typeof Job>;
const MergeRequest = z.object({
  sha: z.string().nullish(),
  head_pipeline: z.object({ id: z.int(), sha: z.string() }).nullish(),
});
const perPage = 100;

/**
 * Jobs and statuses of a commit (https://docs.gitlab.com/api/commits/#list-commit-statuses). A pipeline for merged results runs
 * at a separate commit: its jobs are found by the merge request. `project` is its address in the API.
 */
export async function gitlabChecks(
  call: HostCall,
  project: string,
  { commit, number, etag }: { commit: string; number: number; etag: string | null },
): Promise<{ checks: HostCheck[] | null; etag: string | null }> {
  const jobs = await readJobs(call, `${project}/repository/commits/${encodeURIComponent(commit)}/statuses?`);
  const url = `${project}/merge_requests/${number}`;
  const pull = await nullIfUnseen(callHost(call, { method: "GET", url }, MergeRequest));
  const pipeline = pull?.sha === commit ? pull.head_pipeline : null;
  if (pipeline != null && pipeline.sha !== commit) {
    jobs.push(...(await readJobs(call, `${project}/pipelines/${pipeline.id}/jobs?include_retried=false&`)));
  }
  return unlessUnchanged(latestOf(jobs).map(checkOf), etag);
}

/** The pages of a list of jobs, at most as many as hold {@link checksMax}; GitLab names the next one in a header. */
async function readJobs(call: HostCall, list: string): Promise<Job[]> {
  const jobs: Job[] = [];
  let page = "1";
  for (let pages = 0; page !== "" && pages < checksMax / perPage; pages += 1) {
    const request = { method: "GET", url: `${list}per_page=${perPage}&page=${page}` } as const;
    const answer = await nullIfUnseen(askHost(call, request));
    if (answer === null) return jobs;
    jobs.push(...readAnswer(call, answer, z.array(Job)));
    page = String(answer.headers["x-next-page"] ?? "");
  }
  return jobs.slice(0, checksMax);
}

/** A job that was retried, and one that ran in two pipelines of the commit, has several entries: the newest counts. */
function latestOf(jobs: readonly Job[]): Job[] {
  const byName = new Map<string, Job>();
  for (const job of jobs) {
    const known = byName.get(job.name);
    if (known === undefined || known.id < job.id) byName.set(job.name, job);
  }
  return [...byName.values()];
}

const jobsOwnApp = "gitlab-ci";

/** Log of a job. Statuses that other programs set have none. */
export async function gitlabCheckLog(call: HostCall, project: string, check: HostCheck): Promise<string | null> {
  const id = check.app === jobsOwnApp ? /^job:(\d+)$/.exec(check.id)?.[1] : undefined;
  return id === undefined ? null : await readLogEnd(call, `${project}/jobs/${id}/trace`);
}

function checkOf(job: Job): HostCheck {
  const url = job.web_url ?? job.target_url ?? null;
  const conclusion = conclusionOf(job);
  return {
    id: `job:${job.id}`,
    name: job.name,
    app: url?.endsWith(`/-/jobs/${job.id}`) ? jobsOwnApp : null,
    status: conclusion !== null ? "completed" : /^(?:running|canceling)$/.test(job.status) ? "running" : "queued",
    conclusion,
    url,
    startedAt: dateOf(job.started_at),
    completedAt: conclusion === null ? null : dateOf(job.finished_at),
    annotations: [],
  };
}

/**
 * How a job ended, or null (https://docs.gitlab.com/ci/jobs/#available-job-statuses). A job that is allowed to fail is not red
 * when it does, and a manual job blocks its pipeline only if it is not allowed to fail.
 */
function conclusionOf({ status, allow_failure, failure_reason }: Job): HostCheck["conclusion"] {
  const isOptional = allow_failure === true;
  switch (status) {
    case "success":
      return "success";
    case "failed":
      if (isOptional) return "neutral";
      return /timeout/.test(failure_reason ?? "") ? "timed_out" : "failure";
    case "canceled":
      return "cancelled";
    case "skipped":
      return "skipped";
    case "manual":
      return isOptional ? "skipped" : "action_required";
    default:
      return null;
  }
}
