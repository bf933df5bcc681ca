import type { HostPermission } from "#lib/host/host.ts";
import { type HostState, hostLogin, hostToken, type KeptCheck, type Pull } from "./host-state.fixture.ts";
import {
  commentsIn,
  type Dialect,
  hasOpen,
  isOpen,
  keepComment,
  made,
  mayReview,
  missing,
  ok,
  pageOf,
  personNamed,
  presentedComment,
  type RepositoryRequest,
  type RestAnswer,
  textOf,
} from "./rest.fixture.ts";

const levels: Record<HostPermission, number> = { none: 0, read: 20, write: 30, admin: 40 };
const projectId = 1;
const noScope: RestAnswer = { status: 403, json: { error: "insufficient_scope", error_description: "needs api" } };
/** GitLab writes its status into the words. */
const protectedBranch: RestAnswer = {
  status: 403,
  json: { message: "403 Forbidden - You are not allowed to push into a protected branch" },
};

/** GitLab's REST API as its documentation has it (https://docs.gitlab.com/api/rest/), as far as the service uses it. */
export const gitlabRest: Dialect = async (state, request, baseUrl) => {
  const { path, authorization, method, query, body } = request;
  if (authorization !== `Bearer ${hostToken}`) return { status: 401, json: { message: "Bad credentials" } };
  if (path === "/user") return ok({ username: hostLogin });
  if (path === "/users") {
    const found = personNamed(state, query.get("username") ?? "");
    return ok(found === null ? [] : [{ id: found.id, username: found.login }]);
  }
  const [, name, rest = ""] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (name === undefined) return null;
  const fullName = decodeURIComponent(name);
  const rules = state.rulesOf(fullName);
  if (rules.hidden) return { status: 404, json: { message: "404 Project Not Found" } };
  if (rest === "") {
    const project_access = { access_level: rules.readOnly ? levels.read : levels.write };
    const permissions = { project_access, group_access: null };
    const names = { path_with_namespace: fullName, default_branch: rules.defaultBranch };
    return ok({ id: projectId, ...names, archived: rules.archived, permissions });
  }
  const asked = { fullName, rest, method, query, body, baseUrl };
  return (
    answerMember(state, rest) ??
    (await answerBranch(state, asked)) ??
    answerNote(state, asked) ??
    (await answerMergeRequests(state, asked)) ??
    (await answerMergeRequest(state, asked)) ??
    answerJobs(state, asked)
  );
};

function answerMember(state: HostState, rest: string): RestAnswer | null {
  const id = /^\/members\/all\/(\d+)$/.exec(rest)?.[1];
  if (id === undefined) return null;
  const person = [...state.people.values()].find((one) => one.id === Number(id));
  if (person === undefined || person.permission === "none") return { status: 404, json: { message: "404 Not found" } };
  return ok({ access_level: levels[person.permission] });
}

async function answerBranch(state: HostState, { fullName, rest }: RepositoryRequest): Promise<RestAnswer | null> {
  const name = /^\/repository\/branches\/([^/]+)$/.exec(rest)?.[1];
  if (name === undefined) return null;
  const branch = decodeURIComponent(name);
  const isNamed = [...state.pulls.values()].some((pull) => pull.branch === branch && pull.isDeleted !== true);
  const hasGit = state.git.folderOf(fullName) !== null;
  const isThere = hasGit ? (await state.git.branches(fullName)).has(branch) : isNamed;
  return isThere ? ok({ name: branch }) : { status: 404, json: { message: "404 Branch Not Found" } };
}

function answerNote(state: HostState, { fullName, rest, method, body, baseUrl }: RepositoryRequest): RestAnswer | null {
  const found = /^\/(issues|merge_requests)\/(\d+)\/(?:discussions\/([^/]+)\/)?notes$/.exec(rest);
  if (found === null) return null;
  const [, list, number, discussion] = found;
  const subject = list === "issues" ? "issue" : "pull";
  const thread = { repository: fullName, subject, number: Number(number), replyTo: discussion ?? null } as const;
  if (method === "POST") return made(presentedComment(keepComment(state, thread, body.body), baseUrl));
  return ok(commentsIn(state, fullName, thread.number).map((one) => presentedComment(one, baseUrl)));
}

const stateWords: Record<string, string> = { opened: "opened", closed: "closed", merged: "merged" };

async function answerMergeRequests(state: HostState, request: RepositoryRequest): Promise<RestAnswer | null> {
  const { fullName, rest, method, query, body } = request;
  if (rest !== "/merge_requests") return null;
  if (method === "GET") {
    const wanted = stateWords[query.get("state") ?? "all"];
    const branch = query.get("source_branch");
    const found = state.pullsOf(fullName).filter((pull) => {
      return (branch === null || pull.branch === branch) && (wanted === undefined || wanted === stateOf(pull));
    });
    const { items } = pageOf(found, query, { name: "per_page", usual: 20, most: 100 });
    return ok(await Promise.all(items.map((pull) => presentedMergeRequest(state, pull, request))));
  }
  if (state.lacks.has("pulls")) return noScope;
  if (state.rulesOf(fullName).refusesPulls) return protectedBranch;
  const branch = textOf(body, "source_branch") ?? "";
  const baseBranch = textOf(body, "target_branch") ?? "";
  if (branch === baseBranch) {
    return { status: 422, json: { message: ["You can't use same project/branch for source and target"] } };
  }
  if (hasOpen(state, fullName, { branch, baseBranch })) {
    const known = state.pullsOf(fullName).find((pull) => isOpen(pull) && pull.branch === branch);
    const message = [`Another open merge request already exists for this source branch: !${known?.number}`];
    return { status: 409, json: { message } };
  }
  // GitLab accepts a missing branch, and one without commits of its own.
  const texts = { title: textOf(body, "title") ?? "", body: textOf(body, "description") ?? "" };
  const pull = { branch, baseBranch, fork: null, isOpen: true, repository: fullName, author: hostLogin, ...texts };
  return made(await presentedMergeRequest(state, state.openPull(pull), request));
}

