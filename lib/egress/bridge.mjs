// Runs inside the wall, where the only network is loopback: passes every connection to the proxy's socket, and closes its
// standard output once it listens. Plain JavaScript, because it must be ready before the agent's first request: Node starts twice
// as fast without loading its TypeScript compiler.
import { closeSync } from "node:fs";
import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";

const [socket, port] = process.argv.slice(2);
const ignore = () => undefined;

const server = createServer({ allowHalfOpen: true }, (inside) => {
  const outside = connect({ path: socket, allowHalfOpen: true });
  pipeline(inside, outside, ignore);
  pipeline(outside, inside, ignore);
});
server.listen(Number(port), "127.0.0.1", () => closeSync(1));
