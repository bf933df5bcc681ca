import { connect } from "node:net";

export type Load = { requestsPerSecond: number; bytesPerAnswer: number; p50Ms: number; p99Ms: number };

/**
 * Asks for one address over and over on `connections` kept-alive connections for `durationMs`. It reads no more of an
 * answer than the status and the length, so that the client costs little beside the server on the same machine.
 * Throws at the first answer that is not 200.
 */
export async function loadHttp(
  url: string,
  { token, connections = 8, durationMs = 4000 }: { token: string; connections?: number; durationMs?: number },
): Promise<Load> {
  const { hostname, port, pathname, search } = new URL(url);
  const request = Buffer.from(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const latencies: number[] = [];
  let bytes = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      let head: Buffer = Buffer.alloc(0);
      let left = -1;
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(request);
      };
      const answered = () => {
        const now = performance.now();
        latencies.push(now - sentAt);
        left = -1;
        if (now < endsAt) return send();
        socket.destroy();
        resolve();
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (left === -1) {
          head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
          const end = head.indexOf("\r\n\r\n");
          if (end === -1) return;
          const text = head.toString("latin1", 0, end);
          const length = /content-length: (\d+)/i.exec(text)?.[1];
          if (!text.startsWith("HTTP/1.1 200") || length === undefined) {
            reject(new Error(`${url} answered: ${text.split("\r\n").slice(0, 12).join(" | ")}`));
            socket.destroy();
            return;
          }
          left = Number(length) - (head.length - end - 4);
          head = Buffer.alloc(0);
        } else left -= chunk.length;
        if (left === 0) answered();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    requestsPerSecond: latencies.length / seconds,
    bytesPerAnswer: Math.round(bytes / Math.max(1, latencies.length)),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