async function answerMergeRequest(state: HostState, request: RepositoryRequest): Promise<RestAnswer | null> {
  const { fullName, rest, method, body } = request;
  const number = /^\/merge_requests\/(\d+)$/.exec(rest)?.[1];
  if (number === undefined) return null;
  const pull = state.findPull(fullName, Number(number));
  if (pull === null) return { status: 404, json: { message: "404 Not found" } };
  if (method === "PUT") {
    if (state.lacks.has("pulls")) return noScope;
    const change: Partial<Pull> = {};
    if (typeof body.title === "string") change.title = body.title;
    if (typeof body.description === "string") change.body = body.description;
    if (body.state_event === "close") change.isOpen = false;
    if (body.state_event === "reopen" && pull.isMerged !== true) change.isOpen = true;
    if (Array.isArray(body.reviewer_ids)) {
      // People who cannot see the project are silently left out.
      const asked = body.reviewer_ids.map(Number);
      const known = [...state.people].filter(([, person]) => asked.includes(person.id) && mayReview(person.permission));
      change.reviewers = known.map(([login]) => login);
    }
    state.changePull(pull.number, change);
  }
  return ok(await presentedMergeRequest(state, state.findPull(fullName, pull.number) ?? pull, request));
}

function stateOf(pull: Pull): string {
  if (pull.isMerged === true) return "merged";
  return pull.isOpen ? "opened" : "closed";
}

async function presentedMergeRequest(
  state: HostState,
  pull: Pull & { number: number },
  { fullName, baseUrl }: Pick<RepositoryRequest, "fullName" | "baseUrl">,
) {
  const commit = await state.headOf(fullName, pull);
  const hasGit = state.git.folderOf(fullName) !== null;
  const checks = state.checksOf(fullName, commit);
  const title = pull.title ?? `Merge request ${pull.number}`;
  return {
    id: 10_000 + pull.number,
    iid: pull.number,
    web_url: `${baseUrl}/${fullName}/-/merge_requests/${pull.number}`,
    title,
    description: pull.body ?? null,
    draft: /^draft:/i.test(title),
    state: stateOf(pull),
    source_branch: pull.branch,
    target_branch: pull.baseBranch,
    source_project_id: pull.fork === null ? projectId : 2,
    target_project_id: projectId,
    sha: hasGit && /^0+$/.test(commit) ? null : commit,
    author: { id: 3, username: pull.author ?? "somebody" },
    reviewers: (pull.reviewers ?? []).map((login) => ({ id: state.people.get(login)?.id ?? 0, username: login })),
    head_pipeline: checks.length === 0 ? null : { id: 1, sha: commit },
  };
}

function answerJobs(state: HostState, request: RepositoryRequest): RestAnswer | null {
  const { fullName, rest, query, baseUrl } = request;
  const [, commit] = /^\/repository\/commits\/([^/]+)\/statuses$/.exec(rest) ?? [];
  if (commit !== undefined) {
    if (state.lacks.has("checks")) return { status: 403, json: { message: "403 Forbidden" } };
    const all = state.checksOf(fullName, commit);
    const { items, next } = pageOf(all, query, { name: "per_page", usual: 20, most: 100 });
    const jobs = items.map((check) => presentedJob(check, { fullName, baseUrl }));
    return { ...ok(jobs), headers: { "x-next-page": next === null ? "" : String(next) } };
  }
  const [, jobId] = /^\/jobs\/(\d+)\/trace$/.exec(rest) ?? [];
  if (jobId === undefined) return null;
  const job = state.checks.find(({ id, isStatus }) => id === Number(jobId) && !isStatus);
  return job === undefined ? missing : { status: 200, text: job.log ?? "", headers: { "content-type": "text/plain" } };
}

const jobWords: Record<string, string> = {
  success: "success",
  failure: "failed",
  timed_out: "failed",
  neutral: "failed",
  cancelled: "canceled",
  skipped: "skipped",
  action_required: "manual",
};

/** A job, as in the list of a commit's statuses. Those set by another program have their own address. */
function presentedJob(check: KeptCheck, { fullName, baseUrl }: { fullName: string; baseUrl: string }) {
  const { conclusion } = check;
  const running = check.status === "running" ? "running" : "pending";
  return {
    id: check.id,
    sha: check.commit,
    name: check.name,
    status: conclusion === null ? running : (jobWords[conclusion] ?? "failed"),
    allow_failure: conclusion === "neutral",
    failure_reason: conclusion === "timed_out" ? "job_execution_timeout" : null,
    target_url: check.isStatus ? `https://ci.example/${check.id}` : `${baseUrl}/${fullName}/-/jobs/${check.id}`,
    started_at: check.startedAt,
    finished_at: check.completedAt,
  };
}
