import { fileURLToPath } from "node:url";
import { shellQuote } from "#lib/shell-quote.ts";

/** The proxy's address inside the wall. */
export const bridgePort = 3128;

/** The bridge's file, which the wall makes readable together with Node. */
export const bridgeFile = fileURLToPath(new URL("./bridge.mjs", import.meta.url));

/**
 * A step of a shell script inside the wall that starts the bridge from 127.0.0.1:3128 to the proxy's socket. `socket` is its path
 * inside. The script goes on at once, which is right for agents, because they take longer to start than the bridge; with `waits` it
 * goes on when the bridge listens.
 */
export function bridgeStep(socket: string, { waits }: { waits: boolean }): string {
  const bridge = [process.execPath, bridgeFile, socket, String(bridgePort)].map(shellQuote).join(" ");
  // The substitution ends when the bridge closes its output.
  return waits ? `ready="$(${bridge} </dev/null 2>/dev/null &)"` : `${bridge} </dev/null >/dev/null 2>&1 &`;
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
