/** An endpoint's response, before it becomes a Response or is written to a socket. Header names are lower-case. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  /** Bytes in pieces, a stream (a Readable is bytes of a process) that ends by itself or when it is returned, or nothing. */
  body: Uint8Array[] | AsyncIterable<string | Uint8Array> | null;
  /** Nobody else holds the pieces of the body: their memory is released once they are sent. */
  isOwn?: boolean;
  /**
   * Aborted when a stream was ended because its client may read no more, and may have stopped reading. A Readable's connection is
   * then closed, so that nobody takes a part for the whole.
   */
  cutOff?: AbortSignal;
  /** How long a stream's client may read nothing before it is cut off. Default: 30 s for an event stream, otherwise no limit. */
  takeMs?: number;
  /** Nothing was done: what was written is taken back, and an idempotency key is not used. */
  didNothing?: boolean;
};

/** True for a response that continues as long as the client listens. */
export function isStream(body: Answer["body"]): body is AsyncIterable<string | Uint8Array> {
  return body !== null && Symbol.asyncIterator in body;
}

/** The response as a fetch Response; its stream is read only as fast as the Response is. */
export function toResponse(answer: Answer, method: string): Response {
  const { status, headers, body } = answer;
  if (body === null || method === "HEAD") return new Response(null, { status, headers });
  if (!isStream(body)) return new Response(Buffer.concat(body), { status, headers });
  return new Response(byteStream(body), { status, headers });
}

function byteStream(body: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const parts = body[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(typeof next.value === "string" ? encoder.encode(next.value) : next.value);
    },
    async cancel() {
      await parts.return?.();
    },
  });
}
