import { Socket } from "node:net";
import type { Readable } from "node:stream";

/**
 * Gives a child nothing to read from its own output. Node's pipes are sockets, which go both ways, and an editor without a terminal
 * (vim) would wait for keys on its standard error.
 */
export function endInputOf(output: Readable | null): void {
  if (output instanceof Socket) output.end();
}
