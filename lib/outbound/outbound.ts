import { type LookupAddress, lookup } from "node:dns";
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestPlain,
} from "node:http";
import { request as requestSecure, Agent as SecureAgent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { awakeLimit } from "#lib/awake-timer.ts";
import { type AllowedTargets, isAllowedAddress, isAllowedName, isPrivate } from "./allowed-targets.ts";
import { OutboundError, outboundErrorOf } from "./outbound-error.ts";

/** A request to an address given by a person or a client. */
export type OutboundRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From looking up the name to the last byte of the response. */
  timeoutMs: number;
  /** Limit of the response's body. */
  answerBytesMax: number;
  signal?: AbortSignal;
};

/** `complete` is false if the limit, the time or the other side cut the body short. Redirects are responses like any other. */
export type OutboundAnswer = { status: number; headers: IncomingHttpHeaders; body: Uint8Array; complete: boolean };

/** The only way to send HTTP to addresses given by users. */
export type Outbound = {
  /**
   * Sends one request over a separate connection: no redirects, no proxy, and the address it connects to is the one that was
   * checked. Throws an {@link OutboundError} if there is no response, and the signal's reason if it aborts.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Problem with an address, as far as its text shows, like "must be an http or https address"; null if it may be tried. */
  refusalOf(url: string): string | null;
};

/** Resolves a name; `dns.lookup` with `all`. */
export type FindAddresses = (name: string, found: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const findAddresses: FindAddresses = (name, found) => lookup(name, { all: true }, found);

/** Sends to public and to allowed addresses. */
export function createOutbound(allowed: AllowedTargets, find: FindAddresses = findAddresses): Outbound {
  const refusalOf = (text: string) => refusalOfUrl(allowed, text);
  return {
    refusalOf,
    async send(request) {
      request.signal?.throwIfAborted();
      const refusal = refusalOf(request.url);
      if (refusal !== null)
        throw new OutboundError(refusal === isPrivate ? "private" : "address", `The address ${refusal}.`);
      const url = new URL(request.url);
      const limit = awakeLimit(request.timeoutMs);
      const time = limit.signal;
      const signal = request.signal === undefined ? time : AbortSignal.any([time, request.signal]);
      try {
        const began = await answerTo(url, request, checkedLookup(allowed, find), signal);
        const answer = await readAnswer(began, request.answerBytesMax, signal);
        request.signal?.throwIfAborted();
        return answer;
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!time.aborted) throw outboundErrorOf(error, url.host);
        throw new OutboundError("timeout", `"${url.host}" did not answer within ${request.timeoutMs / 1000} s.`, error);
      } finally {
        limit[Symbol.dispose]();
      }
    },
  };
}

function refusalOfUrl(allowed: AllowedTargets, text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be an http or https address";
  if (url.username !== "" || url.password !== "") return "must not contain a name or password";
  const host = hostOf(url);
  if (isAllowedName(allowed, host)) return null;
  if (isIP(host) === 0)
    return /(?:^|\.)localhost\.?$/.test(host) && !isAllowedAddress(allowed, "127.0.0.1") ? isPrivate : null;
  return isAllowedAddress(allowed, host) ? null : isPrivate;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/**
 * The lookup used by the connection itself, so the checked address is the one connected to, whatever the name's server answers
 * next time. An address in the URL is never looked up: {@link refusalOfUrl} checks it.
 */
function checkedLookup(allowed: AllowedTargets, find: FindAddresses): LookupFunction {
  return (name, options, callback) => {
    find(name, (error, addresses) => {
      if (error !== null) return callback(error, "");
      const usable = isAllowedName(allowed, name)
        ? addresses
        : addresses.filter(({ address }) => isAllowedAddress(allowed, address));
      const [first] = usable;
      if (first === undefined) return callback(new OutboundError("private", `The address ${isPrivate}.`), "");
      if (options.all) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

// Separate agents: connections are not kept, and no environment variable makes them use a proxy.
const plainAgent = new PlainAgent({ keepAlive: false });
const secureAgent = new SecureAgent({ keepAlive: false });

function answerTo(
  url: URL,
  given: OutboundRequest,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === "https:";
    const body = typeof given.body === "string" ? Buffer.from(given.body) : given.body;
    const headers: Record<string, string | number> = {
      "user-agent": "Errand",
      "accept-encoding": "identity",
      ...given.headers,
    };
    if (body !== undefined) headers["content-length"] = body.byteLength;
    const options = { method: given.method, agent: secure ? secureAgent : plainAgent, lookup, headers, signal };
    const request = (secure ? requestSecure : requestPlain)(url, options, resolve);
    request.on("error", reject);
    // Without this, Node passes on a response whose body never ends.
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      reject(new OutboundError("broken", `"${url.host}" answered in another protocol.`));
    });
    request.end(body);
  });
}

/** Reads at most `bytesMax` of the body. The status has arrived, so a truncated body is not an error. */
function readAnswer(answer: IncomingMessage, bytesMax: number, signal: AbortSignal): Promise<OutboundAnswer> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const done = (complete: boolean) => {
      signal.removeEventListener("abort", cut);
      const body = Buffer.concat(chunks).subarray(0, bytesMax);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body, complete });
      answer.destroy();
    };
    const cut = () => done(false);
    signal.addEventListener("abort", cut);
    answer.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > bytesMax) cut();
    });
    answer.on("end", () => done(true));
    answer.on("error", cut);
    answer.on("close", () => done(answer.complete));
  });
}
