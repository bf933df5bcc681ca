import type { LookupAddress } from "node:dns";
import {
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestPlain,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { request as requestSecure, Agent as SecureAgent } from "node:https";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { AwakeTimer } from "#lib/awake-timer.ts";
import { outboundErrorOf } from "#lib/outbound/outbound-error.ts";
import { formsToHide, hideBytes, hideText } from "./hide-bytes.ts";
import { type Target, targetText } from "./resolve.ts";

const connectMs = 10_000;

/** Hop-by-hop headers, never passed on (RFC 9110, 7.6.1). */
const ofOneHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** A look-up that returns only the checked addresses. */
function lookupIn(addresses: LookupAddress[]): LookupFunction {
  return (_, options, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error("There is no address."), "");
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** Connects to a target at one of the addresses; throws after 10 s. */
export function dial(target: Target, addresses: LookupAddress[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...target, lookup: lookupIn(addresses), allowHalfOpen: true });
    const timer = new AwakeTimer(connectMs, () => socket.destroy(new Error(`no answer within ${connectMs / 1000} s`)));
    socket.once("error", reject);
    socket.once("close", () => timer.stop());
    socket.once("connect", () => {
      timer.stop();
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

/** Connections to services used with a key are kept for the run's next request; others are not. */
export type Connections = { plain: PlainAgent; keyed: { plain: PlainAgent; secure: SecureAgent }; close(): void };

/** The connections of one run. Proxy variables of the environment do not apply. */
export function openConnections(): Connections {
  const plain = new PlainAgent({ keepAlive: false });
  // Shorter than the idle time-out of services, so that no connection is used while it is being closed.
  const kept = { keepAlive: true, timeout: 15_000 };
  const keyed = { plain: new PlainAgent(kept), secure: new SecureAgent(kept) };
  const close = () => {
    for (const agent of [plain, keyed.plain, keyed.secure]) agent.destroy();
  };
  return { plain, keyed, close };
}

/** A request to forward. `hidden` is overwritten in the response. */
export type Forwarded = {
  target: Target;
  secure: boolean;
  path: string;
  /** Name, value, name, value … */
  headers: string[];
  addresses: LookupAddress[];
  agent: PlainAgent | SecureAgent;
  hidden: string | null;
};

/** Forwards a request and streams the answer back. */
export function forward(request: IncomingMessage, response: ServerResponse, to: Forwarded): void {
  // The client may have disconnected during the look-up.
  if (response.destroyed) return;
  const { target, secure, hidden } = to;
  const forms = hidden === null ? [] : formsToHide(hidden);
  const onward = (secure ? requestSecure : requestPlain)({
    ...target,
    ...(secure && isIP(target.host) === 0 ? { servername: target.host } : {}),
    method: request.method,
    path: to.path,
    headers: headersOnward(request, to),
    agent: to.agent,
    lookup: lookupIn(to.addresses),
  });
  const late = () => onward.destroy(new Error(`no connection within ${connectMs / 1000} s`));
  const timer = new AwakeTimer(connectMs, late);
  onward.on("socket", (socket) => {
    if (!socket.connecting) timer.stop();
    else socket.once(secure ? "secureConnect" : "connect", () => timer.stop());
  });
  onward.on("response", (answer) => {
    try {
      response.writeHead(
        answer.statusCode ?? 502,
        hideText(answer.statusMessage ?? "", forms),
        passedOn(answer.rawHeaders, []).map((word) => hideText(word, forms)),
      );
    } catch {
      // What the server sent can be read, but not be sent on: a control character in the status line, a status below 100.
      onward.destroy();
      return answerText(response, 502, `The answer of ${targetText(target)} is not valid HTTP.\n`);
    }
    const done = () => undefined;
    if (hidden === null) pipeline(answer, response, done);
    else pipeline(answer, hideBytes(forms), response, done);
  });
  onward.on("error", (error) => {
    timer.stop();
    if (response.headersSent) response.destroy();
    else answerText(response, 502, `${outboundErrorOf(error, targetText(target)).message}\n`);
  });
  response.on("close", () => {
    timer.stop();
    if (!response.writableFinished) onward.destroy();
  });
  pipeline(request, onward, () => undefined);
}

/** Answers with a text by Errand. */
export function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, STATUS_CODES[status], { "content-type": "text/plain; charset=utf-8" }).end(text);
}

function headersOnward(request: IncomingMessage, { headers, target, secure, hidden }: Forwarded): string[] {
  const isUsual = target.port === (secure ? 443 : 80);
  const kept = passedOn(headers, ["host", ...(hidden === null ? [] : ["accept-encoding"])]);
  const chunked = request.headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"];
  // A secret could hide in a compressed answer.
  const plain = hidden === null ? [] : ["Accept-Encoding", "identity"];
  return [
    "Host",
    isUsual ? targetText(target).replace(/:\d+$/, "") : targetText(target),
    ...kept,
    ...chunked,
    ...plain,
  ];
}

/** The end-to-end headers. */
function passedOn(headers: readonly string[], dropped: string[]): string[] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? "", headers[at + 1] ?? ""]);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) =>
      value
        .toLowerCase()
        .split(",")
        .map((word) => word.trim()),
    );
  const left = new Set([...ofOneHop, ...dropped, ...named]);
  return pairs.filter(([name]) => !left.has(name.toLowerCase())).flat();
}
