import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { HostKind } from "#lib/host/host.ts";
import { answerAsRemote } from "#lib/workspace/git-remote.fixture.ts";
import { forgejoRest } from "./forgejo-rest.fixture.ts";
import { githubRest } from "./github-rest.fixture.ts";
import { gitlabRest } from "./gitlab-rest.fixture.ts";
import { HostState, hostLogin } from "./host-state.fixture.ts";
import type { RestAnswer } from "./rest.fixture.ts";

/**
 * Failure of the next request: a status, a whole response (such as a rate limit), or the response is lost after the work was
 * done: all of it, or its second half (`cut`).
 */
export type Fault = number | "lost" | "cut" | { status: number; message?: string; headers?: Record<string, string> };

/** A rate limit in GitHub's form: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export const secondaryLimit = (seconds: number): Fault => ({
  status: 403,
  message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
  headers: { "retry-after": String(seconds) },
});

const dialects = { github: githubRest, gitlab: gitlabRest, forgejo: forgejoRest };

/** Result of a push: `before` is null for a new branch, `after` for a deleted one. */
export type Pushed = { fullName: string; branch: string; before: string | null; after: string | null };

/** The HTTP side of a stand-in: the API of its dialect, git, and the server of logs. */
export abstract class HostServer extends HostState {
  readonly requests: { method: string; path: string }[] = [];
  /** Consumed by the next requests of the API, one each. */
  readonly faults: Fault[] = [];
  /** Nothing answers: each connection is closed. */
  isGone = false;
  /** Called before each request, of git too, is answered. */
  onRequest: () => void = () => {};
  /** Called for each branch that a push through the server changed, before the push gets its response. */
  onPush: (pushed: Pushed) => void | Promise<void> = () => {};
  /** Called when a change that the API was asked for is made, before its response. */
  onChanged: () => void | Promise<void> = () => {};
  readonly #server: Server;
  readonly #folders = new Map<string, string>();

