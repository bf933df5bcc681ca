import type { LookupAddress } from "node:dns";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { createServer as createFront, type Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { AwakeTimer } from "#lib/awake-timer.ts";
import type { FindAddresses } from "#lib/outbound/outbound.ts";
import { outboundErrorOf } from "#lib/outbound/outbound-error.ts";
import { bridgePort } from "./bridge.ts";
import { helloGuard, nameRefused } from "./client-hello.ts";
import { type Denial, denialWords } from "./denial.ts";
import { answerText, dial, forward, openConnections } from "./forward.ts";
import { findKey, type RunKey, withKey } from "./keys.ts";
import { listenOnSocket } from "./listen.ts";
import { PacedConnections } from "./paced.ts";
import { readHost, readTarget, resolveTarget, type Target, targetText } from "./resolve.ts";
import { type EgressRules, refusalOf } from "./rules.ts";

/** Options of a run's proxy. */
export type ProxySettings = {
  /** The sockets' folder and the socket's name in it. */
  folder: string;
  name: string;
  rules: EgressRules;
  keys: readonly RunKey[];
  /** A sentence on how to allow a refused host. */
  howToAllow: string;
  onDenial: (denial: Denial) => void;
  /** Default: the system's own look-up. */
  find?: FindAddresses | undefined;
};

/** Maximum number of open connections per run; more are closed. */
const connectionsMax = 256;
/** Idle time after which a tunnel is closed. */
const idleMs = 15 * 60_000;

/** The response to a program whose request is refused. */
type Refused = { status: number; text: string };
type Judged = { addresses: LookupAddress[] } | Refused;

/** An invalid request, which is not a denial. */
class BadRequest extends Error {}

/**
 * Starts the only way out of a run's wall: an HTTP proxy on a unix socket (CONNECT, plain requests in absolute form, and
 * `/k/NAME/…` for services whose key the run uses). A name is looked up once, and only the found addresses are dialed.
 */
export async function openProxy(settings: ProxySettings): Promise<{ close(): Promise<void> }> {
  const keys = [...settings.keys];
  const run = new RunProxy({ ...settings, keys });
  const server = createServer({ requireHostHeader: false }, (request, response) => void run.answer(request, response));
  // A request on a reused connection that is just being closed would fail.
  server.keepAliveTimeout = 0;
  server.on(
    "connect",
    (request: IncomingMessage, socket: Duplex, head: Buffer) => void run.tunnel(request, socket, head),
  );
  const sockets = socketsOf(server);
  const paced = new PacedConnections();
  const front = createFront({ allowHalfOpen: true }, (socket) => void server.emit("connection", paced.add(socket)));
  front.maxConnections = connectionsMax;
  const listening = await listenOnSocket(front, settings.folder, settings.name);
  return {
    close: async () => {
      keys.length = 0;
      for (const socket of sockets) socket.destroy();
      run.close();
      await listening.close();
    },
  };
}

function socketsOf(server: Server): Set<Duplex> {
  const sockets = new Set<Duplex>();
  server.on("connection", (socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

class RunProxy {
  readonly #settings: ProxySettings;
  readonly #connections = openConnections();
  readonly #tunnels = new Set<Duplex>();

  constructor(settings: ProxySettings) {
    this.#settings = settings;
  }

  close(): void {
    this.#connections.close();
    for (const tunnel of this.#tunnels) tunnel.destroy();
  }

  /** A request for the proxy itself or for a plain HTTP address. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => undefined);
    try {
      const asked = readRequest(request);
      if (asked.target === null) await this.#passWithKey(request, response, asked.path);
      else await this.#pass(request, response, asked.target, asked.path);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof BadRequest) answerText(response, 400, `${error.message}\n`);
      else answerText(response, 502, "Errand could not pass this request on.\n");
    }
  }

  async tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => undefined);
    const target = readTarget(request.url ?? "");
    if (target === null) return refuseTunnel(socket, { status: 400, text: "CONNECT takes host:port.\n" });
    const found = await this.#judge(target);
    if (!("addresses" in found)) return refuseTunnel(socket, found);
    try {
      const outside = await dial(target, found.addresses);
      // The client may have disconnected in the meantime, and the run may have ended.
      if (socket.destroyed) return void outside.destroy();
      this.#tunnels.add(outside);
      const idle = idleLimit(outside);
      outside.once("close", () => {
        idle.stop();
        this.#tunnels.delete(outside);
      });
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      // If the request names another host than the one allowed, that host is checked too.
      const guard = helloGuard((name) => this.#mayAsk(target, name));
      if (head.length > 0) guard.write(head);
      guard.once("error", () => socket.end(nameRefused));
      pipeline(socket, guard, outside, () => undefined);
      pipeline(outside, socket, () => undefined);
    } catch (error) {
      refuseTunnel(socket, { status: 502, text: `${outboundErrorOf(error, targetText(target)).message}\n` });
    }
  }

  async #pass(request: IncomingMessage, response: ServerResponse, target: Target, path: string): Promise<void> {
    const found = await this.#judge(target);
    if (!("addresses" in found)) return this.#refuse(response, found);
    const agent = this.#connections.plain;
    const headers = request.rawHeaders;
    forward(request, response, { ...found, target, secure: false, path, headers, agent, hidden: null });
  }

  async #passWithKey(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const found = findKey(this.#settings.keys, path);
    const headers = found === null ? null : withKey(request.rawHeaders, found.key);
    if (found === null || headers === null) {
      const target = found?.key.target ?? { host: "127.0.0.1", port: bridgePort };
      return this.#refuse(response, this.#deny({ ...target, rule: "key_unknown" }));
    }
    const { target, secure, value } = found.key;
    const judged = await this.#resolve(target);
    if (!("addresses" in judged)) return this.#refuse(response, judged);
    const { plain, secure: overTls } = this.#connections.keyed;
    const agent = secure ? overTls : plain;
    forward(request, response, { ...judged, target, secure, path: found.rest, headers, agent, hidden: value });
  }

  #refuse(response: ServerResponse, { status, text }: Refused): void {
    answerText(response, status, text);
  }

  /** The addresses to dial for a target, or why it is refused. */
  async #judge(target: Target): Promise<Judged> {
    const rule = refusalOf(this.#settings.rules, target);
    return rule === null ? this.#resolve(target) : this.#deny({ ...target, rule });
  }

  async #resolve(target: Target): Promise<Judged> {
    const { rules, find } = this.#settings;
    const resolved = await resolveTarget(target, rules.permitted, find);
    if (!("denied" in resolved)) return resolved;
    if (resolved.denied === "not_found") return { status: 502, text: `The name "${target.host}" was not found.\n` };
    return this.#deny({ ...target, rule: `${resolved.denied}_address` });
  }

  /** Whether a tunnel to `target` may be used for the host that its TLS client names: the target's own, or another allowed host. */
  #mayAsk(target: Target, name: string): boolean {
    const host = readHost(name);
    if (host === target.host) return true;
    const asked = { host: host ?? "unreadable", port: target.port };
    const rule = refusalOf(this.#settings.rules, asked);
    if (rule === null && host !== null) return true;
    this.#settings.onDenial({ ...asked, rule: rule ?? "host_not_allowed" });
    return false;
  }

  #deny(denial: Denial): Refused {
    this.#settings.onDenial(denial);
    return { status: 403, text: denialWords(denial, this.#settings.howToAllow) };
  }
}

/** The target of a request; null for the proxy itself. Throws {@link BadRequest}. */
function readRequest({ url = "", rawHeaders }: IncomingMessage): { target: Target | null; path: string } {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "host");
  if (hosts.length > 1) throw new BadRequest("A request has one Host header.");
  if (url.startsWith("/")) return { target: null, path: url };
  const [, authority = "", rest = ""] = /^http:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority === "") {
    throw new BadRequest("This proxy takes CONNECT for https addresses, and http addresses in absolute form.");
  }
  const target = readTarget(authority, 80);
  if (target === null) throw new BadRequest("The host of the address cannot be read.");
  const [host] = hosts;
  if (host !== undefined && !isSame(readTarget(host, 80), target)) {
    throw new BadRequest("The Host header names another host than the address.");
  }
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return isSame(target, { host: "127.0.0.1", port: bridgePort }) ? { target: null, path } : { target, path };
}

function isSame(one: Target | null, other: Target): boolean {
  return one !== null && targetText(one) === targetText(other);
}

function refuseTunnel(socket: Duplex, { status, text }: Refused): void {
  const length = Buffer.byteLength(text);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** Ends a connection on which nothing has moved for {@link idleMs} to twice as long, without counting pauses of this process. */
function idleLimit(socket: Socket): AwakeTimer {
  let before = 0;
  const idle = new AwakeTimer(idleMs, () => {
    const moved = socket.bytesRead + socket.bytesWritten;
    if (moved === before) return socket.destroy();
    before = moved;
    idle.restart();
    idle.resume();
  });
  return idle;
}
