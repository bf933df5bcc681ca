import type { Server } from "node:http";

const idleCheckMs = 25;

/**
 * Stops a server gracefully: no new connections, event streams end (`endStreams`), responses in progress are finished; whatever
 * is left after `limitMs` is closed.
 */
export async function drain(server: Server, endStreams: () => void, limitMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  endStreams();
  // A kept-alive connection becomes idle only when its last response is finished.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
}
