import type { Server } from "node:http";

const idleCheckMs = 25;

/**
 * Stops a server without cutting anybody off: no new connections, event streams end (`endStreams`), answers under way are
 * finished; what is left after `limitMs` is closed.
 */
export async function drain(server: Server, endStreams: () => void, limitMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  endStreams();
  // A connection that is kept alive becomes idle only when its last answer is finished.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
}
