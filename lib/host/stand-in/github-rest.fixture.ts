import { createVerify } from "node:crypto";
import { githubChecksRest } from "./github-checks-rest.fixture.ts";
import { type HostState, hostBotId, hostLogin, type KeptComment, type Pull } from "./host-state.fixture.ts";
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

const notAccessible: RestAnswer = {
  status: 403,
  json: { message: "Resource not accessible by personal access token" },
};
/** A ruleset refuses it. The same words come with 409 from other calls. */
const ruleViolation: RestAnswer = {
  status: 422,
  json: { message: "Repository rule violations found\n\nCannot update this protected ref.\n\n" },
};
const invalid = (...errors: object[]): RestAnswer => ({ status: 422, json: { message: "Validation Failed", errors } });
const detail = { resource: "PullRequest" };
const closedWords = "Resource protected by organization SAML enforcement. You must grant your token access.";

/** GitHub's REST API as its documentation has it (https://docs.github.com/rest), as far as the service uses it. */
export const githubRest: Dialect = async (state, request, baseUrl) => {
  const { path, authorization, method, query, body } = request;
  if (path.startsWith("/app")) return answerApp(state, path, authorization);
  if (authorization !== `Bearer ${state.token}`) return { status: 401, json: { message: "Bad credentials" } };
  if (path === "/user") return ok({ login: hostLogin });
  if (path === "/graphql" || path === "/api/graphql") return answerGraphql(state, body);
  // Public, as every account; GitHub makes it with the App.
  if (path === "/users/errand%5Bbot%5D" && state.appKey !== null) return ok({ id: hostBotId, login: "errand[bot]" });
  const person = /^\/users\/([^/]+)$/.exec(path)?.[1];
  if (person !== undefined) {
    const found = personNamed(state, decodeURIComponent(person));
    return found === null ? missing : ok({ id: found.id, login: found.login });
  }
  const [, owner, name, rest = ""] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (owner === undefined || name === undefined) return null;
  const fullName = `${decodeURIComponent(owner)}/${decodeURIComponent(name)}`;
  const rules = state.rulesOf(fullName);
  if (rules.hidden) return missing;
  if (rules.moved) {
    const url = `${baseUrl}/api/v3/repositories/4711${rest}`;
    return { status: 301, json: { message: "Moved Permanently", url }, headers: { location: url } };
  }
  if (rules.closed) return { status: 403, json: { message: closedWords } };
  if (rest === "") {
    const permissions = { pull: true, push: !rules.readOnly, admin: false };
    return ok({ full_name: fullName, default_branch: rules.defaultBranch, archived: rules.archived, permissions });
  }
  const asked = { fullName, rest, method, query, body, baseUrl };
  return (
    answerPermission(state, rest) ??
    answerComment(state, asked) ??
    reviewsRest(state, asked, "github") ??
    (await answerPulls(state, asked)) ??
    (await answerPull(state, asked)) ??
    githubChecksRest(state, asked)
  );
};

function answerApp(state: HostState, path: string, authorization: string): RestAnswer {
  const [head, claims, signature] = authorization.replace(/^Bearer /, "").split(".");
  const isSigned =
    state.appKey !== null &&
    createVerify("RSA-SHA256")
      .update(`${head}.${claims}`)
      .verify(state.appKey, Buffer.from(signature ?? "", "base64url"));
  if (!isSigned) return { status: 401, json: { message: "A JSON web token could not be decoded" } };
  if (path === "/app") return ok({ slug: "errand" });
  const permissions = {
    contents: "write",
    metadata: "read",
    pull_requests: state.lacks.has("pulls") ? "read" : "write",
  };
  return made({ token: state.token, expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions });
}

