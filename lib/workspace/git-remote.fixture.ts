import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Lets git answer a request for a bare repository with everything a remote allows, as a code host does. Returns its process, which
 * does the work even if nobody waits for the response any more.
 */
export function answerAsRemote(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  path: string,
): ChildProcess {
  const { headers, method = "GET", url = "/" } = request;
  const child = spawn("git", ["-c", "http.receivepack=true", "-c", "safe.directory=*", "http-backend"], {
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_TRANSLATED: `${folder}/${path}`,
      REQUEST_METHOD: method,
      QUERY_STRING: url.split("?")[1] ?? "",
      CONTENT_TYPE: headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: String(headers["content-encoding"] ?? ""),
      GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
      REMOTE_USER: "somebody",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(child.stdin).on("error", () => {});
  // A request that is cut short never ends.
  request.once("close", () => child.stdin.end());
  let head = "";
  const read = (piece: Buffer) => {
    head += piece.toString("latin1");
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    child.stdout.off("data", read);
    const fields = head.slice(0, end).split("\r\n");
    const status = fields.find((line) => /^status:/i.test(line))?.slice(8) ?? "200";
    response.statusCode = Number.parseInt(status, 10);
    for (const line of fields.filter((one) => !/^status:/i.test(one))) {
      const [name = "", value = ""] = line.split(/: (.*)/);
      response.setHeader(name, value);
    }
    response.write(Buffer.from(head.slice(end + 4), "latin1"));
    child.stdout.pipe(response);
  };
  child.stdout.on("data", read);
  return child;
}

/** A remote that accepts one user name and password for reading and writing, or everybody. */
export class GitRemote {
  /** The Authorization header of every request. */
  readonly authorizations: (string | undefined)[] = [];
  /** Called before each request is answered. */
  before: (request: IncomingMessage) => void = () => {};
  /** Close the connection of a push after the work is done. */
  losesAnswers = false;
  readonly #server: Server;

  private constructor(folder: string, pair: string | null) {
    const expected = pair === null ? null : `Basic ${Buffer.from(pair).toString("base64")}`;
    this.#server = createServer((request, response) => {
      this.authorizations.push(request.headers.authorization);
      if (expected !== null && request.headers.authorization !== expected) {
        response.writeHead(401, { "www-authenticate": 'Basic realm="remote"' }).end("no");
        return;
      }
      this.before(request);
      if (this.losesAnswers && request.url?.endsWith("/git-receive-pack")) {
        response.write = () => true;
        response.end = () => {
          request.socket.destroy();
          return response;
        };
      }
      const path = (request.url ?? "/").split("?")[0]?.replace(/^\/team\/app\.git\//, "") ?? "";
      answerAsRemote(request, response, folder, path);
    });
  }

  /** Serves a bare repository as `/team/app.git`. */
  static async open(folder: string, pair: string | null): Promise<GitRemote> {
    const remote = new GitRemote(folder, pair);
    await new Promise<void>((resolve) => remote.#server.listen(0, "127.0.0.1", resolve));
    return remote;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/team/app.git`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Command lines of all processes that name git, as every user of the machine can read them. */
export function gitCommandLines(): string[] {
  return commandLines().filter((line) => line.includes("git"));
}

/** Command lines of all processes of the machine. */
export function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "latin1");
      } catch {
        return "";
      }
    });
}
