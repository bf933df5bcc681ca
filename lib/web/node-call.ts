import type { IncomingMessage, ServerResponse } from "node:http";
import type { Call } from "#lib/http/call.ts";

/** A request of node:http as an endpoint sees it. The abort signal is made only where somebody asks for it. */
export class NodeCall implements Call {
  readonly method: string;
  readonly target: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #closing: AbortSignal;
  #signal: AbortSignal | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, closing: AbortSignal) {
    this.method = request.method ?? "GET";
    this.target = request.url ?? "/";
    this.#request = request;
    this.#response = response;
    this.#closing = closing;
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
