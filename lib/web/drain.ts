import type { Server } from "node:http";

/**
 * Stops a server without cutting anybody off: no new connections, event streams end (`endStreams`), answers under way are
 * finished; what is left after `limitMs` is closed.
 */
export async function drain(server: Server, endStreams: () => void, limitMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  endStreams();
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearTimeout(limit);
}
