// Runs inside the wall, where there is no network but loopback: hands every connection to the proxy's socket, and says that it
// listens by closing its standard output. Plain JavaScript, for it must be there before the agent asks: Node starts twice as
// fast where it need not load its compiler of TypeScript.
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
