import { randomBytes } from "node:crypto";
import { bridgePort } from "./bridge.ts";
import { type PermittedPairs, readTarget, type Target, targetText } from "./resolve.ts";

/** Where a key may be sent: the service's host, over TLS unless it is a permitted host in a private network. */
export type KeyHost = { target: Target; secure: boolean };

/** A key of one run: the agent has the sentinel, which the proxy replaces by the value. */
export type RunKey = KeyHost & {
  /** The agent's variable for it, which is also its name in the proxy's path. */
  variable: string;
  /** The header in which the service expects it, in lower case. */
  header: string;
  sentinel: string;
  value: string;
};

/** A new sentinel, which an agent gets instead of a key. It works only with this run's proxy. */
export function newSentinel(): string {
  return `errand-run-${randomBytes(24).toString("base64url")}`;
}

/** The address at which an agent reaches the service of a key. `path` is that of the service's own address, like `/v1`. */
export function keyAddress(variable: string, path = ""): string {
  return `http://127.0.0.1:${bridgePort}/k/${variable}${path}`;
}

/** Parses `api.example.com`, `host:port`, or `http://host:port` for one that is permitted in a private network; otherwise null. */
export function readKeyHost(text: string, permitted: PermittedPairs): KeyHost | null {
  const isPlain = text.startsWith("http://");
  const target = readTarget(isPlain ? text.slice("http://".length) : text, isPlain ? 80 : 443);
  if (target === null || (isPlain && !permitted.has(targetText(target)))) return null;
  return { target, secure: !isPlain };
}

/** The key and the rest of a path `/k/NAME/…`; null for another path or an unknown key. */
export function findKey(keys: readonly RunKey[], path: string): { key: RunKey; rest: string } | null {
  const [, name, rest = ""] = /^\/k\/(\w+)((?:[/?].*)?)$/s.exec(path) ?? [];
  const key = keys.find(({ variable }) => variable === name);
  return key === undefined ? null : { key, rest: rest.startsWith("/") ? rest : `/${rest}` };
}

/**
 * The headers (name, value, name, value …) with the key in place of its sentinel, in the key's own header only; null if that
 * header does not have the sentinel, so that only its owner can use a key.
 */
export function withKey(headers: readonly string[], { header, sentinel, value }: RunKey): string[] | null {
  const given: string[] = [];
  let isIn = false;
  for (let at = 0; at < headers.length; at += 2) {
    const [name = "", held = ""] = headers.slice(at, at + 2);
    if (!held.includes(sentinel)) given.push(name, held);
    else if (name.toLowerCase() === header) {
      given.push(
        name,
        held.replaceAll(sentinel, () => value),
      );
      isIn = true;
    }
  }
  return isIn ? given : null;
}