function answerGraphql(state: HostState, body: Record<string, unknown>): RestAnswer {
  const number = Number(/^PR_(\d+)$/.exec(String((body.variables as { id?: unknown } | undefined)?.id))?.[1]);
  const [mutation] = /markPullRequestReadyForReview|convertPullRequestToDraft/.exec(String(body.query)) ?? [];
  const isKnown = mutation !== undefined && state.pulls.has(number);
  if (!isKnown) return ok({ data: null, errors: [{ type: "NOT_FOUND", message: "Could not resolve to a node" }] });
  if (state.lacks.has("pulls")) return ok({ data: null, errors: [{ message: "Resource not accessible" }] });
  state.changePull(number, { draft: mutation === "convertPullRequestToDraft" });
  return ok({ data: { [mutation]: { clientMutationId: null } } });
}

function answerPermission(state: HostState, rest: string): RestAnswer | null {
  const login = /^\/collaborators\/([^/]+)\/permission$/.exec(rest)?.[1];
  if (login === undefined) return null;
  const person = state.people.get(decodeURIComponent(login));
  return person === undefined ? missing : ok({ permission: person.permission });
}

function answerComment(
  state: HostState,
  { fullName, rest, method, query, body, baseUrl }: RepositoryRequest,
): RestAnswer | null {
  const [, list, number, reply] = /^\/(issues|pulls)\/(\d+)\/comments(?:\/(\d+)\/replies)?$/.exec(rest) ?? [];
  if (list === undefined) return null;
  const subject = list === "issues" ? "issue" : "pull";
  const thread = { repository: fullName, subject, number: Number(number), replyTo: reply ?? null } as const;
  if (method === "POST") return made(presentedComment(keepComment(state, thread, body.body), baseUrl));
  const isRemark = ({ replyTo }: KeptComment) => (replyTo !== null) === (list === "pulls");
  const since = Date.parse(query.get("since") ?? "") || 0;
  const all = commentsIn(state, fullName, thread.number).filter(
    (one) => isRemark(one) && Date.parse(one.createdAt) >= since,
  );
  // Oldest first; only remarks on lines can be sorted.
  const isNewestFirst = list === "pulls" && query.has("sort") && query.get("direction") === "desc";
  const { items } = pageOf(isNewestFirst ? all : all.reverse(), query, { name: "per_page", usual: 30, most: 100 });
  return ok(items.map((one) => presentedComment(one, baseUrl)));
}

async function answerPulls(state: HostState, request: RepositoryRequest): Promise<RestAnswer | null> {
  const { fullName, rest, method, query, body } = request;
  if (rest !== "/pulls") return null;
  if (method === "GET") {
    const [, branch] = /^[^:]+:(.+)$/.exec(query.get("head") ?? "") ?? [];
    const wanted = query.get("state") ?? "open";
    const found = state.pullsOf(fullName).filter((pull) => {
      const isAsked = branch === undefined || pull.branch === branch;
      return isAsked && (wanted === "all" || (wanted === "open") === isOpen(pull));
    });
    const { items } = pageOf(found, query, { name: "per_page", usual: 30, most: 100 });
    return ok(await Promise.all(items.map((pull) => presentedPull(state, pull, request))));
  }
  if (state.lacks.has("pulls")) return notAccessible;
  if (state.rulesOf(fullName).refusesPulls) return ruleViolation;
  const branch = textOf(body, "head") ?? "";
  const baseBranch = textOf(body, "base") ?? "";
  const branches = await state.git.branches(fullName);
  const hasGit = state.git.folderOf(fullName) !== null;
  if (hasGit && !branches.has(branch)) return invalid({ ...detail, field: "head", code: "invalid" });
  if (hasGit && !branches.has(baseBranch)) return invalid({ ...detail, field: "base", code: "invalid" });
  if (hasGit && (await state.git.ahead(fullName, branch, baseBranch)) === 0) {
    return invalid({ ...detail, code: "custom", message: `No commits between ${baseBranch} and ${branch}` });
  }
  if (hasOpen(state, fullName, { branch, baseBranch })) {
    const message = `A pull request already exists for ${fullName.split("/")[0]}:${branch}.`;
    return invalid({ ...detail, code: "custom", message });
  }
  const draft = body.draft === true;
  if (draft && state.rulesOf(fullName).refusesDrafts) {
    return { status: 422, json: { message: "Draft pull requests are not supported in this repository." } };
  }
  const texts = { title: textOf(body, "title") ?? "", body: textOf(body, "body") ?? "" };
  const pull = {
    branch,
    baseBranch,
    fork: null,
    isOpen: true,
    repository: fullName,
    draft,
    author: hostLogin,
    ...texts,
  };
  return made(await presentedPull(state, state.openPull(pull), request));
}

