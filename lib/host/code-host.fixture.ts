// Three dialects in one server: split by dialect, their common parts would not be visible.
import { createHmac, createVerify, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { answerAsRemote } from "#lib/workspace/git-remote.fixture.ts";
import type { HostKind, HostPermission, HostThread } from "./host.ts";

type Person = { id: number; permission: HostPermission; isBot?: boolean };
/** A pull request; `fork` names its branch's repository if that is another one. */
/** `isDeleted`: its branch was deleted. GitLab leaves its request open, others close it. */
type Pull = { branch: string; baseBranch: string; fork: string | null; isOpen: boolean; isDeleted?: boolean };
type KeptComment = HostThread & { id: number; author: string; body: string; createdAt: string };

/** Failure of the next request: a status, or the response is lost after the work was done. */
export type Fault = number | "lost";

/** The token that the fake host accepts, and its account. */
export const hostToken = "stand-in-token-4711";
export const hostLogin = "errand-bot";
/** Secret for signing the fake host's events. */
export const hostHookSecret = "stand-in-hook-secret";

const levels: Record<HostPermission, number> = { none: 0, read: 20, write: 30, admin: 40 };

/**
 * A code host for tests: a real HTTP server that responds to the service's requests as GitHub, GitLab or Forgejo does, with
 * people and their permissions, and sends such a host's signed events.
 */
export class CodeHost {
  readonly kind: HostKind;
  readonly people = new Map<string, Person>();
  readonly comments: KeptComment[] = [];
  /** By number, the same in every repository. */
  readonly pulls = new Map<number, Pull>();
  readonly requests: { method: string; path: string }[] = [];
  /** Consumed by the next requests, one each. */
  readonly faults: Fault[] = [];
  /** For a GitHub App: its public key; the App's own calls must be signed with the private one. */
  appKey: string | null = null;
  readonly #server: Server;
  readonly #folders = new Map<string, string>();
  readonly #pushable = new Map<string, string>();
  #ids = 100;

  private constructor(kind: HostKind) {
    this.kind = kind;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(kind: HostKind): Promise<CodeHost> {
    const host = new CodeHost(kind);
    await new Promise<void>((resolve) => host.#server.listen(0, "127.0.0.1", resolve));
    return host;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Serves the git folder of a repository for reading, as files (git's dumb protocol). */
  serveRepository(fullName: string, gitFolder: string): void {
    this.#folders.set(`/${fullName}.git/`, gitFolder);
  }

  /** Serves a bare repository for reading and writing with the host's token, as git's smart protocol. */
  servePushable(fullName: string, folder: string): void {
    this.#pushable.set(`/${fullName}.git/`, folder);
  }

  addPerson(login: string, permission: HostPermission, more: { isBot?: boolean } = {}): void {
    this.people.set(login, { id: this.#ids++, permission, ...more });
  }

  /** The signed event of a comment that somebody writes, as the host sends it. */
  commentEvent(said: {
    login: string;
    body: string;
    thread?: Partial<HostThread>;
    title?: string;
    opening?: string;
    at?: Date;
  }): { headers: Record<string, string>; body: string } {
    const thread: HostThread = { repository: "team/app", subject: "issue", number: 7, replyTo: null, ...said.thread };
    const id = this.#ids++;
    const person = this.people.get(said.login) ?? { id: 999_999, permission: "none" as const };
    const about = { title: said.title ?? "It is broken", body: said.opening ?? "It does not start." };
    const url = `${this.baseUrl}/${thread.repository}/${thread.number}#${id}`;
    const payload = this.#payload({
      thread,
      id,
      person: { ...person, login: said.login },
      about,
      url,
      body: said.body,
      at: (said.at ?? new Date()).toISOString(),
    });
    return this.signed(this.kind === "gitlab" ? "Note Hook" : "issue_comment", payload);
  }

  /** Any event, signed. */
  signed(name: string, payload: object): { headers: Record<string, string>; body: string } {
    const body = JSON.stringify(payload);
    const signature = createHmac("sha256", hostHookSecret).update(body).digest("hex");
    const json = { "content-type": "application/json" };
    switch (this.kind) {
      case "github":
        return {
          body,
          headers: {
            ...json,
            "x-github-event": name,
            "x-github-delivery": randomUUID(),
            "x-hub-signature-256": `sha256=${signature}`,
          },
        };
      case "gitlab":
        return {
          body,
          headers: {
            ...json,
            "x-gitlab-event": name,
            "x-gitlab-event-uuid": randomUUID(),
            "x-gitlab-token": hostHookSecret,
          },
        };
      case "forgejo":
        return {
          body,
          headers: {
            ...json,
            "x-forgejo-event": name,
            "x-forgejo-delivery": randomUUID(),
            "x-forgejo-signature": signature,
          },
        };
    }
  }

  #payload(said: {
    thread: HostThread;
    id: number;
    person: Person & { login: string };
    about: { title: string; body: string };
    url: string;
    body: string;
    at: string;
  }): object {
    const { thread, id, person, about, url, body, at } = said;
    if (this.kind === "gitlab") {
      const subject = { iid: thread.number, title: about.title, description: about.body };
      return {
        object_kind: "note",
        user: { id: person.id, username: person.login },
        project: { path_with_namespace: thread.repository },
        object_attributes: {
          id,
          note: body,
          noteable_type: thread.subject === "issue" ? "Issue" : "MergeRequest",
          discussion_id: thread.replyTo ?? `discussion-${id}`,
          action: "create",
          system: false,
          created_at: at.replace(/T(.*)\.\d+Z$/, " $1 UTC"),
          url,
        },
        ...(thread.subject === "issue" ? { issue: subject } : { merge_request: subject }),
      };
    }
    const user = { id: person.id, login: person.login, type: person.isBot === true ? "Bot" : "User" };
    return {
      action: "created",
      is_pull: thread.subject === "pull",
      issue: {
        number: thread.number,
        ...about,
        html_url: url,
        user: { id: 1, login: "somebody" },
        ...(thread.subject === "pull" ? { pull_request: {} } : {}),
      },
      comment: { id, body, html_url: url, user, created_at: at },
      repository: { full_name: thread.repository },
      sender: user,
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.baseUrl);
    for (const [prefix, folder] of this.#pushable) {
      if (!url.pathname.startsWith(prefix)) continue;
      const isToken = request.headers.authorization === `Basic ${btoa(`x-access-token:${hostToken}`)}`;
      if (isToken) answerAsRemote(request, response, folder, url.pathname.slice(prefix.length));
      else response.writeHead(401, { "www-authenticate": 'Basic realm="host"' }).end();
      return;
    }
    let text = "";
    for await (const piece of request) text += piece;
    for (const [prefix, folder] of this.#folders) {
      if (!url.pathname.startsWith(prefix)) continue;
      const file = join(folder, url.pathname.slice(prefix.length));
      response.writeHead(existsSync(file) ? 200 : 404).end(existsSync(file) ? readFileSync(file) : "");
      return;
    }
    const path = url.pathname.replace(/^\/api\/v[134]/, "");
    this.requests.push({ method: request.method ?? "", path });
    const fault = this.faults.shift();
    const answer =
      typeof fault === "number"
        ? { status: fault, json: { message: "as asked for" } }
        : this.#answer(request, path, text, url.searchParams);
    if (fault === "lost") return void request.socket.destroy();
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.json));
  }

  #answer(
    request: IncomingMessage,
    path: string,
    text: string,
    query: URLSearchParams,
  ): { status: number; json: unknown } {
    const authorization = request.headers.authorization ?? "";
    const asApp = this.#answerApp(path, authorization);
    if (asApp !== null) return asApp;
    const scheme = this.kind === "forgejo" ? "token" : "Bearer";
    if (authorization !== `${scheme} ${hostToken}`) return { status: 401, json: { message: "Bad credentials" } };
    if (path === "/user")
      return { status: 200, json: this.kind === "gitlab" ? { username: hostLogin } : { login: hostLogin } };
    return (
      this.#person(path, query) ??
      this.#permission(path) ??
      this.#pull(path) ??
      this.#branch(path) ??
      this.#comment(request.method ?? "", path, text) ?? { status: 404, json: { message: "Not Found" } }
    );
  }

  #answerApp(path: string, authorization: string) {
    if (this.kind !== "github" || !path.startsWith("/app")) return null;
    const [head, claims, signature] = authorization.replace(/^Bearer /, "").split(".");
    const isSigned =
      this.appKey !== null &&
      createVerify("RSA-SHA256")
        .update(`${head}.${claims}`)
        .verify(this.appKey, Buffer.from(signature ?? "", "base64url"));
    if (!isSigned) return { status: 401, json: { message: "A JSON web token could not be decoded" } };
    if (path === "/app") return { status: 200, json: { slug: "errand" } };
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    return { status: 201, json: { token: hostToken, expires_at } };
  }

  /** Names are the same in capitals; answers have them as their people write them. */
  #person(path: string, query: URLSearchParams) {
    const asked = this.kind === "gitlab" ? query.get("username") : /^\/users\/([^/]+)$/.exec(path)?.[1];
    if (asked == null) return null;
    const name = decodeURIComponent(asked).toLowerCase();
    const [login, person] = [...this.people].find(([one]) => one.toLowerCase() === name) ?? [];
    if (this.kind === "gitlab") {
      return { status: 200, json: person === undefined ? [] : [{ id: person.id, username: login }] };
    }
    if (person === undefined) return { status: 404, json: { message: "Not Found" } };
    return { status: 200, json: { id: person.id, login } };
  }

  #permission(path: string) {
    const byLogin = /\/collaborators\/([^/]+)\/permission$/.exec(path)?.[1];
    if (byLogin !== undefined && this.kind !== "gitlab") {
      const person = this.people.get(decodeURIComponent(byLogin));
      if (person === undefined) return { status: 404, json: { message: "Not Found" } };
      return { status: 200, json: { permission: person.permission } };
    }
    const byId = /\/members\/all\/(\d+)$/.exec(path)?.[1];
    if (byId === undefined) return null;
    const person = [...this.people.values()].find(({ id }) => id === Number(byId));
    if (person === undefined || person.permission === "none")
      return { status: 404, json: { message: "404 Not found" } };
    return { status: 200, json: { access_level: levels[person.permission] } };
  }

  #branch(path: string) {
    const name = /^\/projects\/[^/]+\/repository\/branches\/([^/]+)$/.exec(path)?.[1];
    if (name === undefined) return null;
    const branch = decodeURIComponent(name);
    const isThere = [...this.pulls.values()].some((pull) => pull.branch === branch && !pull.isDeleted);
    return isThere
      ? { status: 200, json: { name: branch } }
      : { status: 404, json: { message: "404 Branch Not Found" } };
  }

  #pull(path: string) {
    const [, repository = "", number] =
      /^\/(?:repos|projects)\/([^/]+(?:\/[^/]+)?)\/(?:pulls|merge_requests)\/(\d+)$/.exec(path) ?? [];
    const pull = this.pulls.get(Number(number));
    if (pull === undefined) return null;
    const { branch, baseBranch, fork, isOpen, isDeleted = false } = pull;
    if (this.kind === "gitlab") {
      const json = {
        state: isOpen ? "opened" : "merged",
        source_branch: branch,
        target_branch: baseBranch,
        source_project_id: fork === null ? 1 : 2,
        target_project_id: 1,
      };
      return { status: 200, json };
    }
    const repo = { full_name: fork ?? decodeURIComponent(repository) };
    return {
      status: 200,
      json: { state: isOpen && !isDeleted ? "open" : "closed", head: { ref: branch, repo }, base: { ref: baseBranch } },
    };
  }

  #comment(method: string, path: string, text: string) {
    const found =
      /^\/(?:repos|projects)\/([^/]+(?:\/[^/]+)??)\/(issues|pulls|merge_requests)\/(\d+)\/(?:discussions\/([^/]+)\/)?(?:comments|notes)(?:\/(\d+)\/replies)?$/.exec(
        path,
      );
    if (found === null) return null;
    const [, repository = "", list, number, discussion, reply] = found;
    const thread: HostThread = {
      repository: decodeURIComponent(repository),
      subject: list === "issues" ? "issue" : "pull",
      number: Number(number),
      replyTo: discussion ?? reply ?? null,
    };
    if (method === "GET") {
      const here = this.comments.filter((one) => one.repository === thread.repository && one.number === thread.number);
      return { status: 200, json: here.map((one) => this.#presented(one)).reverse() };
    }
    const comment = {
      ...thread,
      id: this.#ids++,
      author: hostLogin,
      body: String(JSON.parse(text).body),
      createdAt: new Date().toISOString(),
    };
    this.comments.push(comment);
    return { status: 201, json: this.#presented(comment) };
  }

  #presented({ id, body, createdAt }: KeptComment) {
    return { id, body, created_at: createdAt, html_url: `${this.baseUrl}/comments/${id}` };
  }
}
