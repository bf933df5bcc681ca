import { bridgeFile, bridgeStep, proxyEnvironment } from "./bridge.ts";

/** The only way out of a wall: its mount, the script that opens it, and its variables. */
export type WayOut = {
  /** The proxy's unix socket, to be mounted in the wall. */
  socket: string;
  /** Files that must be readable in the wall, besides Node itself. */
  readable: string[];
  /** Step of a shell script in the wall, where the socket is at `socketInside`. See {@link bridgeStep}. */
  open(socketInside: string, options: { waits: boolean }): string;
  /** Variables of every program in the wall. */
  environment: Record<string, string>;
};

/** The way out through a proxy's socket. */
export function wayOutOf(socket: string): WayOut {
  return { socket, readable: [bridgeFile], open: bridgeStep, environment: proxyEnvironment() };
}
