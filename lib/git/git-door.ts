import { authenticate } from "#lib/auth/authenticate.ts";
import { findMember, requireScope } from "#lib/auth/authorize.ts";
import { ApiError, notFound } from "#lib/contract/error.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import type { Answer } from "#lib/http/answer.ts";
import type { Call } from "#lib/http/call.ts";
import { ownOriginHeaders, problemAnswer } from "#lib/http/problem.ts";
import { readBody } from "#lib/http/read-body.ts";
import { requestIdOf } from "#lib/http/request-id.ts";
import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import { tokenCaller } from "#lib/http/token-caller.ts";
import { watchAllowed } from "#lib/service/while-allowed.ts";
import { bearerOf } from "./basic-credentials.ts";

/** How long a fetching client may go without reading: git's process waits in the meantime. */
const takeMs = 120_000;
const requestBytesMax = 16 * 1024 * 1024;
const challenge = 'Basic realm="Errand", charset="UTF-8"';
const form = /^\/git\/(\d{1,15})\/(?:(\d{1,15})|run-(\d{1,15}))\.git(?:\/(.*))?$/;

/** A request as parsed from its path: which mirror, and which part of it. One of the two ids is null. */
type GitRequest = { organizationId: number; repositoryId: number | null; runId: number | null; what: string };

/** True for an address below which mirrors are read. */
export function isGitPath(path: string): boolean {
  return path.startsWith("/git/");
}

/**
 * Mirrors for git clients, read only: `git clone` and `git fetch` of `/git/{org_id}/{repo_id}.git`, or of `run-{id}.git` for a
 * run without a repository (the smart protocol of https://git-scm.com/docs/http-protocol). A token is the password, under any
 * user name. A fetch ends within seconds once its token may no longer read. Never throws.
 */
export async function answerGit(call: Call, runtime: HttpRuntime): Promise<Answer> {
  const requestId = requestIdOf(call.header("x-request-id"));
  const sent: Record<string, string> = {};
  try {
    const answer = await read(call, runtime, sent);
    Object.assign(answer.headers, sent, ownOriginHeaders, { "x-request-id": requestId });
    return answer;
  } catch (error) {
    const known = error instanceof ApiError ? error : failed(error, call, requestId, runtime);
    const answer = problemAnswer(known, call.target, requestId);
    Object.assign(answer.headers, sent);
    if (known.status === 401) answer.headers["www-authenticate"] = challenge;
    return asGitShows(answer, known, call);
  }
}

async function read(call: Call, runtime: HttpRuntime, sent: Record<string, string>): Promise<Answer> {
  const request = parse(call);
  const caller = await gitCaller(call, runtime);
  Object.assign(sent, await runtime.limits.admit(caller, "standard"));
  const defaultBranch = await admit(request, caller, runtime);
  const query = new URLSearchParams(call.target.split("?")[1] ?? "");
  const what = whatOf(request, call, query);
  const bytes = what === "info/refs" ? null : await readBody(call, gitBody);
  const key = request.repositoryId ?? `run-${request.runId}`;
  const reading = { key, defaultBranch, what, protocol: call.header("git-protocol"), body: bytes };
  const reply = await runtime.readMirror(reading, call.signal);
  if (reply === null) throw new ApiError("not_found", "The repository has no mirror yet: its first run makes it.");
  const { cutOff, stop } = watchAllowed(() => wouldAdmit(request, call, runtime));
  const { status, headers, body } = reply;
  body.once("close", stop);
  return { status, headers, body, cutOff, takeMs };
}

/** Throws 404 for a path that is not a mirror's address, and 405 for a method other than GET and POST. */
function parse(call: Call): GitRequest {
  const [path = ""] = call.target.split("?");
  const [, organization, repository, run, what = ""] = form.exec(path) ?? [];
  if (organization === undefined) throw new ApiError("not_found", "Mirrors are at /git/{org_id}/{repo_id}.git.");
  if (call.method !== "GET" && call.method !== "POST") {
    throw new ApiError("method_not_allowed", "This path takes GET, POST.", { headers: { allow: "GET, POST" } });
  }
  const idOf = (digits: string | undefined) => (digits === undefined ? null : Number(digits));
  return { organizationId: Number(organization), repositoryId: idOf(repository), runId: idOf(run), what };
}

/** The caller, identified by a token, as Basic's password or as Bearer. Sessions and share links are not accepted. */
async function gitCaller(call: Call, runtime: HttpRuntime): Promise<Caller> {
  try {
    return await tokenCaller(call, runtime, bearerOf(call.header("authorization")));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new ApiError("unauthenticated", "Sign in with any user name, and a token as the password.");
  }
}

/** The default branch of the requested mirror. Throws 403 and 404. */
async function admit(request: GitRequest, caller: Caller, { store }: HttpRuntime): Promise<string | null> {
  const member = await findMember(caller, request.organizationId, store);
  requireScope(member, "repos:read");
  const access = { organizationId: request.organizationId, userId: caller.userId, role: member.role };
  if (request.repositoryId !== null) {
    const repository = await store.repositories.find(access, request.repositoryId);
    if (repository === null) throw notFound("Repository");
    return repository.defaultBranch;
  }
  requireScope(member, "runs:read");
  const run = request.runId === null ? null : await store.runs.find(access, request.runId);
  if (run === null || run.repositoryId !== null) throw notFound("Agent run");
  return run.branch;
}

async function wouldAdmit(request: GitRequest, call: Call, runtime: HttpRuntime): Promise<boolean> {
  const header = (name: string) => (name === "authorization" ? bearerOf(call.header(name)) : null);
  try {
    const caller = await authenticate({ method: call.method, header }, runtime.store, runtime.publicUrl);
    await admit(request, caller, runtime);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}

/** Throws 403 for a push, 400 for clients older than git 1.6.6, 404 for anything else. */
function whatOf({ what }: GitRequest, { method }: Call, query: URLSearchParams): "info/refs" | "git-upload-pack" {
  const service = what === "info/refs" ? query.get("service") : what;
  if (service === "git-receive-pack") {
    throw new ApiError("forbidden", "This mirror is read-only. Push to the repository that it mirrors.");
  }
  if (what === "info/refs" && service === null) {
    throw new ApiError("bad_request", "Only the smart protocol is served: info/refs?service=git-upload-pack.");
  }
  const isKnown = service === "git-upload-pack" && method === (what === "info/refs" ? "GET" : "POST");
  if (!isKnown) throw new ApiError("not_found", "There is no page here: use git clone or git fetch.");
  return what === "info/refs" ? "info/refs" : "git-upload-pack";
}

const gitBody = { bodyBytesMax: requestBytesMax, otherBodies: ["application/x-git-upload-pack-request"] };

function failed(error: unknown, call: Call, requestId: string, { logger }: HttpRuntime): ApiError {
  if (call.signal.aborted) return new ApiError("unavailable", "The request was aborted.");
  logger.error({ err: error, requestId }, "a mirror could not be read");
  return new ApiError("internal", `Something went wrong. Errand's log has details under request id ${requestId}.`);
}

/** git shows the text of a refusal to people if it is plain text. */
function asGitShows(answer: Answer, { message }: ApiError, call: Call): Answer {
  if (call.header("user-agent")?.startsWith("git/") !== true) return answer;
  const body = Buffer.from(`${message}\n`);
  const headers = { "content-type": "text/plain; charset=utf-8", "content-length": String(body.length) };
  return { ...answer, headers: { ...answer.headers, ...headers }, body: [body] };
}
