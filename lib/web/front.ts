import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { BlockList } from "node:net";
import { localUrl } from "#lib/config.ts";
import { ApiError } from "#lib/contract/error.ts";
import { answerGit, isGitPath } from "#lib/git/git-door.ts";
import type { Answer } from "#lib/http/answer.ts";
import { addressHeader } from "#lib/http/call.ts";
import { problemAnswer } from "#lib/http/problem.ts";
import { requestIdOf } from "#lib/http/request-id.ts";
import { getRuntime, type HttpLogger } from "#lib/http/runtime-access.ts";
import { answerMcp, isMcpPath } from "#lib/mcp/mcp-door.ts";
import { answerMetrics } from "#lib/metrics/metrics-door.ts";
import { WebMetrics } from "#lib/metrics/web-metrics.ts";
import { type Api, dispatchOver, isApiPath, openApi, pathOf } from "./api.ts";
import { clientAddress, isFromThisMachine } from "./client-address.ts";
import { compressAnswer } from "./compress-answer.ts";
import { crossOrigin } from "./cross-origin.ts";
import { drain } from "./drain.ts";
import { type HostRule, hostRule } from "./host-check.ts";
import { listen } from "./listen.ts";
import { NodeCall } from "./node-call.ts";
import { securePage } from "./page-security.ts";
import { readVersion } from "./read-version.ts";
import { refuseBrokenRequest } from "./refuse-broken-request.ts";
import { writeAnswer } from "./write-answer.ts";

const headersMs = 15_000;
const requestMs = 120_000;
const keepAliveMs = 65_000;
const headerBytesMax = 16 * 1024;
const drainMs = 5_000;
/** How long an unwanted body may continue to arrive after its response: cutting it off at once would lose the response. */
const unwantedBodyMs = 10_000;

/** Responds to a page request; the front has already set headers. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type FrontSettings = {
  host: string;
  /** 0 means any free port. */
  port: number;
  /** Null without pages: every path except the API's is 404 then. */
  next: PageHandler | null;
  /** In development Next serves /v1 too, so that changed routes are reloaded. */
  dev: boolean;
  /** Absolute path of the folder `app`. */
  appDir: string;
  allowedHosts: string[];
  /** Origins whose pages may use the API with a token; none if absent. */
  corsOrigins?: readonly string[];
  /** Proxies whose X-Forwarded-For is trusted; none if absent. */
  trustedProxies?: BlockList;
  /** Null if it follows from host and port. */
  publicUrl: string | null;
  logger: HttpLogger;
};

/** A running front. `close` drains: event streams end, responses in progress are finished, at most 5 s. */
export type Front = { url: string; port: number; close(): Promise<void> };

/**
 * Starts the HTTP server: it checks hosts, serves the API through the exports of `app/v1`, and passes every other path to Next.
 * Sets `dispatch` on the runtime, which must exist. Throws a one-line ListenError.
 */
export async function startFront(settings: FrontSettings): Promise<Front> {
  const metrics = new WebMetrics();
  const version = await readVersion(settings.appDir);
  const api = await openApi(settings.appDir, metrics);
  getRuntime().dispatch = dispatchOver(api);
  const closing = new AbortController();
  const handle = requestHandler(settings, { api, metrics, version }, closing.signal);
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: headerBytesMax,
    // Node's own error response has no body; the host check gives the same response as every other error.
    requireHostHeader: false,
    // Next would take over every upgrade and end it silently, including HTTP/2's, which curl and Java offer by default.
    ...(settings.dev ? {} : { shouldUpgradeCallback: () => false }),
  });
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.destroyed)
        settings.logger.error({ err: error, path: withoutSecret(request.url) }, "an answer failed");
      response.destroy();
    });
  };
  server.on("request", answer);
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", answer);
  server.on("clientError", refuseBrokenRequest);
  server.on("connect", (_request, socket) => refuseBrokenRequest(new Error("This is not a proxy."), socket));
  const port = await listen(server, settings.host, settings.port);
  let closed: Promise<void> | null = null;
  return {
    url: settings.publicUrl ?? localUrl(settings.host, port),
    port,
    close() {
      closed ??= drain(server, () => closing.abort(), drainMs).finally(() => metrics.close());
      return closed;
    },
  };
}

type Doors = { api: Api; metrics: WebMetrics; version: string };