async function answerPull(state: HostState, request: RepositoryRequest): Promise<RestAnswer | null> {
  const { fullName, rest, method, body } = request;
  const [, number, part] = /^\/pulls\/(\d+)(\/requested_reviewers)?$/.exec(rest) ?? [];
  const pull = number === undefined ? null : state.findPull(fullName, Number(number));
  if (number === undefined) return null;
  if (pull === null) return missing;
  if (method !== "GET" && state.lacks.has("pulls")) return notAccessible;
  if (part !== undefined) {
    const asked = (Array.isArray(body.reviewers) ? body.reviewers : []).map(String);
    const refusal = asked.map((login) => reviewRefusal(state, pull, login)).find((one) => one !== null);
    if (refusal != null) return { status: 422, json: { message: refusal } };
    state.changePull(pull.number, { reviewers: [...new Set([...(pull.reviewers ?? []), ...asked])] });
  }
  if (method === "PATCH") {
    const opens = body.state === "open" && !isOpen(pull);
    const isGone = !(await state.git.branches(fullName)).has(pull.branch) && state.git.folderOf(fullName) !== null;
    if (opens && (pull.isMerged === true || isGone)) {
      const message = `state cannot be changed. The ${pull.branch} branch has been deleted.`;
      return invalid({ ...detail, field: "state", code: "invalid", message });
    }
    const change: Partial<Pull> = {};
    if (typeof body.title === "string") change.title = body.title;
    if (typeof body.body === "string") change.body = body.body;
    if (body.state !== undefined) change.isOpen = body.state === "open";
    state.changePull(pull.number, change);
  }
  const json = await presentedPull(state, state.findPull(fullName, pull.number) ?? pull, request);
  return part === undefined ? ok(json) : made(json);
}

function reviewRefusal(state: HostState, pull: Pull, login: string): string | null {
  if (login === pull.author) return "Review cannot be requested from pull request author.";
  const person = state.people.get(login);
  if (person !== undefined && mayReview(person.permission)) return null;
  return "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator.";
}

export async function presentedPull(
  state: HostState,
  pull: Pull & { number: number },
  { fullName, baseUrl }: Pick<RepositoryRequest, "fullName" | "baseUrl">,
) {
  const isShownOpen = isOpen(pull) && pull.isDeleted !== true;
  const commit = await state.headOf(fullName, pull);
  // Remembers a branch's commit for when the branch is gone.
  if (pull.commit !== commit && state.pulls.has(pull.number)) state.changePull(pull.number, { commit });
  return {
    number: pull.number,
    node_id: `PR_${pull.number}`,
    html_url: `${baseUrl}/${fullName}/pull/${pull.number}`,
    title: pull.title ?? `Pull request ${pull.number}`,
    body: pull.body ?? null,
    draft: pull.draft ?? false,
    state: isShownOpen ? ("open" as const) : ("closed" as const),
    merged_at: pull.isMerged === true ? new Date(0).toISOString() : null,
    head: { ref: pull.branch, sha: commit, repo: { full_name: pull.fork ?? fullName } },
    base: { ref: pull.baseBranch, repo: { full_name: fullName } },
    user: { login: pull.author ?? "somebody" },
  };
}
