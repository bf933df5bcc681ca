import type { IncomingMessage, ServerResponse } from "node:http";
import { BlockList } from "node:net";
import type { Call } from "#lib/http/call.ts";
import { clientAddress } from "./client-address.ts";

const nobody = new BlockList();

/** A node:http request as an endpoint sees it. Signal and address are created only on demand. */
export class NodeCall implements Call {
  readonly method: string;
  readonly target: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #closing: AbortSignal;
  readonly #trustedProxies: BlockList;
  #signal: AbortSignal | null = null;

  /** `closing` is aborted when the service stops; `trustedProxies` are those whose X-Forwarded-For is trusted. */
  constructor(request: IncomingMessage, response: ServerResponse, closing: AbortSignal, trustedProxies = nobody) {
    this.method = request.method ?? "GET";
    this.target = request.url ?? "/";
    this.#request = request;
    this.#response = response;
    this.#closing = closing;
    this.#trustedProxies = trustedProxies;
  }

  header(name: string): string | null {
    const value = this.#request.headers[name];
    if (value === undefined) return null;
    return typeof value === "string" ? value : value.join(", ");
  }

  body(): AsyncIterable<Uint8Array> | null {
    const { headers } = this.#request;
    const empty = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
    return empty ? null : this.#request.iterator({ destroyOnReturn: false });
  }

  get hasArrived(): boolean {
    return this.#request.complete;
  }

  get address(): string | null {
    const { socket, headers } = this.#request;
    return clientAddress(socket.remoteAddress, headers["x-forwarded-for"], this.#trustedProxies);
  }

  get signal(): AbortSignal {
    if (this.#signal === null) {
      const gone = new AbortController();
      this.#response.once("close", () => gone.abort());
      if (this.#response.closed) gone.abort();
      this.#signal = AbortSignal.any([gone.signal, this.#closing]);
    }
    return this.#signal;
  }
}
