import { patient, type Transport } from "./request.ts";

/** Address and credentials. */
export type ServiceAddress = {
  /** The installation's address, such as `https://errand.example.com`; may include a path. */
  baseUrl: string | URL;
  /** An API token: `errand_…`. */
  token: string;
  /** Sends the requests; by default the global `fetch`. */
  fetch?: typeof globalThis.fetch;
};

/**
 * Transport for programs: requests go to the base address with the token, rate-limited reads are repeated ({@link patient}).
 * Throws a TypeError that names the problem with the address or the token.
 */
export function tokenTransport({ baseUrl, token, fetch = globalThis.fetch }: ServiceAddress): Transport {
  const url = URL.parse(String(baseUrl));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https address, such as http://127.0.0.1:3000: got "${baseUrl}"`);
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError("token must be an API token (errand_…): printable characters without spaces, at least one");
  }
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  return patient((path, init) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetch(base + path, { ...init, headers });
  });
}

/** The transport, with an additional header on every request. */
export function withHeader(transport: Transport, name: string, value: string): Transport {
  return (path, init) => {
    const headers = new Headers(init.headers);
    headers.set(name, value);
    return transport(path, { ...init, headers });
  };
}
