import { connect } from "node:net";

export type Load = { requests: number; requestsPerSecond: number; bytesPerAnswer: number; p99Ms: number };

/**
 * Requests the addresses in turn on `connections` kept-alive connections for `durationMs`. It reads only status and length of an
 * answer, so that the client costs little beside the server on the same machine. Throws at the first answer that is not 200.
 */
export async function loadHttp(
  urls: string[],
  { token, connections = 8, durationMs = 4000 }: { token: string; connections?: number; durationMs?: number },
): Promise<Load> {
  const requests = urls.map((url) => {
    const { host, pathname, search } = new URL(url);
    return Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  });
  const { hostname, port } = new URL(urls[0] ?? "");
  let sent = 0;
  const latencies: number[] = [];
  let bytes = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      let answer = new Answer();
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(requests[sent % requests.length] ?? "");
        sent += 1;
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        answer.take(chunk);
        if (answer.refusal !== null) {
          socket.destroy();
          reject(new Error(`${hostname}:${port} answered: ${answer.refusal}`));
        } else if (answer.isWhole) {
          const now = performance.now();
          latencies.push(now - sentAt);
          answer = new Answer();
          if (now < endsAt) send();
          else {
            socket.destroy();
            resolve();
          }
        }
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / seconds,
    bytesPerAnswer: Math.round(bytes / Math.max(1, latencies.length)),
    p99Ms: at(0.99),
  };
}

const chunkedEnd = Buffer.from("\r\n0\r\n\r\n");

/** One answer as it arrives. Reads only its head and finds its end. */
class Answer {
  isWhole = false;
  /** The head of an answer that is not 200. */
  refusal: string | null = null;
  #head: Buffer | null = Buffer.alloc(0);
  /** Bytes to come; null for a chunked body, which has an end marker. */
  #left: number | null = 0;
  #end = Buffer.alloc(0);

  take(chunk: Buffer): void {
    if (this.#head === null) {
      this.#takeBody(chunk);
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    const length = this.#head.indexOf("\r\n\r\n");
    if (length === -1) return;
    const text = this.#head.toString("latin1", 0, length);
    if (!text.startsWith("HTTP/1.1 200")) this.refusal = text.replaceAll("\r\n", " | ");
    const body = this.#head.subarray(length + 4);
    this.#head = null;
    const stated = /content-length: (\d+)/i.exec(text)?.[1];
    this.#left = stated === undefined ? null : Number(stated);
    this.#takeBody(body);
  }

  #takeBody(chunk: Buffer): void {
    if (this.#left !== null) {
      this.#left -= chunk.length;
      this.isWhole = this.#left === 0;
      return;
    }
    this.#end = Buffer.concat([this.#end, chunk.subarray(-chunkedEnd.length)]).subarray(-chunkedEnd.length);
    this.isWhole = this.#end.equals(chunkedEnd);
  }
}
