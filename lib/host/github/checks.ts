import { z } from "zod";
import { askHost, callHost, type HostCall, nullIfUnseen, readAnswer } from "#lib/host/call-host.ts";
import { readLogEnd } from "#lib/host/log-end.ts";
import { annotatedMax, annotationsMax, checksMax, type HostAnnotation, type HostCheck } from "#lib/host/pull-host.ts";
import { dateOf } from "#lib/host/unchanged-checks.ts";

const Instant = z.string().nullish();
const CheckRun = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: z.string().nullish(),
  details_url: z.string().nullish(),
  started_at: Instant,
  completed_at: Instant,
  app: z.object({ slug: z.string().nullish() }).nullish(),
  output: z.object({ annotations_count: z.int().nullish() }).nullish(),
});
const CheckRuns = z.object({ total_count: z.int(), check_runs: z.array(CheckRun) });
const Status = z.object({
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
  created_at: Instant,
  updated_at: Instant,
});
const Combined = z.object({ total_count: z.int(), statuses: z.array(Status) });
const Annotations = z.array(
  z.object({
    path: z.string(),
    start_line: z.int().nullish(),
    annotation_level: z.string().nullish(),
    title: z.string().nullish(),
    message: z.string().nullish(),
  }),
);

/** The schemas of GitHub's responses; documented/shapes.ts compares them with GitHub's documentation. */
export const checkAnswers = { CheckRuns, Combined, Annotations };

/** Most runs of a page. Each may come with 128 KB of text, which cannot be left out. */
const perPage = 100;
const pageBytesMax = 16 * 1024 * 1024;

/**
 * Check runs and statuses of a commit (https://docs.github.com/rest/checks/runs, https://docs.github.com/rest/commits/statuses):
 * old services report statuses, others check runs. `repository` is its address in the API. Each list has an etag; the returned
 * one combines both.
 */
export async function githubChecks(
  call: HostCall,
  repository: string,
  { commit, etag }: { commit: string; etag: string | null },
): Promise<{ checks: HostCheck[] | null; etag: string | null }> {
  const place = `${repository}/commits/${encodeURIComponent(commit)}`;
  const [knownRuns, knownStatuses] = etagsOf(etag);
  const lists = {
    runs: { url: `${place}/check-runs?filter=latest`, schema: CheckRuns },
    statuses: { url: `${place}/status`, schema: Combined },
  };
  const runs = await readPages(call, lists.runs, knownRuns);
  const statuses = await readPages(call, lists.statuses, knownStatuses);
  if (runs.pages === null && statuses.pages === null) return { checks: null, etag };
  // One of them changed, so the other is needed as well.
  const [allRuns, allStatuses] = [
    runs.pages === null ? await readPages(call, lists.runs, null) : runs,
    statuses.pages === null ? await readPages(call, lists.statuses, null) : statuses,
  ];
  const checks: HostCheck[] = [];
  let annotated = 0;
  for (const run of allRuns.pages?.flatMap(({ check_runs }) => check_runs) ?? []) {
    const check = checkOf(run);
    const hasRemarks = (run.output?.annotations_count ?? 0) > 0 && isFailure(check) && annotated < annotatedMax;
    annotated += hasRemarks ? 1 : 0;
    checks.push(hasRemarks ? { ...check, annotations: await readAnnotations(call, repository, run.id) } : check);
  }
  checks.push(...(allStatuses.pages?.flatMap((page) => page.statuses.map(checkOfStatus)) ?? []));
  return { checks, etag: JSON.stringify([allRuns.etag, allStatuses.etag]) };
}

/**
 * Pages of a list that says how many items it has. `pages` is null if the list still matches the etag. A list of several pages
 * has no etag: that of its first page would miss changes on later ones.
 */
