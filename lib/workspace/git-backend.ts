import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { type Environment, toProcessEnv } from "./environment.ts";
import { GitError, maskCredentials, signalGroup } from "./git.ts";
import { gitEnvironment, gitSettings } from "./git-environment.ts";

/** A request of a git client that reads a repository, by git's smart HTTP protocol (https://git-scm.com/docs/http-protocol). */
export interface GitReadRequest {
  /** `info/refs` lists the refs, `git-upload-pack` requests objects. */
  what: "info/refs" | "git-upload-pack";
  /** The Git-Protocol header: null for version 0. */
  protocol: string | null;
  /** Body of `git-upload-pack`, uncompressed. */
  body: Uint8Array | null;
}

/** git's response. git's process ends with the response's body, also when that is destroyed. */
export interface GitReadReply {
  status: number;
  headers: Record<string, string>;
  body: Readable;
}

/** Largest body of a request in bytes: names of what a client wants and has, about 50 bytes each. */
export const gitRequestBytesMax = 16 * 1024 * 1024;

const servingSettings = [
  "http.receivepack=false",
  "http.getanyfile=false",
  `http.maxRequestBuffer=${gitRequestBytesMax}`,
  // Partial clones, but not by a list of paths: that takes the server long.
  "uploadpack.allowFilter=true",
  "uploadpackfilter.allow=false",
  ...["blob:none", "blob:limit", "tree"].map((filter) => `uploadpackfilter.${filter}.allow=true`),
].flatMap((setting) => ["-c", setting]);

const headBytesMax = 16 * 1024;
const errorCharactersMax = 4096;
const killGraceMs = 2000;

/**
 * Lets `git http-backend` respond, read-only: it refuses pushes and plain files, and executes nothing of the repository. `signal`
 * is the client's: it ends the process too. Throws GitError if git cannot be started or gives no response, and the signal's
 * reason.
 */
export async function askGitBackend(
  repository: string,
  request: GitReadRequest,
  { env, signal }: { env: Environment; signal: AbortSignal },
): Promise<GitReadReply> {
  signal.throwIfAborted();
  const child = spawn("git", [...gitSettings, ...servingSettings, "http-backend"], {
    cwd: repository,
    env: toProcessEnv({ ...gitEnvironment(env), ...cgiVariables(repository, request) }),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  let killTimer: NodeJS.Timeout | undefined;
  const end = () => {
    if (killTimer !== undefined || child.exitCode !== null || child.signalCode !== null) return;
    signalGroup(child, "SIGTERM");
    killTimer = setTimeout(() => signalGroup(child, "SIGKILL"), killGraceMs);
  };
  signal.addEventListener("abort", end, { once: true });
  const closed = new Promise<Error | null>((resolve) => {
    child.once("error", resolve);
    child.once("close", () => resolve(null));
  }).finally(() => {
    clearTimeout(killTimer);
    signal.removeEventListener("abort", end);
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-errorCharactersMax);
  });
  // git may respond before it has read everything; only its response counts.
  child.stdin.on("error", () => undefined);
  child.stdin.end(request.body ?? undefined);
  const head = await readHead(child.stdout);
  if (head === null) {
    end();
    const failure = await closed;
    signal.throwIfAborted();
    if (failure !== null) throw new GitError("git_missing", `git could not be started: ${failure.message}`, null, "");
    throw new GitError("git_failed", "git http-backend gave no response.", child.exitCode, maskCredentials(stderr));
  }
  child.stdout.once("close", end);
  return { ...head, body: child.stdout };
}

/** The variables of RFC 3875 that `git help http-backend` lists. */
function cgiVariables(repository: string, { what, protocol, body }: GitReadRequest): Record<string, string> {
  const asks = what === "info/refs";
  return {
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_TRANSLATED: `${repository}/${what}`,
    REQUEST_METHOD: asks ? "GET" : "POST",
    QUERY_STRING: asks ? "service=git-upload-pack" : "",
    ...(asks ? {} : { CONTENT_TYPE: "application/x-git-upload-pack-request" }),
    ...(body === null ? {} : { CONTENT_LENGTH: String(body.length) }),
    ...(protocol === null ? {} : { GIT_PROTOCOL: protocol, HTTP_GIT_PROTOCOL: protocol }),
  };
}

/** Reads the headers of a CGI response and leaves the rest in the stream. Null if it ends before the headers do. */
async function readHead(stdout: Readable): Promise<Pick<GitReadReply, "status" | "headers"> | null> {
  let read = Buffer.alloc(0);
  while (read.length <= headBytesMax) {
    const piece: Buffer | null = stdout.read();
    if (piece === null) {
      if (stdout.readableEnded || stdout.destroyed) return null;
      await untilReadable(stdout);
      continue;
    }
    read = Buffer.concat([read, piece]);
    const end = read.indexOf("\r\n\r\n");
    if (end === -1) continue;
    if (read.length > end + 4) stdout.unshift(read.subarray(end + 4));
    return parseHead(read.toString("latin1", 0, end));
  }
  return null;
}

async function untilReadable(stdout: Readable): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const events = ["readable", "end", "close"].map((event) => once(stdout, event, { signal }));
  await Promise.race(events).catch(() => undefined);
  for (const event of events) event.catch(() => undefined);
  waiting.abort();
}

function parseHead(text: string): Pick<GitReadReply, "status" | "headers"> {
  const headers: Record<string, string> = {};
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status = "200", ...others } = headers;
  return { status: Number.parseInt(status, 10), headers: others };
}
