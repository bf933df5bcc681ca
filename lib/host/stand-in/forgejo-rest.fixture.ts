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
import { reviewsRest } from "./reviews-rest.fixture.ts";

const noScope: RestAnswer = {
  status: 403,
  json: { message: "token does not have at least one of required scope(s): [write:repository]" },
};
const onlyAdmins =
  "Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own";
const protectedBranch: RestAnswer = { status: 403, json: { message: "branch is protected", url: "/api/swagger" } };

/**
 * The REST API of Forgejo and Gitea as their documentation has it (https://codeberg.org/api/swagger), as far as the service uses
 * it. With a setting, the server ignores `head` in lists of pull requests, as older ones do.
 */
export const forgejoRest: Dialect = async (state, request, baseUrl) => {
  const { path, authorization, method, query, body } = request;
  if (authorization !== `token ${hostToken}`) return { status: 401, json: { message: "Bad credentials" } };
  if (path === "/user") return ok({ login: hostLogin });
  const person = /^\/users\/([^/]+)$/.exec(path)?.[1];
  if (person !== undefined) {
    const found = personNamed(state, decodeURIComponent(person));
    return found === null ? missing : ok({ id: found.id, login: found.login });
  }
  const [, owner, name, rest = ""] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (owner === undefined || name === undefined) return null;
  const fullName = `${decodeURIComponent(owner)}/${decodeURIComponent(name)}`;
  const rules = state.rulesOf(fullName);
  if (rules.hidden) return notFound();
  if (rest === "") {
    const permissions = { admin: !rules.notAdmin, push: !rules.readOnly, pull: true };
    return ok({ full_name: fullName, default_branch: rules.defaultBranch, archived: rules.archived, permissions });
  }
  const asked = { fullName, rest, method, query, body, baseUrl };
  return (
    answerPermission(state, asked) ??
    answerComment(state, asked) ??
    reviewsRest(state, asked, "forgejo") ??
    (await answerPulls(state, asked)) ??
    (await answerPull(state, asked)) ??
    answerStatus(state, asked)
  );
};

function notFound(...errors: string[]): RestAnswer {
  return {
    status: 404,
    json: { errors: errors.length === 0 ? null : errors, message: "The target couldn't be found." },
  };
}

function answerPermission(state: HostState, { fullName, rest }: RepositoryRequest): RestAnswer | null {
  const login = /^\/collaborators\/([^/]+)\/permission$/.exec(rest)?.[1];
  if (login === undefined) return null;
  if (state.rulesOf(fullName).notAdmin && login !== hostLogin) return { status: 403, json: { message: onlyAdmins } };
  const person = state.people.get(decodeURIComponent(login));
  return person === undefined ? missing : ok({ permission: person.permission });
}

function answerComment(
  state: HostState,
  { fullName, rest, method, body, baseUrl }: RepositoryRequest,
): RestAnswer | null {
  const [, number] = /^\/issues\/(\d+)\/comments$/.exec(rest) ?? [];
  if (number === undefined) return null;
  const subject = state.pulls.has(Number(number)) ? "pull" : "issue";
  const thread = { repository: fullName, subject, number: Number(number), replyTo: null } as const;
  if (method === "POST") return made(presentedComment(keepComment(state, thread, body.body), baseUrl));
  return ok(commentsIn(state, fullName, thread.number).map((one) => presentedComment(one, baseUrl)));
}

async function answerPulls(state: HostState, request: RepositoryRequest): Promise<RestAnswer | null> {
  const { fullName, rest, method, query, body } = request;
  if (rest !== "/pulls") return null;
  if (method === "GET") {
    const wanted = query.get("state") ?? "open";
    const found = state.pullsOf(fullName).filter((pull) => wanted === "all" || (wanted === "open") === isOpen(pull));
    const { items } = pageOf(found, query, { name: "limit", usual: 30, most: 50 });
    return ok(await Promise.all(items.map((pull) => presentedPull(state, pull, request))));
  }
  if (state.lacks.has("pulls")) return noScope;
  if (state.rulesOf(fullName).refusesPulls) return protectedBranch;
  const branch = textOf(body, "head") ?? "";
  const baseBranch = textOf(body, "base") ?? "";
  const branches = await state.git.branches(fullName);
  if (state.git.folderOf(fullName) !== null) {
    const absent = [branch, baseBranch].find((one) => !branches.has(one));
    if (absent !== undefined) {
      const side = absent === branch ? "head" : "base";
      return notFound(`could not find '${absent}' to be a commit, branch or tag in the ${side} repository ${fullName}`);
    }
  }
  if (hasOpen(state, fullName, { branch, baseBranch })) {
    const message = `pull request already exists for these targets [id: 1, issue_id: 1, head_branch: ${branch}]`;
    return { status: 409, json: { message } };
  }
  const texts = { title: textOf(body, "title") ?? "", body: textOf(body, "body") ?? "" };
  const pull = { branch, baseBranch, fork: null, isOpen: true, repository: fullName, author: hostLogin, ...texts };
  return made(await presentedPull(state, state.openPull(pull), request));
}