  protected constructor(kind: HostKind) {
    super(kind);
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error) => {
        response.writeHead(500).end(`The stand-in failed: ${error}`);
      });
    });
  }

  protected async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** The service opened a pull request. */
  protected abstract opened(fullName: string, number: number): Promise<void>;
  /** The service pushed a branch. */
  protected abstract pushed(pushed: Pushed): Promise<void>;

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.git.close();
  }

  /** Serves the git folder of a repository for reading, as files (git's dumb protocol). */
  serveRepository(fullName: string, gitFolder: string): void {
    this.#folders.set(`/${fullName}.git/`, gitFolder);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isGone) return void request.socket.destroy();
    this.onRequest();
    const url = new URL(request.url ?? "/", this.baseUrl);
    const [, fullName = "", rest = ""] = /^\/(.+?)\.git\/(.*)$/.exec(url.pathname) ?? [];
    const bare = this.git.folderOf(fullName);
    if (bare !== null) return await this.#serveGit(request, response, { fullName, folder: bare, rest });
    let text = "";
    request.setEncoding("utf8");
    for await (const piece of request) text += piece;
    for (const [prefix, folder] of this.#folders) {
      if (!url.pathname.startsWith(prefix)) continue;
      const file = join(folder, url.pathname.slice(prefix.length));
      response.writeHead(existsSync(file) ? 200 : 404).end(existsSync(file) ? readFileSync(file) : "");
      return;
    }
    if (url.pathname.startsWith("/_logs/")) return this.#serveLog(request, response, url);
    const path = url.pathname.replace(/^\/api\/v[134]/, "");
    const method = request.method ?? "";
    this.requests.push({ method, path });
    const fault = this.faults.shift();
    const before = new Map(this.pulls);
    const answer =
      fault === undefined || fault === "lost" || fault === "cut"
        ? await this.#answer(request, { method, path, query: url.searchParams, text })
        : answerOfFault(fault);
    for (const [number, pull] of this.pulls) {
      if (!before.has(number) && pull.repository !== undefined) {
        await this.opened(pull.repository, number);
      }
    }
    if (method !== "GET") await this.onChanged();
    if (fault === "lost") return void request.socket.destroy();
    if (fault === "cut") return cutShort(request, response, answer);
    this.#send(request, response, answer);
  }

  async #answer(
    { headers }: IncomingMessage,
    { method, path, query, text }: { method: string; path: string; query: URLSearchParams; text: string },
  ): Promise<RestAnswer> {
    let body: Record<string, unknown> = {};
    try {
      if (text !== "") body = JSON.parse(text);
    } catch {
      return { status: 400, json: { message: "Problems parsing JSON" } };
    }
    const request = { method, path, query, body, authorization: headers.authorization ?? "" };
    const answer = await dialects[this.kind](this, request, this.baseUrl);
    return answer ?? { status: 404, json: { message: "Not Found" } };
  }

  /** Responses to reads have an etag, and are 304 if it is known; Forgejo's API has none. */
  #send(request: IncomingMessage, response: ServerResponse, { status, json, text, headers }: RestAnswer): void {
    const body = text ?? JSON.stringify(json);
    const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
    const hasEtag = request.method === "GET" && status === 200 && this.kind !== "forgejo";
    if (hasEtag && request.headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end();
    const tag = hasEtag ? { etag } : {};
    response.writeHead(status, { "content-type": "application/json", ...tag, ...headers }).end(body);
  }

  /**
   * The server of logs requires a signature in the address, and refuses a credential beside it. It returns parts from a byte on.
   */
  #serveLog(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const check = this.checks.find(({ id }) => id === Number(url.pathname.split("/").at(-1)));
    if (request.headers.authorization !== undefined || url.searchParams.get("sig") !== "secret") {
      return void response.writeHead(400).end("InvalidAuthenticationInfo");
    }
    const bytes = Buffer.from(check?.log ?? "");
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? Number.NaN);
    const part = Number.isNaN(from) ? bytes : bytes.subarray(from);
    response.writeHead(part === bytes ? 200 : 206, { "content-length": part.byteLength }).end(part);
  }

  async #serveGit(
    request: IncomingMessage,
    response: ServerResponse,
    { fullName, folder, rest }: { fullName: string; folder: string; rest: string },
  ): Promise<void> {
    const isToken = request.headers.authorization === `Basic ${btoa(`x-access-token:${this.token}`)}`;
    const { hidden, moved, closed, readOnly, archived } = this.rulesOf(fullName);
    const pushes = rest === "git-receive-pack" || /service=git-receive-pack/.test(request.url ?? "");
    if (!isToken) return void response.writeHead(401, { "www-authenticate": 'Basic realm="host"' }).end();
    if (hidden) return void response.writeHead(404).end("Repository not found.");
    if (closed) return void response.writeHead(403).end("The organization has enabled single sign-on.");
    if (moved) {
      const location = `${this.baseUrl}/renamed/${fullName}.git/${rest}`;
      return void response.writeHead(301, { location }).end();
    }
    if (pushes && (readOnly || archived)) {
      const words = `Permission to ${fullName}.git denied to ${hostLogin}.`;
      return void response.writeHead(403, { "content-type": "text/plain" }).end(words);
    }
    if (rest !== "git-receive-pack") return void answerAsRemote(request, response, folder, rest);
    const before = await this.git.branches(fullName);
    // The response waits until the host has processed the effects of a push.
    let told: Promise<void> | null = null;
    const tell = () => {
      told ??= this.#tellPushes(fullName, before);
      return told;
    };
    const end = response.end.bind(response);
    response.end = ((...args: Parameters<typeof end>) => {
      void tell().finally(() => end(...args));
      return response;
    }) as typeof response.end;
    // Whoever pushed may be gone by now.
    answerAsRemote(request, response, folder, rest).once("exit", () => void tell());
  }

  async #tellPushes(fullName: string, before: ReadonlyMap<string, string>): Promise<void> {
    const after = await this.git.branches(fullName);
    for (const branch of new Set([...before.keys(), ...after.keys()])) {
      const pushed = { fullName, branch, before: before.get(branch) ?? null, after: after.get(branch) ?? null };
      if (pushed.before === pushed.after) continue;
      await this.pushed(pushed);
      await this.onPush(pushed);
    }
  }
}

/** Half of a response's body, after which the connection ends. */
function cutShort({ socket }: IncomingMessage, response: ServerResponse, { status, json, text }: RestAnswer): void {
  const body = Buffer.from(text ?? JSON.stringify(json));
  response.writeHead(status, { "content-type": "application/json", "content-length": body.byteLength });
  response.write(body.subarray(0, body.byteLength / 2), () => socket.destroy());
}

function answerOfFault(fault: Exclude<Fault, "lost" | "cut">): RestAnswer {
  if (typeof fault === "number") return { status: fault, json: { message: "as asked for" } };
  const { status, message = "as asked for", headers = {} } = fault;
  return { status, json: { message }, headers };
}