async function readPages<Page extends { total_count: number }>(
  call: HostCall,
  { url, schema }: { url: string; schema: z.ZodType<Page> },
  etag: string | null,
): Promise<{ pages: Page[] | null; etag: string | null }> {
  const pages: Page[] = [];
  let first: string | null = null;
  for (let page = 1; page <= checksMax / perPage; page++) {
    const place = `${url}${url.includes("?") ? "&" : "?"}per_page=${perPage}&page=${page}`;
    const known = page === 1 ? etag : null;
    const request = { method: "GET", url: place, etag: known, answerBytesMax: pageBytesMax } as const;
    const answer = await nullIfUnseen(askHost(call, request));
    // A credential may see only one kind of them.
    if (answer === null) return { pages: [], etag: null };
    if (answer.unchanged) return { pages: null, etag };
    const read = readAnswer(call, answer, schema);
    pages.push(read);
    if (page === 1) first = answer.etag;
    if (page * perPage >= read.total_count) break;
  }
  return { pages, etag: pages.length === 1 ? first : null };
}

function etagsOf(etag: string | null): [string | null, string | null] {
  const Pair = z.tuple([z.string().nullable(), z.string().nullable()]);
  try {
    return Pair.safeParse(JSON.parse(etag ?? "null")).data ?? [null, null];
  } catch {
    return [null, null];
  }
}

async function readAnnotations(call: HostCall, repository: string, id: number): Promise<HostAnnotation[]> {
  const url = `${repository}/check-runs/${id}/annotations?per_page=${annotationsMax}`;
  const found = await nullIfUnseen(callHost(call, { method: "GET", url }, Annotations));
  return (found ?? []).map(({ path, start_line, annotation_level, title, message }) => ({
    path,
    line: start_line != null && start_line > 0 ? start_line : null,
    level: annotation_level === "failure" || annotation_level === "warning" ? annotation_level : "notice",
    message: [title, message].filter((text) => text != null && text !== "").join(": "),
  }));
}

/** Log of a job of GitHub Actions, whose check run has the job's id. Other apps keep theirs elsewhere. */
export async function githubCheckLog(call: HostCall, repository: string, check: HostCheck): Promise<string | null> {
  const id = check.app === "github-actions" ? /^run:(\d+)$/.exec(check.id)?.[1] : undefined;
  return id === undefined ? null : await readLogEnd(call, `${repository}/actions/jobs/${id}/logs`);
}

const conclusions: Record<string, HostCheck["conclusion"]> = {
  success: "success",
  failure: "failure",
  neutral: "neutral",
  skipped: "skipped",
  cancelled: "cancelled",
  timed_out: "timed_out",
  action_required: "action_required",
  startup_failure: "failure",
  // Nobody completed it within 14 days.
  stale: "timed_out",
};

function checkOf(run: z.output<typeof CheckRun>): HostCheck {
  const isOver = run.status === "completed";
  return {
    id: `run:${run.id}`,
    name: run.name,
    app: run.app?.slug ?? null,
    status: isOver ? "completed" : run.status === "in_progress" ? "running" : "queued",
    // An unknown conclusion, newer than this list, is not a success.
    conclusion: isOver ? (conclusions[run.conclusion ?? ""] ?? "failure") : null,
    url: run.html_url ?? run.details_url ?? null,
    startedAt: dateOf(run.started_at),
    completedAt: isOver ? dateOf(run.completed_at) : null,
    annotations: [],
  };
}

/** A status has no permanent id, so its context is its name. `error` and `failure` are both red. */
function checkOfStatus(status: z.output<typeof Status>): HostCheck {
  const isOver = status.state !== "pending";
  return {
    id: `status:${status.context}`,
    name: status.context,
    app: null,
    status: isOver ? "completed" : "running",
    conclusion: isOver ? (status.state === "success" ? "success" : "failure") : null,
    url: status.target_url ?? null,
    startedAt: dateOf(status.created_at),
    completedAt: isOver ? dateOf(status.updated_at) : null,
    annotations: [],
  };
}

const isFailure = ({ conclusion }: HostCheck) =>
  conclusion === "failure" || conclusion === "timed_out" || conclusion === "action_required";