function requestHandler(settings: FrontSettings, doors: Doors, closing: AbortSignal): PageHandler {
  const { api, metrics, version } = doors;
  const isAllowed: HostRule = hostRule(settings);
  // Browsers ignore the header if the page came by plain HTTP.
  const strictTransport = settings.publicUrl?.startsWith("https:") === true ? "max-age=31536000" : null;
  const { next, dev, trustedProxies = new BlockList(), corsOrigins = [] } = settings;
  const origins = crossOrigin(corsOrigins);
  return async (request, response) => {
    if (closing.aborted) response.setHeader("connection", "close");
    useAbsoluteTarget(request);
    const target = request.url ?? "/";
    const path = pathOf(target);
    if (strictTransport !== null) response.setHeader("strict-transport-security", strictTransport);
    if (request.headers.host === undefined) {
      return await refuse(request, response, new ApiError("bad_request", "The request names no host."));
    }
    // A proxy in front may have used the other one (RFC 9112, section 3.2).
    if (countHosts(request.rawHeaders) > 1) {
      return await refuse(request, response, new ApiError("bad_request", "The request names more than one host."));
    }
    if (!isAllowed(request.headers.host)) {
      return await refuse(
        request,
        response,
        new ApiError(
          "misdirected",
          "Errand is not set up for the host name of this request. Add it to ERRAND_ALLOWED_HOSTS, or set ERRAND_PUBLIC_URL.",
        ),
      );
    }
    if (isApiPath(path) && !(dev && next !== null)) {
      const origin = origins.admit(request, path);
      const answer = await api(new NodeCall(request, response, closing, trustedProxies));
      if (!request.complete) dropBody(request, response);
      const packed = await compressAnswer(answer, request.headers["accept-encoding"]);
      return await write(request, response, origins.mark(packed, origin, request, path), metrics);
    }
    if (isMcpPath(path) || path === "/metrics") {
      const call = new NodeCall(request, response, closing, trustedProxies);
      const runtime = getRuntime();
      const isLocal = isFromThisMachine(request);
      const answering =
        path === "/metrics"
          ? metrics.measure("metrics", answerMetrics(call, { runtime, metrics, version, isLocal }))
          : metrics.measure("mcp", answerMcp(call, { runtime, api }));
      const answer = await answering;
      if (!request.complete) dropBody(request, response);
      return await write(request, response, answer, metrics);
    }
    if (isGitPath(path)) {
      const call = new NodeCall(request, response, closing, trustedProxies);
      const answer = await metrics.measure("git", answerGit(call, getRuntime()));
      if (!request.complete) dropBody(request, response);
      return await write(request, response, answer, metrics);
    }
    if (!isReadable(path)) {
      return await refuse(request, response, new ApiError("bad_request", "The path cannot be read."));
    }
    if (wantsJson(request.headers)) {
      const where = addressMeant(path) ?? "The API is under /v1.";
      const error = new ApiError("not_found", `There is no JSON at ${path.slice(0, 200)}. ${where}`);
      return await refuse(request, response, error);
    }
    if (next === null) return await refuse(request, response, new ApiError("not_found", "There is nothing here."));
    securePage(request, response, dev);
    const forwardedFor = request.headers["x-forwarded-for"];
    request.headers[addressHeader] = clientAddress(request.socket.remoteAddress, forwardedFor, trustedProxies) ?? "";
    // Next would compress the part too, and say its place in the plain file.
    delete request.headers.range;
    await next(request, response);
  };
}

/** Names and values alternate. */
function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === "host")
    .length;
}

async function write(request: IncomingMessage, response: ServerResponse, answer: Answer, metrics: WebMetrics) {
  const writing = writeAnswer(response, answer, request.method ?? "GET");
  const isEventStream = answer.headers["content-type"]?.startsWith("text/event-stream") ?? false;
  await (isEventStream && request.method !== "HEAD" ? metrics.whileOpen(writing) : writing);
}

async function refuse(request: IncomingMessage, response: ServerResponse, error: ApiError): Promise<void> {
  const id = requestIdOf(request.headers["x-request-id"]?.toString() ?? null);
  if (!request.complete) dropBody(request, response);
  await writeAnswer(response, problemAnswer(error, request.url ?? "/", id), request.method ?? "GET");
}

function dropBody(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    const timer = setTimeout(() => request.destroy(), unwantedBodyMs).unref();
    request.once("close", () => clearTimeout(timer));
    request.resume();
  });
}

/** True for a client that asks for JSON and not for a page. Browsers and Next itself ask for HTML or anything. */
/** Also whoever brings a token: a browser that a proxy asks for a password has `Basic`. */
function wantsJson({ accept, authorization }: IncomingMessage["headers"]): boolean {
  if (accept !== undefined && /\btext\/html\b/i.test(accept)) return false;
  return /^bearer /i.test(authorization ?? "") || /\bapplication\/(?:[\w.+-]+\+)?json\b/i.test(accept ?? "");
}

/** For a wrong base address, such as `/api/v1/users/me` or `/V2/organizations/1`. */
function addressMeant(path: string): string | null {
  const meant = /^(?:\/api)?(?:\/v\d+)?(\/(?:organizations|users)(?:\/.*)?)$/i.exec(path)?.[1];
  return meant === undefined ? null : `Did you mean /v1${meant.slice(0, 200)}?`;
}

/** A target may be a whole address, whose host then counts instead of the header's (RFC 9112, section 3.2.2). */
function useAbsoluteTarget(request: IncomingMessage): void {
  const [, host, rest = ""] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(request.url ?? "") ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
}

function isReadable(path: string): boolean {
  if (!path.startsWith("/")) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** An address as it may be logged: share links and sign-in codes give access to anyone who has them, so they are left out. */
function withoutSecret(url = ""): string {
  return url.replace(/(\/shares?\/)[^/?]+/, "$1…").replace(/\?.*/, "");
}
