import { bridgeFile, bridgePrefix, proxyEnvironment } from "./bridge.ts";

/** The only way out of a wall: its mount, its command prefix and its variables. */
export type WayOut = {
  /** The proxy's unix socket, to be mounted in the wall. */
  socket: string;
  /** Files that must be readable in the wall, besides Node itself. */
  readable: string[];
  /** Prefix of a command in the wall, where the socket is at `socketInside`. See {@link bridgePrefix}. */
  before(socketInside: string, options: { waits: boolean }): string[];
  /** Variables of every program in the wall. */
  environment: Record<string, string>;
};

/** The way out through a proxy's socket. */
export function wayOutOf(socket: string): WayOut {
  return { socket, readable: [bridgeFile], before: bridgePrefix, environment: proxyEnvironment() };
}
