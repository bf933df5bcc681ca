import { bridgeBefore, bridgeFile, proxyEnvironment } from "./bridge.ts";

/** The one way out of a wall: what is mounted in it, what goes before a command there, and what tells programs of it. */
export type WayOut = {
  /** The proxy's unix socket, to be mounted in the wall. */
  socket: string;
  /** Files that must be readable in the wall, beside Node itself. */
  readable: string[];
  /** What goes before a command in the wall, where the socket is at `socketInside`. See {@link bridgeBefore}. */
  before(socketInside: string, options: { waits: boolean }): string[];
  /** Variables of every program in the wall. */
  environment: Record<string, string>;
};

/** The way out through a proxy's socket. */
export function wayOutOf(socket: string): WayOut {
  return { socket, readable: [bridgeFile], before: bridgeBefore, environment: proxyEnvironment() };
}
