/**
 * A request as an endpoint sees it, whichever door it came through: the front's own (node:http, without the cost of a Request)
 * or a fetch Request (Next, in-process calls).
 */
export type Call = {
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** By lower-case name; null where absent. */
  header(name: string): string | null;
  /** The body as it arrives, null where the request has none. Read once. */
  body(): AsyncIterable<Uint8Array> | null;
  /** Where the request comes from, as limits count it; null where that is not known. */
  readonly address: string | null;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
};

/**
 * Carries the client's address with requests of this process: the front writes it over whatever a page's request said, and
 * pages hand it on to the requests that they make.
 */
export const addressHeader = "x-errand-address";

/** The call that a fetch Request makes. */
export function callOf(request: Request): Call {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    target: pathname + search,
    header: (name) => request.headers.get(name),
    body: () => request.body,
    address: request.headers.get(addressHeader) || null,
    signal: request.signal,
  };
}