async function answerPull(state: HostState, request: RepositoryRequest): Promise<RestAnswer | null> {
  const { fullName, rest, method, body } = request;
  const [, number, part] = /^\/pulls\/(\d+)(\/requested_reviewers)?$/.exec(rest) ?? [];
  if (number === undefined) return null;
  const pull = state.findPull(fullName, Number(number));
  if (pull === null) return notFound();
  if (method !== "GET" && state.lacks.has("pulls")) return noScope;
  if (part !== undefined) {
    const asked = (Array.isArray(body.reviewers) ? body.reviewers : []).map(String);
    for (const login of asked) {
      const known = state.people.get(login);
      if (known === undefined) return notFound(`user does not exist [uid: 0, name: ${login}]`);
      const refusal = login === pull.author ? "poster of pr can't be reviewer" : "Reviewer can't read";
      if (login === pull.author || !mayReview(known.permission)) return { status: 422, json: { message: refusal } };
    }
    state.changePull(pull.number, { reviewers: [...new Set([...(pull.reviewers ?? []), ...asked])] });
    return made([]);
  }
  if (method === "PATCH") {
    const change: Partial<Pull> = {};
    if (typeof body.title === "string") change.title = body.title;
    if (typeof body.body === "string") change.body = body.body;
    if (typeof body.state === "string") change.isOpen = body.state === "open";
    if (change.isOpen === true && pull.isMerged === true) {
      return { status: 412, json: { message: "cannot change state of this pull request, it was already merged" } };
    }
    state.changePull(pull.number, change);
  }
  const json = await presentedPull(state, state.findPull(fullName, pull.number) ?? pull, request);
  return method === "PATCH" ? made(json) : ok(json);
}

async function presentedPull(
  state: HostState,
  pull: Pull & { number: number },
  { fullName, baseUrl }: Pick<RepositoryRequest, "fullName" | "baseUrl">,
) {
  const title = pull.title ?? `Pull request ${pull.number}`;
  const hasGit = state.git.folderOf(fullName) !== null;
  const isGone = hasGit && pull.fork === null && !(await state.git.branches(fullName)).has(pull.branch);
  return {
    id: 10_000 + pull.number,
    number: pull.number,
    html_url: `${baseUrl}/${fullName}/pulls/${pull.number}`,
    title,
    body: pull.body ?? "",
    draft: /^(?:WIP:|\[WIP\])/i.test(title),
    state: isOpen(pull) && pull.isDeleted !== true ? "open" : "closed",
    merged: pull.isMerged === true,
    head: {
      label: pull.branch,
      ref: isGone ? `refs/pull/${pull.number}/head` : pull.branch,
      sha: await state.headOf(fullName, pull),
      repo: { full_name: pull.fork ?? fullName },
    },
    base: { label: pull.baseBranch, ref: pull.baseBranch, repo: { full_name: fullName } },
    user: { id: 3, login: pull.author ?? "somebody" },
  };
}

function answerStatus(state: HostState, request: RepositoryRequest): RestAnswer | null {
  const { fullName, rest, query } = request;
  const [, commit] = /^\/commits\/([^/]+)\/status$/.exec(rest) ?? [];
  if (commit === undefined) return null;
  if (state.lacks.has("checks")) return noScope;
  const all = state.checksOf(fullName, commit);
  const { items } = pageOf(all, query, { name: "limit", usual: 30, most: 50 });
  const isRed = all.some(({ conclusion }) => conclusion !== null && conclusion !== "success");
  const combined = isRed ? "failure" : all.some(({ conclusion }) => conclusion === null) ? "pending" : "success";
  const statuses = items.length === 0 ? null : items.map(presentedStatus);
  return ok({ state: combined, sha: commit, total_count: all.length, statuses });
}

const statusWords: Record<string, string> = { success: "success", neutral: "warning", skipped: "skipped" };

function presentedStatus(check: KeptCheck) {
  return {
    id: check.id,
    status: check.conclusion === null ? "pending" : (statusWords[check.conclusion] ?? "failure"),
    context: check.name,
    description: "",
    target_url: `https://ci.example/${check.id}`,
    created_at: check.startedAt,
    updated_at: check.completedAt ?? check.startedAt,
  };
}
