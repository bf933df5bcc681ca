import { fileURLToPath } from "node:url";

/** The proxy's address inside the wall. */
export const bridgePort = 3128;

/** The bridge's file, which the wall makes readable together with Node. */
export const bridgeFile = fileURLToPath(new URL("./bridge.mjs", import.meta.url));

// $1 node, $2 the bridge, $3 the socket, $4 the port; then the command. The substitution ends when the bridge closes its output.
const atOnce = '"$1" "$2" "$3" "$4" </dev/null >/dev/null 2>&1 & shift 4; exec "$@"';
const whenReady = 'ready="$("$1" "$2" "$3" "$4" </dev/null 2>/dev/null &)"; shift 4; exec "$@"';

/**
 * A command prefix inside the wall that also runs the bridge from 127.0.0.1:3128 to the proxy's socket. `socket` is its path
 * inside. The command starts at once, which is right for agents, because they take longer to start than the bridge; with `waits`
 * it starts when the bridge listens.
 */
export function bridgePrefix(socket: string, { waits }: { waits: boolean }): string[] {
  const script = waits ? whenReady : atOnce;
  return ["/bin/sh", "-c", script, "sh", process.execPath, bridgeFile, socket, String(bridgePort)];
}

/** The proxy variables of programs inside the wall. Programs that know none of them reach nothing. */
export function proxyEnvironment(): Record<string, string> {
  const proxy = `http://127.0.0.1:${bridgePort}`;
  const own = "localhost,127.0.0.1,::1";
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: own,
    // Some programs read only lower case, such as curl for plain HTTP.
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: own,
    NODE_USE_ENV_PROXY: "1",
  };
}
