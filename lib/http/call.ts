/**
 * A request as an endpoint sees it, however it arrived: through the front (node:http, without the cost of a Request) or as a
 * fetch Request (Next, in-process calls).
 */
export type Call = {
  method: string;
  /** Path and query as sent. */
  target: string;
  /** By lower-case name; null if absent. */
  header(name: string): string | null;
  /** The body as it arrives, null if the request has none. Can be read once. */
  body(): AsyncIterable<Uint8Array> | null;
  /** Whether the whole request has arrived, including its body; false if that is unknown. */
  readonly hasArrived: boolean;
  /** Origin of the request, as rate limits count it; null if unknown. */
  readonly address: string | null;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
};

/**
 * Carries the client's address with requests within this process: the front overwrites whatever a page's request said, and
 * pages pass it on to the requests they make.
 */
export const addressHeader = "x-errand-address";

/** The call for a fetch Request. */
export function callOf(request: Request): Call {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    target: pathname + search,
    header: (name) => request.headers.get(name),
    body: () => request.body,
    hasArrived: request.body === null,
    address: request.headers.get(addressHeader) || null,
    signal: request.signal,
  };
}
